// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Where a callback runs, in one word that owns what it points to.
@usableFromInline
struct Home: @unchecked Sendable {
    // because whoever has the future that it belongs to has it too.
    let word: UInt

    /// In the word of a pool's box: its threads are replaced while they wait.
    private static let pool: UInt = 4
    /// What is not the address.
    private static let flags: UInt = 7

    /// At once, whatever the other callbacks do: for what is no user's closure.
    @usableFromInline static let direct = Home(word: 2)
    /// At once, in the lane.
    static var immediate: Home { Home(word: ContextRoute.immediate.word) }

    init(word: UInt) {
        self.word = word
    }

    /// Takes a reference on a loop, and boxes any other context. (A function and no initializer, which
    /// would own its argument: the existential is copied only where it is kept.)
    @usableFromInline
    static func of(_ context: any ExecutionContext) -> Home {
        let route = context.route.word
        return route == ContextRoute.immediate.word ? .immediate : elsewhere(context, route)
    }

    @inline(never)
    private static func elsewhere(_ context: any ExecutionContext, _ route: UInt) -> Home {
        if route == ContextRoute.execute.word {
            return Home(word: word(HomeBox(context)) | (context is WorkerPool ? pool : 0))
        }
        let home = Home(word: route)
        if let loop = home.loop {
            _ = Unmanaged.passUnretained(loop).retain()
        }
        return home
    }

    /// At once, whatever the other callbacks do; but what completes the future then has to run on
    /// `context`, which a wait for it may need.
    static func direct(before context: any ExecutionContext) -> Home {
        context.route.word == ContextRoute.execute.word && !(context is WorkerPool)
            ? Home(word: word(HomeBox(context)) | direct.word) : .direct
    }

    /// No place at all: the callback will never run.
    init(endedBecause cause: AbandonmentCause) {
        word = Self.word(HomeBox(nil, cause: cause))
    }

    /// The same place, with a reference of its own.
    func retained() -> Home {
        if let object = UnsafeRawPointer(bitPattern: word & ~Self.flags) {
            _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        }
        return self
    }

    private static func word(_ box: HomeBox) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(box).toOpaque()) | ContextRoute.execute.word
    }

    var isDirect: Bool { word & 2 != 0 }

    /// Whether the callback runs in the thread that completes, or registers late.
    var isInline: Bool { word == 0 || isDirect }

    /// Whether there is a box.
    var isBoxed: Bool { word & 1 != 0 }

    /// Whether a wait may keep the context from running anything.
    var mayBeHeldUp: Bool { isBoxed && word & Self.pool == 0 }

    /// The loop, if it is one.
    var loop: Loop? {
        word & 3 == 0 && word != 0
            ? UnsafeRawPointer(bitPattern: word).map {
                Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue()
            } : nil
    }

    /// The context, if it is neither a loop nor here.
    var context: (any ExecutionContext)? { box?.context }

    /// Why a callback of no home will never run.
    var cause: AbandonmentCause? { box?.cause }

    var box: HomeBox? {
        isBoxed
            ? UnsafeRawPointer(bitPattern: word & ~Self.flags).map {
                Unmanaged<HomeBox>.fromOpaque($0).takeUnretainedValue()
            } : nil
    }

    /// Gives the reference back. Once.
    func release() {
        guard let object = UnsafeRawPointer(bitPattern: word & ~Self.flags) else { return }
        Unmanaged<AnyObject>.fromOpaque(object).release()
    }
}

/// What does not fit into a word.
final class HomeBox: Sendable {
    let context: (any ExecutionContext)?
    let cause: AbandonmentCause?

    init(_ context: (any ExecutionContext)?, cause: AbandonmentCause? = nil) {
        self.context = context
        self.cause = cause
    }
}

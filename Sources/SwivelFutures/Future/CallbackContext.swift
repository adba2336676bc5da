// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Where a callback runs, in one word that owns what it points to.
@usableFromInline
struct CallbackContext: @unchecked Sendable {
    // because the word is constant, and what it points to is Sendable.
    let word: UInt

    /// The bits that are not the address.
    private static let flags: UInt = 7

    /// At once, outside the lane: for the library's own callbacks.
    @usableFromInline static let direct = CallbackContext(word: 2)
    /// At once, in the lane.
    static var immediate: CallbackContext { CallbackContext(word: ContextRoute.immediate.word) }

    init(word: UInt) {
        self.word = word
    }

    /// Takes a reference on a loop or a pool, and boxes any other context. (A function and not an
    /// initializer, which would own its argument: the existential is copied only where it is kept.)
    @usableFromInline
    static func of(_ context: any ExecutionContext) -> CallbackContext {
        let route = context.route.word
        return route == ContextRoute.immediate.word ? .immediate : elsewhere(context, route)
    }

    @inline(never)
    private static func elsewhere(
        _ context: any ExecutionContext, _ route: UInt
    ) -> CallbackContext {
        if route == ContextRoute.execute.word {
            return CallbackContext(word: word(ContextBox(context)))
        }
        return CallbackContext(word: route).retained()
    }

    /// As ``direct``, for a future that is completed by work on `context`, which a wait may need.
    static func direct(before context: any ExecutionContext) -> CallbackContext {
        context.route.word == ContextRoute.execute.word
            ? CallbackContext(word: word(ContextBox(context)) | direct.word) : .direct
    }

    /// No context: the callback will never run.
    init(endedBecause cause: SwivelError) {
        word = Self.word(ContextBox(nil, cause: cause))
    }

    /// The same context, with a reference of its own.
    func retained() -> CallbackContext {
        if let object = UnsafeRawPointer(bitPattern: word & ~Self.flags) {
            _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        }
        return self
    }

    private static func word(_ box: ContextBox) -> UInt {
        UInt(bitPattern: Unmanaged.passRetained(box).toOpaque()) | ContextRoute.execute.word
    }

    var isDirect: Bool { word & 2 != 0 }

    /// Whether the callback runs in the thread that completes, or registers late.
    var isInline: Bool { word == 0 || isDirect }

    /// Whether there is a box.
    var isBoxed: Bool { word & 1 != 0 }

    /// Whether a wait may keep the context from running anything: a pool's threads are replaced while
    /// they wait.
    var mayBeHeldUp: Bool { isBoxed }

    /// The loop, if it is one, which the word keeps.
    @inline(__always)
    var loop: Unmanaged<Loop>? {
        word & Self.flags == 0
            ? UnsafeRawPointer(bitPattern: word).map { Unmanaged<Loop>.fromOpaque($0) } : nil
    }

    /// The pool, if it is one, which the word keeps.
    @inline(__always)
    var pool: Unmanaged<WorkerPool>? {
        word & Self.flags == ContextRoute.poolBit
            ? UnsafeRawPointer(bitPattern: word & ~Self.flags).map {
                Unmanaged<WorkerPool>.fromOpaque($0)
            } : nil
    }

    /// The part of the context that does not fit into the word.
    var box: ContextBox? {
        isBoxed
            ? UnsafeRawPointer(bitPattern: word & ~Self.flags).map {
                Unmanaged<ContextBox>.fromOpaque($0).takeUnretainedValue()
            } : nil
    }

    /// Gives the reference back. Once.
    func release() {
        guard let object = UnsafeRawPointer(bitPattern: word & ~Self.flags) else { return }
        Unmanaged<AnyObject>.fromOpaque(object).release()
    }
}

/// The part of a callback's context that does not fit into a word.
final class ContextBox: Sendable {
    /// The context, if it is neither a loop nor `.immediate`.
    let context: (any ExecutionContext)?
    /// Why the callback will never run.
    let cause: SwivelError?

    init(_ context: (any ExecutionContext)?, cause: SwivelError? = nil) {
        self.context = context
        self.cause = cause
    }
}

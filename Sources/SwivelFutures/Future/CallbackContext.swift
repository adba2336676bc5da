// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Where a callback runs, in one word that owns what it points to, unless that is lent.
@usableFromInline
struct CallbackContext: @unchecked Sendable {
    // because the word is constant, and what it points to is Sendable.
    @usableFromInline let word: UInt

    /// The bits that are not the address.
    @inlinable static var flags: UInt { 15 }
    /// The word owns nothing: see ``lent(by:)``.
    @inlinable static var lentBit: UInt { 8 }

    /// At once, outside the lane: for the library's own callbacks.
    @usableFromInline static let direct = CallbackContext(word: 2)
    /// At once, in the lane.
    @inlinable static var immediate: CallbackContext { CallbackContext(word: 0) }

    @inlinable
    init(word: UInt) {
        self.word = word
    }

    /// Takes a reference on a loop or a pool, and boxes any other context. (A function and not an
    /// initializer, which would own its argument: the existential is copied only where it is kept.)
    @inlinable
    static func of(_ context: some ExecutionContext) -> CallbackContext {
        let context = lent(by: context)
        return context.isLent ? context.retained() : context
    }

    /// As ``of(_:)``, for a callback that enters the queue before the caller lets go of `context`:
    /// takes no reference on a loop or a pool, which ends the callbacks in its queue before it
    /// goes.
    @inlinable
    static func lent(by context: some ExecutionContext) -> CallbackContext {
        if context.isImmediate { return .immediate }
        let queue = context.callbackQueue
        return queue != 0 ? CallbackContext(word: queue | lentBit) : boxed(context)
    }

    @usableFromInline
    @inline(never)
    static func boxed(_ context: any ExecutionContext) -> CallbackContext {
        CallbackContext(ContextBox(context))
    }

    /// The context that a box has, with more `flags`.
    init(_ box: ContextBox, flags: UInt = 0) {
        word = UInt(bitPattern: Unmanaged.passRetained(box).toOpaque()) | 1 | flags
    }

    /// The object: a loop, a pool or a box.
    @inlinable
    @inline(__always)
    var address: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: word & ~Self.flags) }

    /// The bits that say what the object is.
    @inline(__always)
    private var kind: UInt { word & (Self.flags & ~Self.lentBit) }

    /// The same context, with a reference of its own.
    @inlinable
    func retained() -> CallbackContext {
        if let address { _ = Unmanaged<AnyObject>.fromOpaque(address).retain() }
        return CallbackContext(word: word & ~Self.lentBit)
    }

    var isDirect: Bool { word & 2 != 0 }

    /// Whether the callback runs in the thread that completes, or registers late.
    var isInline: Bool { word == 0 || isDirect }

    /// Whether there is a box.
    var isBoxed: Bool { word & 1 != 0 }

    /// Whether a wait may be in the way of the context's work. Reads the word alone: outside a
    /// ``SourceTrace`` the box may go. Release builds do not report waits for manual loops.
    var mayBeHeldUp: Bool {
        #if DEBUG
        isBoxed || loop.map { OpenLoops.hasManual(at: UInt(bitPattern: $0.toOpaque())) } ?? false
        #else
        isBoxed
        #endif
    }

    /// The box, or one with the need for a manual loop. Of a loop it reads only the address,
    /// because in a ``SourceTrace`` the loop may be gone.
    var boxOfNeeds: ContextBox? {
        #if DEBUG
        if !isBoxed, let loop {
            let address = UInt(bitPattern: loop.toOpaque())
            return ContextBox { OpenLoops.manual(at: address).map { [.context($0)] } ?? [] }
        }
        #endif
        return box
    }

    /// The loop, if it is one.
    @inline(__always)
    var loop: Unmanaged<Loop>? {
        kind == 0 ? address.map { Unmanaged<Loop>.fromOpaque($0) } : nil
    }

    /// The pool, if it is one.
    @inline(__always)
    var pool: Unmanaged<WorkerPool>? {
        kind == CallbackQueue.poolBit ? address.map { Unmanaged<WorkerPool>.fromOpaque($0) } : nil
    }

    /// The part of the context that does not fit into the word.
    var box: ContextBox? {
        isBoxed ? address.map { Unmanaged<ContextBox>.fromOpaque($0).takeUnretainedValue() } : nil
    }

    /// Callbacks whose contexts have the same identity run in registration order.
    var identity: ContextIdentity {
        if !isBoxed, let address {
            let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
            return .object(ObjectIdentifier(object))
        }
        let context: any ExecutionContext = box?.context ?? ImmediateContext()
        return ContextIdentity(context)
    }

    /// Whether the word owns nothing.
    @inlinable
    var isLent: Bool { word & Self.lentBit != 0 }

    /// Gives the reference back. Once.
    func release() {
        guard !isLent, let address else { return }
        Unmanaged<AnyObject>.fromOpaque(address).release()
    }
}

/// The part of a callback's context that does not fit into a word.
final class ContextBox: Sendable {
    /// The context, if it is neither a loop nor `.immediate`.
    let context: (any ExecutionContext)?
    /// Without a context: why the callback will never run.
    let cause: SwivelError?
    /// Returns the needs of a future that no callback completes. Keeps nothing but callbacks, which
    /// keep nothing once they are over.
    let needs: @Sendable () -> [FutureNeed]

    init(
        _ context: (any ExecutionContext)? = nil, cause: SwivelError? = nil,
        needs: @escaping @Sendable () -> [FutureNeed] = { [] }
    ) {
        self.context = context
        self.cause = cause
        self.needs = needs
    }
}

/// A condition for the completion of a future that no callback completes.
@usableFromInline
package enum FutureNeed: Sendable {
    /// Something has to run on a context.
    case context(any ExecutionContext)
    /// A callback has to run.
    case callback(Callback)
    /// One of several has to run.
    case oneOf([Callback])
}

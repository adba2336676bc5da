// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A future's callback on its way to a context, as two words that a loop's queue holds without an
/// object: a function, and what it is given. The function is called once.
package struct CallbackWords: @unchecked Sendable {
    // because only the function uses the argument.
    /// Gets false if the context has released the callback, which will never run.
    package typealias Function =
        @convention(c) (_ argument: UnsafeMutableRawPointer, _ runs: Bool) -> Void

    let function: Function
    let argument: UnsafeMutableRawPointer
    /// Whether the callback continues work that has run, so that it need not wait for the loop's
    /// next turn.
    let goesOn: Bool
    /// Whether the memory at `argument` begins with a closure, which the function releases.
    let hasClosure: Bool

    package init(
        _ function: Function, _ argument: UnsafeMutableRawPointer, goesOn: Bool = false,
        hasClosure: Bool = false
    ) {
        self.function = function
        self.argument = argument
        self.goesOn = goesOn
        self.hasClosure = hasClosure
    }

    /// The context of the closure at `argument`.
    @inline(__always)
    var closureContext: UInt {
        argument.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
    }

    @inline(__always)
    package func call(runs: Bool) { function(argument, runs) }
}

extension CallbackWords {
    /// The words in the queue of a loop or a pool.
    @inline(__always)
    var words: swivel_work {
        let address = unsafeBitCast(function, to: UInt.self)
        return swivel_work(
            function: UInt(swivel__callback_word(address, goesOn, hasClosure)),
            context: UInt(bitPattern: argument))
    }

    /// The callback in such a queue.
    @inline(__always)
    init(_ work: swivel_work) {
        guard let argument = UnsafeMutableRawPointer(bitPattern: work.context)
        else { trap("a callback without an argument: \(work)") }
        let address = swivel__callback_function(UInt64(work.function))
        self.init(unsafeBitCast(address, to: Function.self), argument)
    }
}

/// The same in an object, for a context that takes closures.
package final class CallbackBox: @unchecked Sendable {
    // because it goes from thread to thread through a context, and is never shared.
    private var callback: CallbackWords?

    package init(_ callback: CallbackWords) { self.callback = callback }

    package func run() { callback.take()?.call(runs: true) }

    deinit { callback?.call(runs: false) }
}

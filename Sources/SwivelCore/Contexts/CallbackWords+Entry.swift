// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension CallbackWords {
    /// The words in the queue of a loop or a pool.
    @inline(__always)
    var words: swivel_work {
        swivel_work(
            function: UInt(
                swivel__callback_word(
                    unsafeBitCast(function, to: UInt.self), goesOn, hasClosure)),
            context: UInt(bitPattern: argument))
    }

    /// The callback in such a queue.
    @inline(__always)
    init(_ work: swivel_work) {
        guard let argument = UnsafeMutableRawPointer(bitPattern: work.context) else {
            trap("a callback without an argument: \(work)")
        }
        let address = swivel__callback_function(UInt64(work.function))
        self.init(unsafeBitCast(address, to: Function.self), argument)
    }
}

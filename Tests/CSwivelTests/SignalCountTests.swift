// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Testing

/// The count of a signal is compared with a watcher's, and wraps.
@Suite struct SignalCountTests {
    private static let calls = swivel_watcher_calls(
        heard: { owner, _, _, _ in owner.assumingMemoryBound(to: Int.self).pointee += 1 },
        ended: { _ in true }, site: 0)

    @Test func aSignalThatMakesTheCountWrapIsHeard() throws {
        // A watcher posts a function and its argument.
        let hooks = UnsafeMutablePointer<swivel_hooks>.allocate(capacity: 1)
        defer { hooks.deallocate() }
        hooks.initialize(to: swivel_cell_hooks().pointee)
        hooks.pointee.run = { work in
            typealias Function = @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void
            let address = swivel__callback_function(UInt64(work.pointee.function))
            let run = unsafeBitCast(address, to: Function.self)
            run(UnsafeMutableRawPointer(bitPattern: work.pointee.context), true)
        }
        let loop = try TestLoop(SWIVEL_CALLER, hooks: hooks)
        let heard = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { heard.deallocate() }
        heard.initialize(to: 0)
        var count: UInt32 = 0
        try #require(swivel__signal_expect(SIGXFSZ, &count) == SWIVEL_OK)
        // As if the signal had come `count` + 1 times since the watcher compared last.
        var watcher: OpaquePointer?
        let status = swivel__watch_signal(
            loop.record, SIGXFSZ, UInt32.max, Self.calls, heard, &watcher)
        try #require(status == SWIVEL_OK)
        while heard.pointee == 0 && swivel_loop_refusal(loop.record) == SWIVEL_OK {
            var more = false
            swivel_loop_run_once(loop.record, false, &more)
            if !more { break }
        }
        #expect(heard.pointee == 1)
        if let watcher { swivel__watcher_close(watcher) }
    }
}

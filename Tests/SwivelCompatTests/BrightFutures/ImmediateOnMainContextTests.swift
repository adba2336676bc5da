// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelCompat
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

@Suite(.offPool) struct ImmediateOnMainContextTests {
    @Test @MainActor func itRunsAtOnceOnMain() {
        let latch = Latch()
        ImmediateOnMainContext().execute { latch.signal() }
        #expect(latch.isOpen && ImmediateOnMainContext().isCurrent)
        let queue = DispatchQueue(label: "test.elsewhere")
        let later = Latch()
        queue.sync {
            #expect(!ImmediateOnMainContext().isCurrent)
            ImmediateOnMainContext().execute {
                MainActor.assumeIsolated { later.signal() }
            }
            #expect(!later.isOpen)
        }
        Waiting.wait(for: later, operation: "test", file: #fileID, line: #line)
    }

    @Test func leadingDotSyntaxFindsIt() {
        let done = Gate()
        func take(_ context: any ExecutionContext) {
            context.execute { done.open() }
        }
        take(.immediateOnMain)
        done.wait()
    }

    @Test @MainActor func itsTimerEndsAWaitOnTheMainQueue() {
        let context = ImmediateOnMainContext()
        let latch = Latch()
        context.schedule(after: .milliseconds(1)) { latch.signal() }
        Waiting.wait(for: latch, target: context, operation: "test", file: #fileID, line: #line)
    }
}

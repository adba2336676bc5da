// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelTestSupport
import Testing

/// Values that a process makes once, and a fork meanwhile: S3.
@Suite(.offPool) struct FirstUseTests {
    /// S3: the fork waits until the value is there, and the child uses it.
    @Test func aChildHasWhatWasBeingMade() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let reader = TestThread { require(Slow.value == 1, "the parent's value") }
                require(Slow.making.isOpened(seconds: 10), "the making has begun")
                let code = exitCode { require(Slow.value == 1, "the child's value") }
                require(code == 0, "the child ended with \(code)")
                reader.join()
            }
        }
    }
}

/// A value that takes a while to make.
private enum Slow {
    static let making = Gate()
    static var value: Int { FirstUse.of(only) }
    private static let only: Int = {
        making.open()
        usleep(200_000)
        return 1
    }()
}
#endif

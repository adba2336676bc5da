// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite struct DropNoticeTests {
    private func make(_ count: Counter, _ probe: Probe) -> DropNotice<Counter> {
        let token = probe.token()
        return DropNotice(count) {
            withExtendedLifetime(token) {}
            $0.add()
        }
    }

    @Test func aReleasedNoticeRunsOnce() {
        let (count, probe) = (Counter(), Probe())
        var notice: DropNotice? = make(count, probe)
        #expect(notice != nil && count.value == 0)
        notice = nil
        #expect(count.value == 1 && probe.live == 0)
    }

    @Test func aNoticeThatRanDoesNotRunAgain() {
        let (count, probe) = (Counter(), Probe())
        var notice: DropNotice? = make(count, probe)
        notice?.run()
        notice?.run()
        #expect(count.value == 1)
        notice = nil
        #expect(count.value == 1 && probe.live == 0)
    }

    @Test func aDismissedNoticeDoesNotRun() {
        let (count, probe) = (Counter(), Probe())
        var notice: DropNotice? = make(count, probe)
        #expect(notice?.dismiss() === count)
        notice?.run()
        notice = nil
        #expect(count.value == 0 && probe.live == 0)
    }
}

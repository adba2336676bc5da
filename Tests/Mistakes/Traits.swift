// SPDX-License-Identifier: Apache-2.0
// Products for neighbours, in a program that does not name their traits.
import SwivelMetrics
import SwivelNIO
import SwivelServiceLifecycle

private func withoutTraits(eventLoop: Int, loop: Int) {
    _ = NIOContext(eventLoop)  // error: SwivelNIO needs its trait
    _ = LoopService(loop)  // error: SwivelServiceLifecycle needs its trait
    _ = LoopGroupService(loop)  // error: SwivelServiceLifecycle needs its trait
    _ = LoopMetricsReporter(for: loop)  // error: SwivelMetrics needs its trait
    _ = RuntimeMetricsReporter()  // error: SwivelMetrics needs its trait
}

// SPDX-License-Identifier: Apache-2.0
import Logging
import ServiceLifecycle
import Swivel
import SwivelServiceLifecycle
import UnixSignals

func serve(on loop: Loop, with server: any Service, logger: Logger) async throws {
    let service = LoopService(loop, shutdown: .drain(within: .seconds(5))) { report in
        logger.info("\(report.ran) closures ran at the end, \(report.cancelled) were released")
    }
    // The loop comes first, because a group shuts down in reverse order.
    let group = ServiceGroup(
        services: [service, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await group.run()
}

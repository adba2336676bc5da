// SPDX-License-Identifier: Apache-2.0
import Logging
import Swivel
import SwivelLogging

func work(logger: Logger) throws {
    // Failures of futures that were not observed. Once, at the start of the program.
    Future.logUnobservedFailures(to: logger)

    var configuration = Loop.Configuration(name: "io", maxPendingPosts: 10_000)
    configuration.logHighWater(to: logger)
    let loop = try Loop(configuration)

    logger.logMetrics(of: loop, level: .info)
    logger.log(loop.shutdown(), of: "io")
}

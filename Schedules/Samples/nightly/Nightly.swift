// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import ServiceLifecycle
import SwivelSchedules
import UnixSignals

@main struct Nightly {
    static func main() async throws {
        let store = ScheduleStore.postgreSQL("dbname=app")
        try await store.migrate()

        guard let berlin = TimeZone(identifier: "Europe/Berlin") else {
            fatalError("this system has no time zones: install tzdata")
        }
        try await store.set(
            Schedule("nightly report", job: "report", .daily(hour: 3, in: berlin)))

        var runner = ScheduleRunner(store)
        runner.exactlyOnce("report") { tick, transaction in
            try await transaction.query(
                "INSERT INTO report (night, orders) SELECT $1::date, count(*) FROM orders",
                [tick.due.formatted(.iso8601)])
        }
        let group = ServiceGroup(
            services: [runner], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "nightly"))
        try await group.run()
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

extension Report {
    /// A quick run of some machine, with these rows and all their counts asserted.
    static func sample(_ rows: [Row]) -> Report {
        Report(
            machine: .init(
                processor: "a processor", cores: 2, memoryGiB: 8, system: "Linux",
                architecture: "x86_64"),
            versions: .init(swift: "6.3.1", libuv: "1.44.2", swivel: "0.1.0"),
            commit: "0123456789ab", date: "2026-01-01T00:00:00Z", quick: true,
            asserted: rows.map(\.key), rows: rows)
    }
}

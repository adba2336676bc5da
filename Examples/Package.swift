// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Warnings are errors in this package's own targets; what it depends on is built as it comes.
let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let swivel = Target.Dependency.product(name: "Swivel", package: "swivel")

/// An example in a folder of its own, with a README and a check.
func example(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [],
    exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: [swivel, "Trials"] + dependencies, path: folder,
        exclude: ["README.md", "check"] + exclude, swiftSettings: swift)
}

/// libpq is not on every machine: `Schedules/run` installs it, and sets the variable.
let hasLibPQ = Context.environment["SWIVEL_LIBPQ"] != nil
let schedules: [Target] =
    hasLibPQ
    ? [
        example(
            "schedules", in: "Schedules",
            [
                .product(name: "SwivelSchedules", package: "swivel"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], exclude: ["run"])
    ] : []

let package = Package(
    name: "swivel-examples",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Trials", targets: ["Trials"])],
    dependencies: [
        // By name, because the folder of a clone may have any but `examples`, which is this one's.
        .package(name: "swivel", path: "..", traits: hasLibPQ ? ["PostgreSQL"] : []),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Command lines, seeds, processes and a load: what the examples' trials have in common.
        .target(name: "Trials", dependencies: [swivel], path: "Trials", swiftSettings: swift),
        example(
            "async-algorithms", in: "AsyncAlgorithms",
            [.product(name: "AsyncAlgorithms", package: "swift-async-algorithms")]),
        example("echo", in: "Echo", exclude: ["clients.py"]),
        example("heartbeat", in: "Heartbeat"),
        example(
            "simulation", in: "Simulation",
            [
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "SwivelSimulation", package: "swivel"),
            ]),
        example("store", in: "Store"),
        example("runner", in: "Runner"),
    ] + schedules,
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The tests of SwivelSchedules, and its load: a package of their own, so that the tests of Swivel
// itself need no database.

let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let swivel: [Target.Dependency] = [
    .product(name: "SwivelCore", package: "swivel"),
    .product(name: "SwivelSchedules", package: "swivel"),
]

let package = Package(
    name: "swivel-schedules-tests",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "swivel", path: "..", traits: ["PostgreSQL", "SQLite"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The samples of the article, which lint compares with it.
        .executableTarget(
            name: "nightly",
            dependencies: swivel + [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], path: "Samples/nightly", swiftSettings: swift),
        .target(
            name: "mail", dependencies: swivel, path: "Samples/mail", swiftSettings: swift),
        .executableTarget(
            name: "load", dependencies: swivel, path: "LoadProgram", swiftSettings: swift),
        .testTarget(
            name: "SwivelSchedulesTests",
            dependencies: swivel + [
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwivelSimulation", package: "swivel"),
            ], swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

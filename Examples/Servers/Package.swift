// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// SwiftNIO, hummingbird and GRDB take minutes to build: the lighter examples are a package of their
// own, which lends its trials.

// Warnings are errors in this package's own targets; what it depends on is built as it comes.
let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let swivel = Target.Dependency.product(name: "Swivel", package: "swivel")
let trials = Target.Dependency.product(name: "Trials", package: "Examples")

let package = Package(
    name: "swivel-example-servers",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "swivel", path: "../..", traits: ["NIO", "ServiceLifecycle"]),
        .package(path: ".."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "nio-timeouts",
            dependencies: [
                swivel, trials,
                .product(name: "SwivelNIO", package: "swivel"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "NIOTimeouts", exclude: ["README.md", "check"], swiftSettings: swift),
        .executableTarget(
            name: "web",
            dependencies: [
                swivel, trials,
                .product(name: "SwivelServiceLifecycle", package: "swivel"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Web", exclude: ["README.md", "check", "run", "setup", "clients.py"],
            swiftSettings: swift),
        .executableTarget(
            name: "sqlite-schedules",
            dependencies: [
                swivel, trials, .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "SQLite", exclude: ["README.md", "check", "setup"], swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

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

/// A product of Swivel itself.
func core(_ name: String) -> Target.Dependency { .product(name: name, package: "swivel") }

/// A product of a neighbour, which is fetched and built only where the trait is on.
func neighbour(_ name: String, _ package: String, _ trait: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

let serviceLifecycle = neighbour(
    "ServiceLifecycle", "swift-service-lifecycle", "ServiceLifecycle")
let metrics = neighbour("CoreMetrics", "swift-metrics", "Metrics")
let logging = neighbour("Logging", "swift-log", "Logging")
let tracing = neighbour("Tracing", "swift-distributed-tracing", "Tracing")
let nioCore = neighbour("NIOCore", "swift-nio", "NIO")

let package = Package(
    name: "swivel-integrations",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "SwivelServiceLifecycle", targets: ["SwivelServiceLifecycle"]),
        .library(name: "SwivelMetrics", targets: ["SwivelMetrics"]),
        .library(name: "SwivelLogging", targets: ["SwivelLogging"]),
        .library(name: "SwivelTracing", targets: ["SwivelTracing"]),
        .library(name: "SwivelNIO", targets: ["SwivelNIO"]),
    ],
    // One for each neighbour. README.md says why all are on unless the user names some.
    traits: [
        .trait(
            name: "ServiceLifecycle", description: "Loops as services of swift-service-lifecycle"),
        .trait(name: "Metrics", description: "The counters of loops in swift-metrics"),
        .trait(name: "Logging", description: "Swivel's reports in swift-log"),
        .trait(name: "Tracing", description: "Spans of swift-distributed-tracing on any context"),
        .trait(name: "NIO", description: "Event loops of swift-nio as contexts"),
        .default(enabledTraits: ["ServiceLifecycle", "Metrics", "Logging", "Tracing", "NIO"]),
    ],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "swivel", path: ".."),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(
            name: "SwivelServiceLifecycle",
            dependencies: [core("SwivelCore"), serviceLifecycle], swiftSettings: swift),
        .target(
            name: "SwivelMetrics", dependencies: [core("SwivelCore"), metrics],
            swiftSettings: swift),
        .target(
            name: "SwivelLogging",
            dependencies: [core("SwivelCore"), core("SwivelFutures"), logging],
            swiftSettings: swift),
        .target(
            name: "SwivelTracing", dependencies: [core("SwivelCore"), tracing],
            swiftSettings: swift),
        .target(
            name: "SwivelNIO", dependencies: [core("SwivelCore"), core("SwivelFutures"), nioCore],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelServiceLifecycleTests",
            dependencies: [
                "SwivelServiceLifecycle", core("SwivelCore"), serviceLifecycle,
                neighbour(
                    "ServiceLifecycleTestKit", "swift-service-lifecycle", "ServiceLifecycle"),
                neighbour("Logging", "swift-log", "ServiceLifecycle"),
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelMetricsTests",
            dependencies: [
                "SwivelMetrics", core("SwivelCore"), core("SwivelTesting"), metrics,
                neighbour("MetricsTestKit", "swift-metrics", "Metrics"),
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelLoggingTests",
            dependencies: [
                "SwivelLogging", core("SwivelCore"), core("SwivelFutures"), core("SwivelTesting"),
                logging, neighbour("InMemoryLogging", "swift-log", "Logging"),
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelTracingTests",
            dependencies: [
                "SwivelTracing", core("SwivelCore"), core("SwivelTesting"), tracing,
                neighbour("InMemoryTracing", "swift-distributed-tracing", "Tracing"),
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelNIOTests",
            dependencies: [
                "SwivelNIO", core("SwivelCore"), core("SwivelFutures"), nioCore,
                neighbour("NIOPosix", "swift-nio", "NIO"),
                neighbour("NIOEmbedded", "swift-nio", "NIO"),
            ],
            swiftSettings: swift),
        // The samples of README.md, which a test compares with it.
        .testTarget(
            name: "SampleTests",
            dependencies: [
                "SwivelServiceLifecycle", "SwivelMetrics", "SwivelLogging", "SwivelTracing",
                "SwivelNIO", core("Swivel"), serviceLifecycle, metrics, logging, tracing, nioCore,
                neighbour("UnixSignals", "swift-service-lifecycle", "ServiceLifecycle"),
                neighbour("MetricsTestKit", "swift-metrics", "Metrics"),
                neighbour("InMemoryLogging", "swift-log", "Logging"),
                neighbour("InMemoryTracing", "swift-distributed-tracing", "Tracing"),
                neighbour("NIOEmbedded", "swift-nio", "NIO"),
                neighbour("NIOPosix", "swift-nio", "NIO"),
            ],
            swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The tests of Swivel's products for its neighbours. They are a package of their own, so that the
// tests of Swivel itself need no other package.

// Warnings are errors in this package's own targets; what it depends on is built as it comes.
let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Products of Swivel.
func swivel(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "swivel") }
}

/// Products of a neighbour.
func neighbour(_ package: String, _ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: package) }
}

func tests(_ name: String, _ dependencies: [Target.Dependency]...) -> Target {
    .testTarget(name: name, dependencies: dependencies.flatMap { $0 }, swiftSettings: swift)
}

let package = Package(
    name: "swivel-integrations",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(
            name: "swivel", path: "..",
            traits: ["Logging", "Metrics", "NIO", "ServiceLifecycle", "Tracing"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        tests(
            "SwivelServiceLifecycleTests",
            swivel("SwivelServiceLifecycle", "SwivelCore"),
            neighbour("swift-service-lifecycle", "ServiceLifecycle", "ServiceLifecycleTestKit"),
            neighbour("swift-log", "Logging")),
        tests(
            "SwivelMetricsTests",
            swivel("SwivelMetrics", "SwivelCore", "SwivelRuntime", "SwivelTesting"),
            neighbour("swift-metrics", "CoreMetrics", "MetricsTestKit")),
        tests(
            "SwivelLoggingTests",
            swivel("SwivelLogging", "SwivelCore", "SwivelFutures", "SwivelTesting"),
            neighbour("swift-log", "Logging", "InMemoryLogging")),
        tests(
            "SwivelTracingTests",
            swivel("SwivelTracing", "SwivelCore", "SwivelTesting"),
            neighbour("swift-distributed-tracing", "Tracing", "InMemoryTracing")),
        tests(
            "SwivelNIOTests",
            swivel("SwivelNIO", "SwivelCore", "SwivelFutures"),
            neighbour("swift-nio", "NIOCore", "NIOPosix", "NIOEmbedded")),
        // The samples of README.md, which a test compares with it.
        tests(
            "SampleTests",
            swivel(
                "Swivel", "SwivelRuntime", "SwivelServiceLifecycle", "SwivelMetrics",
                "SwivelLogging", "SwivelTracing", "SwivelNIO"),
            neighbour("swift-service-lifecycle", "ServiceLifecycle", "UnixSignals"),
            neighbour("swift-metrics", "CoreMetrics", "MetricsTestKit"),
            neighbour("swift-log", "Logging", "InMemoryLogging"),
            neighbour("swift-distributed-tracing", "Tracing", "InMemoryTracing"),
            neighbour("swift-nio", "NIOCore", "NIOEmbedded", "NIOPosix")),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A newer compiler may warn of more: that is an error for those who develop Swivel, not for those who
// use it. The Makefile sets the variable.
let isStrict = Context.environment["SWIVEL_STRICT"] != nil
let swift: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
let c: [CSetting] =
    [
        .define("_GNU_SOURCE", .when(platforms: [.linux, .android])),
        .enableWarning("all"),
        .enableWarning("extra"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// A module for one neighbour, under the trait's name. Without the trait it is empty, and SwiftPM
/// does not even fetch the neighbour.
func integration(
    _ trait: String, _ modules: [Target.Dependency], product: String, package: String
) -> Target {
    let neighbour = Target.Dependency.product(
        name: product, package: package, condition: .when(traits: [trait]))
    return .target(
        name: "Swivel\(trait)", dependencies: modules + [neighbour],
        path: "Integrations/Sources/Swivel\(trait)", swiftSettings: swift)
}

let integrations = [
    integration(
        "Logging", ["SwivelCore", "SwivelFutures"], product: "Logging", package: "swift-log"),
    integration(
        "Metrics",
        ["SwivelCore", .target(name: "SwivelRuntime", condition: .when(traits: ["Metrics"]))],
        product: "CoreMetrics", package: "swift-metrics"),
    integration("NIO", ["SwivelCore", "SwivelFutures"], product: "NIOCore", package: "swift-nio"),
    integration(
        "ServiceLifecycle", ["SwivelCore"],
        product: "ServiceLifecycle", package: "swift-service-lifecycle"),
    integration(
        "Tracing", ["SwivelCore"], product: "Tracing", package: "swift-distributed-tracing"),
]

/// A neighbour of SwivelSchedules. Without one of its traits SwiftPM does not fetch it.
func schedules(_ product: String, _ package: String, _ traits: Set<String>) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: traits))
}

let databases: Set = ["PostgreSQL", "SQLite"]

let package = Package(
    name: "swivel",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Swivel", targets: ["Swivel"]),
        .library(name: "SwivelCore", targets: ["SwivelCore"]),
        .library(name: "SwivelDispatch", targets: ["SwivelDispatch"]),
        .library(name: "SwivelDispatchBackend", targets: ["SwivelDispatchBackend"]),
        .library(name: "SwivelFutures", targets: ["SwivelFutures"]),
        .library(name: "SwivelJobs", targets: ["SwivelJobs"]),
        .library(name: "SwivelOperators", targets: ["SwivelOperators"]),
        .library(name: "SwivelCompat", targets: ["SwivelCompat"]),
        .library(name: "BriskCompat", targets: ["BriskCompat"]),
        .library(name: "SwiftAsyncCompat", targets: ["SwiftAsyncCompat"]),
        .library(name: "BrightFuturesCompat", targets: ["BrightFuturesCompat"]),
        .library(name: "FireflyCompat", targets: ["FireflyCompat"]),
        .library(name: "AwaitKitCompat", targets: ["AwaitKitCompat"]),
        .library(name: "SwivelTesting", targets: ["SwivelTesting"]),
        .library(name: "SwivelSimulation", targets: ["SwivelSimulation"]),
        .library(name: "SwivelRuntime", targets: ["SwivelRuntime"]),
        .library(name: "SwivelRuntimeAtStart", targets: ["SwivelRuntimeAtStart"]),
        .library(name: "SwivelSchedules", targets: ["SwivelSchedules"]),
        .executable(name: "swivel-schedules", targets: ["swivel-schedules"]),
        .library(name: "CSwivel", targets: ["CSwivel"]),
    ] + integrations.map { .library(name: $0.name, targets: [$0.name]) },
    traits: [
        .trait(name: "Logging", description: "SwivelLogging: Swivel's reports in swift-log"),
        .trait(name: "Metrics", description: "SwivelMetrics: Swivel's counters in swift-metrics"),
        .trait(name: "PostgreSQL", description: "SwivelSchedules on PostgreSQL, with libpq"),
        .trait(name: "SQLite", description: "SwivelSchedules in a file of SQLite, with GRDB"),
        .trait(name: "NIO", description: "SwivelNIO: event loops of swift-nio as contexts"),
        .trait(
            name: "ServiceLifecycle",
            description: "SwivelServiceLifecycle: loops as services of swift-service-lifecycle"),
        .trait(
            name: "Tracing",
            description: "SwivelTracing: closures as spans of swift-distributed-tracing"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: integrations + [
        .systemLibrary(
            name: "CLibUV",
            path: "CSources/CLibUV",
            pkgConfig: "libuv",
            providers: [.apt(["libuv1-dev"]), .yum(["libuv-devel"]), .brew(["libuv"])]
        ),
        .target(
            name: "CSwivel",
            dependencies: ["CLibUV"],
            path: "CSources/CSwivel",
            cSettings: c
        ),
        .target(name: "SwivelCore", dependencies: ["CSwivel"], swiftSettings: swift),
        .target(
            name: "CSwivelMain",
            dependencies: ["CSwivel"],
            path: "CSources/CSwivelMain",
            cSettings: c
        ),
        .target(
            name: "SwivelDispatch", dependencies: ["SwivelCore", "CSwivelMain"],
            swiftSettings: swift),
        // There to be compared with: no other module of the library depends on it.
        .target(
            name: "SwivelDispatchBackend",
            dependencies: ["CSwivel", "SwivelCore", "SwivelDispatch"],
            swiftSettings: swift),
        .target(
            name: "SwivelFutures", dependencies: ["SwivelCore", "SwivelDispatch"],
            swiftSettings: swift),
        .target(
            name: "SwivelJobs", dependencies: ["SwivelCore", "SwivelFutures"],
            swiftSettings: swift),
        .target(
            name: "SwivelOperators",
            dependencies: ["SwivelCore", "SwivelDispatch", "SwivelFutures"],
            swiftSettings: swift),
        .target(
            name: "Swivel",
            dependencies: [
                "SwivelCore", "SwivelDispatch", "SwivelFutures", "SwivelJobs", "SwivelOperators",
            ],
            swiftSettings: swift),
        .target(name: "SwivelCompatSupport", swiftSettings: swift),
        .target(
            name: "BriskCompat", dependencies: ["Swivel", "SwivelCompatSupport"],
            swiftSettings: swift),
        .target(name: "SwiftAsyncCompat", dependencies: ["Swivel"], swiftSettings: swift),
        .target(
            name: "BrightFuturesCompat", dependencies: ["Swivel", "SwivelCompatSupport"],
            swiftSettings: swift),
        .target(
            name: "FireflyCompat", dependencies: ["Swivel", "SwivelCompatSupport"],
            swiftSettings: swift),
        .target(name: "AwaitKitCompat", dependencies: ["Swivel"], swiftSettings: swift),
        .target(
            name: "SwivelCompat",
            dependencies: [
                "BriskCompat", "SwiftAsyncCompat", "BrightFuturesCompat", "FireflyCompat",
                "AwaitKitCompat",
            ],
            swiftSettings: swift),
        .target(name: "SwivelTesting", dependencies: ["SwivelCore"], swiftSettings: swift),
        .target(
            name: "CSwivelSimulation", path: "CSources/CSwivelSimulation", cSettings: c,
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "SwivelSimulation", dependencies: ["CSwivelSimulation", "SwivelCore"],
            swiftSettings: swift),
        // CSwivelMain has `Loop.main` run the main queue's blocks.
        .target(
            name: "SwivelRuntime", dependencies: ["CSwivelMain", "SwivelCore"],
            swiftSettings: swift),
        .target(name: "CSwivelAtStart", path: "CSources/CSwivelAtStart", cSettings: c),
        .target(
            name: "SwivelRuntimeAtStart",
            dependencies: ["CSwivelAtStart", "SwivelCore", "SwivelRuntime"], swiftSettings: swift),
        .systemLibrary(
            name: "CLibPQ", path: "CSources/CLibPQ", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]
        ),
        .target(
            name: "SwivelSchedules",
            dependencies: [
                "SwivelCore", "SwivelDispatch",
                .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"])),
                schedules("GRDB", "GRDB.swift", ["SQLite"]),
                schedules("Logging", "swift-log", databases),
                schedules("Metrics", "swift-metrics", databases),
                schedules("ServiceLifecycle", "swift-service-lifecycle", databases),
                schedules("Tracing", "swift-distributed-tracing", databases),
            ],
            swiftSettings: swift),
        .executableTarget(
            name: "swivel-schedules",
            dependencies: [
                "SwivelSchedules",
                schedules("ArgumentParser", "swift-argument-parser", databases),
            ],
            path: "Sources/SwivelSchedulesTool", swiftSettings: swift),
        .target(
            name: "CSwivelTestSupport",
            dependencies: ["CSwivel"],
            path: "Tests/CSwivelTestSupport",
            cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux, .android]))]
        ),
        // Shared by several folders of tests. No product needs it, so no user builds it.
        .target(
            name: "SwivelTestSupport", dependencies: ["SwivelCore", "SwivelTesting"],
            path: "Tests/SwivelTestSupport", swiftSettings: swift),
        .testTarget(
            name: "CSwivelTests", dependencies: ["CSwivel", "CSwivelTestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelCoreTests",
            dependencies: ["CSwivel", "CSwivelTestSupport", "SwivelCore", "SwivelTestSupport"],
            swiftSettings: swift),
        // Behaviour that only a program's first thread can show; SwivelDispatchTests runs it.
        .executableTarget(
            name: "MainThreadProgram",
            dependencies: ["SwivelCore", "SwivelDispatch", "SwivelDispatchBackend"],
            path: "Tests/MainThreadProgram", swiftSettings: swift),
        .testTarget(
            name: "SwivelDispatchTests",
            dependencies: [
                "CSwivelTestSupport", "SwivelCore", "SwivelDispatch", "SwivelDispatchBackend",
                "SwivelTestSupport", "MainThreadProgram",
            ],
            swiftSettings: swift),
        // Processes that install Swivel's executors, or try to; SwivelRuntimeTests runs them.
        .executableTarget(
            name: "RuntimeProgram",
            dependencies: ["CSwivelTestSupport", "SwivelCore", "SwivelFutures", "SwivelRuntime"],
            path: "Tests/RuntimeProgram", swiftSettings: swift),
        .executableTarget(
            name: "RuntimeSyncProgram",
            dependencies: ["CSwivelTestSupport", "SwivelCore", "SwivelRuntime"],
            path: "Tests/RuntimeSyncProgram", swiftSettings: swift),
        .executableTarget(
            name: "RuntimeAtStartProgram", dependencies: ["SwivelRuntimeAtStart"],
            path: "Tests/RuntimeAtStartProgram", swiftSettings: swift),
        .testTarget(
            name: "SwivelRuntimeTests",
            // Not RuntimeAtStartProgram, which would install the runtime under all tests.
            dependencies: [
                "SwivelRuntime", "SwivelTestSupport", "RuntimeProgram", "RuntimeSyncProgram",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelDispatchBackendTests",
            dependencies: [
                "SwivelCore", "SwivelDispatch", "SwivelDispatchBackend", "SwivelTestSupport",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelTestingTests",
            dependencies: ["Swivel", "SwivelCore", "SwivelTesting", "SwivelTestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelSimulationTests",
            dependencies: ["Swivel", "SwivelCore", "SwivelSimulation", "SwivelTestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelFuturesTests",
            dependencies: [
                "CSwivel", "CSwivelTestSupport", "SwivelCore", "SwivelDispatch", "SwivelFutures",
                "SwivelTestSupport",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelSoakTests",
            dependencies: ["SwivelCore", "SwivelFutures", "SwivelTestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelJobsTests",
            dependencies: [
                "SwivelCore", "SwivelDispatch", "SwivelFutures", "SwivelJobs", "SwivelTestSupport",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelOperatorsTests",
            dependencies: ["Swivel", "SwivelCompat", "SwivelTestSupport"],
            swiftSettings: swift),
        .testTarget(
            name: "SwivelCompatTests",
            dependencies: ["Swivel", "SwivelCompat", "SwivelTestSupport"],
            swiftSettings: swift),
        // A program that has a `Logger` of its own, as those with swift-log do.
        .target(
            name: "LoggingStandIn", path: "Tests/LoggingStandIn", swiftSettings: swift),
        .testTarget(
            name: "OneLibraryCompatTests",
            dependencies: [
                "Swivel", "BriskCompat", "SwiftAsyncCompat", "BrightFuturesCompat",
                "FireflyCompat", "AwaitKitCompat", "LoggingStandIn",
            ],
            swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

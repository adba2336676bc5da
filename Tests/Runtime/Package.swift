// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, because hummingbird takes minutes to build.
let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
let atStart = Target.Dependency.product(name: "SwivelRuntimeAtStart", package: "swivel")

let package = Package(
    name: "swivel-runtime-proof",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "swivel", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // Both are linked with the runtime and have no source that names Swivel.
        .executableTarget(
            name: "server",
            dependencies: [
                atStart,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Server", swiftSettings: swift),
        .executableTarget(
            name: "client",
            dependencies: [
                atStart,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Client", swiftSettings: swift),
        // The stress, the leaks, the blocked tasks and the benchmarks.
        .systemLibrary(name: "CHeap", path: "CHeap"),
        .executableTarget(
            name: "trial",
            dependencies: [
                "CHeap",
                .product(name: "SwivelCore", package: "swivel"),
                .product(name: "SwivelRuntime", package: "swivel"),
            ],
            path: "Trial", swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6]
)

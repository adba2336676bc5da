// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "nightly",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            url: "https://example.com/swivel.git", from: "0.1.0",
            traits: ["PostgreSQL"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle",
            from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "nightly",
            dependencies: [
                .product(name: "SwivelSchedules", package: "swivel"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        )
    ]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "hello",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://example.com/swivel.git", from: "0.1.0")
    ],
    targets: [
        .executableTarget(
            name: "hello",
            dependencies: [.product(name: "Swivel", package: "swivel")]
        ),
        .testTarget(
            name: "helloTests",
            dependencies: ["hello", .product(name: "SwivelTesting", package: "swivel")]
        ),
    ]
)

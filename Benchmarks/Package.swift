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
let c: [CSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "swivel-benchmarks",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "swivel-bench", targets: ["swivel-bench"])],
    // Rivals that are packages. They are off by default, so that the first run builds little;
    // `make bench` turns them on.
    traits: [
        .trait(name: "NIO", description: "swift-nio as a rival"),
        .trait(name: "OpenCombine", description: "OpenCombine as a rival"),
    ],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "swivel", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .target(name: "CAllocCount", path: "CAllocCount", cSettings: c),
        .systemLibrary(
            name: "SystemUV", path: "rivals/SystemUV", pkgConfig: "libuv",
            providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
        .target(
            name: "CRawUV", dependencies: ["SystemUV"], path: "rivals/CRawUV",
            cSettings: c + [.define("_GNU_SOURCE")]),
        .target(
            name: "BenchKit", dependencies: ["CAllocCount"], path: "BenchKit",
            swiftSettings: swift),
        .target(
            name: "Rivals", dependencies: ["BenchKit", "CRawUV"], path: "rivals/Rivals",
            swiftSettings: swift),
        .executableTarget(
            name: "swivel-bench",
            dependencies: [
                "BenchKit", "CRawUV", "Rivals",
                .product(name: "Swivel", package: "swivel"),
                .product(name: "SwivelDispatchBackend", package: "swivel"),
                .product(name: "SwivelTesting", package: "swivel"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(
                    name: "NIOCore", package: "swift-nio", condition: .when(traits: ["NIO"])),
                .product(
                    name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["NIO"])),
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(traits: ["OpenCombine"])),
            ],
            path: "swivel-bench", swiftSettings: swift),
        .testTarget(
            name: "SwivelBenchTests",
            dependencies: [
                "BenchKit", "Rivals", "swivel-bench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/SwivelBenchTests", swiftSettings: swift),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

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

let package = Package(
    name: "swivel-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name, because the folder of a clone may have any.
        .package(name: "swivel", path: ".."),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    ],
    targets: [
        .executableTarget(
            name: "async-algorithms",
            dependencies: [
                .product(name: "Swivel", package: "swivel"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "AsyncAlgorithms", swiftSettings: swift)
    ],
    swiftLanguageModes: [.v6]
)

// SPDX-License-Identifier: Apache-2.0

/// Has the name of swift-log's type.
public struct Logger {
    public let label: String

    public init(label: String) {
        self.label = label
    }
}

extension Result {
    public var value: Success? { try? get() }
    public var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

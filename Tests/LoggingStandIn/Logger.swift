// SPDX-License-Identifier: Apache-2.0

/// Has the name of swift-log's type.
package struct Logger {
    package let label: String

    package init(label: String) { self.label = label }
}

extension Result {
    package var value: Success? { try? get() }
    package var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

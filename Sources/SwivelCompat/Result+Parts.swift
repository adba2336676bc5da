// SPDX-License-Identifier: Apache-2.0

extension Result {
    /// The value; `nil` for a failure.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use 'switch', or 'try? get()'")
    public var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error; `nil` for a success.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use 'switch'")
    public var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

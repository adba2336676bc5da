// SPDX-License-Identifier: Apache-2.0

extension Result {
    /// The value; `nil` for a failure.
    @available(*, deprecated, message: "use 'switch', or 'try? get()'")
    public var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error; `nil` for a success.
    @available(*, deprecated, message: "use 'switch'")
    public var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

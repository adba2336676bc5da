// SPDX-License-Identifier: Apache-2.0

extension Result {
    var value: Success? { try? get() }

    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

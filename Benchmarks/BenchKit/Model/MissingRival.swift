// SPDX-License-Identifier: Apache-2.0

/// A rival that did not take part in a run, and how it would.
package struct MissingRival: Sendable, Codable, Equatable {
    package var name: String
    package var remedy: String

    package init(_ name: String, _ remedy: String) {
        self.name = name
        self.remedy = remedy
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A scenario as a page tells of it.
package struct ScenarioNote: Sendable, Codable, Equatable {
    package var name: String
    /// One sentence, without its full stop.
    package var summary: String
    /// The path of its source in the checkout.
    package var source: String

    package init(name: String, summary: String, source: String) {
        self.name = name
        self.summary = summary
        self.source = source
    }
}

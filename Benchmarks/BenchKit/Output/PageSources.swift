// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The sources of the scenarios as links. No report has an address of the repository, so they lead
/// to the checkout, from the folder that the page is written to.
package struct PageSources: Sendable {
    private let checkout: URL?
    private let page: URL?

    /// - Parameters:
    ///   - checkout: the root of the repository's files; without one there are no links.
    ///   - page: the file that the page is written to.
    package init(checkout: URL? = nil, page: URL? = nil) {
        self.checkout = checkout
        self.page = page
    }

    /// A path in the checkout as a link; as text where there is no such file.
    func html(_ path: String) -> String {
        let text = HTML.escaped(path)
        guard let target = address(of: path) else { return text }
        return "<a href=\"\(HTML.escaped(target))\">\(text)</a>"
    }

    /// The address of a file of the checkout, as seen from the page.
    private func address(of path: String) -> String? {
        guard let checkout, let page else { return nil }
        let file = checkout.appending(path: path)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let target = Self.names(of: file)
        let folder = Self.names(of: page).dropLast()
        let shared = zip(target, folder).prefix { $0 == $1 }.count
        // One that begins with a name might be taken for one with a scheme.
        let ups = Array(repeating: "..", count: folder.count - shared)
        let steps: [String] = (ups.isEmpty ? ["."] : ups) + target.dropFirst(shared)
        return steps.joined(separator: "/")
            .addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    }

    private static func names(of file: URL) -> [String] {
        file.absoluteURL.standardizedFileURL.path.split(separator: "/").map(String.init)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The report as one page that needs nothing beside itself: no script, no font, no picture.
package enum HTML {
    /// - Parameter sources: where the scenarios' sources are; without it their paths are text.
    package static func page(
        _ report: Report, budgets: Budgets, sources: PageSources = PageSources()
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Swivel and its rivals</title>
        <style>
        \(PageStyle.css)
        </style>
        </head>
        <body>
        \(PageTop.html(report, budgets: budgets))
        \(PageCurves.html(report))
        \(PageLosses.html(report))
        \(PageBars(report, budgets: budgets, sources: sources).html)
        </body>
        </html>

        """
    }

    /// Text in which nothing is markup.
    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
        return out
    }

    static func table(
        _ heads: [String], _ lines: [[String]], caption: String? = nil
    ) -> String {
        let name = caption.map { "<caption>\(escaped($0))</caption>" } ?? ""
        let body = lines.map { cells in
            "<tr>" + cells.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>"
        }
        return "<div class=\"scroll\"><table>\(name)<tr>"
            + heads.map { "<th>\(escaped($0))</th>" }.joined() + "</tr>"
            + body.joined(separator: "\n") + "</table></div>"
    }

    static func details(_ title: String, _ content: String) -> String {
        "<details><summary>\(escaped(title))</summary>\n\(content)\n</details>\n"
    }
}

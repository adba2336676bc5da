// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// A browser without a window. It lays a page out in a frame as wide as a window of that width, since
/// a window of its own is never as narrow as a phone's.
enum Browser {
    static let path = ["chromium", "chromium-browser", "google-chrome"].lazy
        .flatMap { name in ["/usr/bin/", "/usr/local/bin/"].map { $0 + name } }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// A picture of the page's top, as PNG.
    static func picture(of page: String, width: Int, isDark: Bool) throws -> Data {
        let html = "<!DOCTYPE html><body style=\"margin:0\">\(frame(page, width, 3_000))</body>"
        return try inFolder { folder in
            let picture = folder.appending(path: "page.png")
            _ = try show(
                html, in: folder,
                [
                    "--hide-scrollbars", "--window-size=\(max(width, 500)),3000",
                    "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
                    "--screenshot=\(picture.path)",
                ])
            return try Data(contentsOf: picture)
        }
    }

    /// The texts that are clipped, as the browser sees them.
    static func clipped(in page: String, width: Int) throws -> [String] {
        let html = """
            <!DOCTYPE html><body>\(frame(page, width, 900))<pre id="found">unseen</pre><script>
            onload = () => {
              const view = document.querySelector('iframe').contentDocument, found = [];
              for (const closed of view.querySelectorAll('details')) closed.open = true;
              const wide = view.documentElement.scrollWidth;
              if (wide > \(width)) found.push('page is ' + wide + ' wide');
              for (const box of view.body.querySelectorAll('*')) {
                if (box.closest('.scroll, svg') || !box.textContent.trim()) continue;
                if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
                  found.push(box.tagName + ': ' + box.textContent.slice(0, 40));
              }
              for (const text of view.querySelectorAll('svg text')) {
                const box = text.getBBox(), all = text.ownerSVGElement.viewBox.baseVal;
                if (box.x < 0 || box.y < 0 || box.x + box.width > all.width
                    || box.y + box.height > all.height + 2)
                  found.push('text: ' + text.textContent);
              }
              document.getElementById('found').textContent =
                found.map(one => one.replace(/\\s+/g, ' ')).join('\\n') || 'nothing';
            };
            </script></body>
            """
        let text = try inFolder { folder in
            try show(html, in: folder, ["--window-size=1300,1000", "--dump-dom"])
        }
        let start = try #require(text.range(of: "<pre id=\"found\">"))
        let end = try #require(text.range(of: "</pre>", range: start.upperBound..<text.endIndex))
        let found = String(text[start.upperBound..<end.lowerBound])
        try #require(found != "unseen", "the browser ran no script")
        return found == "nothing" ? [] : found.components(separatedBy: "\n")
    }

    private static func frame(_ page: String, _ width: Int, _ height: Int) -> String {
        let framed = page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        return """
            <iframe style="width:\(width)px;height:\(height)px;border:0" srcdoc="\(framed)"></iframe>
            """
    }

    private static func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Opens a page, and returns the browser's output.
    private static func show(
        _ html: String, in folder: URL, _ arguments: [String]
    ) throws -> String {
        let file = folder.appending(path: "page.html")
        try Data(html.utf8).write(to: file)
        let process = Process()
        process.executableURL = path.map { URL(fileURLWithPath: $0) }
        process.arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=\(folder.path)/profile",
            ] + arguments + [file.absoluteString]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// A browser without a window, in which pages are laid out as people see them.
enum Browser {
    /// A window and its scheme.
    struct Setting: Sendable, CustomTestStringConvertible {
        let width: Int
        let isDark: Bool

        /// A desk and a phone, by day and by night.
        static let all = [1_200, 390].flatMap { width in
            [false, true].map { Setting(width: width, isDark: $0) }
        }

        var testDescription: String { "\(width)-\(isDark ? "dark" : "light")" }
    }

    /// All that ``BrowserProbe`` tells of a page.
    struct Sight: Decodable {
        let found: [String]
        let isDark: Bool
        let height: Double
    }

    static let missing: Comment = "NO BROWSER: nothing looks at the page (apt-get install chromium)"

    static let path: String? = {
        let path = ["chromium", "chromium-browser", "google-chrome"].lazy
            .flatMap { name in ["/usr/bin/", "/usr/local/bin/"].map { $0 + name } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        if path == nil {
            FileHandle.standardError.write(Data("\n*** \(missing.rawValue) ***\n\n".utf8))
        }
        return path
    }()

    /// Looks at a page with all its details unfolded.
    static func look(at page: String, _ setting: Setting) throws -> Sight {
        let script = """
            <pre id="found">unseen</pre><script>
            \(BrowserProbe.script)
            onload = () => {
              const view = document.querySelector('iframe').contentDocument;
              document.getElementById('found').textContent =
                encodeURIComponent(JSON.stringify(look(view, \(setting.width))));
            };
            </script>
            """
        let text = try inFolder { folder in
            try run(frame(page, setting, height: 900) + script, setting, 900, "--dump-dom", folder)
        }
        let begin = try #require(text.range(of: "<pre id=\"found\">"))
        let end = try #require(text.range(of: "</pre>", range: begin.upperBound..<text.endIndex))
        let found = text[begin.upperBound..<end.lowerBound]
        try #require(found != "unseen", "the browser ran no script")
        let json = try #require(String(found).removingPercentEncoding)
        return try JSONDecoder().decode(Sight.self, from: Data(json.utf8))
    }

    /// A picture of the page's first points, as PNG.
    static func picture(of page: String, _ setting: Setting, height: Int) throws -> Data {
        try inFolder { folder in
            let picture = folder.appending(path: "picture.png")
            let html = frame(page, setting, height: height)
            _ = try run(html, setting, height, "--screenshot=\(picture.path)", folder)
            return try Data(contentsOf: picture)
        }
    }

    /// The page in a frame: a window of the browser's own is never as narrow as a phone's.
    private static func frame(_ page: String, _ setting: Setting, height: Int) -> String {
        let framed = page.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        return """
            <!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">
            <body style="margin:0"><iframe srcdoc="\(framed)"
            style="display:block;border:0;width:\(setting.width)px;height:\(height)px"></iframe>

            """
    }

    private static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Has the browser load a page and do one thing with it; returns what it prints.
    private static func run(
        _ html: String, _ setting: Setting, _ height: Int, _ order: String, _ folder: URL
    ) throws -> String {
        let file = folder.appending(path: "page.html")
        try Data(html.utf8).write(to: file)
        let program = try #require(path)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--window-size=\(max(setting.width, 500)),\(height)",
            "--user-data-dir=\(folder.path)/profile",
            // 0 is dark, 1 is light: blink::mojom::PreferredColorScheme.
            "--blink-settings=preferredColorScheme=\(setting.isDark ? 0 : 1)",
            order, file.absoluteString,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The machine and the sources that a report was made with.
package enum Surroundings {
    package static func machine(libuv: String) -> Report.Machine {
        let info = ProcessInfo.processInfo
        return Report.Machine(
            processor: processor(), cores: info.activeProcessorCount,
            system: info.operatingSystemVersionString, swift: swiftVersion(), libuv: libuv)
    }

    /// The compiler's version as `swift --version` gives it.
    private static func swiftVersion() -> String {
        let line = output(of: ["swift", "--version"])?.split(separator: "\n").first {
            $0.contains("Swift version")
        }
        if let line, let start = line.range(of: "Swift version ")?.upperBound {
            return String(line[start...].prefix { $0 != " " })
        }
        return "unknown"
    }

    /// The commit of the checkout around `directory`, with a mark when files differ from it.
    package static func commit(in directory: URL?) -> String {
        guard let path = directory?.path,
            let commit = output(of: ["git", "-C", path, "rev-parse", "--short=12", "HEAD"])
        else { return "unknown" }
        let changes = output(of: ["git", "-C", path, "status", "--porcelain"]) ?? ""
        return changes.isEmpty ? commit : commit + "-modified"
    }

    /// The first folder among `starts` and those above them that holds `name`.
    package static func folder(holding name: String, from starts: [URL]) -> URL? {
        for start in starts {
            var folder = start.standardizedFileURL
            while folder.path != "/" {
                if FileManager.default.fileExists(atPath: folder.appending(path: name).path) {
                    return folder
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }

    /// The average number of threads that ran or wanted to, over the last minute, if it is too high for
    /// figures to be trusted.
    package static func load() -> Double? {
        var load = [0.0]
        getloadavg(&load, 1)
        return load[0] > 0.5 * Double(ProcessInfo.processInfo.activeProcessorCount) ? load[0] : nil
    }

    /// The output of a command, without the last line's end; `nil` if it fails.
    private static func output(of command: [String]) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func processor() -> String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        return name ?? "unknown"
    }
}

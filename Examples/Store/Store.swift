// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Synchronization
internal import Trials

/// Values by key, in memory and in a file. Many changes share a save; ``close()`` saves the last.
final class Store: Sendable {
    private struct State {
        var values: [String: String]
        /// Changes so far, and how many of them are on disk.
        var changes = 0
        var saved = 0
        var saves = 0
    }

    /// The part that a save needs.
    private final class Core: Sendable {
        let file: URL
        let state: Mutex<State>

        init(_ file: URL, _ values: [String: String]) {
            self.file = file
            state = Mutex(State(values: values))
        }

        /// The disk is slow, so this is no work for a loop. One save at a time.
        func save() {
            let (values, changes) = state.withLock { ($0.values, $0.changes) }
            do {
                try write(JSONEncoder().encode(values))
            } catch {
                // The changes stay unsaved: the next save includes them, and `close()` throws.
                warn("not saved: \(error)\n")
                return
            }
            state.withLock { state in
                state.saved = changes
                state.saves += 1
            }
        }

        /// A reader, and a program that starts after a crash, find the old file or the new one.
        private func write(_ data: Data) throws {
            let draft = file.appendingPathExtension("new")
            guard FileManager.default.createFile(atPath: draft.path, contents: nil) else {
                throw Store.systemError()
            }
            let handle = try FileHandle(forWritingTo: draft)
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
            guard rename(draft.path, file.path) == 0 else { throw Store.systemError() }
            // The new name is on disk when its folder is.
            let folder = open(file.deletingLastPathComponent().path, O_RDONLY)
            defer { Foundation.close(folder) }
            guard fsync(folder) == 0 else { throw Store.systemError() }
        }
    }

    private let core: Core
    private let save: Coalescer

    /// A change is on disk `delay` after the last one, and `longest` after the first one at the
    /// latest.
    init(in file: URL, savingAfter delay: Duration, longest: Duration) throws {
        var values: [String: String] = [:]
        if FileManager.default.fileExists(atPath: file.path) {
            values = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
        }
        let core = Core(file, values)
        self.core = core
        let disk = DispatchQueue(label: "disk")
        save = Coalescer(on: disk, after: delay, maxWait: longest) { core.save() }
    }

    /// Accepts a change: it will be on disk, if the program ends by `close()`.
    func set(_ key: String, to value: String) {
        core.state.withLock { state in
            state.values[key] = value
            state.changes += 1
        }
        save.call()
    }

    /// Saves what is not on disk, once no change can come any more.
    ///
    /// - Returns: The number of changes, and of the saves that they shared.
    /// - Throws: ``Unsaved`` if there is no way to save them.
    func close() async throws -> (changes: Int, saves: Int) {
        await save.flushAndWait()
        // A save that has failed is tried once more.
        if core.state.withLock({ $0.saved < $0.changes }) {
            save.call()
            await save.flushAndWait()
        }
        return try core.state.withLock { state in
            guard state.saved == state.changes else { throw Unsaved() }
            return (state.changes, state.saves)
        }
    }

    struct Unsaved: Error {}

    fileprivate static func systemError() -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}

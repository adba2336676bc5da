// SPDX-License-Identifier: Apache-2.0

internal import SwivelSimulation

/// A store that writes 100 ms after a change, and not for each one.
///
/// The planted bug: it notes only after the write that no write is due. A change that comes during
/// the write finds one due, and is never written. That takes a change at the very instant of the
/// write, between its two halves.
enum Store {
    static func run(isCorrected: Bool) async throws {
        let disk = Disk()
        let document = Document(disk, isCorrected)
        await document.change("first")
        // The second change comes when the first is written.
        try await Task.sleep(for: .milliseconds(100))
        await document.change("second")
        try await Task.sleep(for: .seconds(1))
        let saved = await disk.text
        if saved != "second" { throw Broken(description: "the disk has '\(saved)', not 'second'") }
    }

    private actor Disk {
        private(set) var text = ""

        func write(_ text: String) { self.text = text }
    }

    private actor Document {
        private let disk: Disk
        private let isCorrected: Bool
        private var text = ""
        private var isDue = false

        init(_ disk: Disk, _ isCorrected: Bool) {
            self.disk = disk
            self.isCorrected = isCorrected
        }

        func change(_ text: String) {
            self.text = text
            if isDue { return }
            isDue = true
            Task {
                try? await Task.sleep(for: .milliseconds(100))
                await save()
            }
        }

        private func save() async {
            if isCorrected { isDue = false }
            await disk.write(text)
            if !isCorrected { isDue = false }
        }
    }
}

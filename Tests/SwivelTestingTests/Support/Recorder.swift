// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What closures of several threads note, in order.
final class Recorder<Element: Sendable>: @unchecked Sendable {
    // because the lock guards what is noted.
    private let lock = NSLock()
    private var noted: [Element] = []

    func note(_ element: Element) {
        lock.withLock { noted.append(element) }
    }

    var all: [Element] { lock.withLock { noted } }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelTestSupport

/// A part of the load. It checks what it does while it does it.
protocol SoakLoad: Sendable {
    /// Its name in the audit.
    var name: String { get }
    /// How much it has done.
    var done: Int { get }
    /// The rules that were broken.
    var faults: [String] { get }

    func begin()
    /// Begins nothing new, and waits until nothing is under way.
    func end()
}

/// The beginning of a load, its end, and its findings.
final class Course: Sendable {
    private let isOver = Shared(false)
    private let found = Shared<[String]>()
    private let threads = Shared<[TestThread]>()

    var faults: [String] { found.value }

    /// Notes that something does not hold. Of very many findings the first ones count.
    func expect(_ holds: Bool, _ finding: @autoclosure () -> String) {
        guard !holds else { return }
        let finding = finding()
        found.update { if $0.count < 10 { $0.append(finding) } }
    }

    /// Runs `body` about once a millisecond on a thread of its own, until the end.
    func repeating(_ body: @escaping @Sendable () -> Void) {
        threads.append(
            TestThread { [self] in
                while !isOver.value {
                    body()
                    usleep(1000)
                }
            })
    }

    /// Ends what was begun, and waits for it.
    func end() {
        isOver.value = true
        threads.value.forEach { $0.join() }
        threads.value = []
    }
}

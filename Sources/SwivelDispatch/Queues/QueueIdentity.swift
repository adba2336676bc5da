// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// What tells a serial queue from all others: a key of its own, under which Dispatch finds something
/// only where that queue, or one whose targets lead to it, is current.
///
/// The identity is itself kept on the queue, under `marker`, so that it lives exactly as long: two
/// `DispatchQueue` objects can stand for one queue, and an address can be used again.
final class QueueIdentity: Sendable {
    private static var marks: Marks { FirstUse.of(only) }
    private static let only = Marks()

    private let isSerial: Bool
    private let key = DispatchSpecificKey<Void>()

    private init(isSerial: Bool) {
        self.isSerial = isSerial
    }

    /// Whether the caller is on this queue, and the queue is serial.
    var isCurrent: Bool {
        isSerial && DispatchQueue.getSpecific(key: key) != nil
    }

    /// Whether the caller is on the main queue.
    static var isMainCurrent: Bool { marks.main.isCurrent }

    /// Whether `queue` stands for the main queue.
    static func isMain(_ queue: DispatchQueue) -> Bool {
        let marks = marks
        return queue.getSpecific(key: marks.marker) === marks.main
    }

    /// The identity of `queue`, which is marked with it at the first call.
    static func of(_ queue: DispatchQueue) -> QueueIdentity {
        let marks = marks
        if let known = queue.getSpecific(key: marks.marker) {
            return known
        }
        // Global queues must not be marked: not every version of Dispatch lets them be.
        switch QueueKind(of: queue) {
        case .serial: return marks.mark(queue, isSerial: true)
        case .concurrent: return marks.mark(queue, isSerial: false)
        case .unknown: return marks.other
        }
    }

    /// Marks `queue` as one that is known to be serial, because it was made that way.
    static func know(serial queue: DispatchQueue) {
        _ = marks.mark(queue, isSerial: true)
    }

    /// What all identities share.
    private final class Marks: Sendable {
        /// Under which every marked queue keeps its identity.
        let marker = DispatchSpecificKey<QueueIdentity>()
        /// Of queues that are not serial, or not known to be.
        let other = QueueIdentity(isSerial: false)
        /// Of the main queue, which is serial whatever the type of its object.
        let main = QueueIdentity(isSerial: true)
        /// Guards the marking, so that a queue is marked once.
        private let marking = ThreadParker()

        init() {
            set(main, on: .main)
        }

        func mark(_ queue: DispatchQueue, isSerial: Bool) -> QueueIdentity {
            marking.withLock {
                if let known = queue.getSpecific(key: marker) {
                    return known
                }
                let identity = QueueIdentity(isSerial: isSerial)
                set(identity, on: queue)
                return identity
            }
        }

        private func set(_ identity: QueueIdentity, on queue: DispatchQueue) {
            queue.setSpecific(key: identity.key, value: ())
            queue.setSpecific(key: marker, value: identity)
        }
    }
}

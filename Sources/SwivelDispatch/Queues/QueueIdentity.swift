// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// Identifies a serial queue by a key of its own. Dispatch finds a value under that key only if the
/// queue, or one whose targets lead to it, is current.
///
/// The queue itself keeps the identity, under `marker`, so that both live equally long: two
/// `DispatchQueue` objects can stand for one queue, and an address can be used again.
final class QueueIdentity: Sendable {
    private static let marks = Marks()

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

    /// The identity of `queue`. The first call marks the queue with it.
    static func of(_ queue: DispatchQueue) -> QueueIdentity {
        let marks = marks
        if let known = queue.getSpecific(key: marks.marker) {
            return known
        }
        // Global queues must not be marked: not every version of Dispatch lets them be.
        return QueueKind.isSerial(queue).map { marks.mark(queue, isSerial: $0) } ?? marks.other
    }

    /// Marks `queue` as serial. The caller has made it that way.
    static func mark(serial queue: DispatchQueue) {
        _ = marks.mark(queue, isSerial: true)
    }

    /// The keys and identities that all queues share.
    private final class Marks: Sendable {
        /// The key under which a marked queue keeps its identity.
        let marker = DispatchSpecificKey<QueueIdentity>()
        /// The identity of queues that are not serial, or not known to be.
        let other = QueueIdentity(isSerial: false)
        /// The identity of the main queue, which is serial whatever the type of its object.
        let main = QueueIdentity(isSerial: true)
        /// Guards the marking, so that a queue is marked once.
        private let marking = Lock<Void>.ofProcess { _ in }

        init() {
            set(main, on: .main)
        }

        func mark(_ queue: DispatchQueue, isSerial: Bool) -> QueueIdentity {
            marking.withLock { _ in
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

// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// What tells a serial queue from all others: a key of its own, under which Dispatch finds something
/// only where that queue, or one whose targets lead to it, is current.
///
/// The identity is itself kept on the queue, under `marker`, so that it lives exactly as long: two
/// `DispatchQueue` objects can stand for one queue, and an address can be used again.
final class QueueIdentity: Sendable {
    /// Under which every marked queue keeps its identity.
    private static let marker = DispatchSpecificKey<QueueIdentity>()
    /// Guards the marking, so that a queue is marked once.
    private static let marking = ThreadParker()
    /// Of queues that are not serial, or not known to be.
    private static let other = QueueIdentity(isSerial: false)
    /// Of the main queue, which is serial whatever the type of its object.
    private static let main = mark(DispatchQueue.main, isSerial: true)

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
    static var isMainCurrent: Bool { main.isCurrent }

    /// Whether `queue` stands for the main queue.
    static func isMain(_ queue: DispatchQueue) -> Bool {
        let main = main
        return queue.getSpecific(key: marker) === main
    }

    /// The identity of `queue`, which is marked with it at the first call.
    static func of(_ queue: DispatchQueue) -> QueueIdentity {
        _ = main
        if let known = queue.getSpecific(key: marker) {
            return known
        }
        // Global queues must not be marked: not every version of Dispatch lets them be.
        switch QueueKind(of: queue) {
        case .serial: return mark(queue, isSerial: true)
        case .concurrent: return mark(queue, isSerial: false)
        case .unknown: return other
        }
    }

    /// Marks `queue` as one that is known to be serial, because it was made that way.
    static func know(serial queue: DispatchQueue) {
        _ = mark(queue, isSerial: true)
    }

    private static func mark(_ queue: DispatchQueue, isSerial: Bool) -> QueueIdentity {
        marking.withLock {
            if let known = queue.getSpecific(key: marker) {
                return known
            }
            let identity = QueueIdentity(isSerial: isSerial)
            queue.setSpecific(key: identity.key, value: ())
            queue.setSpecific(key: marker, value: identity)
            return identity
        }
    }
}

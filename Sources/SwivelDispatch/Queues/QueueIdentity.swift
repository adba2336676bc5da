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

/// Whether a queue runs one closure at a time.
///
/// Dispatch has no call for that. It does have a type of object for each kind of queue, on which
/// its own code depends. So the type of a queue is compared with the types of queues of a known
/// kind. If both kinds have the same type, the kind is unknown and the queue counts as concurrent: a
/// deadlock may go unnoticed, but work that runs next to other work never counts as exclusive.
enum QueueKind {
    /// False if the queue was made with `.concurrent`, whatever its target is. `nil` for a type that is
    /// not known: that of a global queue, or of the main queue.
    static func isSerial(_ queue: DispatchQueue) -> Bool? {
        guard let type = ObjectType(of: queue), let known else { return nil }
        return type == known.serial ? true : type == known.concurrent ? false : nil
    }

    /// The types of both kinds; `nil` if they are the same.
    private static let known: (serial: ObjectType, concurrent: ObjectType)? = {
        let label = "swivel.kind"
        guard let serial = ObjectType(of: DispatchQueue(label: label)),
            let targeted = ObjectType(
                of: DispatchQueue(label: label, target: .global(qos: .utility))),
            let concurrent = ObjectType(of: DispatchQueue(label: label, attributes: .concurrent)),
            serial == targeted, serial != concurrent
        else {
            return nil
        }
        return (serial, concurrent)
    }()
}

/// The type of a dispatch object.
private struct ObjectType: Equatable {
    private let word: UInt

    init?(of queue: DispatchQueue) {
        #if canImport(ObjectiveC)
        word = UInt(bitPattern: ObjectIdentifier(type(of: queue)))
        #else
        // The Swift object wraps a C object, whose first word is its type.
        let fields = Mirror(reflecting: queue).children
        guard let object = fields.first(where: { $0.label == "__wrapped" })?.value,
            let pointer = object as? OpaquePointer
        else {
            return nil
        }
        word = UnsafeRawPointer(pointer).load(as: UInt.self)
        #endif
    }
}

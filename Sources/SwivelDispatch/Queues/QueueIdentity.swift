// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// Identifies a serial queue by a key of its own. Dispatch finds a value under that key only if the
/// queue, or one whose targets lead to it, is current.
///
/// The queue itself keeps the identity, under `marker`, so that both live equally long: two
/// `DispatchQueue` objects can stand for one queue, and an address can be used again.
final class QueueIdentity: Sendable {
    /// The key under which a marked queue keeps its identity.
    private static let marker = DispatchSpecificKey<QueueIdentity>()
    /// The identity of queues that are not serial, or not known to be.
    private static let other = QueueIdentity(isSerial: false)
    /// The identity of the main queue, which is serial whatever the type of its object. Its first
    /// use marks the queue, and comes before any question about a queue.
    private static let main = mark(.main, isSerial: true)
    /// Guards the marking, so that a queue is marked once.
    private static let marking = Lock<Void>.ofProcess { _ in }

    private let isSerial: Bool
    private let key = DispatchSpecificKey<Void>()

    private init(isSerial: Bool) {
        self.isSerial = isSerial
    }

    /// Whether the caller is on this queue, and the queue is serial.
    var isCurrent: Bool {
        if let world = Simulated.world { return world.isCurrent(place) }
        return isSerial && DispatchQueue.getSpecific(key: key) != nil
    }

    /// The queue, in a simulated world.
    var place: SimulatedPlace {
        if self === Self.main { return .main }
        return isSerial ? .serial(ObjectIdentifier(self)) : .pool
    }

    /// Whether the caller is on the main queue.
    static var isMainCurrent: Bool { main.isCurrent }

    /// Whether `queue` stands for the main queue.
    static func isMain(_ queue: DispatchQueue) -> Bool {
        main === queue.getSpecific(key: marker)
    }

    /// The identity of `queue`. The first call marks the queue with it.
    static func of(_ queue: DispatchQueue) -> QueueIdentity {
        _ = main
        if let known = queue.getSpecific(key: marker) { return known }
        // Global queues must not be marked: not every version of Dispatch lets them be.
        return QueueKind.isSerial(queue).map { mark(queue, isSerial: $0) } ?? other
    }

    /// The context for which `queue` stands.
    static func context(of queue: DispatchQueue) -> ContextIdentity {
        let identity = of(queue)
        if identity !== other { return .object(ObjectIdentifier(identity)) }
        // A global queue has no mark, but a label of its own.
        let label = queue.label
        guard label.hasPrefix("com.apple.root.") else { return .object(ObjectIdentifier(queue)) }
        return .value(ObjectIdentifier(DispatchQueue.self), Array(label.utf8))
    }

    /// Marks `queue`, unless it is marked. The caller knows its kind.
    @discardableResult
    static func mark(_ queue: DispatchQueue, isSerial: Bool) -> QueueIdentity {
        marking.withLock { _ in
            if let known = queue.getSpecific(key: marker) { return known }
            let identity = QueueIdentity(isSerial: isSerial)
            queue.setSpecific(key: identity.key, value: ())
            queue.setSpecific(key: marker, value: identity)
            return identity
        }
    }
}

/// Whether a queue runs one closure at a time.
///
/// Dispatch has no call for that, but a type of object for each kind of queue, on which its own
/// code depends: a queue's type is compared with those of queues of a known kind. If both kinds
/// have the same type, the queue counts as concurrent: a deadlock may go unnoticed, but work that
/// runs next to other work never counts as exclusive.
enum QueueKind {
    /// False if the queue was made with `.concurrent`, whatever its target is. `nil` for a type
    /// that is not known: that of a global queue, or of the main queue.
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
        else { return nil }
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
        else { return nil }
        word = UnsafeRawPointer(pointer).load(as: UInt.self)
        #endif
    }
}

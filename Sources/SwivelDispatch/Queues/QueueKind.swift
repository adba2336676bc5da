// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

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

// SPDX-License-Identifier: Apache-2.0

/// The events of a world: a hash of all choices, and the latest events themselves.
struct Timeline: Sendable {
    enum Kind {
        /// By the member `detail`.
        case isMade
        case runs
        /// Until the instant `detail`.
        case sleeps
        case wakes
        /// Its sleep was cancelled.
        case wakesEarly
        /// Because of the member `detail`.
        case mayGoOn
        case isCancelled
        case ends
        /// The wall clock is `detail` ahead.
        case clockIsSet
        /// The text number `detail`.
        case notes
        /// By the thread whose name is the text number `detail`.
        case isResumed
    }

    struct Event {
        let kind: Kind
        let member: Int
        let step: Int
        let time: Int64
        let detail: Int64
    }

    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The latest events, from the oldest: the number of all modulo the capacity is the next place.
    private var ring: [Event] = []
    private(set) var count = 0
    private(set) var texts: [String] = []

    static let capacity = 2_048

    /// FNV-1a, a word at a time.
    mutating func mix(_ word: UInt64) { hash = (hash ^ word) &* 0x100_0000_01B3 }

    mutating func add(
        _ kind: Kind, _ member: Int, _ step: Int, _ time: Int64, _ detail: Int64 = 0
    ) {
        let event = Event(kind: kind, member: member, step: step, time: time, detail: detail)
        if count < Self.capacity {
            ring.append(event)
        } else {
            ring[count % Self.capacity] = event
        }
        count += 1
    }

    /// Keeps a text, and returns its number.
    mutating func keep(_ text: String) -> Int64 {
        texts.append(text)
        return Int64(texts.count - 1)
    }

    /// The events that are kept, in order.
    var events: [Event] {
        guard count > Self.capacity else { return ring }
        let first = count % Self.capacity
        return Array(ring[first...] + ring[..<first])
    }
}

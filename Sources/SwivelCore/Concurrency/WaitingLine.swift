// SPDX-License-Identifier: Apache-2.0

/// A member of a ``WaitingLine``, whose owner's lock guards the links.
protocol Waits: AnyObject {
    var links: WaitingLinks<Self> { get set }
}

/// The neighbours of a member. Only the line uses them.
struct WaitingLinks<Member: AnyObject> {
    fileprivate var next: Member?
    fileprivate unowned(unsafe) var previous: Member?
    fileprivate var isInLine = false

    init() {}
}

/// A queue whose members may leave from the middle.
///
/// Each step is O(1) and allocates nothing. The line must be empty when it is released.
struct WaitingLine<Member: Waits> {
    private(set) var first: Member?
    private unowned(unsafe) var last: Member?
    private(set) var count = 0

    init() {}

    mutating func append(_ member: Member) {
        member.links.previous = last
        member.links.isInLine = true
        if let last { last.links.next = member } else { first = member }
        last = member
        count += 1
    }

    /// Takes a member out. Returns whether it was in the line.
    @discardableResult
    mutating func remove(_ member: Member) -> Bool {
        guard member.links.isInLine else { return false }
        // The last reference to the member may be its neighbour's: the caller's outlives this.
        let (next, previous) = (member.links.next.take(), member.links.previous)
        member.links.previous = nil
        member.links.isInLine = false
        if let next { next.links.previous = previous } else { last = previous }
        if let previous { previous.links.next = next } else { first = next }
        count -= 1
        return true
    }
}

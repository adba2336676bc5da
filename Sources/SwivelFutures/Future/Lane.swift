// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// The lane of a future with more than one callback that needs it, until the future goes.
typealias Lane = Lock<LaneState>

/// The callbacks of a completed future that wait for its lane, and whether one has it.
///
/// A callback is in its line from its registration, or from the future's completion, until it
/// starts or is dropped. It is either on its way to its context, or *parked*: it has arrived, and
/// could not start. The first of a line may start when the lane is free. The callbacks that this
/// pure state returns are to be sent after the lock is released.
struct LaneState {
    /// The callbacks of one context that have not started, in registration order. They are linked
    /// by ``FutureCell/link``.
    private struct Line {
        let place: ContextIdentity
        var first: FuturePointer
        var last: FuturePointer
    }

    /// A callback has the lane.
    private var isBusy: Bool
    /// One for each context with callbacks that have not started; none is empty.
    private var lines: [Line] = []

    init(isBusy: Bool) {
        self.isBusy = isBusy
    }

    /// Adds a callback, which is on its way, behind the others of its context.
    mutating func lineUp(_ callback: FuturePointer) {
        let place = callback.cell.pointee.context.identity
        callback.cell.pointee.link = nil
        guard let index = lines.firstIndex(where: { $0.place == place }) else {
            lines.append(Line(place: place, first: callback, last: callback))
            return
        }
        lines[index].last.cell.pointee.link = callback
        lines[index].last = callback
    }

    /// Gives the lane to a callback that has arrived on its context. False: it is parked.
    ///
    /// An immediate callback is not in a line unless it was parked before.
    mutating func enter(_ callback: FuturePointer) -> Bool {
        let index = lines.firstIndex { $0.first == callback }
        if index == nil, callback.cell.pointee.context.isInline {
            let place = callback.cell.pointee.context.identity
            if !isBusy, !lines.contains(where: { $0.place == place }) {
                isBusy = true
                return true
            }
            lineUp(callback)
        } else if let index, !isBusy {
            isBusy = true
            remove(callback, from: index)
            return true
        }
        callback.isParked = true
        return false
    }

    /// Frees the lane. Returns the parked callbacks that may start now: the first one to arrive has
    /// the lane, and one that does not arrive holds up none of the others.
    mutating func leave() -> [FuturePointer] {
        isBusy = false
        return lines.indices.compactMap(takeParked)
    }

    /// Removes a callback that its context has dropped. Returns the parked callback behind it, if
    /// that one may start now.
    mutating func drop(_ callback: FuturePointer) -> FuturePointer? {
        let place = callback.cell.pointee.context.identity
        guard let index = lines.firstIndex(where: { $0.place == place }) else { return nil }
        let isFirst = lines[index].first == callback
        let isEmpty = remove(callback, from: index)
        return isBusy || isEmpty || !isFirst ? nil : takeParked(of: index)
    }

    /// Removes `callback` from its line, which ends with the last one. Returns whether it did.
    @discardableResult
    private mutating func remove(_ callback: FuturePointer, from index: Int) -> Bool {
        let next = callback.cell.pointee.link
        if lines[index].first != callback {
            var before = lines[index].first
            while let other = before.cell.pointee.link, other != callback { before = other }
            before.cell.pointee.link = next
            if next == nil { lines[index].last = before }
        } else if let next {
            lines[index].first = next
        } else {
            lines.remove(at: index)
            return true
        }
        return false
    }

    /// The first of the line, if it is parked: it is on its way again.
    private func takeParked(of index: Int) -> FuturePointer? {
        let first = lines[index].first
        guard first.isParked else { return nil }
        first.isParked = false
        return first
    }
}

// Flags of the source word of a callback that has not started.
extension FuturePointer {
    /// The callback needs the lane. Set by its registration, before anybody else has it.
    static let inLane: UInt = 2
    /// The callback has arrived on its context, in vain. Guarded by the lane's lock.
    private static let parked: UInt = 4

    /// Whether the callback needs the lane of its source: it is a user's, and makes no future.
    var needsLane: Bool {
        // Relaxed: it never changes.
        cell.pointee.source.load(ordering: .relaxed) & Self.inLane != 0
    }

    // Relaxed, and no exchange: only the lock's owner writes the word.
    fileprivate var isParked: Bool {
        get { cell.pointee.source.load(ordering: .relaxed) & Self.parked != 0 }
        nonmutating set {
            let word = cell.pointee.source.load(ordering: .relaxed) & ~Self.parked
            cell.pointee.source.store(word | (newValue ? Self.parked : 0), ordering: .relaxed)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

/// How work waits for its step, and what faults do to it.
extension Simulator {
    static func job(_ word: UInt) -> UnownedJob { unsafeBitCast(word, to: UnownedJob.self) }

    func nextOrder() -> UInt64 {
        order += 1
        return order
    }

    /// Makes work able to take a step, maybe after a delay.
    func add(_ kind: Item.Kind, _ word: UInt, of member: Int, in lane: Int) {
        let order = nextOrder()
        var item = Item(kind: kind, member: member, lane: lane, word: word, order: order)
        if settings.longestDelay > 0, lane == Self.poolLane, chance.next() % 2 == 0 {
            item.instant = time + Int64(chance.next() % UInt64(settings.longestDelay))
            alarms.set(item)
        } else {
            queue(item)
        }
    }

    /// Has something happen after a virtual time.
    @discardableResult
    func set(_ kind: Item.Kind, _ word: UInt, of member: Int, after delay: Int64) -> Item {
        let (end, isNever) = time.addingReportingOverflow(max(0, delay))
        let item = Item(
            kind: kind, member: member, lane: Self.poolLane, word: word, order: nextOrder(),
            instant: isNever ? .max - 1 : end)
        alarms.set(item)
        return item
    }

    func queue(_ item: Item) {
        if item.lane == Self.poolLane { return ready.append(item) }
        lanes[item.lane].items.append(item)
        inLanes += 1
    }

    /// The lane of a place, and the member that takes its steps.
    func use(_ place: SimulatedPlace) -> (lane: Int, member: Int) {
        if let known = places[place] { return known }
        let (lane, name) =
            switch place {
            case .pool: (Self.poolLane, "pool")
            case .main: (Self.mainLane, "main")
            case .serial: (lanes.count, "queue \(places.count)")
            }
        if lane == lanes.count { lanes.append(Lane()) }
        let used = (lane, add(name).number)
        places[place] = used
        return used
    }

    /// A task has suspended.
    func suspended(_ member: Member) {
        if settings.longestJump > 0, chance.next() % 16 == 0 {
            let length = Int64(chance.next() % UInt64(settings.longestJump))
            wallOffset += chance.next() % 2 == 0 ? length : -length
            timeline.add(.clockIsSet, member.number, step, time, wallOffset)
            showTime()
        }
        if suspensionsToCancel < 0 { return }
        suspensionsToCancel -= 1
        if suspensionsToCancel >= 0 { return }
        hasCancelled = true
        timeline.add(.isCancelled, member.number, step, time)
        unsafeBitCast(member.address, to: UnsafeCurrentTask.self).cancel()
    }
}
#endif

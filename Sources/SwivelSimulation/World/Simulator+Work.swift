// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

/// How work waits for its step.
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
        let (end, isNever) = time.addingReportingOverflow(delay)
        let item = Item(
            kind: kind, member: member, lane: Self.poolLane, word: word, order: nextOrder(),
            instant: isNever ? .max - 1 : end)
        alarms.set(item)
        return item
    }

    func queue(_ item: Item) {
        if item.lane == Self.poolLane { return ready.append(item) }
        lanes[item.lane].append(item)
        inLanes += 1
    }

    /// The lane of a place.
    func lane(of place: SimulatedPlace) -> Int {
        if place == .pool { return Self.poolLane }
        if place == .main { return Self.mainLane }
        if let known = laneNumbers[place] { return known }
        lanes.append(Lane())
        laneNumbers[place] = lanes.count - 1
        return lanes.count - 1
    }

    /// The member that takes the steps of a place's closures.
    func member(at place: SimulatedPlace) -> Int {
        if let known = placeNumbers[place] { return known }
        let name =
            switch place {
            case .pool: "pool"
            case .main: "main"
            case .serial: "queue \(placeNumbers.count)"
            }
        let number = add(name).number
        placeNumbers[place] = number
        return number
    }
}
#endif

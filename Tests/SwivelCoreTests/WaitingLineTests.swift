// SPDX-License-Identifier: Apache-2.0
import SwivelTestSupport
import Testing

@testable import SwivelCore

/// The line of those who wait, beside an array.
struct WaitingLineTests {
    private final class Member: Waits {
        let number: Int
        var links = WaitingLinks<Member>()

        init(_ number: Int) { self.number = number }
    }

    @Test func agreesWithAnArray() {
        var random = Seeded()
        var line = WaitingLine<Member>()
        var model: [Member] = []
        var outside: [Member] = []
        for number in 0..<20_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let member = outside.popLast() ?? Member(number)
                line.append(member)
                model.append(member)
            case 2:
                if let first = line.first {
                    let hasLeft = line.remove(first)
                    #expect(hasLeft)
                    outside.append(model.removeFirst())
                }
            case 3:
                if let index = model.indices.randomElement(using: &random) {
                    let member = model.remove(at: index)
                    let hasLeft = line.remove(member)
                    #expect(hasLeft)
                    outside.append(member)
                }
            default:
                if let member = outside.randomElement(using: &random) {
                    let hasLeft = line.remove(member)
                    #expect(!hasLeft)
                }
            }
            #expect(line.first === model.first && line.count == model.count)
        }
        for member in model {
            #expect(line.first === member)
            line.remove(member)
        }
        #expect(line.first == nil && line.count == 0)
    }

    @Test func whoHasLeftIsReleased() {
        var line = WaitingLine<Member>()
        weak var left: Member?
        let neighbours = [Member(0), Member(2)]
        line.append(neighbours[0])
        do {
            let member = Member(1)
            left = member
            line.append(member)
            line.append(neighbours[1])
            line.remove(member)
        }
        #expect(left == nil)
        neighbours.forEach { line.remove($0) }
    }
}

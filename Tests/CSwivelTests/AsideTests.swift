// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Foundation
import Synchronization
import Testing

private let fewest = Int(SWIVEL_LOOK_STAYS)
private let most = Int(SWIVEL_LOOK_STAYS_MAX)
private let longest = UInt64(SWIVEL_LOOK_MAX_NS)

/// The experience of a thread whose partner waits for its processor.
private final class Stay {
    private(set) var look = swivel_look()
    private var now: UInt64 = 1 << 40

    /// How many sleeps it takes until the two part; `nil`: more than `limit`.
    func sleeps(each time: UInt64 = 3000, limit: Int = 1_000_000) -> Int? {
        var count = 0
        while count < limit {
            count += 1
            now += time
            if swivel__look_parts(&look, now) { return count }
        }
        return nil
    }

    func finds(_ count: Int) {
        for _ in 0..<count { swivel__look_ended(&look, true, 1) }
    }
}

@Suite struct StayTests {
    @Test func theThreadLeavesAfterSomeSleepsAndThenAfterTwiceAsMany() {
        let stay = Stay()
        var expected = fewest
        while expected < most {
            #expect(stay.sleeps() == expected)
            expected *= 2
        }
        #expect(stay.sleeps() == most)
        #expect(stay.sleeps() == most)
    }

    @Test func eachFindGivesOneSleepBack() {
        let stay = Stay()
        _ = stay.sleeps()
        stay.finds(10)
        #expect(stay.sleeps() == 2 * fewest - 10)
        stay.finds(most)
        #expect(stay.sleeps() == fewest)
    }

    @Test func sleepsThatAreFarApartPartNobody() {
        let stay = Stay()
        #expect(stay.sleeps(each: 2 * longest, limit: 1000) == nil)
        // Some of the last of those may be counted with the first of these.
        #expect(stay.sleeps().map { $0 <= 2 * fewest } == true)
        #expect(stay.sleeps() == 2 * fewest)
    }
}

@Suite struct IdleProcessorTests {
    /// The thread itself and its partner want to run.
    @Test(arguments: [
        ("0.03 0.29 0.25 1/78 116", 2, true), ("0.03 0.29 0.25 2/78 116", 2, true),
        ("0.03 0.29 0.25 3/78 116", 2, false), ("1.00 1.00 1.00 2/78 116", 1, false),
        ("9.99 9.99 9.99 5/999 1", 8, true), ("9.99 9.99 9.99 6/999 1", 8, false),
        ("0.0 0.0 0.0 4294967295/4294967295 1", 8, false),
    ])
    func othersLeaveHalfOfTheProcessorsIdle(_ loads: String, _ processors: Int32, _ isIdle: Bool) {
        #expect(swivel__has_idle_processor(loads, processors) == isIdle)
    }

    @Test(arguments: ["", "0.03", "0.03 0.29 0.25", "0.03 0.29 0.25 ", "a b c d/e", "1 2 3 -"])
    func whatCannotBeReadSaysThatNoneIs(_ loads: String) {
        #expect(!swivel__has_idle_processor(loads, 64))
    }
}

#if os(Linux)
/// The processors that the calling thread may use, as a mask.
private func processors() -> String {
    let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    return status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }.map(String.init)
        ?? ""
}

private final class Errand: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs the body on a thread of Swivel's own.
private func spawned<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { waiter in
        let errand = Unmanaged.passRetained(Errand { waiter.resume(returning: body()) })
        let status = swivel__thread_spawn(
            "aside",
            { errand in
                guard let errand else { return }
                Unmanaged<Errand>.fromOpaque(errand).takeRetainedValue().run()
            }, errand.toOpaque())
        precondition(status == 0)
    }
}

/// How often the thread leaves its processor, of this number of sleeps.
private func leaves(_ sleeps: Int) -> Int {
    var look = swivel_look()
    return (0..<sleeps).count { _ in swivel__is_to_step_aside(&look) && swivel__step_aside() }
}

@Suite struct AsideTests {
    @Test func aThreadLeavesItsProcessorAndMayComeBack() async {
        let (before, hasLeft, after) = await spawned {
            // The kernel may have moved it back by the time it asks.
            let before = processors()
            let hasLeft = (0..<100).contains { _ in
                let place = swivel__sleep_place()
                return swivel__leave_processor() && swivel__sleep_place() != place
            }
            return (before, hasLeft, processors())
        }
        #expect(before == after)
        #expect(hasLeft == (ProcessInfo.processInfo.activeProcessorCount > 1))
    }

    @Test func severalThreadsMayLeaveAtOnce() async {
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let (before, after) = await spawned {
                        let before = processors()
                        _ = leaves(100_000)
                        for _ in 0..<100 { swivel__leave_processor() }
                        return (before, processors())
                    }
                    #expect(before == after)
                }
            }
        }
        #expect(swivel__place_left() == 0)
    }

    @Test func aThreadWhoseProcessorWasChosenStays() async {
        let (before, left, after) = await spawned {
            _ = (0..<64).first { swivel__thread_pin(pthread_self(), $0) == 0 }
            return (processors(), leaves(10_000), processors())
        }
        #expect(left == 0 && before == after)
    }

    @Test func aThreadOfTheProgramStays() async throws {
        let (before, left, after) = try await offPool {
            (processors(), leaves(10_000), processors())
        }
        #expect(left == 0 && before == after)
    }

    @Test func aThreadWithOneProcessorHasNoOther() async {
        let hasLeft = await spawned {
            _ = (0..<64).first { swivel__thread_pin(pthread_self(), $0) == 0 }
            return swivel__leave_processor()
        }
        #expect(!hasLeft)
    }
}
#endif

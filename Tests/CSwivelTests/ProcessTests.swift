// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Dispatch
import Testing

/// The resources that loops take from the system, and their behaviour when it refuses.
@Suite struct ProcessTests {
    /// S4: as the first loop of its process, which makes libuv open descriptors that it keeps.
    @Test(arguments: 0...12 as ClosedRange<UInt32>)
    func fewDescriptorsAreATypedErrorAndALaterTrySucceeds(_ free: UInt32) async {
        await #expect(processExitsWith: .success) { [free = free as UInt32] in
            await openDispatchDescriptors()
            try #require(swivel_leave_descriptors(free) == free)
            let threads = swivel_process_threads()
            do {
                let loop = try TestLoop()
                loop.flush()
            } catch let refusal as TestLoop.Refusal {
                #expect(refusal.status == -24 /* EMFILE */, "\(refusal.status)")
                #expect(free < swivel_descriptors_of_a_first_loop())
                #expect(swivel_process_threads() <= threads)
            }
            swivel_return_descriptors()
            let loop = try TestLoop()
            loop.flush()
        }
    }

    /// S1, S4.
    @Test func twoThousandLoopsLeaveNothingOpen() async throws {
        try await offPool {
            _ = try TestLoop()
            let descriptors = swivel_process_descriptors()
            let threads = swivel_process_threads()
            for number in 0..<2000 {
                let loop = try TestLoop(number % 4 == 0 ? SWIVEL_CALLER : SWIVEL_OWN_THREAD)
                let cell = Cell()
                _ = loop.schedule(after: 3_600_000_000_000, cell)
                if number % 3 == 0 { loop.post(Cell.ignored) }
                loop.shutdown()
                #expect(cell.released == 1)
            }
            #expect(swivel_process_descriptors() <= descriptors)
            // Threads of the test runner may have come meanwhile; two thousand of ours have not.
            #expect(swivel_process_threads() <= threads + 3)
        }
    }

    /// S3.
    @Test func aForkLeavesTheLoopDeadInTheChildAndUntouchedInTheParent() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_fork_beside_a_loop().map { String(cString: $0) } == nil)
        }
    }

    /// S3.
    /// The child's last thread ends there, where a leak checker looks: without its parent's other
    /// stacks it would find nothing but leaks.
    @Test(.enabled(if: !swivel_is_under_tsan() && !swivel_is_under_asan()))
    func aForkInsideAClosureEndsTheChildsTurn() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_fork_inside_a_closure().map { String(cString: $0) } == nil)
        }
    }

    /// S3.
    @Test func aChildMakesLoopsOfItsOwn() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_fork_and_make_a_loop().map { String(cString: $0) } == nil)
        }
    }
}

/// Has Dispatch open the descriptors that it keeps, which it does when its first timer is armed.
///
/// In an exit test something else arms that timer at some moment of its own: its descriptors would
/// come out of those that a test has counted.
private func openDispatchDescriptors() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
            continuation.resume()
        }
    }
}

extension Cell {
    /// For posts whose fate does not matter.
    fileprivate static let ignored = Cell()
}

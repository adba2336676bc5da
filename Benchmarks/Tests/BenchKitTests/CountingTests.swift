// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

#if os(Linux)
/// The counters of threads, by an event that needs no counter of the processor.
@Suite(.serialized, .enabled(if: EventMark(.pageFaults).map { $0.end() >= 0 } ?? false))
struct EventMarkTests {
    private static let pages = 300

    /// Touches pages that nobody has touched. One that lies in a large page faults with its
    /// neighbours: these do not.
    private static func touch() {
        let size = 4_096, count = pages * size
        guard
            let memory = mmap(
                nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { return }
        madvise(memory, count, MADV_NOHUGEPAGE)
        for page in 0..<pages {
            memory.storeBytes(of: 1, toByteOffset: page * size, as: UInt8.self)
        }
        munmap(memory, count)
    }

    @Test func theCallersEventsAreCounted() throws {
        let mark = try #require(EventMark(.pageFaults))
        Self.touch()
        #expect(mark.end() >= Self.pages)
    }

    @Test func thoseOfThreadsThatRunAreCounted() throws {
        let (goes, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            ready.signal()
            goes.wait()
            Self.touch()
            done.signal()
        }
        ready.wait()
        let mark = try #require(EventMark(.pageFaults))
        goes.signal()
        done.wait()
        #expect(mark.end() >= Self.pages)
    }

    @Test func thoseOfThreadsThatBeginAreCounted() throws {
        let mark = try #require(EventMark(.pageFaults))
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.touch()
            done.signal()
        }
        done.wait()
        #expect(mark.end() >= Self.pages)
    }

    @Test func whatCameBeforeIsNotCounted() throws {
        for _ in 0..<10 { Self.touch() }
        let mark = try #require(EventMark(.pageFaults))
        #expect(mark.end() < Self.pages)
    }
}
#endif

struct CountingTests {
    /// Where the processor does not tell its instructions, no measurement has any.
    @Test func aMeasurementHasWhatTheMachineTells() {
        let counting = Counting()
        counting.begin()
        var sum = 0
        for number in 0..<100_000 { sum &+= Int(bitPattern: UInt(number).byteSwapped) }
        counting.end()
        var measurement = Measurement()
        counting.add(to: &measurement, operations: sum == 0 ? 1 : 100_000)
        #expect(measurement[.allocations] != nil)
        #expect((measurement[.instructions] != nil) == Instructions.areCounted)
        #expect(measurement[.instructions].map { 1..<100 ~= $0 } ?? true)
    }
}

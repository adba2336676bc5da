// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Foundation
import SwivelTestSupport
import Testing

/// B1 and B2 on a process's first thread, each in a process of its own.
@Suite(.offPool) struct MainThreadTests {
    /// A wait outside of the main queue's blocks runs them, and its completion ends it.
    @Test(arguments: [
        "a wait runs the main queue", "a wait runs the main actor", "completion wakes a wait",
        "a wait ends at its deadline", "foreign work outside a block",
    ])
    func aWaitOutsideOfBlocks(name: String) throws { try expectPass(name) }

    /// Inside a block the lane runs, in order, and what else came runs after it.
    @Test(arguments: [
        "a wait inside a block runs the lane", "a run loop's block waits",
        "dispatchMain after a wait",
    ])
    func aWaitInsideABlock(name: String) throws { try expectPass(name) }

    /// `Loop.main` runs the main queue's blocks and the main actor's jobs between its own closures.
    @Test(arguments: [
        "the main loop drains the main queue", "a block on the main loop waits",
        "a closure of the main loop waits", "the main loop inside a block",
        "a driven main loop by turns", "the default context", "the main loop is idle",
        "a block's posts keep their order", "a stall in a block has no place",
    ])
    func theMainLoop(name: String) throws { try expectPass(name) }

    /// A wait that could never end says so, and where it was called.
    @Test(arguments: [
        ("operations inside a block", "OperationQueue.main"),
        ("the main actor inside a block", "the main actor"),
        ("a queue that waits for itself", "the serial queue 'test.held'"),
    ])
    func aWaitThatCannotEndTraps(name: String, place: String) throws {
        let outcome = try MainThreadProgram.run(name)
        #expect(!outcome.passed)
        #expect(outcome.output.contains("MainThreadProgram/Waits.swift:"))
        #expect(outcome.output.contains("wait(_:) waits forever"))
        #expect(outcome.output.contains(place), "\(outcome.output)")
    }

    /// (In optimized builds frames are so small that ThreadSanitizer's own stack of calls ends first.)
    @Test(.enabled(if: Machine.isDebug || !Machine.isThreadSanitized))
    func waitsNestUntilTheStackEnds() throws {
        let outcome = try MainThreadProgram.run("waits nest until the stack ends")
        #expect(!outcome.passed)
        #expect(outcome.output.contains("the main thread's stack ends"), "\(outcome.output)")
    }

    /// A wait that lasts runs Foundation's run loop as well.
    @Test(arguments: [
        "a run loop's timer ends a wait", "a run loop's block ends a wait",
        "a run loop's block from elsewhere", "a run loop ticks during a wait",
        "the main queue runs during a long wait", "a run loop's callback waits",
        "a run loop inside a block", "a run loop is left as it was",
        "a run loop's source ends a wait",
    ])
    func aWaitRunsTheRunLoop(name: String) throws { try expectPass(name) }

    #if os(Linux)
    /// S4: libdispatch and the run loop would stop the program without a word.
    @Test(arguments: 0...3) func aWaitWithoutDescriptorsSaysSo(count: Int) throws {
        let outcome = try MainThreadProgram.run("the first wait has \(count) descriptors")
        #expect(!outcome.passed)
        #expect(outcome.output.contains("/Descriptors.swift:"), "\(outcome.output)")
        #expect(outcome.output.contains("too many open files"), "\(outcome.output)")
    }

    @Test func aWaitNeedsFourDescriptors() throws {
        try expectPass("the first wait has 4 descriptors")
    }

    @Test func theMainLoopSaysThatThereAreNoDescriptors() throws {
        let outcome = try MainThreadProgram.run("the main loop has no descriptors")
        #expect(!outcome.passed)
        #expect(outcome.output.contains("running the main queue takes"), "\(outcome.output)")
        #expect(outcome.output.contains("too many open files"), "\(outcome.output)")
    }

    @Test func aLongWaitDoesWithoutTheRunLoopsDescriptors() throws {
        try expectPass("a long wait has no descriptors")
    }

    /// Those of the process count, not those of the thread that waits.
    @Test func aProcessOfOneProcessorDoesNotSpin() throws {
        let pinned = (0..<64).contains { swivel__thread_pin(pthread_self(), $0) == 0 }
        try #require(pinned)
        try expectPass("one processor")
    }
    #endif

    private func expectPass(_ name: String) throws {
        let outcome = try MainThreadProgram.run(name)
        #expect(outcome.passed, "\(outcome.output)")
    }
}

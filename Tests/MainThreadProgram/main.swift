// SPDX-License-Identifier: Apache-2.0
// Runs one case on the process's first thread, outside of any main-queue block, where a test never
// is. The case that returns has passed; its test limits the time.

var cases: [String: @MainActor () -> Void] = [
    "a wait runs the main queue": waitRunsTheMainQueue,
    "a wait runs the main actor": waitRunsTheMainActor,
    "completion wakes a wait": completionWakesAWait,
    "a wait ends at its deadline": waitEndsAtItsDeadline,
    "a wait inside a block runs the lane": waitInsideABlockRunsTheLane,
    "a run loop's block waits": runLoopsBlockWaits,
    "waits nest until the stack ends": waitsNestUntilTheStackEnds,
    "operations inside a block": operationsInsideABlock,
    "the main actor inside a block": mainActorInsideABlock,
    "foreign work outside a block": foreignWorkOutsideABlock,
    "a queue that waits for itself": queueThatWaitsForItself,
    "the main loop drains the main queue": mainLoopDrainsTheMainQueue,
    "a block on the main loop waits": blockOnTheMainLoopWaits,
    "a closure of the main loop waits": closureOfTheMainLoopWaits,
    "the main loop inside a block": mainLoopInsideABlock,
    "a driven main loop by turns": mainLoopByTurns,
    "the default context": defaultContexts,
    "the main loop is idle": mainLoopIsIdle,
    "a block's posts keep their order": blocksPostsKeepTheirOrder,
    "a stall in a block has no place": stallInABlockHasNoPlace,
    "dispatchMain after a wait": dispatchMainAfterAWait,
    "a run loop's timer ends a wait": runLoopsTimerEndsAWait,
    "a run loop's block ends a wait": runLoopsBlockEndsAWait,
    "a run loop's source ends a wait": runLoopsSourceEndsAWait,
    "a run loop's block from elsewhere": runLoopsBlockFromElsewhereEndsAWait,
    "a run loop ticks during a wait": runLoopTicksDuringAWait,
    "the main queue runs during a long wait": mainQueueRunsDuringALongWait,
    "a run loop's callback waits": runLoopsCallbackWaits,
    "a run loop inside a block": runLoopInsideABlock,
    "a run loop is left as it was": runLoopIsLeftAsItWas,
]
#if os(Linux)
for count in 0...4 {
    cases["the first wait has \(count) descriptors"] = { firstWait(withDescriptors: count) }
}
cases["the main loop has no descriptors"] = mainLoopWithoutDescriptors
cases["a long wait has no descriptors"] = longWaitWithoutDescriptors
cases["one processor"] = oneProcessorDoesNotSpin
#endif

guard let run = CommandLine.arguments.dropFirst().first.flatMap({ cases[$0] }) else {
    fatalError("no case of that name: \(CommandLine.arguments)")
}
run()
print("passed")

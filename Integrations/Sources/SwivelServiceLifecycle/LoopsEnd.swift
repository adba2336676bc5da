// SPDX-License-Identifier: Apache-2.0
#if ServiceLifecycle
internal import ServiceLifecycle
internal import SwivelCore

/// The moment at which a service has to end.
enum LoopsEnd {
    /// Suspends until a graceful shutdown, the task's cancellation, or the end of one of `loops`.
    ///
    /// A sleep without a deadline ends with its loop and by a cancel, and by nothing else.
    static func wait(for loops: [Loop]) async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { sleeps in
                for loop in loops {
                    // An error is the end itself: the loop's, or the task's.
                    sleeps.addTask { try? await loop.clock.sleep(until: .never) }
                }
                await sleeps.next()
                sleeps.cancelAll()
            }
        }
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Logging
public import Logging
public import SwivelCore

extension Loop.Configuration {
    /// Has the loop log that many posts wait, as a warning, and then that no more than half as many
    /// do, as a notice.
    ///
    /// An `onHighWater` that is set already hears of it too, first. Like any other, this one needs
    /// `highWaterMark` or `maxPendingPosts`: without them `Loop.init` throws.
    ///
    /// **Thread:** any. The logger is called in the background, once at a time.
    /// - Parameter logger: Gets the loop's name as metadata under `loop`, and the posts that wait
    ///   under `pending_posts`.
    /// - Complexity: O(1).
    public mutating func logHighWater(to logger: Logger) {
        let (earlier, name) = (onHighWater, name)
        onHighWater = { mark in
            earlier?(mark)
            logger.log(
                level: mark.isAbove ? .warning : .notice,
                mark.isAbove ? "many posts wait for a loop" : "a loop has caught up with its posts",
                metadata: [
                    "loop": .string(name), "pending_posts": .stringConvertible(mark.pendingPosts),
                ],
                source: "Swivel")
        }
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0
internal import CSwivelMain
internal import SwivelCore

/// Swivel's own queue in front of the main queue, which waits inside the main queue's blocks run too:
/// see main_lane.c.
enum MainLane {
    /// Appends `work`. It runs on the main queue, never inside this call.
    ///
    /// **Thread:** any.
    static func post(_ work: @escaping @Sendable () -> Void) {
        swivel_main_post(Work.words(work)) { words in Work.take(words).run() }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// What one thread has to do for the jobs of a tree, from the moment in which something comes from
/// outside until nothing is left to be done.
///
/// Jobs never call each other: each leaves its next step here. Trees of any depth need no stack.
final class JobFrame: @unchecked Sendable {
    // because only the thread that made it touches the steps.
    private var steps: [@Sendable () -> Void] = []
    private let thread = UnsafeMutableRawPointer(Trampoline.ofThread)

    /// Whether this is the frame's own thread.
    var isCurrent: Bool { thread == UnsafeMutableRawPointer(Trampoline.ofThread) }

    /// Has `step` run as the next one, before those that were left earlier.
    func push(_ step: @escaping @Sendable () -> Void) {
        steps.append(step)
    }

    /// Runs `first`, and all that it leads to.
    static func drive(_ first: (JobFrame) -> Void) {
        let frame = JobFrame()
        first(frame)
        while let step = frame.steps.popLast() {
            step()
        }
    }
}

/// What a job held that may hold a chain of other jobs.
final class JobLeftovers<Body: Sendable, Link: Sendable>: @unchecked Sendable {
    // because it is handed over, and never shared.
    private var body: Body?
    private var links: [Link]

    init(_ body: inout Body?, _ links: inout [Link]) {
        self.body = body
        self.links = links
        body = nil
        links = []
    }

    /// Releases it, one job after the other.
    func release() {
        guard body != nil || !links.isEmpty else { return }
        // In the thread's trampoline what is released in turn comes after what releases it.
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { [self] _ in
            body = nil
            links = []
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Other threads' posts to a manual loop, until its driver admits them: they come interleaved in
/// an order that a seed decides, those of one thread in theirs.
final class SeededPosts: PostKeeper {
    /// One thread's posts, in order.
    private struct Producer {
        let thread: UInt64
        var posts: ArraySlice<@Sendable () -> Void> = []
    }

    private struct State {
        var producers: [Producer] = []
        var random: SplitMix64
    }

    private let state: Lock<State>

    init(seed: UInt64) { state = Lock(State(random: SplitMix64(seed: seed))) }

    func keep(_ post: @escaping @Sendable () -> Void, from thread: UInt64) {
        state.withLock { state in
            let known = state.producers.firstIndex { $0.thread == thread }
            let index = known ?? state.producers.endIndex
            if known == nil { state.producers.append(Producer(thread: thread)) }
            state.producers[index].posts.append(post)
        }
    }

    var count: Int { state.withLock { $0.producers.reduce(0) { $0 + $1.posts.count } } }

    /// Passes the posts to the loop, in the seed's order.
    func admit(to loop: Loop) { interleaved().forEach(loop.admit) }

    private func interleaved() -> [@Sendable () -> Void] {
        state.withLock { state in
            // A producer has as many turns as posts, so that each interleaving is as likely as any
            // other.
            let turns = state.producers.indices.flatMap { index in
                state.producers[index].posts.map { _ in index }
            }.shuffled(using: &state.random)
            defer { state.producers = [] }
            return turns.compactMap { state.producers[$0].posts.popFirst() }
        }
    }
}

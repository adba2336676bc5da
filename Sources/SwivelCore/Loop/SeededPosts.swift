// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Other threads' posts to a manual loop, until its driver asks for them: they come interleaved in an
/// order that a seed decides, those of one thread in theirs.
package final class SeededPosts: Sendable {
    /// One thread's posts, in order.
    private struct Producer {
        let thread: UInt64
        var posts: [swivel_work] = []
        var taken = 0
    }

    private struct State {
        var producers: [Producer] = []
        var random: SplitMix64
    }

    private let state: Lock<State>

    init(seed: UInt64) {
        state = Lock(State(random: SplitMix64(seed: seed)))
    }

    deinit {
        for producer in state.withLock({ $0.producers }) {
            for var post in producer.posts[producer.taken...] {
                Work.release(&post)
            }
        }
    }

    func add(_ work: swivel_work, from thread: UInt64) {
        state.withLock { state in
            let known = state.producers.firstIndex { $0.thread == thread }
            let index = known ?? state.producers.endIndex
            if known == nil {
                state.producers.append(Producer(thread: thread))
            }
            state.producers[index].posts.append(work)
        }
    }

    /// Posts that wait.
    package var count: Int {
        state.withLock { $0.producers.reduce(0) { $0 + $1.posts.count } }
    }

    /// Gives the loop what has come, in the seed's order.
    ///
    /// - Returns: Whether anything had.
    @discardableResult
    package func admit(to loop: Loop) -> Bool {
        let posts = interleaved()
        for var post in posts where swivel__post_diverted(loop.record, post) != SWIVEL_OK {
            Work.release(&post)
        }
        return !posts.isEmpty
    }

    private func interleaved() -> [swivel_work] {
        state.withLock { state in
            var left = state.producers.reduce(0) { $0 + $1.posts.count }
            var posts: [swivel_work] = []
            // A producer is drawn as often as it has posts left, so that each interleaving is as
            // likely as any other.
            while left > 0 {
                var draw = Int.random(in: 0..<left, using: &state.random)
                for index in state.producers.indices {
                    let producer = state.producers[index]
                    let count = producer.posts.count - producer.taken
                    if draw < count {
                        posts.append(producer.posts[producer.taken])
                        state.producers[index].taken += 1
                        break
                    }
                    draw -= count
                }
                left -= 1
            }
            state.producers = []
            return posts
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Swivel
internal import Synchronization
internal import Trials

/// Counts requests, and the kinds of their answers.
struct Bookkeeper: RouterMiddleware {
    typealias Context = BasicRequestContext

    let figures: Figures

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = LoopClock.Instant.now
        figures.begin()
        do {
            let response = try await next(request, context)
            figures.end("\(request.uri.path) \(response.status.code)", since: start)
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status.code ?? 500
            figures.end("\(request.uri.path) \(status)", since: start)
            throw error
        }
    }
}

/// The fate of the requests.
final class Figures: Sendable {
    /// Answers of one path and status.
    private struct Answers {
        var count = 0
        var quickest = Duration.seconds(1_000_000)
        var slowest = Duration.zero
        var first = LoopClock.Instant.now
        var last = LoopClock.Instant.now

        var text: String { "\(count) answers in \(quickest.text) to \(slowest.text)" }
    }

    private struct State {
        var begun = 0
        var underWay = 0
        var answers: [String: Answers] = [:]
    }

    private let state = Mutex(State())

    func begin() {
        state.withLock { state in
            state.begun += 1
            state.underWay += 1
        }
    }

    func end(_ kind: String, since start: LoopClock.Instant) {
        let now = LoopClock.Instant.now
        state.withLock { state in
            state.underWay -= 1
            var answers = state.answers[kind, default: Answers()]
            answers.count += 1
            answers.quickest = min(answers.quickest, now - start)
            answers.slowest = max(answers.slowest, now - start)
            answers.first = min(answers.first, start)
            answers.last = max(answers.last, now)
            state.answers[kind] = answers
        }
    }

    var summary: String {
        let state = state.withLock { $0 }
        let lines = state.answers.sorted { $0.key < $1.key }.map { "\($0): \($1.text)" }
        return (["begun: \(state.begun)", "under way: \(state.underWay)"] + lines).joined(
            separator: "\n")
    }

    /// Ends the program unless the server has kept its limits.
    func check(_ limits: Limits) {
        let state = state.withLock { $0 }
        expect(state.underWay == 0, "each request that has begun was answered")
        if let passed = state.answers["/limited 200"] {
            let allowed = Double(limits.rate) * ((passed.last - passed.first) / .seconds(1))
            expect(
                passed.count <= limits.burst + Int(allowed.rounded(.up)),
                "/limited was answered \(passed.count) times")
        }
        if let late = state.answers["/slow 504"] {
            expect(late.quickest >= limits.deadline, "no request was given up early")
        }
    }
}

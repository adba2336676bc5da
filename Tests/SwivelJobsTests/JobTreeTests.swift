// SPDX-License-Identifier: Apache-2.0
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// Random trees of jobs, compared with an interpreter that knows no jobs.
@Suite struct JobTreeTests {
    private typealias Work = Job<Int, JobFault>

    private indirect enum Tree: Sendable {
        case leaf(Int, succeeds: Bool)
        case endless(Int)
        case dropped(Int)
        case then(Tree, Tree)
        case thenAdd(Tree, Int)
        case recover(Tree, Tree)
        case chain(Tree, Tree)
        case map(Tree)
        case sequential([Tree])
        case concurrent([Tree])
    }

    private enum Outcome: Equatable { case success(Int), failure(Int), abandoned, pending }

    private func random(_ depth: Int, _ number: inout Int, _ random: inout Seeded) -> Tree {
        func next(_ random: inout Seeded) -> Tree { self.random(depth - 1, &number, &random) }
        number += 1
        let kind =
            depth == 0 ? Int.random(in: 0..<5, using: &random) : .random(in: 3..<12, using: &random)
        switch kind {
        case 0, 1, 3: return .leaf(number, succeeds: true)
        case 2: return .leaf(number, succeeds: false)
        case 4:
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .endless(number)
            case 1: return .dropped(number)
            default: return .leaf(number, succeeds: true)
            }
        case 5: return .then(next(&random), next(&random))
        case 6: return .thenAdd(next(&random), number)
        case 7: return .recover(next(&random), next(&random))
        case 8: return .chain(next(&random), next(&random))
        case 9: return .map(next(&random))
        case 10:
            return .sequential(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in next(&random) })
        default:
            return .concurrent(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in next(&random) })
        }
    }

    /// The outcome of the tree, and the leaves that run, in order.
    private func interpret(_ tree: Tree, _ ran: inout [Int]) -> Outcome {
        switch tree {
        case .leaf(let number, let succeeds):
            ran.append(number)
            return succeeds ? .success(number) : .failure(number)
        case .endless(let number):
            ran.append(number)
            return .pending
        case .dropped(let number):
            ran.append(number)
            return .abandoned
        case .then(let first, let second):
            let outcome = interpret(first, &ran)
            guard case .success = outcome else { return outcome }
            return interpret(second, &ran)
        case .thenAdd(let first, let number):
            guard case .success(let value) = interpret(first, &ran) else {
                var again: [Int] = []
                return interpret(first, &again)
            }
            ran.append(-number)
            return .success(value &+ number)
        case .recover(let first, let second):
            let outcome = interpret(first, &ran)
            guard case .failure = outcome else { return outcome }
            return interpret(second, &ran)
        case .chain(let first, let second):
            let outcome = interpret(first, &ran)
            if outcome == .pending || outcome == .abandoned { return outcome }
            return interpret(second, &ran)
        case .map(let first):
            guard case .success(let value) = interpret(first, &ran) else {
                var again: [Int] = []
                return interpret(first, &again)
            }
            return .success(value &* 3)
        case .sequential(let parts): return interpret(parts, stopsAtPending: true, &ran)
        case .concurrent(let parts): return interpret(parts, stopsAtPending: false, &ran)
        }
    }

    private func interpret(
        _ parts: [Tree], stopsAtPending: Bool, _ ran: inout [Int]
    ) -> Outcome {
        var (sum, isPending) = (0, false)
        for part in parts {
            switch interpret(part, &ran) {
            case .success(let value): sum &+= value
            case .failure(let number): return .failure(number)
            case .abandoned: return .abandoned
            case .pending:
                if stopsAtPending { return .pending }
                isPending = true
            }
        }
        return isPending ? .pending : .success(sum)
    }

    /// The functions that bodies which never end keep.
    private let kept = Shared<[Work.Succeed]>([])

    private func job(_ tree: Tree, _ ran: Shared<[Int]>) -> Work {
        switch tree {
        case .leaf(let number, let succeeds):
            return Work { succeed, fail in
                ran.update { $0.append(number) }
                succeeds ? succeed(number) : fail(JobFault(code: number))
            }
        case .endless(let number):
            return Work { succeed, _ in
                ran.update { $0.append(number) }
                kept.value.append(succeed)
            }
        case .dropped(let number): return Work { _, _ in ran.update { $0.append(number) } }
        case .then(let first, let second): return job(first, ran).then(job(second, ran))
        case .thenAdd(let first, let number):
            return job(first, ran).then { value in
                ran.update { $0.append(-number) }
                return Work.succeeded(value &+ number)
            }
        case .recover(let first, let second): return job(first, ran).recover(job(second, ran))
        case .chain(let first, let second):
            let second = job(second, ran)
            return job(first, ran).chain { _ in second }
        case .map(let first): return job(first, ran).map { $0 &* 3 }
        case .sequential(let parts):
            return Job.sequential(parts.map { job($0, ran) }).map { $0.reduce(0, &+) }
        case .concurrent(let parts):
            return Job.concurrent(parts.map { job($0, ran) }).map { $0.reduce(0, &+) }
        }
    }

    @Test func randomTreesEndAsTheInterpreterSays() {
        var random = Seeded()
        for _ in 0..<3000 {
            var number = 0
            let tree = self.random(.random(in: 0..<6, using: &random), &number, &random)
            var expected: [Int] = []
            let outcome = interpret(tree, &expected)
            let (ran, fractions) = (Shared<[Int]>([]), Shared<[Double]>([]))
            let job = job(tree, ran)
                .onProgress { progress in fractions.update { $0.append(progress.fraction) } }
                .execute()
            #expect(ran.value == expected, "\(tree)")
            #expect(fractions.value == fractions.value.sorted(), "\(tree)")
            #expect(fractions.value.allSatisfy { (0...1).contains($0) })
            switch outcome {
            case .success(let value): #expect(job.future.result == .success(value), "\(tree)")
            case .failure(let code):
                #expect(job.future.result == .failure(.failed(JobFault(code: code))), "\(tree)")
            case .abandoned: #expect(job.future.result == .failure(.abandoned), "\(tree)")
            case .pending:
                #expect(job.state == .executing, "\(tree)")
                job.cancel()
                #expect(job.future.result == .failure(.cancelled), "\(tree)")
                #expect(ran.value == expected, "\(tree)")
            }
            kept.value = []
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import Testing

private enum Fault: Error, Equatable { case lost, refused }

private struct User: Sendable {
    var name: String

    static func logIn(_ name: String) -> Future<User, Fault> { Future(value: User(name: name)) }
    func posts() -> Future<[String], Fault> { Future(value: ["\(name)'s post"]) }
}

private func fibonacci(_ n: Int) -> Int {
    n < 2 ? n : (2...n).reduce((0, 1)) { pair, _ in (pair.1, pair.0 + pair.1) }.1
}

/// The samples of BrightFutures, Firefly and AwaitKit with the new names: nothing of `SwivelCompat` is
/// imported here.
@Suite struct NewSpellingTests {
    @Test func futuresOfBrightFutures() {
        let shown = Note<[String]>()
        User.logIn("me").flatMap { $0.posts() }
            .onSuccess { shown.set($0) }
            .onFailure { _ in shown.set([]) }
        #expect(shown.wait() == ["me's post"])
        let number: Future<Int, Never> = DispatchQueue.global().submit { fibonacci(50) }
        #expect(number.await() == 12_586_269_025)
        let pair = number.zip(Async<Int> { fibonacci(9) }).map { $0 - $1 }
        #expect(pair.await() == 12_586_268_991)
    }

    @Test func promisesOfBrightFutures() {
        func complexCalculation() -> Future<Int, Fault> {
            let promise = Promise<Int, Fault>()
            DispatchQueue.global().async { promise.succeed(3) }
            return promise.future
        }
        #expect((try? complexCalculation().await()) == 3)
        let queue = DispatchQueue(label: "new")
        let onQueue = Note<Bool>()
        complexCalculation().onComplete(on: queue) { _ in onQueue.set(queue.isCurrent) }
        #expect(onQueue.wait())
    }

    @Test func sequencesOfBrightFutures() {
        let futures = (1...10).map { n in Future<Int, Fault>(value: fibonacci(n)) }
        #expect((try? futures.fold(0, +).await()) == 143)
        #expect((try? futures.sequence().await())?.last == 55)
        #expect((try? futures.find { $0 > 20 }.await()) == 21)
        #expect((try? (1...3).traverse { Future<Int, Fault>(value: $0) }.await()) == [1, 2, 3])
        #expect((Future<Int, Fault>(error: .lost) ?? 5).await() == 5)
        #expect(Future<Int, Fault>(error: .lost).recover { _ in 6 }.await() == 6)
    }

    @Test func tokensOfBrightFutures() {
        let (token, ran) = (InvalidationToken(), Note<Int>(0))
        let promise = Promise<Int, Fault>()
        promise.future.onSuccess(on: token.context(.immediate)) { number in
            ran.update { $0 += number }
        }
        token.invalidate()
        promise.succeed(1)
        #expect(ran.value == 0)
    }

    @Test func jobsOfFirefly() {
        let notes = Note<[String]>([])
        let task = Job<String, Fault> { succeed, fail, progress in
            progress(JobProgress(0.5))
            succeed("done")
        }
        task.mapProgress(into: 0.6...1)
            .onProgress { progress in notes.update { $0.append("\(progress.fraction)") } }
            .onSuccess { result in notes.update { $0.append(result) } }
            .onFailure { _ in notes.update { $0.append("failed") } }
            .onComplete { outcome in notes.update { $0.append("\((try? outcome.get()) != nil)") } }
            .execute()
        #expect(notes.value == ["0.8", "done", "true"])
    }

    @Test func compositesOfFirefly() async throws {
        let parts = [1.0, 3, 6].map { Job<Double, Fault>.succeeded($0).setWeight($0) }
        let fractions = Note<[Double]>([])
        let sum = Job.sequential(parts)
            .onProgress { progress in fractions.update { $0.append(progress.fraction) } }
            .map { $0.reduce(0, +) }
        #expect(try await sum.value == 10)
        #expect(fractions.value == [0.1, 0.4, 1])
        let recovered = Job<Int, Fault>.failed(.lost).recover { _ in Job<Int, Never>.succeeded(2) }
        #expect(try await recovered.value == 2)
        let later = DispatchQueue.global().delay(.milliseconds(1))
        #expect(try await later.then(Job<Int, Never>.succeeded(3)).value == 3)
    }

    @Test func waitsOfAwaitKit() throws {
        let future = async {
            let user = try User.logIn("me").await()
            return try user.posts().await()
        }
        #expect(try future.await() == ["me's post"])
        let queue = DispatchQueue(label: "new")
        #expect(try queue.await(future) == ["me's post"])
        let thrown: Future<SwivelError.Code?, Never> = queue.submit {
            do {
                try queue.await(future)
                return nil
            } catch {
                return (error as? SwivelError)?.code
            }
        }
        #expect(thrown.await() == .wouldDeadlock)
    }

    @Test func tasksInThePlaceOfWaits() async throws {
        let future = async { try await User.logIn("me").value.name }
        #expect(try await future.value == "me")
    }
}

// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import Testing

// The samples of BrightFutures' README, with the least around them that lets them stand alone.
private struct User {
    var name: String
    static func logIn(_ username: String, _ password: String) -> Future<User, ReadmeError> {
        Future(value: User(name: username))
    }
}

private enum Posts {
    static func fetchPosts(_ user: User) -> Future<[String], ReadmeError> {
        Future(value: ["\(user.name)'s post"])
    }
}

private enum ReadmeError: Error, Equatable {
    case requestFailed, timeServiceError
}

private func fibonacci(_ n: Int) -> Int {
    n < 2 ? n : (2...n).reduce((0, 1)) { pair, _ in (pair.1, pair.0 + pair.1) }.1
}

private func toString(_ i: Int) -> String { "\(i)" }

@Suite struct BrightFuturesReadmeTests {
    @available(*, deprecated)
    @Test func logInAndFetchPosts() {
        let shown = Note<[String]>()
        User.logIn("me", "secret").flatMap { user in
            Posts.fetchPosts(user)
        }.onSuccess { posts in
            shown.set(posts)
        }.onFailure { _ in
            shown.set([])
        }
        #expect(shown.wait() == ["me's post"])
    }

    @available(*, deprecated)
    @Test func asyncValueOfAQueue() {
        let shown = Note<Int>()
        DispatchQueue.global().asyncValue {
            fibonacci(50)
        }.onSuccess { num in
            shown.set(num)
        }
        #expect(shown.wait() == 12_586_269_025)
    }

    @available(*, deprecated)
    @Test func asyncResultOfAQueue() {
        func readFile() -> Future<Int, ReadmeError> {
            DispatchQueue.global().asyncResult {
                .failure(.requestFailed)
            }
        }
        #expect(readFile().forced() == .failure(.requestFailed))
    }

    @available(*, deprecated)
    @Test func aPromiseThatAQueueCompletes() {
        func complexCalculation() -> Future<Int, ReadmeError> {
            let promise = Promise<Int, ReadmeError>()

            DispatchQueue.global().async {
                // do a complicated task and then hand the result to the promise:
                promise.success(3)
            }

            return promise.future
        }
        #expect(complexCalculation().forced() == .success(3))
    }

    @available(*, deprecated)
    @Test func aFutureWithAResolver() {
        let f = Future<Date, ReadmeError> { complete in
            DispatchQueue.global().async {
                complete(.success(Date(timeIntervalSince1970: 0)))
            }
        }
        #expect(f.forced().value == Date(timeIntervalSince1970: 0))
    }

    @available(*, deprecated)
    @Test func aSwitchOverTheResult() {
        let shown = Note<String>()
        Future<Int, ReadmeError>(value: 4).onComplete { result in
            switch result {
            case .success(let val):
                shown.set("\(val)")
            case .failure(let error):
                shown.set("\(error)")
            }
        }
        #expect(shown.wait() == "4")
    }

    @available(*, deprecated)
    @Test func materializeACall() {
        func networkCall(_ done: @escaping @Sendable (String?, ReadmeError?) -> Void) {
            DispatchQueue.global().async { done("news", nil) }
        }
        let f: Future<String, ReadmeError> = materialize { networkCall($0) }
        #expect(f.forced() == .success("news"))
    }

    @available(*, deprecated)
    @Test func andThenDefinesAnOrder() {
        let answer = Note<Int>(10)
        _ = Future<Int, ReadmeError>(value: 4).andThen { result in
            switch result {
            case .success(let val):
                answer.update { $0 *= val }
            case .failure:
                break
            }
        }.andThen { result in
            if case .success = result {
                answer.update { $0 += 2 }
            }
        }.forced()
        #expect(answer.value == 42)
    }

    @available(*, deprecated)
    @Test func mapMakesAString() {
        let fibonacciFuture = DispatchQueue.global().asyncValue { fibonacci(10) }
        let s = fibonacciFuture.map(toString)
        #expect(s.forced() == .success("55"))
        #expect(fibonacciFuture.map(\.description).forced() == .success("55"))
    }

    @available(*, deprecated)
    @Test func zipOfTwo() {
        let f = DispatchQueue.global().asyncValue { fibonacci(10) }
        let f1 = DispatchQueue.global().asyncValue { fibonacci(9) }
        let sum = f.zip(f1).map { a, b in a + b }
        #expect(sum.forced() == .success(89))
    }

    @available(*, deprecated)
    @Test func filterOfEvenNumbers() {
        let f = Future<Int, ReadmeError>(value: 3)
            .filter { $0 > 5 }
        #expect(f.forced() == .failure(BrightFuturesError.noSuchElement))
        let g = Future<Int, ReadmeError>(value: 7)
            .filter { $0 > 5 }
        #expect(g.forced() == .success(7))
    }

    @available(*, deprecated)
    @Test func recoverFromAnError() {
        let f = Future<Int, ReadmeError>(error: .requestFailed)
            .recover { _ in
                5
            }
        #expect(f.forced() == .success(5))
        let g = Future<Int, ReadmeError>(error: .requestFailed) ?? 5
        #expect(g.forced() == .success(5))
    }

    @available(*, deprecated)
    @Test func foldOfASequence() {
        let fibonacciSequence = [
            Future<Int, ReadmeError>(value: 2), Future<Int, ReadmeError>(value: 8),
        ]
        let sum = fibonacciSequence.fold(0, f: { $0 + $1 })
        #expect(sum.forced() == .success(10))
    }

    @available(*, deprecated)
    @Test func sequenceAndTraverse() {
        let seq = (1...10).map { n in DispatchQueue.global().asyncValue { fibonacci(n) } }
        #expect(seq.sequence().forced().value?.last == 55)
        let f = (1...10).traverse { i in
            DispatchQueue.global().asyncValue { fibonacci(i) }
        }
        #expect(f.forced().value?.count == 10)
    }

    @available(*, deprecated)
    @Test func delayOfAFuture() {
        let f = Future<Int, Never>(value: 3).delay(.milliseconds(2)).andThen { _ in }
        #expect(f.forced() == .success(3))
    }

    @available(*, deprecated)
    @Test func callbacksOnAContext() {
        let shown = Note<Bool>()
        let queue = DispatchQueue(label: "readme")
        let f = Future<Int, ReadmeError> { complete in
            DispatchQueue.global().async {
                complete(.success(fibonacci(10)))
            }
        }
        f.onComplete(queue.context) { _ in
            shown.set(queue.isCurrent)
        }
        #expect(shown.wait())
    }

    @available(*, deprecated)
    @Test func anInvalidationTokenForACell() {
        final class MyViewController: Sendable {
            let token = InvalidationToken()
            let shown = Note<Int>(0)

            func show(_ calculation: Future<Int, ReadmeError>) {
                calculation.onSuccess(token.validContext(immediateExecutionContext)) {
                    [shown] num in
                    shown.update { $0 += num }
                }
            }

            func disappear() { token.invalidate() }
        }
        let controller = MyViewController()
        let (first, second) = (Promise<Int, ReadmeError>(), Promise<Int, ReadmeError>())
        controller.show(first.future)
        controller.show(second.future)
        first.success(1)
        controller.disappear()
        second.success(10)
        #expect(controller.shown.value == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

struct User: Sendable { let name: String }
enum LoginError: Error { case refused }
let loop = try Loop(.init(name: "app"))
@Sendable func login(_ name: String) -> Future<User, LoginError> { .init(value: User(name: name)) }
@Sendable func greet(_ user: User) -> Future<String, LoginError> {
    .init(value: "hello \(user.name)")
}
@Sendable func show(_ text: String) { print(text) }
// snippet.show
// Each step names its context; errors skip the steps up to `recover`.
let greeting = login("ann")
    .flatMap(on: loop) { greet($0) }
    .recover(on: loop) { "nobody: \($0)" }
    .onSuccess(on: loop) { show($0) }

// The write end. Complete it on every path: dropping it fails the future.
let promise = Promise<Int, any Error>()
loop.schedule(after: .milliseconds(10)) { promise.succeed(42) }
let answer = promise.future.timeout(.seconds(1))

// Several at once.
let both = greeting.zip(Async<Int> { 6 * 7 })
let first = [1, 2, 3].map { n in Async<Int> { n * n } }.firstCompleted()
let squares = (1...3).traverse { n in Async<Int> { n * n } }
// snippet.hide
let (hello, _) = both.await()
precondition(hello == "hello ann" && squares.await() == [1, 4, 9])
precondition([1, 4, 9].contains(first.await()))
let number = try answer.await()
precondition(number == 42)
loop.shutdown(.drain(within: .seconds(1)))

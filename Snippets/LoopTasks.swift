// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "io"))

struct Answer: Sendable {}
func ask(_ server: Int) async -> Answer { Answer() }
// snippet.show
let answers = Task(executorPreference: loop.taskExecutor) {
    async let first = ask(1)
    async let second = ask(2)
    try await loop.clock.sleep(for: .milliseconds(10))
    return await [first, second]
}
// snippet.hide
let count = try await answers.value.count
precondition(count == 2, "two were asked")

enum Request {
    @TaskLocal static var name = "none"
}
// snippet.show
Request.$name.withValue("GET /") {
    loop.inheritingTaskLocals.schedule(after: .milliseconds(10)) {
        print("\(Request.name) took 10 ms")
    }
}
// snippet.hide
let closing = Task { await loop.shutdown(.drain(within: .seconds(1))) }
_ = await closing.value

// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

@Sendable func fetch(_ name: String, handler: @escaping @Sendable (String, Int) -> Void) {
    handler(name, 200)
}
@Sendable func parse(_ page: String) -> Int { page.count }
@Sendable func show(_ words: Int) { print(words) }
let loop = try Loop(.init(name: "io"))
let page = "a page"

func before() -> String {
    // snippet.show
    // Before: a semaphore, a box, and a hang if the handler is never called.
    let ready = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var answer: (String, Int)?
    DispatchQueue.global().async {
        fetch("index") { body, status in
            answer = (body, status)
            ready.signal()
        }
    }
    ready.wait()
    // snippet.hide
    return answer?.0 ?? ""
}
_ = before()
// snippet.show
// After: run in the background, and wait. A handler that is dropped stops the program with a message.
let (body, status) = <<~{ fetch("index", handler: $0) }
// snippet.hide
print(body, status)
let done = DispatchSemaphore(value: 0)
@Sendable func shown(_ words: Int) {
    show(words)
    done.signal()
}
// snippet.show
// Before: one closure inside the other for each hop.
DispatchQueue.global().async {
    let words = parse(page)
    loop.execute { shown(words) }
}

// After: parse in the background, then show the result on the loop.
parse ~>> (page) ~>> loop ~>> { shown($0) }
// snippet.hide
done.wait()
done.wait()
loop.shutdown()

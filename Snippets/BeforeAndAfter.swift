// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

@Sendable func fetch(_ name: String, handler: @escaping @Sendable (String, Int) -> Void) {
    handler(name, 200)
}
@Sendable func parse(_ page: String) -> Int { page.count }
let loop = try Loop(.init(name: "io"))
let shown = DispatchSemaphore(value: 0)
@Sendable func show(_ words: Int) {
    print(words)
    shown.signal()
}
// snippet.show
// Before: a semaphore, a box, and a hang if the handler is never called.
let ready = DispatchSemaphore(value: 0)
nonisolated(unsafe) var answer = ("", 0)  // because the semaphore orders the two threads
DispatchQueue.global().async {
    fetch("index") {
        answer = ($0, $1)
        ready.signal()
    }
}
ready.wait()

// After: in the background, and wait. A dropped handler stops the program with a message.
let (page, status) = <<~{ fetch("index", handler: $0) }
// snippet.hide
precondition(answer == (page, status), "both ways give the same")
// snippet.show
// Before: a closure inside a closure for each hop.
DispatchQueue.global().async {
    let words = parse(page)
    loop.execute { show(words) }
}

// After: parse in the background, show the result on the loop.
parse ~>> (page) ~>> loop ~>> { show($0) }
// snippet.hide
shown.wait()
shown.wait()
loop.shutdown()

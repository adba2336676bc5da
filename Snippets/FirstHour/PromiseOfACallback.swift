// SPDX-License-Identifier: Apache-2.0
import Swivel

let loop = try Loop()
func fetch(_ page: String, then: @escaping @Sendable (String?) -> Void) {
    loop.schedule(after: .milliseconds(10)) { then("text of \(page)") }
}

struct NotFound: Error {}
let promise = Promise<String, any Error>()
fetch("index") { text in
    if let text { promise.succeed(text) } else { promise.fail(NotFound()) }
}
print(try promise.future.timeout(.seconds(1)).await())
loop.shutdown()

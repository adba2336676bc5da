// SPDX-License-Identifier: Apache-2.0
// The explorer's model as closures.
internal import Explorer

nonisolated(unsafe) private var parts = (  // because a program explores one model at a time.
    reset: {}, body: { (_: Int32) in }, check: {}
)

/// Explores what `body` does in each thread. Objects live from `reset` to `check`, which are not
/// explored; after it none may be left.
func explore(
    _ name: StaticString, threads: Int32 = 3, preemptions: Int32 = 4, reset: @escaping () -> Void,
    stuck: (@convention(c) () -> Bool)? = nil, check: @escaping () -> Void,
    body: @escaping (Int32) -> Void
) {
    parts = (reset, body, check)
    var model = explorer_model()
    model.name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    model.threads = threads
    model.reset = {
        runtime_open()
        parts.reset()
    }
    model.body = { parts.body($0) }
    model.stuck = stuck
    model.check = {
        parts.check()
        runtime_close()
    }
    model.preemptions = preemptions
    explorer_run(&model, 1)
}

func expect(_ condition: Bool, _ promise: StaticString, line: Int32 = #line) {
    if !condition {
        promise.withUTF8Buffer { text in
            text.withMemoryRebound(to: CChar.self) {
                explorer_fail($0.baseAddress, "the model", line)
            }
        }
    }
}

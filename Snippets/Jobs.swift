// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "jobs"))
let pages = 10
@Sendable func print(_ page: Int) {}
@Sendable func draw(_ fraction: Double) {}
// snippet.show
// Nothing runs before execute(). The body may run on any context.
let printing = Job<Int, any Error> { job, succeed, fail, report in
    for page in 0..<pages {
        if job.isCancelled { return }
        print(page)
        report(JobProgress(Double(page + 1) / Double(pages)))
    }
    succeed(pages)
}
let archiving = Job<Void, any Error> { succeed, _ in succeed(()) }

printing
    .onProgress(on: loop) { draw($0.fraction) }
    .onCancel(on: loop) { draw(0) }
    .then(archiving)
    .execute(on: .background)

// After cancel() no success, failure or progress handler starts any more.
printing.cancel()
// snippet.hide
loop.shutdown(.drain(within: .seconds(1)))

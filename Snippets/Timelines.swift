// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel
import SwivelTesting

// snippet.show
// Keys come in two bursts. Each has one save, 300 ms after its last key.
let loop = try Loop.manual()
let saves = Timeline(on: loop, step: .milliseconds(100))
let save = Coalescer(on: loop, after: .milliseconds(300)) {
    saves.mark("S")
}
loop.play("kkk-k--------k", step: .milliseconds(100)) { _ in save.call() }
loop.advance(by: .seconds(2))
precondition("\(saves)" == "-------S--------S----")
precondition(loop.pending.isEmpty)

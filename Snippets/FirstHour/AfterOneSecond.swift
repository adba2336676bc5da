// SPDX-License-Identifier: Apache-2.0
import Swivel

// A script stays alive while its main loop runs.
let loop = Loop.main
loop.schedule(after: .seconds(1)) {
    print("one second later")
    loop.stop()
}
loop.run()

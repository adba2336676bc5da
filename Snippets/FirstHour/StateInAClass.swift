// SPDX-License-Identifier: Apache-2.0
import Swivel
import Synchronization

final class Session: Sendable {
    private let seconds = Mutex(0)

    func start(on loop: Loop) {
        loop.schedule(every: .milliseconds(10)) { [weak self] tick in
            guard let self, tick.index < 5 else { return tick.cancel() }
            seconds.withLock { $0 += 1 }
        }
    }

    var age: Int { seconds.withLock { $0 } }
}

let loop = try Loop()
let session = Session()
session.start(on: loop)
try await loop.clock.sleep(for: .milliseconds(100))
print("\(session.age) ticks")
loop.shutdown()

// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Work on its way to a context, which may drop it: then `onLoss` is called.
final class JobTicket: Sendable {
    private let isUsed = Atomic(false)
    private let onLoss: @Sendable () -> Void

    init(onLoss: @escaping @Sendable () -> Void) {
        self.onLoss = onLoss
    }

    /// The work has arrived.
    func use() {
        isUsed.store(true, ordering: .relaxed)
    }

    deinit {
        if !isUsed.load(ordering: .relaxed) {
            onLoss()
        }
    }
}

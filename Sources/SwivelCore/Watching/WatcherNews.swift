// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The core's news of a descriptor or a signal.
struct WatcherNews: Sendable {
    let number: Int32
    let events: Int32
    /// Why no more events come; 0: more may.
    let status: Int32
    let watcher: Watcher

    /// Whether one call of the closure is enough for both.
    func isSame(as other: WatcherNews) -> Bool {
        number == other.number && events == other.events && status == other.status
    }
}

extension Watcher {
    /// How the core calls a watcher.
    var calls: swivel_watcher_calls {
        swivel_watcher_calls(
            heard: { owner, number, events, status in
                let news = WatcherNews(
                    number: number, events: events, status: status,
                    watcher: Unmanaged.fromOpaque(owner).takeUnretainedValue())
                news.watcher.receive(news)
                if status != SWIVEL_OK { news.watcher.forgetRecord() }
            },
            ended: { owner in
                let watcher = Unmanaged<Watcher>.fromOpaque(owner).takeRetainedValue()
                watcher.records = []
                return watcher.endWithLoop()
            },
            site: site)
    }

    /// The core closes the record of a descriptor that has ended.
    private func forgetRecord() {
        if !records.isEmpty {
            records = []
            Unmanaged.passUnretained(self).release()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore

#if os(Linux)
/// The numbers of all eventfds, in order.
private func eventDescriptors() -> [Int32] {
    let folder = "/proc/self/fd/"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let ours = names.filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0))?
            .contains("[eventfd]") ?? false
    }
    return ours.compactMap { Int32($0) }.sorted()
}

/// A wait that falls asleep.
@MainActor private func sleep() {
    let latch = Latch()
    Loop.shared.schedule(after: .milliseconds(2)) { latch.signal() }
    wait(latch)
}

@MainActor func eventsAreClosed() {
    let started = Latch()
    Loop.shared.execute { started.signal() }
    while !started.isOpen { usleep(1_000) }
    let before = Set(eventDescriptors())
    sleep()
    // The main queue's own is opened first, and then Swivel's duplicate of it.
    let opened = eventDescriptors().filter { !before.contains($0) }
    require(opened.count == 2, "the first wait opens two: \(opened)")
    close(opened[1])
    sleep()
    sleep()
}
#endif

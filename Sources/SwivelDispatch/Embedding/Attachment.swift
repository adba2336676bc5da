// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import SwivelCore
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A loop without a thread that a queue drives; see ``Loop/attach(to:file:line:)``. Dropping it
/// does nothing: the queue drives the loop until ``detach()`` or the loop's shutdown.
public final class Attachment: Sendable {
    /// The loop, retained.
    public let loop: Loop
    /// `nil`: the loop was over. `nonisolated(unsafe)` because Dispatch guards its own objects.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    init(_ loop: Loop, _ queue: DispatchQueue, _ file: StaticString, _ line: UInt) {
        // A number of its own: the source outlives the loop's descriptors by a moment.
        let descriptor = fcntl(loop.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        self.loop = loop
        guard descriptor >= 0 else {
            check(
                loop.refusal != nil, "no descriptor is left for the attachment of \(loop)",
                file: file, line: line)
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        self.source = source
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler { self.turn(file, line) }
        source.activate()
        loop.whenClosed { [weak self] in self?.detach() }
    }

    private func turn(_ file: StaticString, _ line: UInt) {
        guard source?.isCancelled == false, loop.refusal == nil else { return }
        loop.runOnce(.noWait, file: file, line: line)
    }

    /// Ends it: the queue drives the loop no more, after a turn that it has begun or is about to
    /// begin.
    ///
    /// The loop may be attached to the same serial queue at once. Other code may drive it after
    /// that turn: work that the serial queue gets after this call runs later.
    ///
    /// **Thread:** any. Later calls do nothing.
    /// - Complexity: O(1).
    public func detach() { source?.cancel() }
}

extension Loop {
    /// Has a queue drive a loop without a thread: its closures run on the queue, in turns.
    ///
    /// In those closures the loop is current, and so is the queue if it is serial; other work of
    /// the queue runs between turns. A wait in one of them pumps the loop. The attachment retains
    /// the loop, until ``Attachment/detach()`` or the loop's shutdown.
    ///
    /// Does nothing on a loop that is over. Traps on a loop that has a thread, a host or virtual
    /// time, and if two queues drive a loop that is attached twice at once.
    ///
    ///     let loop = try Loop.embedded()
    ///     let attachment = loop.attach(to: DispatchQueue(label: "timers"))
    ///
    /// **Thread:** any.
    /// - Parameter queue: Drives the loop, one turn at a time; serial or concurrent.
    /// - Returns: What ends it.
    /// - Complexity: O(1), a dispatch source and a descriptor.
    @discardableResult
    public func attach(
        to queue: DispatchQueue, file: StaticString = #fileID, line: UInt = #line
    ) -> Attachment {
        check(
            isDrivenByCallers,
            """
            \(self) cannot be attached to a queue: it has a thread, a host or virtual time; make \
            a loop for the queue with Loop.embedded()
            """, file: file, line: line)
        return Attachment(self, queue, file, line)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A loop's side of the `uv_loop_t` in which it lives. The host's handles retain it.
final class LoopAdoption: @unchecked Sendable {
    // because the loop is set once, on the host's thread, before its handles call; and the lock
    // guards the rest.
    private weak var loop: Loop?
    private let handles = Lock<OpaquePointer?>(nil)

    /// Puts handles into the host's loop. On the host's thread.
    func begin(_ loop: Loop, in host: UnsafeMutableRawPointer) throws(SwivelError) {
        self.loop = loop
        var adoption: OpaquePointer?
        let retained = Unmanaged.passRetained(self).toOpaque()
        let status = swivel__adopt(
            host, loop.fileDescriptor, LoopAdoption.calls, retained, &adoption)
        guard status == SWIVEL_OK else { throw SwivelError(status: status) }
        handles.withLock { $0 = adoption }
    }

    /// The loop is over, or about to be. **Thread:** any, any number of times.
    func end() { handles.withLock { $0.take() }.map(swivel__adoption_end) }

    /// How the host's handles call.
    private static let calls = swivel_adoption_calls(
        turn: { owner in
            let adoption = Unmanaged<LoopAdoption>.fromOpaque(owner).takeUnretainedValue()
            if let loop = adoption.loop, !loop.isOver { loop.runOnce(.noWait) }
        },
        ended: { Unmanaged<LoopAdoption>.fromOpaque($0).release() })
}

extension Loop {
    /// A loop with this `configuration` in a host's own libuv loop: the host's `uv_run` runs its
    /// turns. `host` is an open `uv_loop_t` of the same libuv, which must last until its handles
    /// are closed.
    ///
    /// The host's loop gets two handles, which keep it alive until this loop is shut down or
    /// released, and which it closes the next time that it runs after that: `uv_loop_close` returns
    /// `UV_EBUSY` before. The loop's timers and watches are behind one of the two, so that they
    /// cost the host nothing, and a host that closes all handles that it finds leaves the loop
    /// undriven, not broken: its work waits until the shutdown, which accounts for it.
    ///
    /// Closures run inside the host's `uv_run`. A blocking wait in one of them would hold up all of
    /// the host's callbacks, among them those that could end it, and traps.
    ///
    /// **Thread:** the thread that runs the host's loop; or any, before it runs.
    /// - Throws: Like `init(_:)`.
    /// - Complexity: O(1), a few system calls.
    public convenience init(
        adopting host: UnsafeMutableRawPointer, _ configuration: Configuration = Configuration()
    ) throws(SwivelError) {
        let adoption = LoopAdoption()
        try self.init(configuration, SWIVEL_CALLER, adoption: adoption)
        try adoption.begin(self, in: host)
    }
}

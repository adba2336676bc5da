// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The system's threads.
enum Thread {
    static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The core's record of the calling thread, if that is a pool's worker.
    static var currentWorker: UnsafeMutablePointer<swivel_worker>? {
        get { Trampoline.ofThread.pointee.worker?.assumingMemoryBound(to: swivel_worker.self) }
        set { Trampoline.ofThread.pointee.worker = newValue.map(UnsafeMutableRawPointer.init) }
    }

    /// The pool whose worker the calling thread is, if it is alive. The thread retains it, because
    /// a pool need not outlive its threads.
    static var currentPool: WorkerPool? {
        let pool = currentWorker?.pointee.owner.map {
            Unmanaged<WorkerPool>.fromOpaque($0).takeUnretainedValue()
        }
        return pool?.isAlive == true ? pool : nil
    }

    /// Starts a detached thread that runs `body`. False: the system refused one.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        let status = name.withCString { name in
            swivel__thread_spawn(
                name,
                { argument in
                    argument.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
                }, box.toOpaque())
        }
        if status != SWIVEL_OK { box.release() }
        return status == SWIVEL_OK
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// How the C core calls and releases Swift closures.
enum LoopHooks {
    static let all = swivel_hooks(
        run: { work in LoopHooks.run(work) },
        tick: { work, tick in
            UnsafeRawPointer(work).assumingMemoryBound(to: RepeatingWork.self).pointee
                .run(Tick(tick.pointee))
        },
        release: { work in LoopHooks.release(work.pointee) },
        ended: { timer in EndWatch.shared.ended(TimerHandle(timer)) },
        closed: { owner in Loop.owning(owner)?.hasClosed() })

    /// How posts leave the memory of their contexts.
    static let deferredFree = swivel_deferred_free(
        run: { work in LoopHooks.runPosted(work) }, free: { context in DeferredFree.free(context) })

    /// Runs a closure, a future's callback, or a task's step or wake-up, on the thread of the loop
    /// or of a pool's worker.
    @inline(__always)
    static func run(_ work: UnsafeMutablePointer<swivel_work>) {
        if Work.isClosure(work.pointee) {
            Work.take(work).run()
        } else if TaskWords.are(in: work.pointee) {
            runTask(work.pointee)
        } else {
            CallbackWords(work.pointee).call(runs: true)
        }
    }

    /// As `run`, for work of another thread. Returns whether it has left memory to free.
    @inline(__always)
    private static func runPosted(_ work: UnsafeMutablePointer<swivel_work>) -> Bool {
        var deferred: UInt = 0
        if Work.isClosure(work.pointee) {
            deferred = DeferredFree.keeping(work.pointee.context)
            Work.take(work).run()
        } else if swivel__has_closure(UInt64(work.pointee.function)) {
            let callback = CallbackWords(work.pointee)
            deferred = DeferredFree.keeping(callback.closureContext)
            callback.call(runs: true)
        } else {
            run(work)
        }
        work.pointee.context = deferred
        return deferred != 0
    }

    private static func runTask(_ work: swivel_work) {
        let task = TaskWords(work)
        switch task.kind {
        case .sleep: return Tracking.resume(task.sleeper, with: .success(()))
        case .wake: return TaskSleeps.fire(task)
        case .poolJob: return WorkerPool.run(task.job)
        case .actorJob, .taskJob, .loopJob, .mainJob: break
        }
        guard let record = swivel_loop_current(), let owner = swivel__owner(record),
            task.kind != .actorJob || TaskWords.areOf(swivel__loop_epoch(record), work)
        else { ActorExecutor.isGone() }
        // The thread that drives the loop retains it.
        Unmanaged<Loop>.fromOpaque(owner)._withUnsafeGuaranteedRef { loop in
            loop.tasks.run(task, on: loop)
        }
    }

    @inline(__always)
    static func release(_ work: swivel_work) {
        if Work.isClosure(work) {
            Work.release(work)
        } else if TaskWords.are(in: work) {
            let task = TaskWords(work)
            if task.kind == .wake { TaskSleeps.move(task) } else { Sleep.end(task) }
        } else {
            CallbackWords(work).call(runs: false)
        }
    }
}

extension Loop {
    /// The last call of the core.
    fileprivate func hasClosed() {
        backlog?.admit(to: self)
        hosting?.end()
        adoption?.end()
        runEndings()
        tasks.late.run()
        guard hasThread else { return }
        #if DEBUG
        OpenLoops.remove(self)
        #endif
        // The thread's reference.
        Unmanaged.passUnretained(self).release()
    }
}

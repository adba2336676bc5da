// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
public import SwivelFutures

/// A job of whatever type: a reference that knows where the job's cell is.
///
/// All that a job does is here, and compiled once. Only writing and reading a result depend on the
/// job's types: these two are inlined into the code that knows them.
@usableFromInline
struct AnyJob: @unchecked Sendable {
    // because every job is Sendable.
    @usableFromInline let object: AnyObject

    @inlinable
    init<Value, Failure>(_ job: Job<Value, Failure>) {
        object = job
    }

    fileprivate init(object: AnyObject) {
        self.object = object
    }

    /// The job as what it is.
    @inlinable
    func typed<Value, Failure>(_: Value.Type, _: Failure.Type) -> Job<Value, Failure> {
        unsafeDowncast(object, to: Job<Value, Failure>.self)
    }

    /// The only stored property of the object, behind the two words of its header. The pointer
    /// keeps nothing. It is made from an `Unmanaged`, because of an object of which only a
    /// property's address leaves a function the optimizer assumes that nobody keeps it.
    @inlinable
    var cell: UnsafeMutablePointer<JobCell> {
        (Unmanaged.passUnretained(object).toOpaque() + 2 * MemoryLayout<UInt>.size)
            .assumingMemoryBound(to: JobCell.self)
    }

    /// The fields that the lock guards, behind the lock and the result's three words. Reached past
    /// the cell: an exclusive access to the cell would be one to its lock.
    @inlinable
    var fields: UnsafeMutablePointer<JobFields> {
        (UnsafeMutableRawPointer(cell) + 4 * MemoryLayout<UInt>.size)
            .assumingMemoryBound(to: JobFields.self)
    }

    /// The memory of the result, behind the lock.
    @inlinable
    var payload: UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(cell) + MemoryLayout<UInt>.size
    }

    private var lock: UnsafeMutablePointer<LockWord> {
        UnsafeMutableRawPointer(cell).assumingMemoryBound(to: LockWord.self)
    }

    /// See ``Job/weight``.
    var weight: Double { withLock { $0.weight } }

    /// Runs `body` on the fields, under the lock. It must not call user code, nor release it, nor
    /// wait.
    @inline(__always)
    func withLock<R: ~Copyable>(_ body: (inout JobFields) -> R) -> R {
        lock.lock()
        defer {
            lock.unlock()
            extendLifetime(object)
        }
        return body(&fields.pointee)
    }
}

// The result.
extension AnyJob {
    /// The result of a job that has one, for an observer, or for a handler that has started.
    @inlinable
    func result<Outcome>(_ type: Outcome.Type) -> Outcome {
        withExtendedLifetime(object) { payload.held(type).pointee }
    }

    /// Ends the job with a value or an error, if nothing has ended it before.
    ///
    /// - Parameter worklist: `nil`: the body's own if the body calls this, else a new one.
    @inlinable
    func end<Value, Failure>(
        _ result: Result<Value, Failure>, in worklist: JobWorklist? = nil
    ) {
        let isSuccess = if case .success = result { true } else { false }
        guard takeLockToEnd(as: isSuccess ? .success : .failure) else { return }
        payload.hold(result)
        fields.pointee.destroy = { $0.drop(Result<Value, Failure>.self) }
        openLockAfterEnd(in: worklist)
    }

    /// Takes the lock for a result that is about to be written. False: the result does not count,
    /// and the lock is open.
    @usableFromInline
    @inline(never)
    func takeLockToEnd(as end: JobEnd) -> Bool {
        lock.lock()
        if fields.pointee.accept(end) { return true }
        lock.unlock()
        return false
    }

    /// The result is there.
    @usableFromInline
    @inline(never)
    func openLockAfterEnd(in worklist: JobWorklist?) {
        let ending = fields.pointee.conclude()
        lock.unlock()
        carryOut(ending, in: worklist)
        extendLifetime(object)
    }
}

/// A part of a composite. The composite does not hold it, because parts hold their composites.
struct JobPart: @unchecked Sendable {
    // because it never changes.
    private weak var object: AnyObject?

    init(_ job: AnyJob) {
        object = job.object
    }

    var job: AnyJob? { object.map { AnyJob(object: $0) } }
}

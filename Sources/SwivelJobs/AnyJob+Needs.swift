// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore
internal import SwivelFutures

// The needs of a job, for threads that block until it ends. A cancel may always come, and does not
// count.
extension AnyJob {
    /// Notes the needs of this job, which is executing.
    func noteWait(for needs: @escaping JobWork.Needs) {
        withLock { fields in
            if fields.end == nil { fields.work.needs = needs }
        }
    }

    /// Notes that this job waits for `context`, if a wait can hold that up.
    ///
    /// A context of a class of the user's is not kept: it has the job in its queue, and its release
    /// cancels the job. A dispatch queue lives until it has run its blocks, also without its object.
    func noteWait(for context: any ExecutionContext) {
        guard let context = context.heldUp else { return }
        guard type(of: context) is AnyClass, !(context is DispatchQueue),
            let object = context as? any ExecutionContext & AnyObject
        else { return noteWait { [.context(context)] } }
        noteWait { [weak object] in object.map { [.context($0)] } ?? [] }
    }

    /// The needs that this job has noted, or those of its last part. While there are several parts,
    /// the failure of any one would end it.
    var needs: [FutureNeed] {
        var job: any AnyJob = self
        while true {
            if let needs = job.withLock(\.work.needs) { return needs() }
            let parts = job.pendingParts
            guard parts.count == 1 else { return [] }
            job = parts[0]
        }
    }
}

extension ExecutionContext {
    /// The context itself, or the context that it wraps, if a wait may be in the way of its work.
    fileprivate var heldUp: (any ExecutionContext)? {
        guard mayBeHeldUp else { return nil }
        guard let wrapped = (self as? any ContextWrapper)?.wrapped else { return self }
        return wrapped.heldUp
    }
}

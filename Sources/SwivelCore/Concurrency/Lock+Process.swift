// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

extension Lock {
    /// A lock of the process. In a forked child it is open and guards a new value, because another
    /// thread of the parent may have held it in the middle of a change.
    ///
    /// - Parameter make: Makes the value. In a child it gets the former one, which may be half
    ///   changed and is not released. It must take no lock.
    package static func ofProcess(
        _ make: @escaping (_ former: UnsafePointer<Value>?) -> Value
    ) -> Lock {
        let lock = Lock(make(nil))
        let renewal = Renewal {
            let memory = lock.memory
            memory.value.initialize(to: make(UnsafePointer(memory.value)))
            swivel__lock_renew(memory.lock)
        }
        // Both last as long as the process, and so does the lock.
        let call = UnsafeMutablePointer<swivel_fork_call>.allocate(capacity: 1)
        call.initialize(
            to: swivel_fork_call(
                run: { argument in
                    guard let argument else { return }
                    Unmanaged<Renewal>.fromOpaque(argument).takeUnretainedValue().run()
                }, argument: Unmanaged.passRetained(renewal).toOpaque(), next: nil))
        // Once here: the first run looks types up under a lock of the Swift runtime, which another
        // thread may hold at a fork.
        call.pointee.run(call.pointee.argument)
        swivel__forks_call_in_child(call)
        return lock
    }
}

private final class Renewal {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}

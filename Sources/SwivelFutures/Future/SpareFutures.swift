// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import SwivelCore
internal import Synchronization

/// Futures that nobody has any more, which a thread keeps for the next ones that it makes.
///
/// A link of a chain that has been served is the trampoline's alone. Its contents are destroyed, as
/// they would be in `deinit`, and the empty object becomes the future of a later `map` of the same
/// types. Without that, half of the time of a map goes into the allocator and the runtime.
@usableFromInline
enum SpareFutures {
    /// Enough for chains of a hundred: 14 KB for each thread.
    private static let limit = 128

    /// Whether reuse pays. Other C libraries than glibc were not measured.
    #if canImport(Glibc)
    private static let pays = true
    #else
    private static let pays = false
    #endif

    /// A sanitizer is to see each future freed.
    private static var isAllowed: Bool { pays && !swivel__is_sanitized() }

    /// Takes a future of the class `type`, which waits for nothing, and whose context is `context`.
    /// `nil`: the thread has none.
    @usableFromInline
    static func take(_ type: AnyClass, at context: CallbackContext) -> Unmanaged<AnyObject>? {
        let thread = Trampoline.ofThread
        guard let future = FuturePointer(thread.pointee.spare),
            future.typeWord == unsafeBitCast(type, to: UInt.self)
        else {
            if thread.pointee.soleReference == 0, isAllowed {
                thread.pointee.soleReference = SoleReference.word()
            }
            return nil
        }
        thread.pointee.spare = future.cell.pointee.next?.opaque
        thread.pointee.spareCount -= 1
        future.cell.pointee.next = nil
        future.cell.pointee.place(at: context)
        return future.object
    }

    /// Keeps `future`, whose callbacks have ended, if its only reference is the caller's. False: the
    /// caller still has it.
    @inline(__always)
    static func keep(
        _ future: FuturePointer, of thread: UnsafeMutablePointer<Trampoline>
    ) -> Bool {
        guard future.referenceWord == thread.pointee.soleReference,
            thread.pointee.spareCount < limit
        else { return false }
        return keepSole(future, of: thread)
    }

    @inline(never)
    private static func keepSole(
        _ future: FuturePointer, of thread: UnsafeMutablePointer<Trampoline>
    ) -> Bool {
        // A lane that is an object goes with the future. Nobody can add a callback: that takes a
        // reference.
        guard
            future.cell.pointee.state.load(ordering: .relaxed)
                == FutureState.completed
        else { return false }
        if let first = FuturePointer(thread.pointee.spare) {
            guard first.typeWord == future.typeWord else {
                // One of the kept type goes for each of another type: the thread gets used to it.
                removeNewest(from: thread)
                return false
            }
        } else if !isReleasedAtEnd() {
            return false
        }
        // Releases what the result keeps, which may make, complete and keep other futures.
        future.destroyContents()
        future.cell.pointee.step = nil  // In generic code the function keeps its types.
        future.cell.initialize(to: FutureCell(.direct))
        future.cell.pointee.next = FuturePointer(thread.pointee.spare)
        thread.pointee.spare = future.opaque
        thread.pointee.spareCount += 1
        return true
    }

    /// Whether the thread's end will release what it keeps.
    private static func isReleasedAtEnd() -> Bool {
        swivel__thread_end_call(SWIVEL_END_FUTURES) {
            let thread = Trampoline.ofThread
            thread.pointee.soleReference = 0
            while thread.pointee.spare != nil { SpareFutures.removeNewest(from: thread) }
        }
    }

    private static func removeNewest(from thread: UnsafeMutablePointer<Trampoline>) {
        guard let future = FuturePointer(thread.pointee.spare) else { return }
        thread.pointee.spare = future.cell.pointee.next?.opaque
        thread.pointee.spareCount -= 1
        future.cell.pointee.next = nil
        future.release()
    }
}

// The two words of an object's header.
extension FuturePointer {
    /// The class.
    fileprivate var typeWord: UInt { object.toOpaque().load(as: UInt.self) }

    /// The references: strong ones and unowned ones, or where they are counted if there is or was
    /// a weak one.
    fileprivate var referenceWord: UInt {
        UInt(swivel__object_references(UInt(bitPattern: object.toOpaque())))
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// The memory of a closure's context, once the closure has run and its captures are released.
///
/// One thread allocates the context of a post, and another releases it. An unowned reference keeps
/// an object's memory, and nothing that is in it: the loop makes one before the release, and the
/// thread that posts ends it, so that the C library frees the memory where it was allocated.
struct DeferredFree {
    private final class Sample {}

    private unowned(safe) let context: AnyObject

    /// Whether freeing elsewhere costs more than the reference. Only glibc was measured.
    #if canImport(Glibc)
    static let pays = true
    #else
    static let pays = false
    #endif

    /// Keeps the memory of a closure's context, as a word, while the closure runs and is released.
    /// 0: there is no context, or something else refers to it, so that it stays anyway.
    @inline(__always)
    static func keeping(_ context: UInt) -> UInt {
        guard context != 0, isUnique(context) else { return 0 }
        retain(context)
        return context
    }

    /// Whether the caller's strong reference to the object at this address is the only one.
    @inline(__always)
    private static func isUnique(_ object: UInt) -> Bool {
        var object = object
        return withUnsafeMutablePointer(to: &object) { word in
            // Any class of Swift's will do. `AnyObject` is never unique in a debug build.
            word.withMemoryRebound(to: Sample.self, capacity: 1) { object in
                isKnownUniquelyReferenced(&object.pointee)
            }
        }
    }

    @inline(__always)
    private static func retain(_ word: UInt) {
        var word = word
        withUnsafeMutablePointer(to: &word) { word in
            let memory = UnsafeMutableRawPointer(word)
            let context = memory.assumingMemoryBound(to: AnyObject.self).pointee
            memory.initializeMemory(as: DeferredFree.self, to: DeferredFree(context: context))
        }
    }

    /// Frees the memory. On any thread.
    @inline(__always)
    static func free(_ word: UInt) {
        var word = word
        withUnsafeMutablePointer(to: &word) { word in
            let memory = UnsafeMutableRawPointer(word)
            _ = memory.assumingMemoryBound(to: DeferredFree.self).deinitialize(count: 1)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// The memory of a closure's context, once the closure has run and its captures are released.
///
/// An unowned reference keeps an object's memory, and nothing that is in it. One thread allocates
/// the context of a post, and another releases it; the loop makes such a reference before, and the
/// thread that posts ends it, so that the C library frees the memory where it was allocated.
struct Husk {
    private unowned(safe) let context: AnyObject

    /// Whether freeing elsewhere costs more than the reference. Other libraries than glibc were not
    /// measured.
    #if canImport(Glibc)
    static let pays = true
    #else
    static let pays = false
    #endif

    /// Keeps the memory of a closure's context, as a word, while somebody runs and releases the
    /// closure. 0: there is no context, or something else refers to it. Then it stays, and a husk
    /// would only be a burden to its count of references.
    @inline(__always)
    static func keeping(_ context: UInt) -> UInt {
        guard context != 0, SoleReference.isUnique(context) else { return 0 }
        retain(context)
        return context
    }

    @inline(__always)
    private static func retain(_ word: UInt) {
        var word = word
        withUnsafeMutablePointer(to: &word) { word in
            let memory = UnsafeMutableRawPointer(word)
            let context = memory.assumingMemoryBound(to: AnyObject.self).pointee
            memory.initializeMemory(as: Husk.self, to: Husk(context: context))
        }
    }

    /// Frees the memory. On any thread.
    @inline(__always)
    static func free(_ word: UInt) {
        var word = word
        withUnsafeMutablePointer(to: &word) { word in
            let memory = UnsafeMutableRawPointer(word)
            _ = memory.assumingMemoryBound(to: Husk.self).deinitialize(count: 1)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The references of an object that has one strong reference, and never had a weak or an unowned
/// one. Nobody else can reach such an object.
///
/// They are counted in a word of the runtime's own layout, so the word is read from an object that
/// was just made.
package enum SoleReference {
    private final class Sample {}

    /// The word; 0: it could not be learned.
    @inline(never)
    package static func word() -> UInt {
        // Never as a strong reference, which would be a second one in a debug build.
        let sample = sample()
        defer { sample.release() }
        let object = UInt(bitPattern: sample.toOpaque())
        return isUnique(object) ? UInt(swivel__object_references(object)) : 0
    }

    /// Whether the caller's strong reference to the object at this address is the only one.
    @inline(__always)
    static func isUnique(_ object: UInt) -> Bool {
        var object = object
        return withUnsafeMutablePointer(to: &object) { word in
            // Any class of Swift's will do. `AnyObject` is never unique in a debug build.
            word.withMemoryRebound(to: Sample.self, capacity: 1) { object in
                isKnownUniquelyReferenced(&object.pointee)
            }
        }
    }

    /// Shows the core the word, so that it releases the contexts of closures as fast as it can.
    static func show() {
        swivel__show_sole_reference(UInt64(word()))
    }

    /// An object with one reference. It comes from a function, which has given up its own by the
    /// end, and as an `Unmanaged`, so that the optimizer does not put it on the stack.
    @inline(never)
    private static func sample() -> Unmanaged<AnyObject> {
        .passRetained(Sample())
    }
}

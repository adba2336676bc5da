// SPDX-License-Identifier: Apache-2.0

/// Whether two contexts are the same one, found without calling their code: objects are if they are
/// one object; values are if they have one type and the same bytes. A wrapper is the same as
/// the context that it wraps.
enum ContextIdentity: Sendable, Equatable {
    /// An object, or the type of values without a state.
    case object(ObjectIdentifier)
    /// Any other value.
    case value(ContextValue)

    init(_ context: some ExecutionContext) {
        self = Self.identity(of: context)
    }

    private static func identity<Context: ExecutionContext>(of context: Context) -> Self {
        if Context.self is AnyClass { return .object(ObjectIdentifier(context as AnyObject)) }
        if let wrapper = context as? any ContextWrapper, let base = wrapper.wrapped {
            return Self(base)
        }
        if let closure = context as? AnyContext, let token = closure.token {
            return .object(ObjectIdentifier(token))
        }
        if MemoryLayout<Context>.size == 0 { return .object(ObjectIdentifier(Context.self)) }
        return .value(ContextValue(context))
    }
}

/// A copy of a context that is a value. It retains what its bytes point to, so that equal bytes mean
/// equal values for as long as both exist.
final class ContextValue: @unchecked Sendable, Equatable {
    // because nothing changes after it was made.
    private let type: ObjectIdentifier
    private let bytes: UnsafeMutableRawBufferPointer
    private let destroy: @Sendable (UnsafeMutableRawPointer) -> Void

    init<Context: ExecutionContext>(_ context: Context) {
        type = ObjectIdentifier(Context.self)
        bytes = .allocate(
            byteCount: MemoryLayout<Context>.size, alignment: MemoryLayout<Context>.alignment)
        // Bytes between two fields are not part of a value.
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.baseAddress?.initializeMemory(as: Context.self, to: context)
        destroy = { $0.assumingMemoryBound(to: Context.self).deinitialize(count: 1) }
    }

    deinit {
        bytes.baseAddress.map(destroy)
        bytes.deallocate()
    }

    static func == (one: ContextValue, other: ContextValue) -> Bool {
        one.type == other.type && one.bytes.elementsEqual(other.bytes)
    }
}

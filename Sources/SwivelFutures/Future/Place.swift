// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// The identity of a context, as far as it can be known: callbacks with equal places run in
/// registration order.
///
/// A context that passes its work on is where its work goes. A class is its object. A struct is its
/// type and its bytes: two values that differ only in them count as two contexts.
enum Place: Equatable {
    case immediate
    case object(UInt)
    case value(ObjectIdentifier, [UInt8])

    init(_ context: CallbackContext) {
        if let box = context.box {
            self = box.context.map { Place($0) } ?? .immediate
        } else if let address = context.address {
            self = .object(UInt(bitPattern: address))
        } else {
            self = .immediate
        }
    }

    private init(_ context: some ExecutionContext) {
        if let wrapped = (context as? any ContextWrapper)?.wrapped {
            self.init(wrapped)
        } else if let context = context as? AnyContext {
            self = .value(ObjectIdentifier(AnyContext.self), Self.bytes(of: context.closure))
        } else {
            self = Self.of(context)
        }
    }

    private static func of<Context: ExecutionContext>(_ context: Context) -> Place {
        if Context.self == ImmediateContext.self { return .immediate }
        if Context.self is AnyClass {
            let object = Unmanaged.passUnretained(context as AnyObject)
            return .object(UInt(bitPattern: object.toOpaque()))
        }
        return .value(ObjectIdentifier(Context.self), bytes(of: context))
    }

    private static func bytes<Value>(of value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}

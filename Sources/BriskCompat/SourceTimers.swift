// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Foundation
public import Swivel

// Forms for blocks that spell the type of Brisk's timers, which here are not dispatch sources: the
// block of a repeating timer gets a Tick. No form can be called; the compiler says what to write.
extension DispatchQueue {
    /// See ``Tick``.
    @available(*, unavailable, message: "the block gets a Tick: write 'Tick' or no type")
    @_disfavoredOverload @discardableResult
    public func async(
        every interval: Double, startingIn: Double? = nil, startingAt: NSDate? = nil,
        leeway: (any QuickDispatchTimeInterval)? = nil, qos: DispatchQoS = .default,
        flags: DispatchWorkItemFlags = [],
        execute block: @escaping (_ timer: any DispatchSourceTimer) -> Void
    ) -> TimerHandle {
        fatalError("the compiler does not let anybody call this")
    }
}

/// See ``Tick``.
@available(*, unavailable, message: "the block gets a Tick: write 'Tick' or no type")
@_disfavoredOverload @discardableResult
public func dispatch_every(
    _ seconds: Double, _ queue: DispatchQueue,
    _ block: @escaping (_ timer: any DispatchSourceTimer) -> Void
) -> TimerHandle {
    fatalError("the compiler does not let anybody call this")
}

/// See ``Tick``.
@available(*, unavailable, message: "the block gets a Tick: write 'Tick' or no type")
@_disfavoredOverload @discardableResult
public func dispatch_every_exact(
    _ seconds: Double, _ queue: DispatchQueue,
    _ block: @escaping (_ timer: any DispatchSourceTimer) -> Void
) -> TimerHandle {
    fatalError("the compiler does not let anybody call this")
}

/// See ``Tick``.
@available(*, unavailable, message: "the block gets a Tick: write 'Tick' or no type")
@_disfavoredOverload @discardableResult
public func dispatch_main_every(
    _ seconds: Double, _ block: @escaping (_ timer: any DispatchSourceTimer) -> Void
) -> TimerHandle {
    fatalError("the compiler does not let anybody call this")
}

/// See ``Tick``.
@available(*, unavailable, message: "the block gets a Tick: write 'Tick' or no type")
@_disfavoredOverload @discardableResult
public func dispatch_main_every_exact(
    _ seconds: Double, _ block: @escaping (_ timer: any DispatchSourceTimer) -> Void
) -> TimerHandle {
    fatalError("the compiler does not let anybody call this")
}

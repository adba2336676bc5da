// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import SwivelCore

/// A context whose timers start at a date, whatever start they ask for: it lends `once` the wall
/// clock.
struct WallContext: ExecutionContext {
    private let context: any ExecutionContext
    private let date: Date
    private let timers: WallTimers
    private let file: StaticString
    private let line: UInt

    init(
        _ context: any ExecutionContext, _ date: Date, _ timers: WallTimers,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.context = context
        self.date = date
        self.timers = timers
        self.file = file
        self.line = line
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        context.execute(work)
    }

    var isCurrent: Bool { context.isCurrent }

    func arm(_ request: TimerRequest) -> TimerHandle {
        timers.schedule(
            at: date, on: context, leeway: request.leeway, request.body, file: file, line: line)
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// The contenders of a run. A rival is a file of its own in this folder, and a line here.
enum LineUp {
    // `nonisolated(unsafe)` because the command line sets it before anything runs.
    nonisolated(unsafe) private(set) static var subject: any TimerContender.Type = Loop.self

    /// Has a Swivel take part that was slowed on purpose; `nil` is the real one.
    static func slow(_ slowdown: Slowdown?) {
        SlowedLoop.slowdown = slowdown
        subject = slowdown == nil ? Loop.self : SlowedLoop.self
    }

    /// The rivals with timers, in the order of the tables.
    static var timers: [any TimerContender.Type] {
        var rivals: [any TimerContender.Type] = [
            DispatchBackend.self, TimerSources.self, FoundationTimers.self,
        ]
        #if NIO
        rivals.append(NIOLoop.self)
        #endif
        return rivals
    }

    /// The rivals that run closures which other threads post.
    static var posts: [any Contender.Type] {
        var rivals: [any Contender.Type] = [DispatchBackend.self, SerialQueue.self]
        #if NIO
        rivals.append(NIOLoop.self)
        #endif
        return rivals
    }

    /// The names of all of them.
    static var names: Set<String> { Set(timers.map { $0.name } + posts.map { $0.name }) }

    /// The rivals that this build has left out, or that are not built, and how to have them.
    static var missing: [Note] {
        var missing: [Note] = []
        #if !NIO
        missing.append(Note(RivalName.nio, "build with --traits NIO"))
        #endif
        #if !OpenCombine
        missing.append(Note(RivalName.combine, "build with --traits OpenCombine"))
        #endif
        #if !os(Linux)
        missing.append(Note(RivalName.epoll, "it is Linux's"))
        #endif
        return missing + ChildRival.missing
    }
}

extension [any TimerContender.Type] {
    /// A side for each that can do it in a reasonable time.
    func sides(
        _ metrics: [Metric], beside outstanding: Int = 1_000,
        _ measure: @escaping @Sendable (any TimerContender.Type) throws -> Measurement
    ) -> [Side] {
        filter {
            $0.pairCost(outstanding: outstanding) < 1_000_000 && outstanding <= $0.most
        }.map { rival in Side(rival.name, metrics) { try measure(rival) } }
    }

    /// Those whose timers other threads may arm and cancel.
    var forThreads: Self { filter { $0.takesThreads } }

    /// Those of these names.
    func only(_ names: String...) -> Self { filter { names.contains($0.name) } }
}

extension [any Contender.Type] {
    func sides(
        _ metrics: [Metric],
        _ measure: @escaping @Sendable (any Contender.Type) throws -> Measurement
    ) -> [Side] {
        map { rival in Side(rival.name, metrics) { try measure(rival) } }
    }
}

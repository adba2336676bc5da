// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import Rivals

/// The lab and a child that a shell script plays.
@Suite(.serialized)
struct ChildTests {
    private static let right =
        "ok wall=2000 cpu=1000 sleeps=4 preemptions=2 operations=10 fired=1 left=0"

    /// Runs a body with a child whose program is this script.
    private func withChild(
        _ script: String, limit: UInt64 = 20_000_000_000, _ body: (Child) throws -> Void
    ) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID())")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let child = Child(program: "/bin/sh", arguments: [file.path], limit: limit)
        defer { child.end() }
        try body(child)
    }

    /// The description of the failure that a request ends with.
    private func failure(of child: Child, _ request: String = "pairs") -> String {
        do {
            return "answered: \(try child.ask(request))"
        } catch {
            return "\(error)"
        }
    }

    @Test func aRightAnswerIsAMeasurement() throws {
        try withChild("while read -r line; do echo '\(Self.right)'; done") { child in
            let measurement = try child.ask("pairs").measurement(operations: 10, fires: 1)
            #expect(measurement[.wall] == 200)
            #expect(measurement[.cpu] == 100)
            #expect(measurement[.sleeps] == 0.4)
            #expect(measurement[.preemptions] == 0.2)
            #expect(measurement[.p50] == nil)
            #expect(measurement.checks == 3)
        }
    }

    @Test func aWrongCountIsAMismatch() throws {
        try withChild("while read -r line; do echo '\(Self.right)'; done") { child in
            let answer = try child.ask("pairs")
            #expect(throws: CountMismatch.self) { try answer.measurement(operations: 11, fires: 1) }
            #expect(throws: CountMismatch.self) { try answer.measurement(operations: 10, fires: 0) }
        }
        let leaving = Self.right.replacing("left=0", with: "left=1")
        try withChild("read -r line; echo '\(leaving)'") { child in
            let answer = try child.ask("pairs")
            #expect(throws: CountMismatch.self) { try answer.measurement(operations: 10, fires: 1) }
        }
    }

    @Test func timesAreTakenOver() throws {
        try withChild("read -r line; echo '\(Self.right) times=30,-1,20'") { child in
            let answer = try child.ask("lateness")
            #expect(answer.times == [30, -1, 20])
            let measurement = try answer.measurement(operations: 10, fires: 1)
            #expect(measurement[.p50] == 20)
            #expect(measurement[.early] == 1)
        }
    }

    @Test func oneProcessAnswersEveryRequest() throws {
        let script = "while read -r line; do echo \"\(Self.right) times=$$\"; done"
        try withChild(script) { child in
            let first = try child.ask("pairs")
            #expect(try child.ask("pairs") == first)
            #expect(first.times == [child.processID.map { Int64($0) }])
            child.end()
            #expect(child.processID == nil)
            #expect(try child.ask("pairs") != first)
        }
    }

    @Test func anErrorLineIsAFailureAndTheChildStays() throws {
        try withChild("while read -r line; do echo \"error unknown: $line\"; done") { child in
            #expect(failure(of: child).contains("was asked \"pairs\" and refused: unknown: pairs"))
            let process = child.processID
            #expect(process != nil)
            #expect(failure(of: child, "churn").contains("refused: unknown: churn"))
            #expect(child.processID == process)
        }
    }

    @Test func aDeathIsToldWithItsLastWords() throws {
        try withChild("read -r line; echo 'panic: no memory' >&2; exit 3") { child in
            let failure = failure(of: child)
            #expect(failure.contains("the child sh was asked"))
            #expect(failure.contains("died (status 3); it said: panic: no memory"))
            #expect(child.processID == nil)
        }
        try withChild("read -r line; kill -9 $$") { child in
            #expect(failure(of: child).contains("died (signal 9); it said: nothing"))
        }
    }

    @Test func aDeathBeforeTheRequestIsToldToo() throws {
        try withChild("exit 4") { child in
            #expect(failure(of: child).contains("died (status 4)"))
        }
        let nobody = Child(program: "/nowhere/child")
        #expect(failure(of: nobody).contains("cannot start /nowhere/child"))
        #expect(!nobody.isBuilt)
    }

    @Test func aChildThatHangsIsEnded() throws {
        let script = """
            read -r line; echo "still $$" >&2; echo '\(Self.right)'
            read -r line; exec sleep 600
            """
        try withChild(script, limit: 10_000_000_000) { child in
            _ = try child.ask("pairs")
            let process = try #require(child.processID)
            let failure = failure(of: child)
            #expect(failure.contains("gave no answer"))
            #expect(failure.contains("it said: still \(process)"))
            #expect(child.processID == nil)
            #expect(kill(process, 0) == -1)
        }
    }

    @Test(arguments: [
        "hello", "", "ok", "ok wall=1", "\(right) times=1,x", "\(right) wall", "\(right) wall=x",
        "\(right)\\n\(right)", "error busy\\n\(right)",
    ])
    func garbageIsAFailure(_ text: String) throws {
        try withChild("read -r line; printf '\(text)\\n'; read -r line") { child in
            #expect(failure(of: child).contains("answered nonsense"))
            #expect(child.processID == nil)
        }
    }

    @Test func workOfOneThreadStaysOnTheChosenCore() throws {
        try withChild("while read -r line; do echo \"error $line.\"; done") { child in
            let rival = ChildRival("sh", child, needs: "nothing")
            Cores.choose(byShares: [0.2, 0.9])
            let works: [(Bool, () throws -> BenchKit.Measurement)] = [
                (true, { try rival.pairs(outstanding: 1, operations: 1) }),
                (true, { try rival.churn(outstanding: 1, warmUp: 1, operations: 1) }),
                (true, { try rival.debounce(outstanding: 1, operations: 1) }),
                (false, { try rival.posts(producers: 1, each: 1, capturing: true) }),
            ]
            for (isAlone, work) in works {
                Cores.choose(byShares: [0.2, 0.9])
                let failure = #expect(throws: BenchFailure.self) { try work() }
                #expect("\(failure.map { "\($0)" } ?? "")".contains(" core=1.") == isAlone)
                #expect(Cores.onlyOne == (isAlone ? 1 : nil))
            }
        }
    }

    @Test func theNextRequestStartsAnotherChild() throws {
        let mark = FileManager.default.temporaryDirectory.appending(path: "mark-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: mark) }
        let script =
            "read -r line; [ -e \(mark) ] && echo '\(Self.right)' || { : >\(mark); exit 1; }"
        try withChild(script) { child in
            #expect(failure(of: child).contains("died (status 1)"))
            let answer = try child.ask("pairs")
            #expect(answer.times.isEmpty)
        }
    }

    @Test func aChildEndsWithItsInputAndIsCounted() throws {
        let script = """
            read -r line
            i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done
            echo '\(Self.right)'; cat >/dev/null
            """
        try withChild(script) { child in
            let before = Clocks.endedChildrenCPU()
            _ = try child.ask("pairs")
            child.end()
            #expect(Clocks.endedChildrenCPU() > before)
        }
    }
}

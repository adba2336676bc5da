// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

struct BudgetsBesideBusyTests {
    private let other = Budget.Limit(form: .shareAtMost, must: 1.5)

    @Test func aBudgetStaysAsItIs() {
        #expect(Budgets([Samples.budget]).besideBusy == Budgets([Samples.budget]))
    }

    @Test func anotherLimitTakesThePlaceOfMustAndAim() {
        var budget = Samples.budget
        budget.besideBusy = other
        let beside = Budgets([budget]).besideBusy.budgets
        #expect(beside.map(\.form) == [.shareAtMost])
        #expect(beside.map(\.must) == [1.5])
        #expect(beside.map(\.aim) == [nil])
        #expect(beside.map(\.key) == [budget.key])
    }

    @Test func aBudgetForAnIdleMachineIsLeftOut() {
        var budget = Samples.budget
        budget.onlyIdle = true
        #expect(Budgets([budget, Samples.budget]).besideBusy == Budgets([Samples.budget]))
        budget.onlyIdle = false
        #expect(Budgets([budget]).besideBusy == Budgets([budget]))
    }

    @Test func bothAreReadFromJSON() throws {
        var budget = Samples.budget
        budget.besideBusy = other
        budget.onlyIdle = true
        let budgets = Budgets([budget, Samples.budget])
        #expect(try Budgets(json: JSONEncoder().encode(budgets)) == budgets)
    }

    /// The process uses a processor, and ends when it is told to.
    @Test func aBusyProcessIsBusyUntilItIsStopped() throws {
        let start = Clocks.endedChildrenCPU()
        let busy = try BusyProcess()
        #expect(busy.isRunning)
        Clocks.pause(100_000_000)
        busy.stop()
        #expect(!busy.isRunning)
        // How much it had of a processor is the machine's affair.
        #expect(Clocks.endedChildrenCPU() > start)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

/// Asynchronous functions whose handlers take 0 to 6 arguments; they call them on another thread.
private enum Api {
    typealias Done = @Sendable () -> Void

    private static func later(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: work)
    }

    @Sendable static func zero(_ h: @escaping @Sendable () -> Void) { later { h() } }
    @Sendable static func one(_ h: @escaping @Sendable (Int) -> Void) { later { h(1) } }
    @Sendable static func two(_ h: @escaping @Sendable (Int, String) -> Void) {
        later { h(1, "b") }
    }
    @Sendable static func three(_ h: @escaping @Sendable (Int, String, Bool) -> Void) {
        later { h(1, "b", true) }
    }
    @Sendable static func four(_ h: @escaping @Sendable (Int, String, Bool, Double) -> Void) {
        later { h(1, "b", true, 4) }
    }
    @Sendable static func five(
        _ h: @escaping @Sendable (Int, String, Bool, Double, [Int]) -> Void
    ) {
        later { h(1, "b", true, 4, [5]) }
    }
    @Sendable static func six(
        _ h: @escaping @Sendable (Int, String, Bool, Double, [Int], Int?) -> Void
    ) {
        later { h(1, "b", true, 4, [5], nil) }
    }
    @Sendable static func tuple(_ h: @escaping @Sendable ((Int, String)) -> Void) {
        later { h((1, "b")) }
    }
}

@Suite(.offPool) struct ArityTests {
    private let queue = DispatchQueue(label: "arity")

    @Test func waitingHereReturnsWhateverTheHandlerTakes() {
        <<-{ Api.zero($0) }
        #expect(<<-{ Api.one($0) } == 1)
        #expect(<<-{ Api.two($0) } == (1, "b"))
        #expect(<<-{ Api.three($0) } == (1, "b", true))
        #expect(<<-{ Api.four($0) } == (1, "b", true, 4))
        #expect(<<-{ Api.five($0) } == (1, "b", true, 4, [5]))
        #expect(<<-{ Api.six($0) } == (1, "b", true, 4, [5], nil))
        #expect(<<-{ Api.tuple($0) } == (1, "b"))
    }

    @Test func waitingForTheBackgroundReturnsWhateverTheHandlerTakes() {
        <<~{ Api.zero($0) }
        #expect(<<~{ Api.one($0) } == 1)
        #expect(<<~{ Api.two($0) } == (1, "b"))
        #expect(<<~{ Api.three($0) } == (1, "b", true))
        #expect(<<~{ Api.four($0) } == (1, "b", true, 4))
        #expect(<<~{ Api.five($0) } == (1, "b", true, 4, [5]))
        #expect(<<~{ Api.six($0) } == (1, "b", true, 4, [5], nil))
        #expect(<<~{ Api.tuple($0) } == (1, "b"))
    }

    @Test func waitingForMainReturnsWhateverTheHandlerTakes() {
        <<+{ Api.zero($0) }
        #expect(<<+{ Api.one($0) } == 1)
        #expect(<<+{ Api.two($0) } == (1, "b"))
        #expect(<<+{ Api.three($0) } == (1, "b", true))
        #expect(<<+{ Api.four($0) } == (1, "b", true, 4))
        #expect(<<+{ Api.five($0) } == (1, "b", true, 4, [5]))
        #expect(<<+{ Api.six($0) } == (1, "b", true, 4, [5], nil))
        #expect(<<+{ Api.tuple($0) } == (1, "b"))
    }

    @Test func waitingForAContextReturnsWhateverTheHandlerTakes() {
        <<~queue ~~~ { Api.zero($0) }
        let one = <<~queue ~~~ { Api.one($0) }
        let two = <<~queue ~~~ { Api.two($0) }
        let three = <<~queue ~~~ { Api.three($0) }
        let four = <<~queue ~~~ { Api.four($0) }
        let five = <<~queue ~~~ { Api.five($0) }
        let six = <<~queue ~~~ { Api.six($0) }
        let tuple = <<~queue ~~~ { Api.tuple($0) }
        #expect(one == 1)
        #expect(two == (1, "b"))
        #expect(three == (1, "b", true))
        #expect(four == (1, "b", true, 4))
        #expect(five == (1, "b", true, 4, [5]))
        #expect(six == (1, "b", true, 4, [5], nil))
        #expect(tuple == (1, "b"))
    }

    @Test func functionsAreOperationsByTheirNames() {
        #expect(<<-Api.two == (1, "b"))
        #expect(<<~Api.one == 1)
        #expect(<<+Api.three == (1, "b", true))
        let four = <<~queue ~~~ Api.four
        #expect(four == (1, "b", true, 4))
    }

    @Test func functionsOfAnyArityRunElsewhere() {
        let none: @Sendable () -> Int = { 0 }
        let one: @Sendable (Int) -> Int = { $0 }
        let two: @Sendable (Int, Int) -> Int = { $0 + $1 }
        let three: @Sendable (Int, Int, Int) -> Int = { $0 + $1 + $2 }
        let four: @Sendable (Int, Int, Int, Int) -> Int = { $0 + $1 + $2 + $3 }
        let five: @Sendable (Int, Int, Int, Int, Int) -> Int = { $0 + $1 + $2 + $3 + $4 }
        let six: @Sendable (Int, Int, Int, Int, Int, Int) -> Int = { $0 + $1 + $2 + $3 + $4 + $5 }
        #expect((none ~>> ()).await() == 0)
        #expect((one ~>> (1)).await() == 1)
        #expect((two ~>> (1, 2)).await() == 3)
        #expect((three +>> (1, 2, 3)).await() == 6)
        #expect((four ~>> queue ~>> (1, 2, 3, 4)).await() == 10)
        #expect(five~>>.async(1, 2, 3, 4, 5).await() == 15)
        #expect(six+>>.sync(1, 2, 3, 4, 5, 6) == 21)
        #expect(none->>.on(queue).sync() == 0)
        #expect(three->>.background.async(1, 2, 3).await() == 6)
        #expect(two->>.main.sync(1, 2) == 3)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

/// What Brisk's own tests and pages assert to be valid spellings, and what they mean.
@Suite(.offPool) struct SpellingTests {
    private let q = DispatchQueue(label: "spelling")
    private let gate = Gate()

    private var none: @Sendable () -> Int { { 1 } }
    private var one: @Sendable (Int) -> Int { { $0 } }
    private var two: @Sendable (Int, String) -> (Int, String) { { ($0, $1) } }

    @Test func spacesAroundTheArrowsDoNotMatterWhereSwiftAllowsThem() {
        none +>> () +>> { _ in gate.open() }
        none +>> () +>> { _ in gate.open() }
        none ~>> () ~>> { _ in gate.open() }
        one ~>> q ~>> (3)
        #expect((one ~>> q ~>> (3)).await() == 3)
        gate.wait(times: 3)
    }

    @Test func thePostfixFormsChain() {
        one~>>.on(q).async(3) +>> { if $0 == 3 { gate.open() } }
        one+>>.async(3) ~>> { if $0 == 3 { gate.open() } }
        one->>.main.async(3) ~>> { if $0 == 3 { gate.open() } }
        gate.wait(times: 3)
        #expect({ (i: Int) in i * 3 }+>>.sync(4) == 12)
        #expect({ 5 }+>>.sync() == 5)
    }

    @Test func aHandlerMayNameItsArgumentsTypesAndPlace() {
        (one +>> (4)) ~>> { (i: Int) in if i == 4 { gate.open() } }
        one ~>> (4) ~>> DispatchQueue.main ~>> { (i: Int) in
            if i == 4 && DispatchQueue.main.isCurrent { gate.open() }
        }
        two ~>> (4, "a") ~>> .main ~>> { if $0 == (4, "a") { gate.open() } }
        two +>> (4, "a") ~>> q ~>> { pair in
            let (number, text) = pair
            if number == 4 && text == "a" { gate.open() }
        }
        gate.wait(times: 4)
    }

    @Test func aHandlerMayAssignToATuple() {
        let stored = Shared<(Int, String)>((0, ""))
        two ~>> (4, "a") ~>> DispatchQueue.main ~>> { result in
            let (number, text) = result
            stored.value = (number, text)
            gate.open()
        }
        gate.wait()
        #expect(stored.value == (4, "a"))
    }

    @Test func aClosureIsRunWhereTheArrowPoints() {
        let run: @Sendable () -> Void = { gate.open() }
        run +>> ()
        run ~>> ()
        let future: Future<Void, Never> = { gate.open() } ~>> ()
        future.await()
        let number = { (i: Int) in i + 1 } ~>> (2)
        #expect(number.await() == 3)
        gate.wait(times: 3)
    }

    @Test func labelsOfSeveralArgumentsAreAcceptedAndDropped() {
        @Sendable func finish(success: Bool, error: (any Error)?) {
            if success && error == nil { gate.open() }
        }
        func run() { finish +>> (success: true, error: nil) }
        run()
        finish ~>> (success: true, error: nil)
        gate.wait(times: 2)
    }

    @Test func aCallMayBeSynchronousForAnotherThread() {
        // An asynchronous function called synchronously, on another queue, whose result is handled on
        // the main one.
        @Sendable func load(_ name: String, handler: @escaping @Sendable (String) -> Void) {
            q.async { handler(name + "!") }
        }
        let loadNow: @Sendable (String) -> String = { name in <<-{ load(name, handler: $0) } }
        loadNow ~>> ("a") +>> { if $0 == "a!" { gate.open() } }
        gate.wait()
    }

    @Test func leadingDotsNameContexts() {
        #expect((one ~>> .main ~>> (1)).await() == 1)
        one ~>> .background ~>> (1) ~>> .main ~>> { if $0 == 1 { gate.open() } }
        one~>>.on(.utility).async(1) ~>> .immediate ~>> { if $0 == 1 { gate.open() } }
        gate.wait(times: 2)
        let value = <<~.utility ~~~ { (handler: @escaping @Sendable (Int) -> Void) in handler(6) }
        #expect(value == 6)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Chains of seven operators with one mistake each. None has several closures that calculate: of those the
// compiler takes as long in '[1].map { $0 + 1 }.map { $0 + 1 }.map { $0 + 1 }.map { $0.foo }'.
import Dispatch
import Swivel

@Sendable private func number(_ x: Int) -> Int { x }
@Sendable private func text(_ x: Int) -> String { "\(x)" }
@Sendable private func length(_ x: String) -> Int { x.count }
private let queue = DispatchQueue(label: "mistakes")

private func noSuchMember() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> { number($0) }
        ~>> { $0.foo }  // error: value of type 'Int' has no member 'foo'
        ~>> { length($0) }
        ~>> { number($0) }
        +>> { number($0) }
}

private func noSuchMemberAfterText() {
    _ = number ~>> (3)
        ~>> { "\($0)" }
        ~>> { $0.foo }  // error: value of type 'String' has no member 'foo'
        ~>> { length($0) }
        ~>> { number($0) }
        ~>> { "\($0)" }
        +>> { length($0) }
}

private func noSuchFunction() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> { text($0) }
        ~>> { $0.count }
        ~>> { undefined($0) }  // error: cannot find 'undefined' in scope
        ~>> { number($0) }
        +>> { number($0) }
}

private func noSuchContext() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> { text($0) }
        ~>> other  // error: cannot find 'other' in scope
        ~>> { $0.count }
        ~>> { number($0) }
        +>> { number($0) }
}

private func wrongArgument() {
    _ = number
        ~>> ("x")  // error: cannot convert value of type 'String' to expected argument type 'Int'
        ~>> { number($0) }
        ~>> { text($0) }
        ~>> { $0.count }
        ~>> { number($0) }
        ~>> { number($0) }
        +>> { number($0) }
}

private func tooManyArguments() {
    _ = number  // error: pack expansion requires that 'Int, Int' and 'Int' have the same shape
        ~>> (3, 4)
        ~>> { number($0) }
        ~>> { text($0) }
        ~>> { $0.count }
        ~>> { number($0) }
        ~>> { number($0) }
        +>> { number($0) }
}

private func tooManyArgumentsInside() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> { text($0) }
        ~>> { length($0, 1) }  // error: extra argument in call
        ~>> { number($0) }
        ~>> { number($0) }
        +>> { number($0) }
}

private func noContext() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> 5  // error: binary operator '~>>' cannot be applied to operands of type
        ~>> { text($0) }
        ~>> { $0.count }
        ~>> { number($0) }
        +>> { number($0) }
}

private func noSuchMemberBetweenContexts() {
    number ~>> .main ~>> (3)
        ~>> .background
        ~>> { $0.foo }  // error: value of type 'Int' has no member 'foo'
        ~>> .main
        ~>> { length($0) }
        +>> { print($0) }
}

private func wrongTypeInTheLast() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> { text($0) }
        ~>> { length($0) }
        ~>> { number($0) }
        ~>> { number($0) }
        +>> { length($0) }  // error: cannot convert value of type 'Int'
}

private func wrongOperation() {
    let (a, b) = <<~{ queue.foo($0) }  // error: value of type 'DispatchQueue' has no member 'foo'
    print(a, b)
}

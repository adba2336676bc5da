// SPDX-License-Identifier: Apache-2.0
// Chains of Chains.swift next to the twins of SwivelCompat, which are more overloads to try.
import Dispatch
import Swivel
import SwivelCompat

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

private func noContext() {
    _ = number ~>> (3)
        ~>> { number($0) }
        ~>> 5  // error: binary operator '~>>' cannot be applied to operands of type
        ~>> { text($0) }
        ~>> { $0.count }
        ~>> { number($0) }
        +>> { number($0) }
}

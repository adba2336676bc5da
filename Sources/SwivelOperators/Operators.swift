// SPDX-License-Identifier: Apache-2.0

// The swivel operators. `-` is the caller's own place, `~` the background or a named context, `+`
// the main context. An arrow to the left waits; an arrow to the right does not.

prefix operator <<-
prefix operator <<~
prefix operator <<+

postfix operator ->>
postfix operator ~>>
postfix operator +>>

/// The precedence of `<<~context ~~~ operation`: above assignment, below the ternary operator.
precedencegroup ContextRedirectionPrecedence {
    higherThan: AssignmentPrecedence
    lowerThan: TernaryPrecedence
}

/// The precedence of the arrows to the right: below addition, so that `f ~>> a + b` means
/// `f ~>> (a + b)`. That also keeps long chains cheap to type-check.
precedencegroup AsyncRedirectPrecedence {
    higherThan: RangeFormationPrecedence
    lowerThan: AdditionPrecedence
    associativity: left
}

infix operator ~~~ : ContextRedirectionPrecedence
infix operator ~>> : AsyncRedirectPrecedence
infix operator +>> : AsyncRedirectPrecedence
infix operator ?~>> : AsyncRedirectPrecedence
infix operator ?+>> : AsyncRedirectPrecedence

// SPDX-License-Identifier: Apache-2.0

/// Programs with races, for several suites.
actor Account {
    private(set) var balance: Int

    init(_ balance: Int = 100) { self.balance = balance }

    func take(_ amount: Int) { balance -= amount }

    /// Checks and acts in one step.
    func pay(_ amount: Int) { if balance >= amount { balance -= amount } }
}

/// Not inlined: otherwise the compiler removes the hop from the actor and back, and with it the
/// race.
@inline(never)
func isEnough(_ balance: Int, for amount: Int) -> Bool { balance >= amount }

/// Checks, and then acts: between the two calls another task may act.
func payCarelessly(_ amount: Int, from account: Account) async {
    if isEnough(await account.balance, for: amount) { await account.take(amount) }
}

/// An actor whose method assumes that nothing else runs in it while it calls another actor.
actor Audited {
    private(set) var balance = 100
    private let book = Account()

    func pay(_ amount: Int) async {
        guard balance >= amount else { return }
        await book.take(0)
        balance -= amount
    }
}

@MainActor final class Till {
    var balance = 100

    nonisolated init() {}

    func take(_ amount: Int) {
        MainActor.preconditionIsolated()
        balance -= amount
    }
}

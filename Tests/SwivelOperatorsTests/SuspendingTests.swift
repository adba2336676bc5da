// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

struct Boom: Error, Equatable {}

@Suite struct SuspendingTests {
    private let queue = DispatchQueue(label: "suspending")

    @Sendable private func two(_ handler: @escaping @Sendable (Int, String) -> Void) {
        queue.async { handler(1, "b") }
    }

    @Sendable private func one(_ handler: @escaping @Sendable (Int) -> Void) {
        queue.async { handler(1) }
    }

    @Test func eachWaitHasATwinThatSuspends() async {
        let here = await <<-{ one($0) }
        let background = await <<~{ one($0) }
        let main = await <<+{ one($0) }
        let named = await <<~queue ~~~ { one($0) }
        #expect([here, background, main, named] == [1, 1, 1, 1])
    }

    @Test func handlersOfAnyArityResumeTheCaller() async {
        let here = await <<-{ two($0) }
        let background = await <<~{ two($0) }
        let main = await <<+{ two($0) }
        let named = await <<~queue ~~~ { two($0) }
        #expect(here == (1, "b") && background == (1, "b") && main == (1, "b") && named == (1, "b"))
        await <<-{ (handler: @escaping @Sendable () -> Void) in queue.async { handler() } }
    }

    @MainActor @Test func hereIsTheCallersActor() async {
        let count = await <<-{ (handler: @escaping @Sendable (Int) -> Void) in
            MainActor.assertIsolated()
            DispatchQueue.main.async { handler(5) }
        }
        MainActor.assertIsolated()
        #expect(count == 5)
    }

    @Test func aRouteSuspendsToo() async throws {
        let double: @Sendable (Int) -> Int = { $0 * 2 }
        let fail: @Sendable () throws(Boom) -> Int = { () throws(Boom) in throw Boom() }
        #expect(await double~>>.sync(4) == 8)
        #expect(await double->>.on(queue).sync(5) == 10)
        #expect(await (double ~>> queue ~>> (6)).value == 12)
        await #expect(throws: Boom.self) { try await fail+>>.sync() }
    }
}

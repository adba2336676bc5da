// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

@Suite(.offPool) struct ArrowTests {
    private let queue = DispatchQueue(label: "arrow")
    private let double: @Sendable (Int) -> Int = { $0 * 2 }

    private var place: @Sendable () -> String { { [queue] in nameOfPlace(queue) } }

    @Test func theArrowSaysWhereTheFunctionRuns() throws {
        let loop = try Loop()
        #expect((place ~>> ()).await() == "background")
        #expect((place +>> ()).await() == "main")
        #expect((place ~>> queue ~>> ()).await() == "queue")
        #expect((place ~>> loop ~>> ()).await() == "loop")
        #expect((place ~>> .main ~>> ()).await() == "main")
        loop.shutdown()
    }

    @Test func theNextArrowSaysWhereTheResultIsHandled() throws {
        let loop = try Loop()
        let seen = Shared<[String]>([])
        let gate = Gate()
        let note: @Sendable (String) -> Void = { [place] first in
            let second = place()
            seen.update { $0.append("\(first) \(second)") }
            gate.open()
        }
        place ~>> () ~>> note
        gate.wait()
        place ~>> () +>> note
        gate.wait(times: 2)
        place +>> () ~>> note
        gate.wait(times: 3)
        place ~>> queue ~>> () ~>> loop ~>> note
        gate.wait(times: 4)
        place +>> () ~>> queue ~>> note
        gate.wait(times: 5)
        #expect(
            seen.value == [
                "background background", "background main", "main background", "queue loop",
                "main queue",
            ])
        loop.shutdown()
    }

    @Test func handlersChain() {
        let result =
            double ~>> (3) ~>> { $0 + 1 } ~>> { "\($0)" } ~>> queue ~>> { $0 + "!" } +>> {
                $0.count
            }
        #expect(result.await() == 2)
    }

    @Test func anErrorSkipsTheHandlers() {
        let fail: @Sendable (Int) throws(Boom) -> Int = { (_: Int) throws(Boom) in throw Boom() }
        let handled = Shared(false)
        let end = fail ~>> (1) ~>> { _ in handled.value = true }
        #expect(throws: Boom.self) { try end.await() }
        let onMain = fail +>> (1) +>> { _ in handled.value = true }
        #expect(throws: Boom.self) { try onMain.await() }
        #expect(!handled.value)
    }

    @Test func aFunctionWithoutAResultGivesNothingBack() {
        let gate = Gate()
        @Sendable func note(_ isDone: Bool, _ text: String?) { if isDone { gate.open() } }
        @Sendable func early() { note ~>> (true, nil) }
        @Sendable func onMain() { note +>> (true, nil) }
        func onQueue() { note ~>> queue ~>> (true, "a") }
        early()
        onMain()
        onQueue()
        gate.wait(times: 3)
    }

    @Test func additionBindsTighterThanTheArrow() {
        let (one, two) = (1, 2)
        let sum = double ~>> one + two
        let product = double ~>> (one + two) * two
        #expect(sum.await() == 6)
        #expect(product.await() == 12)
    }
}

@MainActor private final class Album {
    var names: [String] = []
    func add(_ name: String) -> Int {
        names.append(name)
        return names.count
    }
    func clear() { names = [] }
}

@Suite(.offPool) struct MainActorArrowTests {
    @Test func methodsOfTheMainActorAreFunctionsOfPlus() async {
        let album = await MainActor.run { Album() }
        let add: @MainActor @Sendable (String) -> Int = { album.add($0) }
        let count = await Async<Int> { (add +>> ("a")).await() }.value
        #expect(count == 1)
        let length = await (add +>> ("b") +>> { @MainActor in $0 + album.names.count }).value
        #expect(length == 4)
        let names: [String] = await <<+{ handler in handler(album.names) }
        #expect(names == ["a", "b"])
    }

    @MainActor @Test func closuresOnTheMainActorMayTouchItsState() async {
        let album = Album()
        var count = 0
        let noted: Future<Void, Never> = { count = album.add("a") } +>> ()
        await noted.value
        #expect(count == 1)
        let clear: (@MainActor @Sendable () -> Void)? = { album.clear() }
        clear ?+>> ()
        let seen = await <<+{ (handler: @escaping @Sendable (Int) -> Void) in
            handler(album.names.count)
        }
        #expect(seen == 0)
    }
}

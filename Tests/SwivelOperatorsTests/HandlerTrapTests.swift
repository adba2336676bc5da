// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

private typealias Handler = @Sendable (Int) -> Void

private final class Service: Sendable {
    @Sendable func load(_ handler: @escaping @Sendable (Int) -> Void) { handler(1) }
    @Sendable func pair(_ handler: @escaping @Sendable (Int, Int) -> Void) { handler(1, 2) }
}

/// The outcome of a completion handler that is not called exactly once.
@Suite struct HandlerTrapTests {
    private static let released = "was released without being called"
    private static let twice = "was called more than once"

    @Test func aHandlerReleasedHereTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let value = <<-{ (_: @escaping @Sendable (Int) -> Void) in }
                print(value)
            }
        }
        #expect(printed("the completion handler of '<<-' \(Self.released)", result))
        #expect(printed("(the backtrace shows the operator)", result))
    }

    @Test func aHandlerReleasedInTheBackgroundTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let value = <<~{ (handler: @escaping @Sendable (Int, Int) -> Void) in
                    DispatchQueue.global().async { if Bool(false) { handler(1, 1) } }
                }
                print(value)
            }
        }
        #expect(printed("the completion handler of '<<~' \(Self.released)", result))
    }

    @Test func aHandlerReleasedUnderAnAwaitTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            let value = await <<~{ (_: @escaping @Sendable (Int) -> Void) in }
            print(value)
        }
        #expect(printed("the completion handler of '<<~' \(Self.released)", result))
    }

    @Test func aHandlerCalledTwiceTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let value = <<-{ (handler: @escaping @Sendable (Int) -> Void) in
                    handler(1)
                    handler(2)
                }
                print(value)
            }
        }
        #expect(printed("the completion handler of '<<-' \(Self.twice)", result))
        #expect(printed("(the backtrace shows the second call)", result))
        let late = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                let kept = Shared<[Handler]>([])
                let value =
                    <<~DispatchQueue(label: "q") ~~~ { (handler: @escaping Handler) in
                        kept.update { $0.append(handler) }
                        handler(1)
                    }
                kept.value.first?(value)
            }
        }
        #expect(printed("the completion handler of '~~~' \(Self.twice)", late))
    }

    @Test func anOperationThatItsContextDropsTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                let loop = try Loop()
                loop.shutdown()
                let value =
                    <<~loop ~~~ { (handler: @escaping @Sendable (Int) -> Void) in handler(1) }
                print(value)
            }
        }
        #expect(printed("the operation of '~~~' was released without being run", result))
        #expect(printed("(the backtrace shows the operator)", result))
    }

    private static func optionalCalls(_ service: Service?) -> [Int] {
        let here = <<-{ service?.load($0) }
        let background = <<~{ service?.load($0) }
        let main = <<+{ service?.load($0) }
        let named = <<~DispatchQueue(label: "q") ~~~ { service?.load($0) }
        let pairs = [
            <<-{ service?.pair($0) }, <<~{ service?.pair($0) }, <<+{ service?.pair($0) },
        ]
        let pair = <<~DispatchQueue(label: "q") ~~~ { service?.pair($0) }
        return [here, background, main, named, pair.1] + pairs.map(\.1)
    }

    @Test func anOptionalCallOfSomethingThereIsACall() async {
        let values = await Async<[Int]> { Self.optionalCalls(Service()) }.value
        #expect(values == [1, 1, 1, 1, 2, 2, 2, 2])
    }

    @Test func anOptionalCallOfNothingTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                print(HandlerTrapTests.optionalCalls(nil))
            }
        }
        #expect(printed("the completion handler of '<<-' \(Self.released)", result))
    }
}

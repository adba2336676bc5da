// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

private enum Fault: Error, Equatable { case first, second }

/// BrightFutures' names that Swivel has as well, and what its tests assert of them.
@Suite struct BrightFuturesNamesTests {
    private struct Person: Sendable { var name = "Ada" }

    @available(*, deprecated)
    @Test func keyPathsAndMembersOfTheValueAreFutures() {
        let person = Future<Person, Fault>(value: Person())
        #expect(person.name.forced() == .success("Ada"))
        #expect(person.map(\.name).forced() == .success("Ada"))
    }

    @available(*, deprecated)
    @Test func typesArePromotedForcedAndFlattened() {
        let value: Future<Int, Fault> = Future<Int, Never>(value: 1).promoteError()
        #expect(value.forced() == .success(1))
        let error: Future<Int, Fault> = Future<Never, Fault>(error: .first).promoteValue()
        #expect(error.forced() == .failure(.first))
        let forced: Future<Int, Fault> = Future<any Sendable, any Error>(value: 2).forceType()
        #expect(forced.forced() == .success(2))
        #expect(Future<Int, Fault>(value: 3).asVoid().forced().value != nil)
        let nested = Future<Future<Int, Fault>, Fault>(value: Future(value: 4))
        #expect(nested.flatten().forced() == .success(4))
    }

    @available(*, deprecated)
    @Test func forceTypeCastsTheValueAndTheError() {
        let any = Future<any Sendable, any Error>(value: 7)
        let number: Future<Int, Fault> = any.forceType()
        #expect(number.result == .success(7))
        let failed: Future<Int, Fault> = Future<any Sendable, any Error>(error: Fault.second)
            .forceType()
        #expect(failed.result == .failure(Fault.second))
    }

    @available(*, deprecated)
    private static func wrongType() {
        let text: Future<String, Fault> = Future<Int, Fault>(value: 7).forceType()
        print(text)
    }

    @available(*, deprecated)
    @Test func forceTypeOfAnotherTypeTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest { BrightFuturesNamesTests.wrongType() }
        }
        #expect(printed("forceType() to String of a value that is a Int", result))
        #expect(printed("SwivelCompatTests/BrightFuturesNamesTests.swift:", result))
    }

    @available(*, deprecated)
    @Test func materializeTakesTheThreeKindsOfHandlers() {
        let pair: Future<Int, Fault> = materialize { $0(nil, .first) }
        #expect(pair.forced() == .failure(.first))
        let single: Future<Int, Never> = materialize { $0(2) }
        #expect(single.forced() == .success(2))
        let error: Future<Void, Fault> = materialize { (handler: (Fault?) -> Void) in handler(nil) }
        #expect(error.forced().value != nil)
    }

    @available(*, deprecated)
    @Test func getSuspends() async throws {
        #expect(try await Future<Int, Fault>(value: 1).get() == 1)
        #expect(await Async<Int>(value: 2).get() == 2)
        await #expect(throws: Fault.first) { try await Future<Int, Fault>(error: .first).get() }
    }
}

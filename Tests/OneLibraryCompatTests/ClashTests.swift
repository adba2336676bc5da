// SPDX-License-Identifier: Apache-2.0
import AwaitKitCompat
import BrightFuturesCompat
import BriskCompat
import Dispatch
import FireflyCompat
import LoggingStandIn
import SwiftAsyncCompat
import Swivel
import Testing

private enum Fault: Error, Equatable { case lost }

/// The modules of single libraries in a program that has `Logger` and `Result.value` from elsewhere.
@Suite struct ClashTests {
    @Test func namesThatServersImportAreNotAmbiguous() {
        #expect(Logger(label: "server").label == "server")
        let (success, failure) = (Result<Int, Fault>.success(3), Result<Int, Fault>.failure(.lost))
        #expect(success.value == 3 && success.error == nil)
        #expect(failure.value == nil && failure.error == .lost)
    }

    @available(*, deprecated)
    @Test func eachModuleHasItsLibrarysNames() throws {
        let queue = DispatchQueue(label: "one library")
        #expect(queue.async(after: 60.0) {}.cancel() == .cancelled)
        #expect(Async<Int>(queue: queue) { 3 }.await() == 3)
        let failed = Future<Int, Fault>(error: .lost)
        #expect(failed.error == .lost && failed.forced() == .failure(.lost))
        #expect(try queue.ak.async { 4 }.await() == 4)
        let succeeded = Firefly.succeed(5)
        #expect(try succeeded.execute().future.await() == 5)
    }
}

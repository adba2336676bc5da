// SPDX-License-Identifier: Apache-2.0
#if canImport(XCTest)
public import XCTest

extension XCTestCase {
    /// Runs `body` in simulated worlds, once for each of as many `seeds`, with these `options`; see
    /// ``simulate(seed:_:body:)``. The first run that fails, or whose assertions fail, fails the
    /// test, with the line that repeats it, and ends the search.
    ///
    /// **Thread:** the test's.
    /// - Complexity: That of the bodies.
    @preconcurrency
    public func simulate(
        seeds: Int, _ options: SimulationOption..., file: StaticString = #filePath,
        line: UInt = #line, body: @escaping @Sendable () async throws -> Void
    ) async {
        let search = Search(Settings(options), test: name, body)
        for seed in Replay.seeds(seeds) {
            let failures = testRun?.totalFailureCount ?? 0
            do throws(SimulationFailure) {
                let run = try await search.run(seed)
                guard testRun?.totalFailureCount ?? 0 > failures else { continue }
                let hint = Replay.hint(seed, test: name)
                return XCTFail("\(hint)\n\(run.details)", file: file, line: line)
            } catch {
                return XCTFail(error.description, file: file, line: line)
            }
        }
    }
}
#endif

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
        let search = Search(options, test: name)
        let failures = testRun?.totalFailureCount
        do {
            _ = try await search.run(seeds: seeds, body) { run in
                if testRun?.totalFailureCount == failures { return false }
                XCTFail("\(search.hint(run.seed))\n\(run.details)", file: file, line: line)
                return true
            }
        } catch {
            XCTFail("\(error)", file: file, line: line)
        }
    }
}
#endif

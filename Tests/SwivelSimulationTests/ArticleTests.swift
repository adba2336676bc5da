// SPDX-License-Identifier: Apache-2.0
import SwivelSimulation
import Testing

/// Counts how often each page was read, and loads a page once.
actor Pages {
    private var loading: [String: Task<String, Never>] = [:]
    private(set) var loads = 0

    func page(_ name: String) async -> String {
        if let known = loading[name] { return await known.value }
        loads += 1
        let task = Task {
            try? await Task.sleep(for: .seconds(1))
            return "the page \(name)"
        }
        loading[name] = task
        return await task.value
    }
}

@Suite struct PagesTests {
    @Test(.simulated(seeds: 1_000)) func aPageIsLoadedOnce() async {
        let pages = Pages()
        async let one = pages.page("home")
        async let other = pages.page("home")
        let (first, second) = await (one, other)
        #expect(first == second)
        #expect(await pages.loads == 1)
    }
}

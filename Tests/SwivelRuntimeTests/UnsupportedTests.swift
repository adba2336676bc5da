// SPDX-License-Identifier: Apache-2.0
#if !os(Linux) || compiler(<6.3) || compiler(>=6.4)
import SwivelRuntime
import Testing

/// On other platforms and with other versions of Swift.
@Suite struct UnsupportedTests {
    @Test(arguments: [SwivelRuntime.Mode.timers, .everything])
    func anInstallationIsRefused(mode: SwivelRuntime.Mode) {
        let error = #expect(throws: InstallationError.self) { try SwivelRuntime.install(mode) }
        #expect(error?.reason == .unsupported)
        #expect(SwivelRuntime.installed == nil)
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The value of an environment variable, or nil.
func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

/// Whether this is a debug build: counts that only need to be large are smaller there.
let isDebugBuild: Bool = {
    #if DEBUG
    true
    #else
    false
    #endif
}()

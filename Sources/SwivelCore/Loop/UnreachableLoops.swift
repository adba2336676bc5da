// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Loops with a thread that were released without a shutdown and have nothing left to run.
///
/// They close when a new loop needs their descriptors or memory. Debug builds name them, when the
/// next loop is made and when the program ends.
enum UnreachableLoops {
    /// Calls `swivel_loop_create`, and again once unreachable loops are closed if the system
    /// refuses.
    static func create(_ config: inout swivel_config, _ record: inout OpaquePointer?) -> Int32 {
        config.is_unreachable = { owner in
            // The word is the thread's own reference, in place: a copy would be another one.
            var owner = owner
            return withUnsafeMutablePointer(to: &owner) { word in
                word.withMemoryRebound(to: Loop.self, capacity: 1) {
                    isKnownUniquelyReferenced(&$0.pointee)
                }
            }
        }
        #if DEBUG
        FirstUse.of(reportAtExit)
        report()
        #endif
        let status = swivel_loop_create(&config, &record)
        guard status != SWIVEL_OK, Int(status) != SWIVEL_ECONFIG, swivel__unreachable_close() > 0
        else { return status }
        return swivel_loop_create(&config, &record)
    }

    #if DEBUG
    private static let reportAtExit: Void = { atexit { report() } }()

    private static func report() {
        swivel__unreachable_visit { name in
            Diagnostics.report(
                """
                the loop '\(String(cString: name))' was released and not shut down: its thread and \
                its descriptors stay until another loop needs them; call shutdown() when it has \
                done its work
                """)
        }
    }
    #endif
}

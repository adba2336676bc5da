// SPDX-License-Identifier: Apache-2.0
import SwivelCore

/// An actor that lives on a loop.
actor LoopMeter {
    let loop: Loop

    init(_ loop: Loop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    func touch() { loop.preconditionCurrent() }
}

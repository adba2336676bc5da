// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures

/// The questions that tests ask futures of several types.
protocol Checked {
    var isCompleted: Bool { get }
    var contextsNeeded: [any ExecutionContext] { get }
}

extension Future: Checked {}

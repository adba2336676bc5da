// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures

/// A type of error of the tests' own, which cannot say that a future was abandoned.
struct Boom: Error, Equatable {
    var code = 0
}

extension Future {
    /// Whether the result is that of a future which was not completed.
    var isAbandoned: Bool { code == .abandoned }

    /// Whether the result says that the loop was shut down.
    var isShutDown: Bool { code == .shutdown }

    private var code: SwivelError.Code? { (result?.error as? SwivelError)?.code }
}

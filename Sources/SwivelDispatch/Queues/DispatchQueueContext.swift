// SPDX-License-Identifier: Apache-2.0
package import Dispatch
package import SwivelCore

/// A context that submits to a queue directly: to the main queue too, past Swivel's lane.
package protocol DispatchQueueContext: ExecutionContext {
    /// Where closures run.
    var queue: DispatchQueue { get }
}

// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch

/// A context that drops what it is given.
let dropping = AnyContext { _ in }

/// A context that runs work at once, as the user's own type might.
let inline = AnyContext { $0() }

/// A new serial queue.
func serialQueue() -> DispatchQueue { DispatchQueue(label: "swivel.test") }

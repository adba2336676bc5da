// SPDX-License-Identifier: Apache-2.0
@_exported public import SwivelCore
@_exported public import SwivelDispatch
@_exported public import SwivelFutures
@_exported public import SwivelJobs
@_exported public import SwivelOperators

// SPDX-License-Identifier: Apache-2.0
@_exported public import AwaitKitCompat
@_exported public import BrightFuturesCompat
@_exported public import BriskCompat
@_exported public import FireflyCompat
@_exported public import SwiftAsyncCompat

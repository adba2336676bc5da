// SPDX-License-Identifier: Apache-2.0

/// For models whose threads wait for futures by other means.
enum WaitingRoom {
    static func wakeAll(of future: FuturePointer) {}
}

// SPDX-License-Identifier: Apache-2.0

/// Suspends the current task until it is cancelled, without a timer.
func untilCancelled() async {
    let (stream, end) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(end) {}
}

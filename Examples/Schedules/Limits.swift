// SPDX-License-Identifier: Apache-2.0

internal import Swivel

/// How long a server waits for others before it gives up.
struct Limits: Sendable {
    /// How long the database keeps a claim for a process that is silent.
    var lease = Duration.milliseconds(300)
    /// For a connection. libpq's own limit does not apply to asynchronous connects.
    var connect = Duration.seconds(5)
    /// For a statement, on both sides.
    var statement = Duration.seconds(5)
    /// For an attempt at a job. It counts as failed after that.
    var job = Duration.seconds(10)
    /// For the job that runs when the server is asked to end.
    var drain = Duration.seconds(5)
    /// The wait before a second attempt at a job or a connection. It doubles with each failure.
    var backoff = Duration.milliseconds(50)
    /// The longest such wait.
    var longestBackoff = Duration.milliseconds(500)

    /// The wait after `failures` failures in a row. A random part of it is left out, so that
    /// processes that failed together do not come back together.
    func wait(after failures: Int) -> Duration {
        let factor = Double(1 << min(max(failures - 1, 0), 20))
        return min(backoff * factor, longestBackoff) * Double.random(in: 0.5...1)
    }
}

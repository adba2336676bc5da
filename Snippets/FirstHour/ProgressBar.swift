// SPDX-License-Identifier: Apache-2.0
import Swivel

let job = Job(async: { report in
    for step in 1...10 {
        try await Task.sleep(for: .milliseconds(10))
        report(JobProgress(Double(step) / 10))
    }
    return "all ten steps"
})
job.onProgress { progress in
    let width = Int(progress.fraction * 20)
    print(String(repeating: "#", count: width))
}

// Nothing runs before `execute()`. `job.cancel()` ends it early.
print(try await job.execute().value)

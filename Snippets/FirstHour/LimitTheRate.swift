// SPDX-License-Identifier: Apache-2.0
import Swivel

// A hundred per second, two at once. Waiting callers go in order.
let limiter = RateLimiter(100, per: .seconds(1), burst: 2)
for request in 1...5 {
    try await limiter.acquire()
    print("request \(request)")
}

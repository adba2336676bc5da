// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelTracing
import Tracing

func handle(_ size: Int, on loop: Loop) {
    withSpan("request") { _ in
        // A child of the request's span, on the loop's thread.
        loop.execute(tracing: "store") { span in
            span.attributes["size"] = size
        }
        // The span has the timer's lateness.
        loop.schedule(after: .seconds(30), tracing: "expire") {}
    }
}

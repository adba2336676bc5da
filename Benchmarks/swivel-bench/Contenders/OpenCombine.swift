// SPDX-License-Identifier: Apache-2.0
#if OpenCombine
internal import BenchKit
internal import OpenCombine
internal import Rivals

/// A future of OpenCombine's, with maps behind it.
enum CombineFutures {
    static func maps(_ length: Int, chains: Int) throws -> Measurement {
        try ChainSum.measure(length, chains: chains) { chains in
            var total = 0
            for chain in 0..<chains {
                var complete: Future<Int, Never>.Promise?
                var publisher = Future<Int, Never> { complete = $0 }.eraseToAnyPublisher()
                for step in 0..<length {
                    // A chain whose length the compiler does not know has to erase each type.
                    publisher = publisher.map { $0 &+ step }.eraseToAnyPublisher()
                }
                let last = publisher.sink { total &+= $0 }
                complete?(.success(chain))
                last.cancel()
            }
            return total
        }
    }
}
#endif

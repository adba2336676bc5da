// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel

/// The checksum of a file, as POSIX's `cksum` computes it.
struct Checksum: Sendable {
    let path: String
    let value: UInt32
    let size: Int

    /// A job that reads a file on one of the pool's threads. However many jobs are executed, the
    /// pool reads as many files at once as it has threads.
    static func job(of path: String, on pool: WorkerPool) -> Job<Checksum, any Error> {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return Job { job, succeed, fail, progress in
            pool.execute {
                do {
                    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
                    var sum = Sum()
                    while !job.isCancelled, let data = try file.read(upToCount: 1 << 18),
                        !data.isEmpty
                    {
                        sum.add(data)
                        progress(JobProgress(Double(sum.size) / Double(max(size ?? 0, sum.size))))
                    }
                    // For a job that was cancelled this changes nothing.
                    succeed(Checksum(path: path, value: sum.result, size: sum.size))
                } catch {
                    fail(error)
                }
            }
        }.setWeight(Double(max(size ?? 0, 1)))
    }
}

/// The cyclic redundancy check of POSIX (IEEE Std 1003.1, `cksum`), eight bits at a time.
private struct Sum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { value, _ in
            value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7
        }
    }

    private(set) var size = 0
    private var value: UInt32 = 0

    mutating func add(_ data: Data) {
        size += data.count
        value = data.reduce(value) { Self.next($0, $1) }
    }

    /// The bytes, then those of their number, the lowest first.
    var result: UInt32 {
        var (value, rest) = (value, size)
        while rest > 0 {
            value = Self.next(value, UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return ~value
    }

    private static func next(_ value: UInt32, _ byte: UInt8) -> UInt32 {
        value << 8 ^ table[Int(UInt8(truncatingIfNeeded: value >> 24) ^ byte)]
    }
}

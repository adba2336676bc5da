// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore

/// Descriptors of a test, closed with it.
package class Descriptors: @unchecked Sendable {
    // because the lock of `Shared` guards the numbers, and the system the rest.
    private let numbers: Shared<[Int32]>

    fileprivate init(_ make: (UnsafeMutablePointer<Int32>) -> Int32) throws {
        var pair: [Int32] = [-1, -1]
        guard make(&pair) == 0 else { throw SwivelError(.system, "no descriptors", errno: errno) }
        numbers = Shared(pair)
    }

    fileprivate func number(_ index: Int) -> Int32 { numbers.value[index] }

    fileprivate func close(_ index: Int) {
        numbers.update {
            if $0[index] >= 0 { _ = closeNow($0[index]) }
            $0[index] = -1
        }
    }

    /// The first descriptor stands for the other's file from here on: the other's number is reused.
    fileprivate func takeFirst(of other: Descriptors) throws {
        let wanted = other.number(0)
        // Closed and opened anew in one step, so that no other test gets the number in between.
        guard dup2(number(0), wanted) == wanted else {
            throw SwivelError(.system, "dup2", errno: errno)
        }
    }

    deinit {
        close(0)
        close(1)
    }
}

private func closeNow(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// A pipe.
package final class TestPipe: Descriptors, @unchecked Sendable {
    // because it adds nothing that changes.
    /// If `isJoined`, one descriptor is both ends on Linux.
    package init(isJoined: Bool = false) throws {
        try super.init { pair in
            let status = pipe(pair)
            #if os(Linux)
            guard isJoined, status == 0 else { return status }
            let both = open("/proc/self/fd/\(pair[0])", O_RDWR)
            _ = (closeNow(pair[0]), closeNow(pair[1]))
            (pair[0], pair[1]) = (both, -1)
            return min(both, 0)
            #else
            return status
            #endif
        }
        _ = fcntl(number(0), F_SETFL, O_NONBLOCK)
    }

    package var read: Int32 { number(0) }
    package var write: Int32 { number(1) < 0 ? number(0) : number(1) }

    package func put(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { send(to: write, $0) }
    }

    /// Reads all that is there.
    package func take() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while bytes.withUnsafeMutableBytes({ receive(from: number(0), $0) }) > 0 {}
    }

    package func closeReading() { close(0) }
}

/// Two connected sockets.
package final class SocketPair: Descriptors, @unchecked Sendable {
    // because it adds nothing that changes.
    package init() throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        try super.init { socketpair(AF_UNIX, kind, 0, $0) }
    }

    package var one: Int32 { number(0) }

    /// Sends to the first socket.
    package func put(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { send(to: number(1), $0) }
    }

    package func closeOther() { close(1) }

    /// From here on the other pair's first number stands for this pair's first socket.
    package func take(numberOf other: SocketPair) throws { try takeFirst(of: other) }
}

private func send(to descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func receive(from descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, bytes.baseAddress, bytes.count)
}

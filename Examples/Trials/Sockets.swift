// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// TCP on 127.0.0.1. The sockets do not block.
public enum Sockets {
    #if canImport(Glibc) || canImport(Musl)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    /// Listens on a port; 0: one that is free.
    public static func listen(on port: UInt16) throws -> (socket: Int32, port: UInt16) {
        let listener = try check(socket(AF_INET, stream, 0))
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = loopback(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withAddress(&address) {
            try check(bind(listener, $0, length))
            try check(Foundation.listen(listener, SOMAXCONN))
            try check(getsockname(listener, $0, &length))
        }
        makeNonBlocking(listener)
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// The outcome of `accept`.
    public enum Arrival {
        /// One, by its socket.
        case connection(Int32)
        /// None waits.
        case none
        /// It cannot be accepted now, as without descriptors or memory: see accept(2). It waits, so
        /// the listener stays ready: try again after a pause.
        case later(reason: String)
    }

    /// The next connection. Throws only if `listener` cannot be listened at any more.
    public static func accept(from listener: Int32) throws -> Arrival {
        while true {
            let socket = Foundation.accept(listener, nil, nil)
            if socket >= 0 {
                makeNonBlocking(socket)
                return .connection(socket)
            }
            switch errno {
            case EAGAIN: return .none
            // The connection has failed before it was accepted; the next may be good.
            case ECONNABORTED, EINTR, EPROTO, EPERM: continue
            case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT: try check(-1)
            default: return .later(reason: String(cString: strerror(errno)))
            }
        }
    }

    /// Bytes that were written and that the other side has not received yet.
    public static func unsent(on socket: Int32) -> Int32 {
        var count: Int32 = 0
        #if canImport(Darwin)
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &length)
        #else
        _ = ioctl(socket, UInt(TIOCOUTQ), &count)
        #endif
        return count
    }

    /// Connects. Blocks until then.
    public static func connect(to port: UInt16) throws -> Int32 {
        let connection = try check(socket(AF_INET, stream, 0))
        var address = loopback(port)
        try withAddress(&address) {
            try check(
                Foundation.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)))
        }
        makeNonBlocking(connection)
        return connection
    }

    /// Lets the process open that many descriptors, or ends it.
    public static func allowDescriptors(_ count: Int) {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        getrlimit(resource, &limit)
        if limit.rlim_cur >= rlim_t(count) { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        setrlimit(resource, &limit)
        expect(limit.rlim_cur >= rlim_t(count), "ulimit -Hn allows \(count) descriptors")
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withAddress(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) throws -> Void
    ) throws {
        try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    private static func makeNonBlocking(_ socket: Int32) {
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        // Small messages go out at once.
        var yes: Int32 = 1
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    @discardableResult
    private static func check(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }
}

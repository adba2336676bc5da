// SPDX-License-Identifier: Apache-2.0

/// A connection between two programs: bytes in order, both ways. A socket can be one, and so are
/// the connections of a ``SimulatedNode``.
///
/// **Thread:** any task; one sends and one receives at a time.
public protocol DuplexConnection: Sendable {
    /// Sends `bytes`. It may return before they have arrived.
    ///
    /// - Throws: An error if the connection is closed or lost.
    /// - Complexity: O(n) in the bytes.
    func send(_ bytes: [UInt8]) async throws
    /// Returns the next bytes, as many as have come; `nil`: the other side has closed.
    ///
    /// - Throws: An error if the connection is lost, or `CancellationError`.
    /// - Complexity: O(n) in the bytes.
    func receive() async throws -> [UInt8]?
    /// Closes both directions. Bytes that were sent still arrive.
    ///
    /// - Complexity: O(1).
    func close()
}

/// A port that accepts connections.
///
/// **Thread:** any task.
public protocol ConnectionListener: Sendable {
    /// Returns the next connection.
    ///
    /// - Throws: An error if the listener is closed, or `CancellationError`.
    /// - Complexity: O(1).
    func accept() async throws -> any DuplexConnection
    /// Accepts no more.
    ///
    /// - Complexity: O(1).
    func close()
}

/// A computer's network, as a program uses it: write the program against this protocol, and run it
/// on `World.network` in tests and on sockets elsewhere.
///
/// **Thread:** any task.
public protocol NetworkNode: Sendable {
    /// Returns a listener for connections to a `port` of this computer.
    ///
    /// - Throws: An error if the port has one.
    /// - Complexity: O(1).
    func listen(on port: Int) async throws -> any ConnectionListener
    /// Returns a connection to a `port` of the computer called `host`.
    ///
    /// - Throws: An error if the port has no listener, or if the computer cannot be reached.
    /// - Complexity: O(1).
    func connect(to host: String, port: Int) async throws -> any DuplexConnection
}

/// The reason why a simulated network fails a call.
public struct SimulatedNetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the reason.
    public let description: String

    /// The port has no listener.
    public static let refused = SimulatedNetworkError(description: "connection refused")
    /// The connection was lost, or the other side has restarted.
    public static let reset = SimulatedNetworkError(description: "connection reset")
    /// The other side could not be reached in time.
    public static let timedOut = SimulatedNetworkError(description: "connection timed out")
    /// This side has closed the connection or the listener.
    public static let closed = SimulatedNetworkError(description: "closed")
    /// The port has a listener.
    public static let inUse = SimulatedNetworkError(description: "address in use")
}

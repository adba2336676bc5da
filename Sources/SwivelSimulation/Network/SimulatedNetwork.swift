// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

/// The network of a world: computers by name, and connections between them in memory, each message
/// with a random latency.
///
/// **Thread:** tasks of the world.
public final class SimulatedNetwork: @unchecked Sendable {
    // because the world's thread alone uses it.
    private unowned let simulator: Simulator
    private var nodes: [String: SimulatedNode] = [:]
    private var groups: [String: Int] = [:]
    /// Messages that wait until no partition is in their way.
    private var held: [(from: String, to: String, deliver: @Sendable () -> Void)] = []
    private var links: [Link] = []

    /// How long a message takes; each direction of a connection keeps its order.
    public var latency: ClosedRange<Duration> = .milliseconds(1)...(.milliseconds(10))
    /// The probability with which a message breaks its connection and does not arrive.
    public var lossOfConnections = 0.0
    /// How long a connect waits for a computer that a partition hides.
    public var connectLimit: Duration = .seconds(30)

    init(_ simulator: Simulator) { self.simulator = simulator }

    /// Returns the computer with this `name`.
    ///
    /// - Complexity: O(1).
    public func node(_ name: String) -> SimulatedNode {
        if let known = nodes[name] { return known }
        let node = SimulatedNode(name, in: self)
        nodes[name] = node
        return node
    }

    /// Separates computers: those of different `groups` do not reach each other until ``heal()``.
    /// Those that no group names are a group of their own. Connections stay, and messages wait.
    ///
    /// - Complexity: O(n) in the messages that wait.
    public func partition(_ groups: [String]...) {
        self.groups = [:]
        for (number, group) in groups.enumerated() {
            for name in group { self.groups[name] = number + 1 }
        }
        let messages = held
        held = []
        for message in messages { send(message.from, message.to, message.deliver) }
    }

    /// Ends all partitions.
    ///
    /// - Complexity: O(n) in the messages that wait.
    public func heal() { partition() }

    /// Breaks all connections between `one` computer and the `other`.
    ///
    /// - Complexity: O(n) in the connections.
    public func disconnect(_ one: String, _ other: String) {
        for link in links where link.joins(one) && link.joins(other) { link.breakOff() }
    }

    /// Cancels the program of the computer called `name` and breaks its connections, as a crash
    /// does; after the `downtime` the program begins anew.
    ///
    /// - Complexity: O(n) in the connections.
    public func restart(_ name: String, after downtime: Duration = .zero) {
        let node = node(name)
        node.crash()
        for link in links where link.joins(name) { link.breakOff() }
        let crashes = node.crashes
        simulator.call(after: downtime.nanoseconds) {
            // There may have been another crash since.
            if node.crashes == crashes { node.begin() }
        }
    }

    /// Delivers a message after the latency, or once no partition is in its way.
    fileprivate func send(_ from: String, _ to: String, _ deliver: @escaping @Sendable () -> Void) {
        let (least, most) = (latency.lowerBound.nanoseconds, latency.upperBound.nanoseconds)
        let delay = least + Int64(simulator.chance.next() % UInt64(most - least + 1))
        simulator.call(after: delay) { [self] in
            if groups[from, default: 0] == groups[to, default: 0] {
                deliver()
            } else {
                held.append((from, to, deliver))
            }
        }
    }

    fileprivate func losesConnection() -> Bool {
        Double(simulator.chance.next() >> 11) / Double(1 << 53) < lossOfConnections
    }

    fileprivate func connect(_ from: String, _ to: String, _ port: Int) async throws -> Connection {
        let answer = Mailbox<Connection>()
        send(from, to) { [self] in
            guard let listener = node(to).listeners[port] else {
                return send(to, from) { answer.finish(SimulatedNetworkError.refused) }
            }
            if answer.isOver { return }  // The connect has timed out.
            let link = Link(from, to, self)
            links.append(link)
            listener.connections.put(link.ends[1])
            send(to, from) { answer.put(link.ends[0]) }
        }
        simulator.call(after: connectLimit.nanoseconds) {
            answer.finish(SimulatedNetworkError.timedOut)
        }
        guard let connection = try await answer.next() else { throw SimulatedNetworkError.timedOut }
        return connection
    }

    fileprivate func forget(_ link: Link) { links.removeAll { $0 === link } }

    /// The world has ended. Programs may refer to their network.
    func end() { (nodes, held, links) = ([:], [], []) }
}

/// A computer of a ``SimulatedNetwork``.
///
/// **Thread:** tasks of the world.
public final class SimulatedNode: NetworkNode, @unchecked Sendable {
    // because the world's thread alone uses it.
    /// Its name.
    public let name: String
    private unowned let network: SimulatedNetwork
    fileprivate var listeners: [Int: Listener] = [:]
    private var program: (@Sendable (SimulatedNode) async -> Void)?
    private var task: Task<Void, Never>?
    fileprivate private(set) var crashes = 0

    fileprivate init(_ name: String, in network: SimulatedNetwork) {
        self.name = name
        self.network = network
    }

    /// Runs a `program` on this computer, in a task of its own; again after each restart.
    ///
    /// - Complexity: O(1).
    @preconcurrency
    public func run(_ program: @escaping @Sendable (SimulatedNode) async -> Void) {
        self.program = program
        begin()
    }

    /// See ``NetworkNode/listen(on:)``.
    public func listen(on port: Int) async throws -> any ConnectionListener {
        guard listeners[port] == nil else { throw SimulatedNetworkError.inUse }
        let listener = Listener { [weak self] in self?.listeners[port] = nil }
        listeners[port] = listener
        return listener
    }

    /// See ``NetworkNode/connect(to:port:)``.
    public func connect(to host: String, port: Int) async throws -> any DuplexConnection {
        try await network.connect(name, host, port)
    }

    fileprivate func begin() {
        guard let program else { return }
        task = Task(name: name) { await program(self) }
    }

    fileprivate func crash() {
        crashes += 1
        task?.cancel()
        for listener in listeners.values {
            listener.connections.finish(SimulatedNetworkError.reset)
        }
        listeners = [:]
    }
}

private final class Listener: ConnectionListener {
    let connections = Mailbox<Connection>()
    private let forget: @Sendable () -> Void

    init(_ forget: @escaping @Sendable () -> Void) { self.forget = forget }

    func accept() async throws -> any DuplexConnection {
        guard let connection = try await connections.next() else {
            throw SimulatedNetworkError.closed
        }
        return connection
    }

    func close() {
        forget()
        connections.finish()
    }
}

/// The two ends of a connection.
private final class Link: @unchecked Sendable {
    // because the world's thread alone uses it.
    let names: [String]
    unowned let network: SimulatedNetwork
    private(set) var ends: [Connection] = []

    init(_ from: String, _ to: String, _ network: SimulatedNetwork) {
        names = [from, to]
        self.network = network
        ends = [Connection(0, self), Connection(1, self)]
    }

    func joins(_ name: String) -> Bool { names.contains(name) }

    func breakOff() {
        for end in ends { end.incoming.finish(SimulatedNetworkError.reset) }
        network.forget(self)
    }
}

private final class Connection: DuplexConnection, @unchecked Sendable {
    // because the world's thread alone uses it.
    let incoming = Mailbox<[UInt8]>()
    /// This side has not closed it.
    private var isOpen = true
    private let side: Int
    /// `nil`: it is broken.
    private weak var link: Link?
    /// Bytes on their way to the other side, in order; `nil`: its end.
    private var sent: ArraySlice<[UInt8]?> = []

    init(_ side: Int, _ link: Link) {
        self.side = side
        self.link = link
    }

    func send(_ bytes: [UInt8]) async throws {
        guard isOpen else { throw SimulatedNetworkError.closed }
        guard let link else { throw SimulatedNetworkError.reset }
        if link.network.losesConnection() { link.breakOff() } else { put(bytes, link) }
    }

    func receive() async throws -> [UInt8]? { try await incoming.next() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        if let link { put(nil, link) }
        incoming.finish()
    }

    private func put(_ bytes: [UInt8]?, _ link: Link) {
        sent.append(bytes)
        // A message that overtakes another one delivers the older bytes: their order stays.
        link.network.send(link.names[side], link.names[1 - side]) { [self] in
            guard let first = sent.popFirst(), let other = self.link?.ends[1 - side] else { return }
            if let first { other.incoming.put(first) } else { other.incoming.finish() }
        }
    }
}
#endif

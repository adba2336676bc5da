// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A process that runs this program again.
public struct Child: Sendable {
    /// Its number.
    public let id: pid_t
    /// The other end of its standard output, which does not block; -1: it writes where this program
    /// does. Closed by the owner.
    public let output: Int32
    /// The other end of its standard input. The child sees the end of its input when this process
    /// closes it, or is gone.
    public let input: Int32

    /// Starts the program with these arguments.
    ///
    /// - Parameter readsOutput: Whether its standard output is a pipe to this process.
    public init(_ arguments: [String], readsOutput: Bool = false) throws {
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = readsOutput ? try Self.pipe() : (-1, -1)
        if readsOutput { _ = fcntl(output, F_SETFL, O_NONBLOCK) }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, childInput, STDIN_FILENO)
        if readsOutput { posix_spawn_file_actions_adddup2(&actions, childOutput, STDOUT_FILENO) }
        // Threads of loops block signals. The child would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var id: pid_t = 0
        let status = posix_spawn(&id, program, &actions, &attributes, &words, environ)
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(childInput)
        if readsOutput { close(childOutput) }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EIO) }
        (self.id, self.input, self.output) = (id, input, output)
    }

    /// Sends it a signal.
    public func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status, or 128 and the number of the signal that has killed it.
    @discardableResult
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// A pipe that no other child inherits.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

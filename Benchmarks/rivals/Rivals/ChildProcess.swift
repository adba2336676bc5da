// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation

/// A running child and its three pipes.
///
/// It is no `Process` of Foundation, which would keep a thread of its own in the process that is
/// measured.
struct ChildProcess {
    let id: pid_t
    private let input: CInt
    private let output: CInt
    /// The child's standard error, read without waiting when it fails.
    private let errors: CInt

    /// Starts a program.
    init(_ program: String, _ arguments: [String]) throws {
        // A child that died is told by `write`, which would otherwise end the lab by a signal.
        signal(SIGPIPE, SIG_IGN)
        let (theirInput, input) = try Self.pipe()
        let (output, theirOutput) = try Self.pipe()
        let (errors, theirErrors) = try Self.pipe()
        defer {
            for end in [theirInput, theirOutput, theirErrors] { close(end) }
        }
        _ = fcntl(errors, F_SETFL, O_NONBLOCK)
        (self.input, self.output, self.errors) = (input, output, errors)
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirInput, 0)
        posix_spawn_file_actions_adddup2(&actions, theirOutput, 1)
        posix_spawn_file_actions_adddup2(&actions, theirErrors, 2)
        let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var id: pid_t = 0
        let status = Self.withStrings([program] + arguments) { arguments in
            Self.withStrings(variables) { posix_spawn(&id, program, &actions, nil, arguments, $0) }
        }
        self.id = id
        guard status == 0 else {
            for end in [input, output, errors] { close(end) }
            throw BenchFailure("cannot start \(program): \(String(cString: strerror(status)))")
        }
    }

    /// Writes a line and reads the one that answers it.
    func exchange(_ request: String, until limit: UInt64) throws(ChildFailure) -> String {
        let start = Clocks.wall()
        var line = Array("\(request)\n".utf8)
        // A request is shorter than what every pipe takes at once.
        let wasWritten = write(input, &line, line.count) == line.count
        var answer: [UInt8] = []
        while !answer.contains(UInt8(ascii: "\n")) || !wasWritten {
            guard awaitOutput(until: limit) else {
                throw .silence(
                    seconds: Double(Clocks.elapsed(from: start, to: Clocks.wall())) / 1e9,
                    said: said(with: answer))
            }
            guard readMore(&answer) else {
                let status = status(within: 1_000_000_000)
                throw .death(status: status, said: said(with: answer))
            }
        }
        // One line and no more: what came beside it would be taken for the next answer.
        guard answer.firstIndex(of: UInt8(ascii: "\n")) == answer.count - 1 else {
            throw .nonsense(String(decoding: answer, as: UTF8.self))
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }

    /// Ends it by the end of its input, or by force when the time is over.
    func end(within nanoseconds: UInt64) {
        close(input)
        _ = status(within: nanoseconds)
        close(output)
        close(errors)
    }

    /// Ends it by force.
    func kill() { end(within: 0) }

    /// Waits for its end, by force when the time is over, and tells how it ended.
    private func status(within nanoseconds: UInt64) -> String {
        let limit = Clocks.wall() + nanoseconds
        var status: CInt = 0
        while true {
            let found = waitpid(id, &status, WNOHANG)
            if found == id { break }
            // It was waited for before.
            if found < 0 && errno != EINTR { return "ended" }
            if Clocks.wall() >= limit { Foundation.kill(id, SIGKILL) }
            Clocks.pause(1_000_000)
        }
        let signal = status & 0x7f
        return signal == 0 ? "status \(status >> 8 & 0xff)" : "signal \(signal)"
    }

    private func awaitOutput(until limit: UInt64) -> Bool {
        while true {
            let now = Clocks.wall()
            guard now < limit else { return false }
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            // Rounded up, so that it does not spin through the last millisecond.
            let found = poll(&descriptor, 1, CInt(min((limit - now) / 1_000_000 + 1, 60_000)))
            if found > 0 { return true }
        }
    }

    /// The beginning of an answer, and what the child has said beside it.
    private func said(with answer: [UInt8]) -> String {
        var said = [UInt8](repeating: 0, count: 65_536)
        let count = read(errors, &said, said.count)
        return String(decoding: answer + said.prefix(max(0, count)), as: UTF8.self)
    }

    /// Appends what there is; `false` at the end of the output.
    private func readMore(_ said: inout [UInt8]) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &piece, piece.count)
        if count > 0 { said += piece[..<count] }
        return count > 0 || (count < 0 && errno == EINTR)
    }

    /// A pipe that no other child inherits: it would keep this one from seeing the end of its input.
    private static func pipe() throws -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw BenchFailure("no pipe for a child") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}

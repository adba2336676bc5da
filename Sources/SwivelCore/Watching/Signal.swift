// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A signal of the system that a program may watch.
public struct Signal: RawRepresentable, Hashable, Sendable {
    /// The system's number.
    public let rawValue: Int32

    /// A signal by the system's number, `rawValue`, such as `SIGTERM`.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// `SIGHUP`: the terminal is gone; by custom, read the configuration anew.
    public static let hangup = Signal(rawValue: SIGHUP)
    /// `SIGINT`: Control-C.
    public static let interrupt = Signal(rawValue: SIGINT)
    /// `SIGQUIT`: Control-backslash.
    public static let quit = Signal(rawValue: SIGQUIT)
    /// `SIGTERM`: please end.
    public static let terminate = Signal(rawValue: SIGTERM)
    /// `SIGUSR1`.
    public static let user1 = Signal(rawValue: SIGUSR1)
    /// `SIGUSR2`.
    public static let user2 = Signal(rawValue: SIGUSR2)
    /// `SIGCHLD`: a child process has stopped or ended.
    public static let child = Signal(rawValue: SIGCHLD)
    /// `SIGWINCH`: the terminal has another size.
    public static let windowChange = Signal(rawValue: SIGWINCH)
    /// `SIGPIPE`: a write to a pipe or a socket whose reading end is closed.
    public static let brokenPipe = Signal(rawValue: SIGPIPE)
    /// `SIGCONT`: the process continues after a stop.
    public static let goOn = Signal(rawValue: SIGCONT)
    /// `SIGTSTP`: Control-Z.
    public static let terminalStop = Signal(rawValue: SIGTSTP)

    /// Whether it is for the thread that caused it, which cannot continue.
    var isForItsThread: Bool {
        [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS].contains(rawValue)
    }

    /// Why it cannot be watched: with the system's words for the core's status, if that failed.
    func error(_ status: Int32) -> SwivelError {
        if isForItsThread {
            return SwivelError(
                .invalidConfiguration,
                "\(self) cannot be watched: it is for the thread that caused it and cannot continue"
            )
        }
        let system = SwivelError(status: status)
        let words = system.errno == 0 ? system.message : String(cString: strerror(system.errno))
        return SwivelError(system.code, "\(self) cannot be watched: \(words)", errno: system.errno)
    }
}

extension Signal: CustomStringConvertible {
    /// The system's name of the signal, or its number.
    public var description: String {
        switch self {
        case .hangup: "SIGHUP"
        case .interrupt: "SIGINT"
        case .quit: "SIGQUIT"
        case .terminate: "SIGTERM"
        case .user1: "SIGUSR1"
        case .user2: "SIGUSR2"
        case .child: "SIGCHLD"
        case .windowChange: "SIGWINCH"
        case .brokenPipe: "SIGPIPE"
        case .goOn: "SIGCONT"
        case .terminalStop: "SIGTSTP"
        default: "signal \(rawValue)"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The parts of the C library that errors and reports need.
enum System {
    /// The error numbers that have a ``SwivelError/Code`` of their own.
    static let tooManyFiles = EMFILE
    static let tooManyFilesInSystem = ENFILE
    static let outOfMemory = ENOMEM
    static let tryAgain = EAGAIN
    static let badDescriptor = EBADF
    static let notPermitted = EPERM
    static let exists = EEXIST
    static let busy = EBUSY

    #if DEBUG
    /// Writes `text` to the standard error output, in one piece.
    static func say(_ text: String) {
        let text = Array(text.utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    #endif
}

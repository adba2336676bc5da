// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The system's error numbers that have a ``SwivelError/Code`` of their own.
enum SystemErrno {
    static let tooManyFiles = EMFILE
    static let tooManyFilesInSystem = ENFILE
    static let outOfMemory = ENOMEM
    static let tryAgain = EAGAIN
}

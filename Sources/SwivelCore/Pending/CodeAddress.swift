// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The place of a function in the program's files.
enum CodeAddress {
    /// Such as `server+0x1a2b`: the file that the function was loaded from, and its offset there, as
    /// `addr2line` and `atos` take it. `nil`: the word is not a closure's.
    static func place(ofClosure word: UInt64) -> String? {
        var offset: UInt64 = 0
        guard word != 0, swivel__is_closure(word), let path = swivel__image_of(word, &offset)
        else { return nil }
        let file = String(cString: path).split(separator: "/").last ?? ""
        return "\(file)+0x\(String(offset, radix: 16))"
    }
}

public protocol EC: Sendable {}
func newBytes<V>(of v: V) -> [UInt8] { withUnsafeBytes(of: v) { Array($0) } }
func oldBytes<C>(of c: C) -> [UInt8] {
  let b = UnsafeMutableRawBufferPointer.allocate(byteCount: MemoryLayout<C>.size, alignment: MemoryLayout<C>.alignment)
  b.initializeMemory(as: UInt8.self, repeating: 0)
  b.baseAddress!.initializeMemory(as: C.self, to: c)
  return Array(b)
}
extension EC {
 public func once() -> ([UInt8],[UInt8]) { (newBytes(of: self), oldBytes(of: self)) }
}

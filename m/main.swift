import lib
final class Obj: @unchecked Sendable {}
struct Ctx: EC { let urgent: Bool; let queue: Obj }
struct Lvl: EC { let queue: Obj; let level: UInt8?; let n: Int }
enum En: EC { case plain(UInt8), q(Obj) }
struct Pod: EC { let a: UInt8; let b: UInt64 }
@inline(never) func dirty(_ n: UInt64) -> UInt64 { withUnsafeTemporaryAllocation(byteCount: 900, alignment: 8) { p in for i in 0..<900 { p[i] = UInt8(truncatingIfNeeded: n &+ UInt64(i)) }; return UInt64(p[Int(n & 511)]) } }
let q = Obj()
@inline(never) func a(_ u: Bool) -> ([UInt8],[UInt8]) { let c = Ctx(urgent: u, queue: q); return c.once() }
@inline(never) func b(_ u: Bool) -> ([UInt8],[UInt8]) { let c = Lvl(queue: q, level: u ? 3 : nil, n: 7); return c.once() }
@inline(never) func c(_ u: Bool) -> ([UInt8],[UInt8]) { let c = En.plain(u ? 3 : 4); return c.once() }
@inline(never) func d(_ u: Bool) -> ([UInt8],[UInt8]) { let c = Pod(a: u ? 3 : 4, b: 9); return c.once() }
@inline(never) func e(_ u: Bool) -> ([UInt8],[UInt8]) { let c: any EC = Ctx(urgent: u, queue: q); return c.once() }
let t = CommandLine.arguments.count > 0
for (n, f) in [("struct{Bool,class}", a), ("struct{class,UInt8?,Int}", b), ("enum", c), ("pod", d), ("any", e)] {
  _ = dirty(5); let x = f(t); _ = dirty(99); let y = f(t); 
  print(n, "new:", x.0 == y.0 ? "same" : "DIFFER", "old:", x.1 == y.1 ? "same" : "DIFFER")
}

// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport

/// A slab by itself. Gives its address space back when it goes.
final class SlabFixture: @unchecked Sendable {  // because the slab decides which thread calls what
    static let chunkNodes = 4096
    static let batch = 32
    static let generationMax: UInt32 = 0x7FFF_FFFF

    private let fixture: OpaquePointer

    init() { fixture = swivel_slab_fixture_make() }

    deinit { swivel_slab_fixture_free(fixture) }

    /// A node, or nil.
    func alloc() -> UInt32? {
        let index = swivel_slab_fixture_alloc(fixture)
        return index == 0 ? nil : index
    }

    func alloc(_ count: Int) -> [UInt32] {
        (0..<count).compactMap { _ in alloc() }
    }

    func release(_ index: UInt32) { swivel_slab_fixture_release(fixture, index) }
    func release(_ indices: [UInt32]) { indices.forEach(release) }

    /// A batch for another thread; empty without memory.
    func draw() -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: Self.batch) { buffer, count in
            guard let room = buffer.baseAddress else { return }
            count = Int(swivel_slab_fixture_draw(fixture, room))
        }
    }

    func undraw(_ indices: [UInt32]) {
        swivel_slab_fixture_undraw(fixture, indices, UInt32(indices.count))
    }

    /// The loop takes timers over that lie in drawn nodes.
    func takeOver(_ count: Int) { swivel_slab_fixture_take_over(fixture, UInt32(count)) }
    /// Has steps take nodes back from other threads.
    func endBurst() { swivel_slab_fixture_end_burst(fixture) }
    /// A step; false where nothing is left to give back.
    @discardableResult func give() -> Bool { swivel_slab_fixture_give(fixture) }
    func giveAll() { while give() {} }
    func reset() { swivel_slab_fixture_reset(fixture) }
    func close() { swivel_slab_fixture_close(fixture) }
    func useUp() { swivel_slab_fixture_use_up(fixture) }

    func state(_ index: UInt32) -> UInt64 { swivel_slab_fixture_state(fixture, index) }
    func generation(_ index: UInt32) -> UInt32 { swivel_slab_fixture_generation(fixture, index) }
    func setGeneration(_ index: UInt32, _ generation: UInt32) {
        swivel_slab_fixture_set_generation(fixture, index, generation)
    }

    var live: UInt64 { swivel_slab_fixture_live(fixture) }
    func residentPages(_ chunk: Int) -> Int {
        Int(swivel_slab_fixture_resident_pages(fixture, UInt32(chunk)))
    }

    /// Pages behind what other threads want of the chunk's timers.
    func residentMoves(_ chunk: Int) -> Int {
        Int(swivel_slab_fixture_resident_moves(fixture, UInt32(chunk)))
    }

    /// Leaves a deadline for a timer, as another thread does.
    func want(_ index: UInt32, _ instant: UInt64) {
        swivel_slab_fixture_want(fixture, index, instant)
    }

    /// Makes a node that is over, and that `rearms` threads are moving.
    func setMovers(_ index: UInt32, _ rearms: UInt32) {
        swivel_slab_fixture_set_rearms(fixture, index, rearms)
    }
}

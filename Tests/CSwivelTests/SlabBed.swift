// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport

/// A slab by itself. Gives its address space back when it goes.
final class SlabBed: @unchecked Sendable {  // because the slab decides which thread calls what
    static let chunkNodes = 4096
    static let batch = 32
    static let generationMax: UInt32 = 0x7FFF_FFFF

    private let bed: OpaquePointer

    init() {
        bed = swivel_slab_bed_make()
    }

    deinit {
        swivel_slab_bed_free(bed)
    }

    /// A node, or nil.
    func alloc() -> UInt32? {
        let index = swivel_slab_bed_alloc(bed)
        return index == 0 ? nil : index
    }

    func alloc(_ count: Int) -> [UInt32] {
        (0..<count).compactMap { _ in alloc() }
    }

    func release(_ index: UInt32) { swivel_slab_bed_release(bed, index) }
    func release(_ indices: [UInt32]) { indices.forEach(release) }

    /// A batch for another thread; empty without memory.
    func draw() -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: Self.batch) { buffer, count in
            guard let room = buffer.baseAddress else { return }
            count = Int(swivel_slab_bed_draw(bed, room))
        }
    }

    func undraw(_ indices: [UInt32]) {
        swivel_slab_bed_undraw(bed, indices, UInt32(indices.count))
    }

    /// The loop takes timers over that lie in drawn nodes.
    func takeOver(_ count: Int) { swivel_slab_bed_take_over(bed, UInt32(count)) }
    /// Has steps take nodes back from other threads.
    func endBurst() { swivel_slab_bed_end_burst(bed) }
    /// A step; false where nothing is left to give back.
    @discardableResult func give() -> Bool { swivel_slab_bed_give(bed) }
    func giveAll() { while give() {} }
    func reset() { swivel_slab_bed_reset(bed) }
    func close() { swivel_slab_bed_close(bed) }
    func useUp() { swivel_slab_bed_use_up(bed) }

    func state(_ index: UInt32) -> UInt64 { swivel_slab_bed_state(bed, index) }
    func nodeAhead(of index: UInt32) -> UInt32 { swivel_slab_bed_ahead(bed, index) }
    func generation(_ index: UInt32) -> UInt32 { swivel_slab_bed_generation(bed, index) }
    func setGeneration(_ index: UInt32, _ generation: UInt32) {
        swivel_slab_bed_set_generation(bed, index, generation)
    }

    var live: UInt64 { swivel_slab_bed_live(bed) }
    func residentPages(_ chunk: Int) -> Int {
        Int(swivel_slab_bed_resident_pages(bed, UInt32(chunk)))
    }

    /// Pages behind what other threads want of the chunk's timers.
    func residentMoves(_ chunk: Int) -> Int {
        Int(swivel_slab_bed_resident_moves(bed, UInt32(chunk)))
    }

    /// Leaves a deadline for a timer, as another thread does.
    func want(_ index: UInt32, _ instant: UInt64) { swivel_slab_bed_want(bed, index, instant) }

    /// Makes a node that is over, and that `rearms` threads are moving.
    func setMovers(_ index: UInt32, _ rearms: UInt32) {
        swivel_slab_bed_set_rearms(bed, index, rearms)
    }
}

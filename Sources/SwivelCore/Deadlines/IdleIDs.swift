// SPDX-License-Identifier: Apache-2.0

/// The IDs of a chunk of an ``IdleTracker``: each by its slot's number, or, in a free slot, the index
/// of the next free one. **Thread:** under the table's lock.
struct IdleIDs<ID> {
    private let memory: UnsafeMutableRawPointer

    private static var stride: Int {
        max(MemoryLayout<ID>.stride, MemoryLayout<UInt32>.stride)
    }

    init() {
        let alignment = max(MemoryLayout<ID>.alignment, MemoryLayout<UInt32>.alignment)
        memory = .allocate(byteCount: IdleChunk.count * Self.stride, alignment: alignment)
    }

    func put(_ id: ID, at number: Int) {
        (memory + number * Self.stride).initializeMemory(as: ID.self, to: id)
    }

    func take(at number: Int) -> ID {
        (memory + number * Self.stride).assumingMemoryBound(to: ID.self).move()
    }

    func link(at number: Int) -> UInt32 {
        memory.loadUnaligned(fromByteOffset: number * Self.stride, as: UInt32.self)
    }

    func setLink(_ index: UInt32, at number: Int) {
        memory.storeBytes(of: index, toByteOffset: number * Self.stride, as: UInt32.self)
    }

    func free() { memory.deallocate() }
}

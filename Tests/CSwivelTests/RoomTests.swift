// SPDX-License-Identifier: Apache-2.0
import CSwivel
import Testing

/// How a loop reports room for posts to its owner.
@Suite struct RoomTests {
    private final class Owner {
        var calls = 0
    }

    /// A post that is refused counted for a moment, in which a thread that waits for room may
    /// have seen none: its end reports room.
    @Test func aRefusedPostTellsOfRoom() {
        let owner = Owner()
        var config = swivel_config()
        config.drive = SWIVEL_MANUAL
        config.max_pending_posts = 2
        config.owner = Unmanaged.passUnretained(owner).toOpaque()
        config.has_room = { owner in
            guard let owner else { return }
            Unmanaged<Owner>.fromOpaque(owner).takeUnretainedValue().calls += 1
        }
        var made: OpaquePointer?
        #expect(swivel_loop_create(&config, &made) == SWIVEL_OK)
        guard let loop = made else { return }
        let nothing = swivel_call({ _ in }, nil)
        for _ in 0..<2 { #expect(swivel_try_post(loop, nothing) == SWIVEL_OK) }
        swivel__await_room(loop, 2)
        #expect(swivel_try_post(loop, nothing) == Int32(SWIVEL_EFULL))
        #expect(owner.calls == 0, "there is no room")
        swivel__await_room(loop, 3)
        #expect(swivel_try_post(loop, nothing) == Int32(SWIVEL_EFULL))
        #expect(owner.calls == 1)
        swivel__await_room(loop, 0)
        swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, nil)
        swivel_loop_release(loop)
    }
}

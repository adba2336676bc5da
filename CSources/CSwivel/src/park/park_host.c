// SPDX-License-Identifier: Apache-2.0
// How a loop hosts the guest: the descriptor in its poller, and waits for both.
#include "../../include/internal/park/park.h"
#include "../../include/internal/turn/guest.h"

void swivel__guest_enter(swivel_loop *loop)
{
    if (!loop->config.hosts_guest) {
        return;
    }
    const swivel_guest *guest = swivel__guest_is_here() ? swivel__guest_installed() : NULL;
    // Only the guest's thread may watch: another one would see work that it cannot do.
    int descriptor = guest == NULL ? -1 : guest->descriptor();
    if (!swivel__park_watch(loop->park, descriptor, &loop->guest_is_ready)) {
        guest = NULL;
    }
    loop->guest = guest;
    if (guest != NULL) {
        SWIVEL_STORE(&loop->guest_is_ready, true, relaxed);
        swivel__guest_host_begins(loop);
    }
}

void swivel__guest_leave(swivel_loop *loop)
{
    if (loop->guest != NULL) {
        swivel__guest_host_ends();
        SWIVEL_STORE(&loop->guest_is_ready, false, relaxed);
        loop->guest = NULL;
    }
}

bool swivel__guest_host_wait(swivel_loop *loop, swivel_mono until)
{
    swivel__guest_resume(loop);
    bool waited = loop->guest->host_wait(swivel__park_fd(loop->park), until);
    swivel__guest_leave_work(loop);
    return waited;
}

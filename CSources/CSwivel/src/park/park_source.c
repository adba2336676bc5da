// SPDX-License-Identifier: Apache-2.0
// How a loop owns the foreign event source: the descriptor in its poller, and waits for both.
#include "../../include/internal/park/park.h"
#include "../../include/internal/turn/source.h"

void swivel__source_enter(swivel_loop *loop)
{
    if (!loop->config.owns_source) {
        return;
    }
    const swivel_source *source = swivel__source_here();
    // Only the source's thread may watch: another one would see work that it cannot do.
    int descriptor = source == NULL ? -1 : source->descriptor();
    if (!swivel__park_watch(loop->park, descriptor, &loop->source_is_ready)) {
        source = NULL;
    }
    loop->source = source;
    if (source != NULL) {
        SWIVEL_STORE(&loop->source_is_ready, true, relaxed);
        swivel__source_own(loop);
    }
}

void swivel__source_leave(swivel_loop *loop)
{
    if (loop->source != NULL) {
        swivel__source_disown();
        SWIVEL_STORE(&loop->source_is_ready, false, relaxed);
        loop->source = NULL;
    }
}

bool swivel__source_owner_wait(swivel_loop *loop, swivel_mono until)
{
    swivel__source_resume(loop);
    bool waited = loop->source->owner_wait(swivel__park_fd(loop->park), until);
    swivel__source_suspend(loop);
    return waited;
}

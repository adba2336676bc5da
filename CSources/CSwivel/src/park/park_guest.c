// SPDX-License-Identifier: Apache-2.0
// The guest's descriptor in the poller: that it is readable is recorded, and the turn serves the
// guest after uv_run has returned.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"

#include <stdlib.h>

struct swivel_poll {
    uv_poll_t poll;
    int descriptor;
    SWIVEL_ATOMIC(bool) *ready;
};

static void on_readable(uv_poll_t *handle, int status, int events)
{
    struct swivel_poll *watch = handle->data;
    (void)status;
    (void)events;
    // Passes on the flag that notifications have set: see `swivel__guest_notify`.
    SWIVEL_EXCHANGE(watch->ready, true, relaxed);
}

static void on_close(uv_handle_t *handle)
{
    free(handle->data);
}

static bool start(uv_loop_t *uv, struct swivel_poll *watch)
{
    if (uv_poll_start(&watch->poll, UV_READABLE, on_readable) == 0 &&
        swivel__uv_reserve(uv, watch->descriptor) == SWIVEL_OK) {
        return true;
    }
    uv_close((uv_handle_t *)&watch->poll, on_close);
    return false;
}

bool swivel__uv_watch(uv_loop_t *uv, struct swivel_poll **slot, int descriptor,
                      SWIVEL_ATOMIC(bool) *ready)
{
    struct swivel_poll *watch = *slot;
    if ((watch == NULL ? -1 : watch->descriptor) == descriptor) {
        return true;
    }
    if (watch != NULL) {
        uv_close((uv_handle_t *)&watch->poll, on_close);
        *slot = NULL;
    }
    if (descriptor < 0) {
        return true;
    }
    watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return false;
    }
    *watch = (struct swivel_poll){.descriptor = descriptor, .ready = ready};
    watch->poll.data = watch;
    if (uv_poll_init(uv, &watch->poll, descriptor) < 0) {
        free(watch);
        return false;
    }
    if (!start(uv, watch)) {
        return false;
    }
    *slot = watch;
    return true;
}

bool swivel__park_watch(struct swivel_park *park, int descriptor, SWIVEL_ATOMIC(bool) *ready)
{
    return swivel__uv_watch(&park->uv, &park->guest, descriptor, ready);
}

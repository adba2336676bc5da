// SPDX-License-Identifier: Apache-2.0
// Creating and destroying a park, on every system.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"

#include <errno.h>
#include <stdlib.h>

bool swivel__park_watch(struct swivel_park *park, int descriptor, SWIVEL_ATOMIC(bool) *ready)
{
    return swivel__uv_watch(&park->uv, &park->guest, descriptor, ready);
}

void swivel__park_destroy(struct swivel_park *park)
{
    swivel__park_watch(park, -1, NULL);
    if (park->wake.data != NULL) {
        uv_close((uv_handle_t *)&park->wake, NULL);
    }
    if (park->time.data != NULL) {
        uv_close((uv_handle_t *)&park->time, NULL);
    }
    swivel__uv_close(&park->uv);
    swivel__park_close(park);
    free(park);
}

int swivel__park_create(const char *name, bool is_alone, struct swivel_park **out)
{
    struct swivel_park *park = calloc(1, sizeof *park);
    if (park == NULL) {
        return -ENOMEM;
    }
    park->name = name;
    int status = swivel__uv_open(&park->uv);
    if (status < 0) {
        free(park);
        return status;
    }
    status = swivel__park_open(park, is_alone);
    if (status < 0) {
        swivel__park_destroy(park);
        return status;
    }
    uv_run(&park->uv, UV_RUN_NOWAIT); // `swivel__park_fd` works before the first wait.
    *out = park;
    return SWIVEL_OK;
}

uint64_t swivel__park_heard(struct swivel_park *park)
{
    uint64_t heard = park->heard;
    park->heard = 0;
    return heard;
}

int swivel__park_fd(struct swivel_park *park)
{
    return uv_backend_fd(&park->uv);
}

uv_loop_t *swivel__park_uv(struct swivel_park *park)
{
    return &park->uv;
}

void swivel__park_reveal(struct swivel_park *park, bool is_watched)
{
    SWIVEL_STORE(&park->is_alone, park->may_be_alone && !is_watched, relaxed);
}

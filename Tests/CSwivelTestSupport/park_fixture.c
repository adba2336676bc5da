// SPDX-License-Identifier: Apache-2.0
#include "include/park_fixture.h"
#include "internal/loop.h"
#include "internal/park/park.h"

#include <stdlib.h>
#include <unistd.h>

uint64_t swivel_park_fixture_waits(uint32_t count, int64_t offset_ns)
{
    struct swivel_park *park;
    swivel_count wakes = 0;
    uint64_t early = 0;
    if (swivel__park_create("fixture", &wakes, false, &park) != SWIVEL_OK) {
        abort();
    }
    alarm(20);
    for (uint32_t wait = 0; wait < count; wait++) {
        uint64_t instant_ns = swivel_now_ns() + (uint64_t)offset_ns;
        swivel__park_poll(park, true, (swivel_mono){instant_ns});
        early += swivel_now_ns() < instant_ns;
    }
    alarm(0);
    swivel__park_destroy(park);
    return early;
}

uint64_t swivel_park_fixture_spin(const swivel_loop *loop)
{
    return (uint64_t)loop->spin.window_ns << 32 | loop->spin.skips;
}

// SPDX-License-Identifier: Apache-2.0
#include "bed.h"

#include <stdlib.h>

const char *raw_uv_version(void)
{
    return uv_version_string();
}

void raw_uv_count_fire(uv_timer_t *timer)
{
    *(uint64_t *)timer->data += 1;
}

int raw_uv_bed_open(struct raw_uv_field field, struct raw_uv_bed **out)
{
    struct raw_uv_bed *bed = calloc(1, sizeof *bed);
    if (bed == NULL) {
        return UV_ENOMEM;
    }
    bed->timers = malloc(((size_t)field.outstanding + 1) * sizeof *bed->timers);
    int status = bed->timers == NULL ? UV_ENOMEM : uv_loop_init(&bed->loop);
    if (status != 0) {
        free(bed->timers);
        free(bed);
        return status;
    }
    for (uint32_t i = 0; i < field.outstanding; i += 1) {
        (void)uv_timer_init(&bed->loop, &bed->timers[i]);
        bed->timers[i].data = &bed->fired;
        (void)uv_timer_start(&bed->timers[i], raw_uv_count_fire,
                             field.delays_ms[i & field.delay_mask], 0);
    }
    bed->count = field.outstanding;
    *out = bed;
    return 0;
}

void raw_uv_bed_stop_all(struct raw_uv_bed *bed)
{
    for (uint32_t i = 0; i < bed->count; i += 1) {
        (void)uv_timer_stop(&bed->timers[i]);
    }
}

uint32_t raw_uv_bed_active(const struct raw_uv_bed *bed)
{
    uint32_t active = 0;
    for (uint32_t i = 0; i < bed->count; i += 1) {
        active += uv_is_active((const uv_handle_t *)&bed->timers[i]) ? 1 : 0;
    }
    return active;
}

int raw_uv_bed_close(struct raw_uv_bed *bed)
{
    if (bed == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < bed->count; i += 1) {
        uv_close((uv_handle_t *)&bed->timers[i], NULL);
    }
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    int status = uv_loop_close(&bed->loop);
    free(bed->timers);
    free(bed);
    return status;
}

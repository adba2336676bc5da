// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/park/pace.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

swivel_mono swivel__pace_put_off(const swivel_pace *pace, swivel_mono now, swivel_mono until)
{
    if (!swivel__pace_is_rush(pace)) {
        return until;
    }
    uint64_t sleep_ns = least(pace->wake_late_ns * SWIVEL_RUSH_SLEEP, SWIVEL_RUSH_SLEEP_MAX_NS);
    swivel_mono earliest = swivel__mono_after(now, sleep_ns);
    return swivel__mono_is_before(until, earliest) ? earliest : until;
}

swivel_mono swivel__pace_ask(const swivel_pace *pace, swivel_mono parked, swivel_mono until)
{
    bool is_near = swivel__mono_since(parked, until) < 2 * pace->wake_lead_ns;
    bool leads = until.ns != SWIVEL_NEVER_NS && !swivel__pace_is_rush(pace) && !is_near;
    until.ns -= leads ? pace->wake_lead_ns : 0;
    return until;
}

bool swivel__pace_woke(swivel_pace *pace, swivel_mono parked, swivel_mono asked, swivel_mono until,
                       swivel_mono woke)
{
    if (swivel__mono_is_before(woke, asked)) {
        pace->rush = 0;
        return false;
    }
    uint64_t late = swivel__mono_since(asked, woke), lead = pace->wake_lead_ns;
    pace->wake_late_ns = (pace->wake_late_ns * 7 + late) / 8;
    lead = late < lead ? (lead + late) / 2 : lead + (late - lead) / 8;
    pace->wake_lead_ns = least(lead, SWIVEL_LEAD_MAX_NS);
    bool is_short = swivel__mono_since(parked, until) < pace->wake_late_ns * SWIVEL_RUSH_SHORT;
    pace->rush = !is_short ? 0 : pace->rush < SWIVEL_RUSH ? pace->rush + 1 : SWIVEL_RUSH;
    return true;
}

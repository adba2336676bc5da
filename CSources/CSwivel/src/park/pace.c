// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/park/pace.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/// Whether this park is probed, of a loop whose looks have no score.
static bool is_probed(const swivel_pace *pace, bool expects_reply, uint32_t chance)
{
    uint32_t shift = SWIVEL_PROBE_SHIFT + pace->probes_in_vain;
    // The upper bits: a linear congruential generator's lower ones repeat.
    return expects_reply && (pace->probes > 0 || chance >> (32 - shift) == 0);
}

uint64_t swivel__pace_look(swivel_pace *pace, uint64_t left_ns, uint32_t chance)
{
    bool expects_reply = pace->expects_reply;
    pace->expects_reply = false;
    uint64_t window = pace->look_score > 0                      ? SWIVEL_LOOK_NS
                      : is_probed(pace, expects_reply, chance) ? SWIVEL_PROBE_NS
                                                                : 0;
    return left_ns <= window ? 0 : window;
}

void swivel__pace_looked(swivel_pace *pace, bool found, uint64_t took_ns)
{
    if (found && took_ns <= SWIVEL_LOOK_NS) {
        pace->look_score += pace->look_score < SWIVEL_LOOK_SCORE_MAX;
        pace->probes = 0;
        pace->probes_in_vain = 0;
    } else if (found && pace->probes < SWIVEL_PROBES_IN_A_ROW) {
        pace->probes += 1;
    } else if (found) {
        pace->probes = 0;
        pace->probes_in_vain = SWIVEL_PROBES_LED_NOWHERE;
    } else if (pace->look_score > 0) {
        pace->look_score -= pace->look_score < 2 ? pace->look_score : 2;
    } else {
        pace->probes = 0;
        pace->probes_in_vain += pace->probes_in_vain < SWIVEL_PROBES_IN_VAIN;
    }
}

swivel_real swivel__pace_put_off(const swivel_pace *pace, swivel_real now, swivel_real until)
{
    if (!swivel__pace_is_rush(pace)) {
        return until;
    }
    uint64_t sleep_ns = least(pace->wake_late_ns * SWIVEL_RUSH_SLEEP, SWIVEL_RUSH_SLEEP_MAX_NS);
    swivel_real earliest = swivel__real_after(now, sleep_ns);
    return swivel__real_is_before(until, earliest) ? earliest : until;
}

swivel_real swivel__pace_ask(const swivel_pace *pace, swivel_real parked, swivel_real until)
{
    bool is_near = swivel__real_since(parked, until) < 2 * pace->wake_lead_ns;
    bool leads = until.ns != SWIVEL_NEVER_NS && !swivel__pace_is_rush(pace) && !is_near;
    until.ns -= leads ? pace->wake_lead_ns : 0;
    return until;
}

bool swivel__pace_woke(swivel_pace *pace, swivel_real parked, swivel_real asked, swivel_real until,
                       swivel_real woke)
{
    if (swivel__real_is_before(woke, asked)) {
        pace->rush = 0;
        return false;
    }
    uint64_t late = swivel__real_since(asked, woke), lead = pace->wake_lead_ns;
    pace->wake_late_ns = (pace->wake_late_ns * 7 + late) / 8;
    lead = late < lead ? (lead + late) / 2 : lead + (late - lead) / 8;
    pace->wake_lead_ns = least(lead, SWIVEL_LEAD_MAX_NS);
    bool is_short = swivel__real_since(parked, until) < pace->wake_late_ns * SWIVEL_RUSH_SHORT;
    pace->rush = !is_short ? 0 : pace->rush < SWIVEL_RUSH ? pace->rush + 1 : SWIVEL_RUSH;
    return true;
}

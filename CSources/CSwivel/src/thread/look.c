// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/look.h"

/// Whether this sleep is looked before, of a thread whose looks have no score.
static bool is_chosen(uint32_t shift, uint32_t chance)
{
    // The upper bits: a linear congruential generator's lower ones repeat.
    return shift == 0 || chance >> (32 - shift) == 0;
}

uint64_t swivel__look_length(const swivel_look *look, swivel_reply reply, uint32_t chance)
{
    uint32_t vain = look->in_vain;
    uint32_t soon = vain < SWIVEL_LOOKS_SOON_IN_VAIN ? vain : SWIVEL_LOOKS_SOON_IN_VAIN;
    if (look->score > 0 || (reply == SWIVEL_REPLY_SOON && is_chosen(soon, chance))) {
        return SWIVEL_LOOK_NS + look->extra_ns;
    }
    bool is_probed = reply != SWIVEL_REPLY_NONE && is_chosen(SWIVEL_PROBE_SHIFT + vain, chance);
    return is_probed ? SWIVEL_PROBE_NS : 0;
}

/// Makes looks long enough to find what took so long, with a quarter to spare; one that need not be
/// so long shrinks them by a sixteenth of what is extra.
static void fit(swivel_look *look, uint64_t took_ns)
{
    uint64_t needed_ns = took_ns + took_ns / 4;
    needed_ns = needed_ns < SWIVEL_LOOK_MAX_NS ? needed_ns : SWIVEL_LOOK_MAX_NS;
    if (needed_ns >= SWIVEL_LOOK_NS + look->extra_ns) {
        look->extra_ns = (uint32_t)needed_ns - SWIVEL_LOOK_NS;
    } else {
        look->extra_ns -= look->extra_ns / 16;
    }
}

void swivel__look_ended(swivel_look *look, bool found, uint64_t took_ns)
{
    if (found && took_ns <= SWIVEL_LOOK_MAX_NS) {
        look->score += look->score < SWIVEL_LOOK_SCORE_MAX;
        look->in_vain = 0;
        fit(look, took_ns);
    } else if (look->score > 0) {
        look->score -= look->score < 2 ? look->score : 2;
        look->extra_ns -= look->extra_ns / 8;
    } else if (found) {
        look->in_vain = look->in_vain < SWIVEL_LOOKS_LATE ? look->in_vain + 1 : SWIVEL_LOOKS_LATE;
    } else {
        look->in_vain += look->in_vain < SWIVEL_LOOKS_IN_VAIN;
    }
}

void swivel__look_slept(swivel_look *look, uint64_t took_ns)
{
    if (took_ns <= SWIVEL_LOOK_MAX_NS) {
        fit(look, took_ns);
    }
}

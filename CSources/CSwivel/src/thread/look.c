// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/look.h"

/// Whether a thread that has given up tries again now.
static bool tries_again(const swivel_look *look, uint32_t chance)
{
    // The upper bits: a linear congruential generator's lower ones repeat.
    return chance >> (32 - SWIVEL_LOOK_TRIAL_SHIFT - look->trials) == 0;
}

uint64_t swivel__look_length(swivel_look *look, swivel_reply reply, uint32_t chance)
{
    if (reply == SWIVEL_REPLY_BEHIND) {
        return 0;
    }
    if (look->vain_ns >= SWIVEL_LOOK_PATIENCE_NS) {
        if (reply == SWIVEL_REPLY_SOON && (chance & SWIVEL_LOOK_PEEK_MASK) == 0) {
            return SWIVEL_LOOK_MAX_NS;
        }
        if (reply == SWIVEL_REPLY_NONE || !tries_again(look, chance)) {
            return 0;
        }
        look->trials += look->trials < SWIVEL_LOOK_TRIALS;
        look->vain_ns = 0;
    }
    if (look->pays && reply != SWIVEL_REPLY_WOKEN) {
        return SWIVEL_LOOK_NS + look->extra_ns;
    }
    return reply != SWIVEL_REPLY_NONE ? SWIVEL_LOOK_TRIAL_NS : 0;
}

bool swivel__look_is_awaited(swivel_reply reply, bool from_here)
{
    return reply == SWIVEL_REPLY_BEHIND ? from_here : reply >= SWIVEL_REPLY_SOME;
}

bool swivel__look_is_seldom(swivel_look *look, swivel_real now)
{
    uint64_t gap_ns = swivel__real_since(look->has_woken, now);
    look->has_woken = now;
    return gap_ns >= SWIVEL_LOOK_SELDOM_NS;
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
        look->pays = true;
        look->trials = 0;
        if (look->vain_ns >= SWIVEL_LOOK_PATIENCE_NS) {
            look->vain_ns = SWIVEL_LOOK_PATIENCE_NS / 2; // A peek: worth half the patience.
        }
        look->vain_ns -=
            look->vain_ns < SWIVEL_LOOK_CREDIT_NS ? look->vain_ns : SWIVEL_LOOK_CREDIT_NS;
        look->extra_stays -= look->extra_stays > 0;
        fit(look, took_ns);
        return;
    }
    // A thread that is put off its processor meanwhile has not looked for so long.
    look->vain_ns +=
        took_ns < SWIVEL_LOOK_TRIAL_NS ? (uint32_t)took_ns : (uint32_t)SWIVEL_LOOK_TRIAL_NS;
    if (look->vain_ns > SWIVEL_LOOK_PATIENCE_NS) {
        look->vain_ns = SWIVEL_LOOK_PATIENCE_NS;
    }
    look->extra_ns -= look->extra_ns / 8;
    look->pays = look->pays && look->vain_ns < SWIVEL_LOOK_PATIENCE_NS;
}

void swivel__look_slept(swivel_look *look, uint64_t took_ns)
{
    if (took_ns <= SWIVEL_LOOK_MAX_NS) {
        fit(look, took_ns);
    }
}

bool swivel__look_parts(swivel_look *look, uint64_t now_ns)
{
    uint32_t needed = SWIVEL_LOOK_STAYS + look->extra_stays;
    if (look->stays == 0) {
        look->stays_since_ns = now_ns;
    }
    look->stays += 1;
    if (look->stays < needed) {
        return false;
    }
    bool is_often = now_ns - look->stays_since_ns <= (uint64_t)needed * SWIVEL_LOOK_MAX_NS;
    look->stays = 0;
    if (is_often && needed < SWIVEL_LOOK_STAYS_MAX) {
        look->extra_stays = 2 * needed - SWIVEL_LOOK_STAYS;
    }
    return is_often;
}

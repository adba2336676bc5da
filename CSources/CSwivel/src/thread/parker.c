// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/parker.h"
#include "../../include/internal/thread/thread.h"

/// Values of the word, below the cpu of the sleeper.
enum { SWIVEL_PARKER_AWAKE, SWIVEL_PARKER_ASLEEP, SWIVEL_PARKER_WOKEN };

bool swivel__parker_take(swivel_parker *parker)
{
    // Only this thread leaves WOKEN, so the exchange finds it too.
    bool woken = SWIVEL_LOAD(&parker->word, relaxed) & SWIVEL_PARKER_WOKEN;
    if (woken) {
        // Acquire: pairs with the wake. Not a plain store, because another wake may come in
        // between, and what was done before that one has to be seen too.
        SWIVEL_EXCHANGE(&parker->word, SWIVEL_PARKER_AWAKE, acquire);
    }
    return woken;
}

bool swivel__parker_sleep(swivel_parker *parker, swivel_mono until)
{
    uint32_t awake = SWIVEL_PARKER_AWAKE, asleep = SWIVEL_PARKER_ASLEEP | swivel__sleep_cpu();
    bool in_time = true;
    if (SWIVEL_CAS(&parker->word, &awake, asleep, acquire, acquire)) {
        while (in_time && SWIVEL_LOAD(&parker->word, relaxed) == asleep) {
            in_time = swivel__sleep_while(&parker->word, asleep, until);
        }
    }
    // Acquire: pairs with the wake, which may also come after the end of the time.
    return SWIVEL_EXCHANGE(&parker->word, SWIVEL_PARKER_AWAKE, acquire) & SWIVEL_PARKER_WOKEN;
}

void swivel__note_woken(uint32_t word)
{
    uint32_t cpu = word >> SWIVEL_SLEEP_CPU_SHIFT << SWIVEL_SLEEP_CPU_SHIFT;
    swivel__thread.is_awaited = cpu != 0 && cpu == swivel__sleep_cpu();
}

bool swivel__parker_wake(swivel_parker *parker)
{
    // Release: publishes what the sleeper is to see. After it the parker may be gone: the system
    // call only names its address, where a sleeper may wake for no reason.
    uint32_t before = SWIVEL_EXCHANGE(&parker->word, SWIVEL_PARKER_WOKEN, acq_rel);
    bool slept = before & SWIVEL_PARKER_ASLEEP;
    if (slept) {
        swivel__sleep_end(&parker->word, false);
        swivel__note_woken(before);
    }
    return slept;
}

// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/parker.h"
#include "../../include/internal/thread/aside.h"
#include "../../include/internal/thread/clock.h"
#include "../../include/internal/thread/sleep.h"
#include "../../include/internal/thread/thread.h"

#include <sched.h>
#include <unistd.h>

/// Values of the word, below the place of the sleeper or of the one who rang.
enum { SWIVEL_PARKER_AWAKE, SWIVEL_PARKER_ASLEEP, SWIVEL_PARKER_RUNG };

/// Pauses between two looks at the clock.
#define SWIVEL_LOOK_STRIDE 8
/// They take a third of a microsecond. A thread that takes longer was put off its processor.
#define SWIVEL_LOOK_GAP_NS 2000

#if defined(SWIVEL_COUNTER)
/// The same in ticks of a counter that is faster to read than the clock: at 5 GHz, the most there is.
#define SWIVEL_LOOK_GAP (5 * SWIVEL_LOOK_GAP_NS)
#define SWIVEL_LOOK_COUNT() SWIVEL_COUNTER()
#else
#define SWIVEL_LOOK_GAP SWIVEL_LOOK_GAP_NS
#define SWIVEL_LOOK_COUNT() swivel__real_now().ns
#endif

/// The processors of the process when the library was loaded; 0: not known.
static long processors;

__attribute__((constructor)) static void count_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    // Of the first thread, which has the number of the process: any thread may load a library.
    processors = sched_getaffinity(getpid(), sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
#else
    processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

/// Whether another thread could run while this one looks. The calling thread may be pinned: the
/// thread that replies still has the other processors.
static bool has_company(void)
{
    return processors != 1;
}

uint64_t swivel__look_before(swivel_look *look, swivel_reply reply)
{
    if (swivel__thread.chance == 0) {
        swivel__thread.chance = (uintptr_t)&swivel__thread; // Another sequence than other threads.
    }
    uint32_t chance = swivel__look_chance(&swivel__thread.chance);
    uint32_t left = swivel__place_left();
    if (SWIVEL_UNLIKELY(left != 0) && swivel__look_is_awaited(reply, left == swivel__sleep_place())) {
        return SWIVEL_LOOK_ASIDE_NS;
    }
    if (reply == SWIVEL_REPLY_WOKEN && swivel__look_is_seldom(look, swivel__real_now())) {
        return 0;
    }
    uint64_t length_ns = swivel__look_length(look, reply, chance);
    return length_ns == 0 || look->pays || has_company() ? length_ns : 0;
}

bool swivel__look_for(swivel_look *look, uint64_t length_ns, bool (*found)(void *), void *argument)
{
    swivel_real began = swivel__real_now(), now = began;
    bool is_found = false, is_put_off = false;
    while (!is_found && swivel__real_since(began, now) < length_ns) {
        uint64_t count = SWIVEL_LOOK_COUNT();
        for (int i = 0; i < SWIVEL_LOOK_STRIDE && !is_found; i++) {
            SWIVEL_PAUSE();
            is_found = found(argument);
        }
        is_put_off |= SWIVEL_LOOK_COUNT() - count > SWIVEL_LOOK_GAP;
        // A find is not kept waiting for the time, unless that has passed meanwhile.
        now = is_found && !is_put_off ? now : swivel__real_now();
    }
    // A find that came while another thread had this processor owes nothing to the look.
    swivel__look_ended(look, is_found && !is_put_off, swivel__real_since(began, now));
    look->looked = now;
    return is_found;
}

bool swivel__thread_look(bool (*found)(void *), void *argument)
{
    swivel_reply reply = swivel__take_expected();
    if (reply == SWIVEL_REPLY_BEHIND) {
        sched_yield(); // A switch to the partner and back, instead of two sleeps and two wakes.
        return found(argument);
    }
    swivel_look *look = &swivel__thread.look;
    uint64_t length_ns =
        swivel__look_before(look, reply < SWIVEL_REPLY_SOME ? SWIVEL_REPLY_SOME : reply);
    return length_ns != 0 && swivel__look_for(look, length_ns, found, argument);
}

bool swivel__parker_take(swivel_parker *parker)
{
    // Only this thread leaves RUNG, so the exchange finds it too.
    bool rung = SWIVEL_LOAD(&parker->word, relaxed) & SWIVEL_PARKER_RUNG;
    if (rung) {
        // Acquire: pairs with the wake. Not a plain store, because another wake may come in between,
        // and what was done before that one has to be seen too.
        SWIVEL_EXCHANGE(&parker->word, SWIVEL_PARKER_AWAKE, acquire);
    }
    return rung;
}

/// The value with the place where the calling thread is.
static uint32_t here(uint32_t value)
{
    return value | swivel__sleep_place() << SWIVEL_SLEEP_PLACE_SHIFT;
}

/// Whether the word's place is known, and is the calling thread's.
static bool is_here(uint32_t word)
{
    uint32_t place = word >> SWIVEL_SLEEP_PLACE_SHIFT;
    return place != 0 && place == swivel__sleep_place();
}

bool swivel__parker_sleep(swivel_parker *parker, swivel_real until)
{
    uint32_t awake = SWIVEL_PARKER_AWAKE, asleep = here(SWIVEL_PARKER_ASLEEP);
    bool in_time = true;
    if (SWIVEL_CAS(&parker->word, &awake, asleep, acquire, acquire)) {
        while (in_time && SWIVEL_LOAD(&parker->word, relaxed) == asleep) {
            in_time = swivel__sleep_while(&parker->word, asleep, until);
        }
    }
    // Acquire: pairs with the wake, which may also come after the end of the time.
    uint32_t word = SWIVEL_EXCHANGE(&parker->word, SWIVEL_PARKER_AWAKE, acquire);
    bool rung = word & SWIVEL_PARKER_RUNG;
    if (rung && is_here(word)) {
        swivel__expect(SWIVEL_REPLY_BEHIND); // Whoever rang goes on once this thread sleeps.
    }
    return rung;
}

void swivel__expect_woken(uint32_t word)
{
    swivel__expect(is_here(word) ? SWIVEL_REPLY_BEHIND : SWIVEL_REPLY_WOKEN);
}

bool swivel__parker_wake(swivel_parker *parker)
{
    // Release: publishes what the sleeper is to see. After it the parker may be gone: the system
    // call only names its address, where a sleeper may wake for no reason.
    uint32_t before = SWIVEL_EXCHANGE(&parker->word, here(SWIVEL_PARKER_RUNG), acq_rel);
    bool slept = before & SWIVEL_PARKER_ASLEEP;
    if (slept) {
        swivel__sleep_end(&parker->word, false);
        swivel__expect_woken(before);
    }
    return slept;
}

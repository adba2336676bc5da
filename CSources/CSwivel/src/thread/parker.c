// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/parker.h"
#include "../../include/internal/thread/thread.h"

#include <sched.h>
#include <unistd.h>

/// Values of the word, below the cpu of the sleeper.
enum { SWIVEL_PARKER_AWAKE, SWIVEL_PARKER_ASLEEP, SWIVEL_PARKER_WOKEN };

bool swivel__parker_take(swivel_parker *parker)
{
    // Only this thread leaves WOKEN, so the exchange finds it too.
    bool woken = SWIVEL_LOAD(&parker->word, relaxed) & SWIVEL_PARKER_WOKEN;
    if (woken) {
        // Acquire: pairs with the wake. Another may come in between, and has to be seen: no store.
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
    // call only names its address.
    uint32_t before = SWIVEL_EXCHANGE(&parker->word, SWIVEL_PARKER_WOKEN, acq_rel);
    bool slept = before & SWIVEL_PARKER_ASLEEP;
    if (slept) {
        swivel__sleep_end(&parker->word, false);
        swivel__note_woken(before);
    }
    return slept;
}

uint32_t swivel__spin_window(swivel_spin *spin, uint64_t left_ns)
{
    if (spin->window_ns > 0 || left_ns <= SWIVEL_SPIN_MAX_NS) {
        return spin->window_ns < left_ns ? spin->window_ns : 0;
    }
    if (spin->skips > 0) {
        spin->skips -= 1;
        return 0;
    }
    uint32_t period = 2 * spin->period;
    period = period > SWIVEL_SPIN_PERIOD_MIN ? period : SWIVEL_SPIN_PERIOD_MIN;
    spin->period = period < SWIVEL_SPIN_PERIOD_MAX ? period : SWIVEL_SPIN_PERIOD_MAX;
    spin->skips = spin->period;
    return SWIVEL_SPIN_MAX_NS;
}

void swivel__spin_ended(swivel_spin *spin, bool found, uint64_t took_ns)
{
    if (found && took_ns <= SWIVEL_SPIN_MAX_NS) {
        uint32_t wanted_ns = 2 * (uint32_t)took_ns + SWIVEL_SPIN_SPARE_NS;
        wanted_ns = wanted_ns < SWIVEL_SPIN_MAX_NS ? wanted_ns : SWIVEL_SPIN_MAX_NS;
        spin->window_ns = wanted_ns > spin->window_ns ? wanted_ns : spin->window_ns;
        spin->period = 0;
    } else {
        spin->window_ns /= 2;
        spin->window_ns = spin->window_ns < SWIVEL_SPIN_MIN_NS ? 0 : spin->window_ns;
    }
}

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

uint32_t swivel__spin_before_sleep(swivel_spin *spin, uint64_t left_ns)
{
    return processors == 1 || swivel__thread.is_awaited ? 0 : swivel__spin_window(spin, left_ns);
}

bool swivel__spin_for(swivel_spin *spin, uint32_t window_ns, bool (*found)(void *), void *argument,
                      swivel_mono *ended)
{
    swivel_mono began = swivel__mono_now(), now = began;
    bool is_found = false;
    while (!is_found && swivel__mono_since(began, now) < window_ns) {
        for (int i = 0; i < SWIVEL_SPIN_STRIDE && !is_found; i++) {
            SWIVEL_PAUSE();
            is_found = found(argument);
        }
        now = swivel__mono_now();
    }
    swivel__spin_ended(spin, is_found, swivel__mono_since(began, now));
    *ended = now;
    return is_found;
}

bool swivel__thread_spin(bool (*found)(void *), void *argument)
{
    if (swivel__take_awaited()) {
        sched_yield(); // A switch to the partner and back, instead of two sleeps and two wakes.
        return found(argument);
    }
    swivel_spin *spin = &swivel__thread.spin;
    uint32_t window_ns = swivel__spin_before_sleep(spin, SWIVEL_NEVER_NS);
    swivel_mono ended;
    return window_ns > 0 && swivel__spin_for(spin, window_ns, found, argument, &ended);
}

// SPDX-License-Identifier: Apache-2.0
// Settings of the process: before `main`, for a run, and if it ends there.
#if defined(__linux__)
#include "../include/swivel_simulation.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

extern struct {
    uint64_t seeds[2];
    bool deterministic;
} _swift_stdlib_Hashing_parameters;

void swivel_sim_hash_seeds(uint64_t seeds[2])
{
    memcpy(seeds, _swift_stdlib_Hashing_parameters.seeds, 2 * sizeof *seeds);
}

bool swivel_sim_set_hashes_alike(bool are_alike)
{
    bool before = _swift_stdlib_Hashing_parameters.deterministic;
    _swift_stdlib_Hashing_parameters.deterministic = are_alike;
    return before;
}

void swivel_sim_thread_name(char name[16])
{
    prctl(PR_GET_NAME, name);
}

/// Installs the router of the main actor's jobs: SwivelSimulation's.
extern void swivel_simulation_at_start(void);

__attribute__((constructor)) static void at_start(void)
{
    const char *hash = getenv("SWIVEL_HASH"); // Of the run that is repeated: two numbers.
    if (hash != NULL) {
        char *rest;
        _swift_stdlib_Hashing_parameters.seeds[0] = strtoull(hash, &rest, 16);
        if (*rest == ',') {
            _swift_stdlib_Hashing_parameters.seeds[1] = strtoull(rest + 1, NULL, 16);
        }
    }
    const char *setting = getenv("SWIVEL_SIMULATION");
    if (setting == NULL || strcmp(setting, "off") != 0) {
        swivel_simulation_at_start();
    }
}

// Last words.

static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
#define DEADLY_COUNT (sizeof deadly / sizeof *deadly)

static struct sigaction former[DEADLY_COUNT];
static char words[1024];
static volatile sig_atomic_t words_length;

static void die(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (swivel_sim_here()->world != NULL && words_length > 0) {
        // Nothing can be done about an error.
        if (write(STDERR_FILENO, words, (size_t)words_length) < 0) {
        }
        words_length = 0;
    }
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        if (deadly[i] == number) {
            sigaction(number, &former[i], NULL);
        }
    }
    // A fault repeats itself, with its own context, when this returns; a breakpoint does not.
    if (info->si_code <= 0 || number == SIGTRAP) {
        raise(number);
    }
}

void swivel_sim_last_words(const char *text)
{
    static bool is_installed; // One thread at a time runs a world.
    if (text == NULL) {
        words_length = 0;
        return;
    }
    size_t length = strnlen(text, sizeof words);
    words_length = 0;
    memcpy(words, text, length);
    words_length = (sig_atomic_t)length;
    if (!is_installed) {
        is_installed = true;
        for (size_t i = 0; i < DEADLY_COUNT; i++) {
            struct sigaction action = {.sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK};
            sigaction(deadly[i], &action, &former[i]);
        }
    }
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Settings of the process: before `main`, for a run, and if it ends there.
#if defined(__linux__)
#include "../include/swivel_simulation.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

extern swivel_sim_hashing _swift_stdlib_Hashing_parameters;

swivel_sim_hashing *swivel_sim_hashes(void)
{
    return &_swift_stdlib_Hashing_parameters;
}

const char *swivel_sim_thread_name(void)
{
    static _Thread_local char name[16];
    prctl(PR_GET_NAME, name);
    return name;
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

static struct sigaction former[_NSIG];

static void die(int number, siginfo_t *info, void *context)
{
    (void)context;
    const char *words = swivel_sim_here()->last_words;
    swivel_sim_here()->last_words = NULL;
    // Nothing can be done about an error.
    if (words != NULL && write(STDERR_FILENO, words, strlen(words)) < 0) {
    }
    sigaction(number, &former[number], NULL);
    // A fault repeats itself, with its own context, when this returns; a breakpoint does not.
    if (info->si_code <= 0 || number == SIGTRAP) {
        raise(number);
    }
}

void swivel_sim_catch_signals(void)
{
    static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction action = {.sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(deadly[i], &action, &former[deadly[i]]);
    }
}

#endif

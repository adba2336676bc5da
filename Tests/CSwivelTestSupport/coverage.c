// SPDX-License-Identifier: Apache-2.0
// Where coverage is measured, a process that traps writes what it has covered before it dies: the
// lines of a trap are reached in the child processes of exit tests only.
#if defined(SWIVEL_COVERAGE)
#include <signal.h>

int __llvm_profile_write_file(void);

/// The signal has its default effect from here on: the instruction traps again, or `abort` goes on.
static void write_profile(int number)
{
    (void)number;
    __llvm_profile_write_file();
}

__attribute__((constructor)) static void write_profile_of_traps(void)
{
    static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV};
    struct sigaction action = {.sa_handler = write_profile, .sa_flags = SA_RESETHAND};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaction(signals[i], &action, NULL);
    }
}
#endif

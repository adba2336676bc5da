// SPDX-License-Identifier: Apache-2.0
#include "include/other_handlers.h"
#include "internal/park/watcher.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int calls, echo;
static atomic_uint counted; // When it sent the echo.
static atomic_bool lacked_info, is_released;
static bool is_chained;
static struct sigaction replaced;

static void chain(int number, siginfo_t *info, void *context)
{
    if (!is_chained) {
        return;
    }
    if (replaced.sa_flags & SA_SIGINFO) {
        replaced.sa_sigaction(number, info, context);
    } else if (replaced.sa_handler != SIG_DFL && replaced.sa_handler != SIG_IGN) {
        replaced.sa_handler(number);
    }
}

static void send_echo(int number)
{
    if (atomic_load(&echo) == number) {
        atomic_store(&counted, swivel__signal_count(number));
        atomic_store(&echo, -number);
        kill(getpid(), number);
    }
}

void swivel_other_echo(int number)
{
    atomic_store(&echo, number);
}

bool swivel_other_has_echoed(void)
{
    return atomic_load(&echo) < 0;
}

bool swivel_other_echo_is_counted(void)
{
    return swivel__signal_count(-atomic_load(&echo)) != atomic_load(&counted);
}

static void with_info(int number, siginfo_t *info, void *context)
{
    atomic_fetch_add(&calls, 1);
    if (info == NULL || info->si_signo != number || context == NULL) {
        atomic_store(&lacked_info, true);
    }
    send_echo(number);
    chain(number, info, context);
    errno = EDOM;
}

static void plain(int number)
{
    atomic_fetch_add(&calls, 1);
    chain(number, NULL, NULL);
    errno = EDOM;
}

static void slow(int number)
{
    (void)number;
    atomic_fetch_add(&calls, 1);
    while (!atomic_load(&is_released)) {
        sched_yield();
    }
}

static void install(int number, struct sigaction *action)
{
    sigemptyset(&action->sa_mask);
    action->sa_flags |= SA_RESTART;
    // Before it can run.
    sigaction(number, NULL, &replaced);
    sigaction(number, action, NULL);
}

void swivel_other_install(int number, bool takes_info, bool chains)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    is_chained = chains;
    if (takes_info) {
        action.sa_sigaction = with_info;
        action.sa_flags = SA_SIGINFO;
    } else {
        action.sa_handler = plain;
    }
    install(number, &action);
}

void swivel_other_install_slow(int number)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = slow;
    install(number, &action);
}

void swivel_other_release(void)
{
    atomic_store(&is_released, true);
}

int swivel_other_calls(void)
{
    return atomic_load(&calls);
}

bool swivel_other_had_info(void)
{
    return !atomic_load(&lacked_info);
}

enum swivel_installed swivel_installed(int number)
{
    struct sigaction action;
    sigaction(number, NULL, &action);
    if (action.sa_handler == SIG_DFL) {
        return SWIVEL_INSTALLED_DEFAULT;
    }
    if (action.sa_handler == SIG_IGN) {
        return SWIVEL_INSTALLED_IGNORED;
    }
    bool is_other = action.sa_flags & SA_SIGINFO
                        ? action.sa_sigaction == with_info
                        : action.sa_handler == plain || action.sa_handler == slow;
    return is_other ? SWIVEL_INSTALLED_OTHER : SWIVEL_INSTALLED_UNKNOWN;
}

unsigned long swivel_installed_word(int number)
{
    struct sigaction action;
    sigaction(number, NULL, &action);
    return (unsigned long)action.sa_handler;
}

int swivel_errno_after_signal(int number, int before)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    errno = before;
    raise(number);
    return errno;
}

static int sender[2];

int swivel_sender_begin(int number)
{
    pid_t parent = getpid();
    if (pipe(sender) < 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        char byte;
        close(sender[1]);
        while (read(sender[0], &byte, 1) == 1) {
            kill(parent, number);
        }
        _exit(0);
    }
    close(sender[0]);
    return child;
}

void swivel_sender_send(void)
{
    char byte = 0;
    while (write(sender[1], &byte, 1) < 0 && errno == EINTR) {
    }
}

void swivel_sender_end(int child)
{
    close(sender[1]);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}

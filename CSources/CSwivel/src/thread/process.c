// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/process.h"
#include "../../include/internal/thread/thread.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

void swivel__fatal(const char *format, ...)
{
    char text[512] = "Swivel: ";
    size_t start = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + start, sizeof text - start - 1, format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    text[length] = '\n';
    // The program may have closed this descriptor.
    ssize_t written = write(STDERR_FILENO, text, length + 1);
    (void)written;
    abort();
}

const char *swivel__image_of(uint64_t function, uint64_t *offset)
{
    Dl_info image;
    if (dladdr((const void *)(uintptr_t)function, &image) == 0 || image.dli_fname == NULL) {
        return NULL;
    }
    *offset = function - (uintptr_t)image.dli_fbase;
    return image.dli_fname;
}

static uint32_t forks; // Written while a child has one thread.
static SWIVEL_ATOMIC(swivel_fork_call *) calls;

uint32_t swivel_forks(void)
{
    return forks;
}

static void in_child(void)
{
    forks += 1;
    swivel__thread.knows_first = false;
    for (swivel_fork_call *call = SWIVEL_LOAD(&calls, acquire); call != NULL; call = call->next) {
        call->run(call->argument);
    }
}

void swivel__forks_call_in_child(swivel_fork_call *call)
{
    call->next = SWIVEL_LOAD(&calls, relaxed);
    while (!SWIVEL_CAS(&calls, &call->next, call, release, relaxed)) {
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    if (pthread_atfork(NULL, NULL, in_child) != 0) {
        swivel__fatal("there is no memory to notice forks.");
    }
}

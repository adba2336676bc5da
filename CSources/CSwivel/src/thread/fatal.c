// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/fatal.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

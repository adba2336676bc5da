// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/fatal.h"

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

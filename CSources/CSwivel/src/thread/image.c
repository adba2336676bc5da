// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/image.h"

#include <dlfcn.h>

const char *swivel__image_of(uint64_t function, uint64_t *offset)
{
    Dl_info image;
    if (dladdr((const void *)(uintptr_t)function, &image) == 0 || image.dli_fname == NULL) {
        return NULL;
    }
    *offset = function - (uintptr_t)image.dli_fbase;
    return image.dli_fname;
}

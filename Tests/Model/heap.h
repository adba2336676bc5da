// SPDX-License-Identifier: Apache-2.0
#ifndef SWIVEL_MODEL_HEAP_H
#define SWIVEL_MODEL_HEAP_H

#include <stddef.h>

void *heap_malloc(size_t bytes);
void *heap_calloc(size_t count, size_t bytes);
void *heap_realloc(void *memory, size_t bytes);
void heap_free(void *memory);

#endif

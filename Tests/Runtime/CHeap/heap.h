// SPDX-License-Identifier: Apache-2.0
// mallinfo2 and malloc_trim, which Swift's module of glibc leaves out.
#include <malloc.h>

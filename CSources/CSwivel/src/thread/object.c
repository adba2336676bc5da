// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/object.h"

SWIVEL_ATOMIC(uint64_t) swivel__sole_reference;

void swivel__show_sole_reference(uint64_t references)
{
    SWIVEL_STORE(&swivel__sole_reference, references, relaxed);
}

// SPDX-License-Identifier: Apache-2.0
#include "swivel_at_start.h"

__attribute__((constructor)) static void at_start(void)
{
    swivel_runtime_at_start();
}

// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/park/park_struct.h"

const char *swivel_status_text(int status)
{
    switch (status) {
    case SWIVEL_OK:
        return "success";
    case SWIVEL_ESHUTDOWN:
        return "the loop is shut down";
    case SWIVEL_EFORKED:
        return "the loop was created before a fork and is dead in the child";
    case SWIVEL_EFULL:
        return "the loop's queue is full";
    case SWIVEL_ECONFIG:
        return "a configuration value is out of range";
    case SWIVEL_EDEADLOCK:
        return "the wait can never end";
    case SWIVEL_ESTUCK:
        return "virtual time stands still, and what is waited for does not come";
    default:
        return uv_strerror(status);
    }
}

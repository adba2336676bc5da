// SPDX-License-Identifier: Apache-2.0
// The paths that are measured in nanoseconds, inline for the Swift layer.
#ifndef SWIVEL_INTERNAL_HOT_H
#define SWIVEL_INTERNAL_HOT_H

#include "queue/post.h"
#include "timer/arm.h"
#include "timer/cancel.h"
#include "timer/reusable.h"

#endif

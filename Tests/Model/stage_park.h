// SPDX-License-Identifier: Apache-2.0
// The state that the stage's poller and its loop share.
#ifndef SWIVEL_MODEL_STAGE_PARK_H
#define SWIVEL_MODEL_STAGE_PARK_H

#include "stage.h"

/// Takes a notification back.
void stage_silence(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// The state that the stub's poller and its loop share.
#ifndef SWIVEL_MODEL_STUB_PARK_H
#define SWIVEL_MODEL_STUB_PARK_H

#include "stub.h"

/// Takes a notification back.
void stub_silence(void);

#endif

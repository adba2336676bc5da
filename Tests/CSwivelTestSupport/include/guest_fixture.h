// SPDX-License-Identifier: Apache-2.0
/// A guest whose thread sleeps too long.
#ifndef SWIVEL_TEST_GUEST_FIXTURE_H
#define SWIVEL_TEST_GUEST_FIXTURE_H

#include "swivel.h"

/// Waits for what the guest's work does, with a limit. The work comes while the guest sleeps, and
/// the sleep ends only after the limit. Returns what the wait does. For a process of its own: the
/// guest stays installed.
int swivel_guest_fixture_wait(void);

#endif

// SPDX-License-Identifier: Apache-2.0
/// An event source whose thread sleeps too long.
#ifndef SWIVEL_TEST_SOURCE_FIXTURE_H
#define SWIVEL_TEST_SOURCE_FIXTURE_H

#include "swivel.h"

/// Waits for what the source's work does, with a limit. The work comes while the source sleeps, and
/// the sleep ends only after the limit. Returns what the wait does. For a process of its own: the
/// source stays installed.
int swivel_source_fixture_wait(void);

#endif

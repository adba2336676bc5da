// SPDX-License-Identifier: Apache-2.0
/// A program in C that knows `swivel.h` and nothing else.
#ifndef SWIVEL_TEST_PLAIN_PROGRAM_H
#define SWIVEL_TEST_PLAIN_PROGRAM_H

/// Each returns the text of the first expectation that does not hold, or `NULL`.
const char *swivel_plain_timers(void);
const char *swivel_plain_repeats(void);
const char *swivel_plain_shutdown(void);
const char *swivel_plain_limits(void);

#endif

// SPDX-License-Identifier: Apache-2.0
// Handlers of signals as other code of the process has them.
#ifndef SWIVEL_OTHER_HANDLERS_H
#define SWIVEL_OTHER_HANDLERS_H

#include <stdbool.h>

/// Installs a handler that counts its calls and changes errno; by sigaction(2) with SA_SIGINFO if it
/// takes infos, else as signal(3) does. If it chains, it calls the handler that it has replaced.
void swivel_other_install(int number, bool takes_info, bool chains);
/// Installs a handler that waits in it until `swivel_other_release`.
void swivel_other_install_slow(int number);
void swivel_other_release(void);
/// How often these handlers were called.
int swivel_other_calls(void);

/// Has the handler send this signal to the process, once, from its next call.
void swivel_other_echo(int number);
/// Whether it has, and whether Swivel has counted a signal since then.
bool swivel_other_has_echoed(void);
bool swivel_other_echo_is_counted(void);
/// Whether each call so far had a siginfo of its signal and a context.
bool swivel_other_had_info(void);

enum swivel_installed {
    SWIVEL_INSTALLED_DEFAULT,
    SWIVEL_INSTALLED_IGNORED,
    SWIVEL_INSTALLED_OTHER, ///< One of these.
    SWIVEL_INSTALLED_UNKNOWN,
};
/// The effect of the signal.
enum swivel_installed swivel_installed(int number);
/// Its handler's address.
unsigned long swivel_installed_word(int number);

/// Sets errno, raises the signal on this thread, and returns errno.
int swivel_errno_after_signal(int number, int before);

/// Starts a child that sends the signal to this process for each `swivel_sender_send`: the system
/// chooses a thread. Returns its number.
int swivel_sender_begin(int number);
void swivel_sender_send(void);
void swivel_sender_end(int child);

#endif

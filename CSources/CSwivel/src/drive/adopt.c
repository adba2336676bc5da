// SPDX-License-Identifier: Apache-2.0
// A loop in a host's own libuv loop: one handle there watches the loop's descriptor, and another is
// woken by any thread when the loop is over.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/park/park_struct.h"
#include "../../include/internal/thread/process.h"

#include <fcntl.h>

/// The host's thread only, but for `over`.
struct swivel_adoption {
    uv_poll_t poll;
    uv_async_t over; ///< Sent once the loop is over.
    swivel_adoption_calls calls;
    void *owner;
    int descriptor, handles;
    uint32_t forks; ///< Of the process that has the host.
};

static void on_closed(uv_handle_t *handle)
{
    swivel_adoption *adoption = handle->data;
    adoption->handles -= 1;
    if (adoption->handles == 0) {
        adoption->calls.ended(adoption->owner);
        close(adoption->descriptor);
        free(adoption);
    }
}

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle)) { // A host may close all that it finds in its loop.
        uv_close(handle, on_closed);
    }
}

static void on_over(uv_async_t *handle)
{
    swivel_adoption *adoption = handle->data;
    close_handle((uv_handle_t *)&adoption->poll);
    close_handle((uv_handle_t *)&adoption->over);
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    swivel_adoption *adoption = handle->data;
    (void)status;
    (void)events;
    adoption->calls.turn(adoption->owner);
}

int swivel__adopt(void *host, int descriptor, swivel_adoption_calls calls, void *owner,
                  swivel_adoption **out)
{
    swivel_adoption *adoption = calloc(1, sizeof *adoption);
    if (adoption == NULL) {
        return -ENOMEM;
    }
    adoption->calls = calls;
    adoption->owner = owner;
    adoption->forks = swivel_forks();
    adoption->poll.data = adoption->over.data = adoption;
    adoption->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    int status = adoption->descriptor < 0
                     ? -errno
                     : uv_poll_init(host, &adoption->poll, adoption->descriptor);
    if (status < 0) {
        close(adoption->descriptor); // -1 is refused, without harm.
        calls.ended(owner);
        free(adoption);
        return status;
    }
    adoption->handles = 1;
    status = uv_poll_start(&adoption->poll, UV_READABLE, on_readable);
    status = status < 0 ? status : swivel__uv_reserve(host, adoption->descriptor);
    status = status < 0 ? status : uv_async_init(host, &adoption->over, on_over);
    if (status < 0) {
        close_handle((uv_handle_t *)&adoption->poll);
        return status;
    }
    adoption->handles = 2;
    *out = adoption;
    return SWIVEL_OK;
}

void swivel__adoption_end(swivel_adoption *adoption)
{
    if (adoption->forks == swivel_forks() && !uv_is_closing((uv_handle_t *)&adoption->over)) {
        uv_async_send(&adoption->over);
    }
}

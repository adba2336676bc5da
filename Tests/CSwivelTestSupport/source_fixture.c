// SPDX-License-Identifier: Apache-2.0
#include "include/source_fixture.h"
#include "internal/park/source.h"
#include "spin.h"

static bool has_work, is_done;

static bool is_here(void)
{
    return true;
}

static int open_nothing(void)
{
    return SWIVEL_OK;
}

static bool serve(bool always)
{
    (void)always;
    is_done = has_work;
    return false;
}

static void oversleep(swivel_mono began, swivel_mono until)
{
    (void)began;
    has_work = true;
    spin_until(until.ns + 1000000);
}

static void notify(void)
{
}

static int descriptor(void)
{
    return -1;
}

static bool done(void *argument)
{
    (void)argument;
    return is_done;
}

int swivel_source_fixture_wait(void)
{
    static const swivel_source source = {is_here, open_nothing, serve,     oversleep,
                                       notify,  descriptor,   NULL};
    swivel__source_install(&source);
    return swivel__source_pump(done, NULL, swivel__mono_after(swivel__mono_now(), 1000000));
}

// SPDX-License-Identifier: Apache-2.0
// The main queue through the main run loop, which serves it. Apple's libdispatch has no descriptor
// for it, so a loop that owns it sleeps in the run loop, which watches the loop's own descriptor.
#include "main_queue.h"

#include "internal/thread/thread.h"

#if defined(__APPLE__)

#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

static pthread_once_t made = PTHREAD_ONCE_INIT;
static CFRunLoopSourceRef source;
/// The owner's descriptor in the run loop. The first thread's.
static CFFileDescriptorRef watched;

static void do_nothing(void *info)
{
    (void)info; // That it ends the run is all it is for.
}

static void note(CFFileDescriptorRef descriptor, CFOptionFlags types, void *info)
{
    (void)descriptor;
    (void)types;
    (void)info;
}

static void make(void)
{
    CFRunLoopSourceContext context = {.perform = do_nothing};
    source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context);
    CFRunLoopAddSource(CFRunLoopGetMain(), source, kCFRunLoopDefaultMode);
}

bool swivel__main_exists(void)
{
    return true;
}

int swivel__main_open(void)
{
    pthread_once(&made, make);
    return SWIVEL_OK;
}

int swivel__main_descriptor(void)
{
    return -1;
}

static void run(CFTimeInterval seconds)
{
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, seconds, true);
}

void swivel__main_drain(bool always)
{
    (void)always; // Only the run loop can find out whether blocks have come.
    run(0);
}

void swivel__main_sleep(swivel_mono began, swivel_mono until)
{
    (void)began; // It sleeps in the run loop in any case.
    double left = (double)swivel__mono_since(swivel__mono_now(), until) / 1e9;
    run(left < 1e9 ? left : 1e9);
}

void swivel__main_notify(void)
{
    pthread_once(&made, make);
    CFRunLoopSourceSignal(source);
    CFRunLoopWakeUp(CFRunLoopGetMain());
}

bool swivel__main_owner_wait(int descriptor, swivel_mono until)
{
    if (!swivel__thread_is_first() || swivel__main_open() != SWIVEL_OK) {
        return false;
    }
    if (watched == NULL) {
        watched = CFFileDescriptorCreate(kCFAllocatorDefault, descriptor, false, note, NULL);
        CFRunLoopSourceRef source =
            CFFileDescriptorCreateRunLoopSource(kCFAllocatorDefault, watched, 0);
        CFRunLoopAddSource(CFRunLoopGetMain(), source, kCFRunLoopDefaultMode);
        CFRelease(source);
    }
    CFFileDescriptorEnableCallBacks(watched, kCFFileDescriptorReadCallBack);
    swivel__main_sleep(until, until);
    return true;
}

#endif

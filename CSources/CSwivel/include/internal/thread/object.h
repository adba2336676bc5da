// SPDX-License-Identifier: Apache-2.0
// The objects of Swift's runtime, as far as the core knows them: the contexts of closures.
#ifndef SWIVEL_INTERNAL_OBJECT_H
#define SWIVEL_INTERNAL_OBJECT_H

#include "../../swivel_base.h"
#include "atomics.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The references of an object that has one strong reference, and never had a weak or an unowned
/// one; 0: not known yet.
extern SWIVEL_ATOMIC(uint64_t) swivel__sole_reference;

/// Says what that word looks like. **Thread:** any.
void swivel__show_sole_reference(uint64_t references);

/// The runtime's own, for an object that no other thread can reach.
extern void swift_nonatomic_release(void *object);

/// The second word of an object: its references, or where they are counted if there is or was a weak
/// one. Acquire: what other threads did before they gave up their references has happened.
static inline uint64_t swivel__object_references(uintptr_t object)
{
    SWIVEL_ATOMIC(uint64_t) *words = (void *)object;
    return SWIVEL_LOAD(&words[1], acquire);
}

/// Releases an object without an atomic operation, if the caller has the only reference of any kind.
/// False: it has not, and nothing has happened.
///
/// Whether a strong reference is the only strong one would not be enough to know: another thread may
/// make one of a weak one.
static inline bool swivel__release_sole(uintptr_t object)
{
    uint64_t sole = SWIVEL_SETTING(&swivel__sole_reference);
    if (SWIVEL_UNLIKELY(swivel__object_references(object) != sole)) {
        return false;
    }
    swift_nonatomic_release((void *)object);
    return true;
}

SWIVEL_ASSUME_NONNULL_END

#endif

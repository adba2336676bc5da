// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/hot.h"

static const swivel_timer no_timer = {NULL, 0, 0};

/// A node for the calling thread; nil without memory.
static uint32_t take_node(swivel_loop *loop)
{
    uint32_t index;
    if (!swivel__is_own(loop)) {
        return swivel__magazine_take(loop);
    }
    return swivel__slab_alloc(&loop->wheel.slab, &index) == NULL ? SWIVEL_NIL : index;
}

/// Writes a repeat's settings into a node of their own. False without memory.
static bool write_settings(swivel_loop *loop, const swivel_grid *grid, swivel_node *node,
                           uint32_t index)
{
    node->extra = grid == NULL ? SWIVEL_NIL : take_node(loop);
    if (node->extra == SWIVEL_NIL) {
        return grid == NULL;
    }
    // Not the state: it is the node's, and a stale handle may read it at any time.
    swivel_settings *settings = swivel__settings(loop, node);
    settings->grid = *grid;
    if (settings->grid.first_ns == 0) {
        settings->grid.first_ns = swivel__loop_now(loop);
    }
    if (settings->grid.seed == 0) {
        // Splitting the golden ratio over the indices gives unequal, non-zero seeds.
        settings->grid.seed = (index + 1) * UINT32_C(0x9E3779B9);
    }
    return true;
}

/// Takes back the nodes of a timer that is refused, and counts the refusal.
static swivel_timer refuse(swivel_loop *loop, uint32_t index, swivel_node *node, int status)
{
    if (swivel__is_own(loop)) {
        swivel__reclaim(loop, index, node);
    } else {
        uint32_t nodes[] = {index, node->extra}, count = node->extra == SWIVEL_NIL ? 1 : 2;
        swivel__slab_undraw(&loop->wheel.slab, SWIVEL_NIL, nodes, count);
    }
    swivel__refuse(loop, status);
    return no_timer;
}

/// Arms a timer on the loop's own thread.
static swivel_timer arm_here(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t flags)
{
    bool is_post = node->fire_at_ns == 0;
    node->sequence = loop->wheel.sequence++;
    if (is_post) {
        uint32_t generation = swivel__generation(SWIVEL_LOAD(&node->state, relaxed));
        swivel_entry due = {swivel__message(SWIVEL_DUE, index, generation), node->sequence};
        if (!swivel__ring_push(&loop->local, due)) {
            return refuse(loop, index, node, SWIVEL_EFULL);
        }
        node->place = SWIVEL_PLACE_POST;
    }
    swivel_timer timer = swivel__arm_node(loop, index, node, flags);
    if (flags & SWIVEL_REUSABLE) {
        return timer; // It is not armed yet.
    }
    swivel__count_pending(loop, 1);
    if (!is_post) {
        swivel__wheel_stage(&loop->wheel, index, node);
    }
    return timer;
}

/// Arms a timer of another thread's loop, which adopts it when it drains.
static swivel_timer arm_there(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t flags)
{
    node->sequence = swivel__order_next(loop);
    swivel_timer timer = swivel__arm_node(loop, index, node, flags | SWIVEL_QUEUED);
    swivel_entry arm = {swivel__message(SWIVEL_ARM, index, timer.generation), 0};
    int counted = !(flags & SWIVEL_REUSABLE);
    swivel__counter_add(&loop->counter, SWIVEL_COUNTED_ARMS, counted);
    // After the push the node is the loop's.
    int status = swivel__send(loop, arm, node->fire_at_ns);
    if (status == SWIVEL_OK) {
        return timer;
    }
    swivel__counter_add(&loop->counter, SWIVEL_COUNTED_ARMS, -counted);
    SWIVEL_STORE(&node->state, (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT, release);
    return refuse(loop, index, node, status);
}

/// The instant at which a new repeat fires first. Only one that begins at once is a post: with a
/// delay, however short, it comes behind timers that are due before it.
static uint64_t first_fire_at(swivel_loop *loop, const swivel_grid *grid, swivel_node *node)
{
    uint64_t fire_at = swivel__repeat_fire_at(loop, node);
    return grid->first_ns == 0 ? swivel__due_or_post(loop, fire_at) : fire_at;
}

/// Makes and starts a timer; `grid` is `NULL` for a one-shot, and `flags` has its first phase. If
/// it is refused, the work is still the caller's.
static swivel_timer start(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns,
                          const swivel_grid *grid, uint64_t flags, swivel_work work)
{
    bool own = swivel__is_own(loop);
    int refusal = SWIVEL_LOAD(&loop->refusal, acquire);
    bool closed_to = !own || (flags & SWIVEL_REUSABLE) || (loop->draining && grid != NULL);
    uint32_t index = closed_to && refusal != SWIVEL_OK ? SWIVEL_NIL : take_node(loop);
    if (index == SWIVEL_NIL) {
        swivel__refuse(loop, refusal);
        return no_timer;
    }
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    node->leeway_ns = leeway_ns;
    node->place = SWIVEL_PLACE_NONE;
    if (!write_settings(loop, grid, node, index)) {
        return refuse(loop, index, node, SWIVEL_EFULL);
    }
    node->work = work;
    uint64_t fire_at = grid == NULL ? deadline_ns : first_fire_at(loop, grid, node);
    // A first tick whose instant has passed is due now, without the leeway.
    bool is_due = grid != NULL && fire_at <= swivel__loop_now(loop);
    node->fire_at_ns = is_due ? fire_at : swivel__aligned_deadline(fire_at, leeway_ns);
    return own ? arm_here(loop, index, node, flags) : arm_there(loop, index, node, flags);
}

swivel_timer swivel_schedule(swivel_loop *loop, uint64_t delay_ns, uint64_t leeway_ns,
                             swivel_work work)
{
    uint64_t deadline = delay_ns == 0 ? 0 : swivel__own_deadline(loop, delay_ns);
    return start(loop, deadline, leeway_ns, NULL, SWIVEL_ARMED, work);
}

swivel_timer swivel_schedule_at(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns,
                                swivel_work work)
{
    return start(loop, swivel__due_or_post(loop, deadline_ns), leeway_ns, NULL, SWIVEL_ARMED, work);
}

swivel_timer swivel_schedule_every(swivel_loop *loop, const swivel_grid *grid, uint64_t leeway_ns,
                                   swivel_work work)
{
    uint64_t leeway = swivel__grid_leeway(grid, leeway_ns);
    return start(loop, 0, leeway, grid, SWIVEL_ARMED | SWIVEL_REPEAT, work);
}

swivel_timer swivel_reusable_create(swivel_loop *loop, swivel_work work)
{
    return swivel__reusable_create(loop, work, 0);
}

swivel_timer swivel__reusable_create(swivel_loop *loop, swivel_work work, uint64_t flags)
{
    if (flags & SWIVEL_TIMELESS) {
        SWIVEL_STORE(&loop->has_timeless, true, relaxed);
    }
    // Its deadline wakes no thread: the loop need not receive it before it is armed.
    return start(loop, SWIVEL_NEVER_NS, 0, NULL, SWIVEL_IDLE | SWIVEL_REUSABLE | flags, work);
}

bool swivel__rearm_at(swivel_timer timer, uint64_t deadline_ns)
{
    swivel_loop *loop = timer.loop;
    uint64_t state = swivel__state_of(timer);
    if (swivel__phase(state) == SWIVEL_FREE) {
        return false;
    }
    if (!swivel__is_own(loop)) {
        return swivel__leave_deadline(timer, deadline_ns);
    }
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, timer.index);
    if ((state & SWIVEL_QUEUED) &&
        !swivel__adopt_early(loop, timer.index, node, timer.generation)) {
        return false;
    }
    return swivel__apply_rearm(loop, timer.index, timer.generation, deadline_ns);
}

bool swivel_rearm(swivel_timer timer, uint64_t delay_ns)
{
    // The state comes first: a stale handle's loop may be in its next life.
    uint64_t state = swivel__state_of(timer);
    if (state == 0 || (state & SWIVEL_REUSABLE)) {
        return false;
    }
    return swivel__rearm_at(timer, delay_ns == 0 ? 0 : swivel__own_deadline(timer.loop, delay_ns));
}

swivel_timer swivel__own_renew(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = swivel__node_of(timer);
    if (node == NULL || !swivel__is_own(loop) || timer.generation >= SWIVEL_GENERATION_MAX) {
        return no_timer;
    }
    // A flag next to the phase means that another thread is changing the timer.
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    timer.generation += 1;
    uint64_t next = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    if (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire)) {
        return no_timer;
    }
    // A deadline that has passed does not wait for the leeway.
    bool is_due = leeway_ns != 0 && deadline_ns <= swivel__loop_now(loop);
    node->leeway_ns = leeway_ns;
    uint64_t fire_at = is_due ? deadline_ns : swivel__aligned_deadline(deadline_ns, leeway_ns);
    swivel__wheel_refile(&loop->wheel, timer.index, node, fire_at, loop->wheel.sequence++);
    return timer;
}

// SPDX-License-Identifier: Apache-2.0
// Moves of one timer from several threads: its loop's, two movers and a canceller. Every call is
// noted with when it began and ended. A timer that runs must have been asked to, by a call that no
// later one has replaced, and at that call's instant: neither early, nor late, nor lost.
//
// What is taken before MOVED is cleared, cleared once more, loses a deadline stored in between:
// Mutant: rearm.c: s/^    if (wanted == SWIVEL_NOTHING_NS) {/    SWIVEL_FETCH_AND(\&node->state, ~(uint64_t)SWIVEL_MOVED, acq_rel);\n&/
// An instant that is still shown while the node is filed anew costs a message:
// Mutant: rearm.c: s/next &= ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);/next \&= ~(uint64_t)SWIVEL_MOVED;/
// Mutant: rearm.c: s/next = state & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);/next = state \& ~(uint64_t)SWIVEL_MOVED;/
// Mutant: rearm.c: s/= rearmed(state) & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED)/= rearmed(state) \& ~(uint64_t)SWIVEL_MOVED/
// The loop's own move leaves what others want:
// Mutant: rearm.c: s/= rearmed(state) & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED)/= rearmed(state) \& ~(uint64_t)SWIVEL_FILED/
// A node is freed under a mover:
// Mutant: slab.c: s/return (state & SWIVEL_MOVERS_MASK) != 0;/return state == 0;/
// The last mover leaves without a word:
// Mutant: mover.c: s/swivel__send_reclaim(/(void)(/
// Settlements go unseen:
// Mutant: mover.c: s/(state & SWIVEL_SETTLEMENTS_MASK) != settlements/false/
// What another mover has replaced is not stored again:
// Mutant: mover.c: s/return left == SWIVEL_NOTHING_NS;/return left != mover->wanted_ns;/
// Whoever tells does not look again:
// Mutant: mover.c: s/&& wanted < instant/\&\& false/
// Every move passes for a later one:
// Mutant: mover.c: s/mover->wanted_ns >= SWIVEL_LOAD/true || mover->wanted_ns >= SWIVEL_LOAD/
// A move before the arm message arrives wakes nobody:
// Mutant: mover.c: s/if (state & (SWIVEL_QUEUED | SWIVEL_TOLD)) {/if (state \& SWIVEL_TOLD) {/
// A handed timer starts whatever is wanted:
// Mutant: handed.c: s/&& !takes_wanted(timer)/\&\& false/
#include "calls.h"
#include "memory.h"

#include <string.h>

static stage_work work, second;
static swivel_timer timer, other;
static uint64_t armed_ns; ///< What a one-shot is armed for.
static bool kept, is_cancelled;
static int handed, begun;

/// The timer runs in this moment, of its own or because a call under way has just asked for it.
static void on_run(void)
{
    bool explained = false;
    for (int i = 0; i < call_count; i++) {
        explained |= calls[i].wants > DISARM && calls[i].wants <= stage_now && calls[i].moved &&
                     !is_replaced(&calls[i]);
    }
    EXPLORER_CHECK(explained);
}

/// All calls have ended and nothing is pending: the last one was heard.
static void check_last(void)
{
    bool may_run = false, may_not = false, in_time = false;
    for (int i = 0; i < call_count; i++) {
        if (calls[i].moved && !is_replaced(&calls[i])) {
            may_run |= calls[i].wants > DISARM;
            may_not |= calls[i].wants == DISARM;
            in_time |= calls[i].wants > DISARM && work.began_ns == calls[i].due_ns;
        }
    }
    EXPLORER_CHECK(may_not || is_cancelled || (may_run && in_time));
}

static void move(uint64_t instant_ns)
{
    call *call = begin(instant_ns);
    end(call, kept ? swivel_kept_arm(timer, instant_ns, 0) : swivel__rearm_at(timer, instant_ns));
    EXPLORER_CHECK(!kept || call->moved);
}

static void disarm(void)
{
    call *call = begin(DISARM);
    // A closure that is under way has been asked for.
    swivel_kept_disarm(timer);
    end(call, true);
}

static void cancel(void)
{
    swivel_work words;
    is_cancelled = swivel_cancel_take(timer, &words) == SWIVEL_CANCELLED;
    if (is_cancelled) {
        EXPLORER_CHECK(work.ran == 0 && begun == 0);
        work.released += 1;
    }
}

static void arm(void)
{
    if (kept) {
        timer = swivel_kept_create(stage_loop, stage_words(&work));
        move(200);
    } else {
        end(begin(armed_ns), true);
        timer = swivel_schedule_at(stage_loop, armed_ns, 0, stage_words(&work));
    }
}

static void clear(void)
{
    memset(&work, 0, sizeof work);
    memset(&second, 0, sizeof second);
    work.body = on_run;
    other = (swivel_timer){NULL, 0, 0};
    is_cancelled = false;
    armed_ns = 200;
    call_count = order = handed = begun = 0;
    stage_open();
}

/// Its instant has come: the loop is about to fire.
static void reset_due(void)
{
    kept = false;
    clear();
    stage_on_loop(arm);
    stage_now = 200;
}

static void reset_kept_due(void)
{
    kept = true;
    clear();
    stage_on_loop(arm);
    stage_now = 200;
}

static void reset_kept_idle(void)
{
    reset_kept_due();
    stage_on_loop(NULL);
}

/// Filed, and its instant shown: a later one needs no message.
static void reset_filed(void)
{
    kept = false;
    clear();
    stage_on_loop(arm);
    move(190);
    stage_on_loop(NULL);
    uint64_t state = atomic_load(&swivel__slab_node(&stage_loop->wheel.slab, timer.index)->state);
    EXPLORER_CHECK(state & SWIVEL_FILED);
}

/// The same, and its instant has come.
static void reset_filed_due(void)
{
    reset_filed();
    stage_now = 190;
}

/// Its arm message is still in the inbox.
static void reset_queued(void)
{
    kept = false;
    clear();
    arm();
}

/// The loop may sleep for longer than what the timer is moved to.
static void reset_far(void)
{
    kept = false;
    clear();
    armed_ns = 500;
    stage_on_loop(arm);
}

static void arm_other(void)
{
    other = swivel_schedule_at(stage_loop, 400, 0, stage_words(&second));
}

/// The loop may sleep until another timer, while the arm message is in the inbox.
static void reset_none(void)
{
    kept = false;
    clear();
    armed_ns = 500;
    stage_on_loop(arm_other);
}

static void check(void)
{
    check_last();
    EXPLORER_CHECK(stage_loop->armed == 0);
    if (kept) {
        EXPLORER_CHECK(work.ticks <= call_count);
        EXPLORER_CHECK(work.released == 0 && !swivel_kept_is_armed(timer));
        swivel_kept_free(timer);
        stage_on_loop(NULL);
    } else {
        EXPLORER_CHECK(work.ran + is_cancelled + begun == 1);
    }
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(stage_loop->wheel.slab.live == 0);
    stage_close();
}

static void two_moves(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else {
        move(thread == 1 ? 300 : 250);
    }
}

static void two_moves_and_a_cancel(int thread)
{
    thread == 3 ? cancel() : two_moves(thread);
}

/// One thread's second move replaces its first.
static void one_after_the_other(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        move(300);
        move(250);
    } else {
        move(260);
    }
}

/// One that wakes the loop, and one that does not.
static void far_and_near(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else {
        move(thread == 1 ? 600 : 250);
    }
}

static void arm_and_move(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else {
        arm();
        move(250);
    }
}

/// Around the instant that is filed.
static void earlier_and_later(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else {
        move(thread == 1 ? 150 : 400);
        if (thread == 2) {
            move(300);
        }
    }
}

/// Later, and a little less so.
static void later_and_less(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else {
        move(400);
        move(300);
    }
}

/// Only instants that have come.
static void due_moves(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else {
        move(200);
        move(199);
    }
}

/// The loop moves its timer itself, in a post.
static stage_work own_move;

static void move_in_closure(void)
{
    move(350);
}

static void post_own_move(void)
{
    memset(&own_move, 0, sizeof own_move);
    own_move.body = move_in_closure;
    swivel_post(stage_loop, stage_words(&own_move));
}

static void reset_own(void)
{
    reset_filed();
    post_own_move();
}

static void reset_own_queued(void)
{
    kept = false;
    clear();
    post_own_move();
    arm();
}

static void reset_own_kept(void)
{
    reset_kept_idle();
    post_own_move();
}

/// Armed, disarmed by whoever owns it, and armed by two others.
static void disarm_between(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        move(300);
        disarm();
    } else {
        move(250);
    }
}

static void disarm_and_arm(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        disarm();
        move(300);
    } else {
        move(250);
        disarm();
    }
}

/// The node's next life: a mover that came too late for the first reaches nothing of it.
static void rearm_second(void)
{
    other = swivel_schedule_at(stage_loop, 500, 0, stage_words(&second));
    memory_give(&other);
}

static void cancel_and_begin_anew(void)
{
    cancel();
    rearm_second();
}

static stage_work renewal;

static void reset_reuse(void)
{
    kept = false;
    clear();
    memset(&renewal, 0, sizeof renewal);
    renewal.body = cancel_and_begin_anew;
    stage_on_loop(arm);
    swivel_post(stage_loop, stage_words(&renewal));
}

static bool other_is_there(void *unused)
{
    (void)unused;
    return other.loop != NULL;
}

static void move_both(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        move(300);
    } else {
        explorer_wait(other_is_there, NULL);
        memory_take(&other);
        EXPLORER_CHECK(swivel__rearm_at(other, 400));
    }
}

static void check_reuse(void)
{
    EXPLORER_CHECK(second.ran == 1 && second.began_ns == 400);
    check();
}

// On a foreign context.

static void hand_over(swivel_timer what)
{
    EXPLORER_CHECK(what.index == timer.index);
    handed += 1;
}

static void arm_foreign(void)
{
    char context[SWIVEL_CONTEXT_BYTES] = {0};
    end(begin(200), true);
    timer = swivel_schedule_foreign(stage_loop, 200, 0, NULL, context, stage_words(&work));
}

static void reset_foreign(void)
{
    kept = false;
    clear();
    stage_handed = hand_over;
    stage_on_loop(arm_foreign);
    stage_now = 200;
}

static bool has_some_or_ends(void *unused)
{
    (void)unused;
    return handed > 0 || stage_ending;
}

static void serve(void)
{
    swivel_work words;
    for (explorer_wait(has_some_or_ends, NULL); handed > 0;
         explorer_wait(has_some_or_ends, NULL)) {
        handed -= 1;
        if (swivel_handed_begin(timer, &words)) {
            on_run();
            begun += 1;
            work.began_ns = stage_now;
            work.released += 1;
            swivel_handed_end(timer, &words, false);
        }
    }
}

static void serve_two_moves(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        serve();
    } else {
        move(thread == 2 ? 300 : 250);
    }
}

int main(void)
{
    static const struct {
        explorer_model model;
        int preemptions;
    } models[] = {
        {{"move: two moves and a fire", 3, reset_due, two_moves, stage_stuck, check}, 3},
        {{"move: two moves, a cancel", 4, reset_due, two_moves_and_a_cancel, stage_stuck, check},
         2},
        {{"move: instants that have come", 3, reset_due, due_moves, stage_stuck, check}, 2},
        {{"move: before the arm arrives", 3, reset_queued, one_after_the_other, stage_stuck, check},
         2},
        {{"move: one after the other", 3, reset_due, one_after_the_other, stage_stuck, check}, 2},
        {{"move: what is shown as filed", 3, reset_filed, earlier_and_later, stage_stuck, check},
         2},
        {{"move: while the loop sleeps", 3, reset_far, far_and_near, stage_stuck, check}, 3},
        {{"move: with its arm on its way", 2, reset_none, arm_and_move, stage_stuck, check}, 3},
        {{"move: as what is filed is due", 2, reset_filed_due, later_and_less, stage_stuck, check},
         3},
        {{"move: the loop too", 3, reset_own, earlier_and_later, stage_stuck, check}, 2},
        {{"move: the loop, before the arm", 3, reset_own_queued, two_moves, stage_stuck, check}, 3},
        {{"move: a node that lives again", 3, reset_reuse, move_both, stage_stuck, check_reuse}, 3},
        {{"move: a kept timer", 3, reset_kept_due, two_moves, stage_stuck, check}, 3},
        {{"move: a kept timer, and its loop", 3, reset_own_kept, two_moves, stage_stuck, check}, 2},
        {{"move: a disarm between", 3, reset_kept_idle, disarm_between, stage_stuck, check}, 3},
        {{"move: disarms and arms", 3, reset_kept_due, disarm_and_arm, stage_stuck, check}, 2},
        {{"move: on a context", 4, reset_foreign, serve_two_moves, stage_stuck, check}, 2},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        explorer_run(&models[i].model, models[i].preemptions);
    }
    return 0;
}

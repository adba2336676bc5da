// SPDX-License-Identifier: Apache-2.0

use crate::span::{Answer, Start};
use crate::{cores, BadNumber, Request};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::{unconstrained, yield_now};
use tokio::time::{sleep, Instant, Sleep};

/// As many operations as a turn has on every other side. After it, the task yields and the runtime
/// looks at its timers.
const A_TURN: usize = 1000;

pub fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
}

/// Runs the work on a runtime of its own, as one task without tokio's budget: after 128 polls, that
/// would have each further sleep pretend to be pending and register nothing.
pub fn run<Output>(work: impl Future<Output = Output>) -> Output {
    runtime().block_on(unconstrained(work))
}

/// The same on the core of threads that are measured alone.
fn run_on<Output>(core: usize, work: impl Future<Output = Output>) -> Output {
    let all = cores::take(core);
    let output = run(work);
    cores::give(&all);
    output
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014): the same numbers in every run.
pub struct SplitMix(pub u64);

impl SplitMix {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// Random delays of 1 to 60 s, drawn beforehand, as the lab's own are.
pub struct Far(Vec<Duration>);

impl Far {
    pub fn new() -> Self {
        let mut random = SplitMix(1);
        let mut draw = || 1_000_000_000 + random.next() % 59_000_000_000;
        Self((0..4096).map(|_| Duration::from_nanos(draw())).collect())
    }

    pub fn delay(&self, index: usize) -> Duration {
        self.0[index & 4095]
    }
}

/// Counts how often its waker is called: once for each sleep that fires.
#[derive(Default)]
struct Fires(AtomicUsize);

impl Wake for Fires {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// Sleeps that stand by. Each of them was dropped before its deadline or has fired in the end.
pub struct Field {
    far: Far,
    sleeps: Vec<Pin<Box<Sleep>>>,
    fires: Arc<Fires>,
}

impl Field {
    pub fn standing(outstanding: usize) -> Self {
        let (far, fires) = (Far::new(), Arc::new(Fires::default()));
        let waker = Waker::from(fires.clone());
        let mut context = Context::from_waker(&waker);
        let arm = |index| {
            let mut sleep = Box::pin(sleep(far.delay(index)));
            assert!(sleep.as_mut().poll(&mut context).is_pending());
            sleep
        };
        let sleeps = (0..outstanding).map(arm).collect();
        Self { far, sleeps, fires }
    }

    /// Drops all sleeps, and tells how many of the `armed` ones were neither dropped before their
    /// deadline, as `dropped` were before, nor have fired.
    pub fn close(self, armed: usize, dropped: usize) -> i64 {
        let pending = self
            .sleeps
            .iter()
            .filter(|sleep| !sleep.is_elapsed())
            .count();
        let fired = self.fires.0.load(Relaxed);
        armed as i64 - (dropped + pending + fired) as i64
    }
}

async fn in_turns(first: usize, operations: usize, mut body: impl FnMut(usize)) {
    for turn in (0..operations).step_by(A_TURN) {
        for index in turn..operations.min(turn + A_TURN) {
            body(first + index);
        }
        yield_now().await;
    }
}

/// A sleep made, polled once, which registers it, and dropped before its deadline. `true` if it was
/// pending.
#[inline]
fn pair(delay: Duration, context: &mut Context<'_>) -> bool {
    let sleep = sleep(delay);
    tokio::pin!(sleep);
    matches!(sleep.poll(context), Poll::Pending)
}

/// One operation: `tokio::time::sleep`, pinned on the stack, polled once and dropped, as a timeout
/// of something that ends in time is.
pub fn pairs(request: &Request) -> Result<Answer, BadNumber> {
    let outstanding = request.number("outstanding", 0)?;
    let operations = request.number("operations", 1)?;
    let core = request.number("core", 0)?;
    Ok(run_on(core, async {
        let field = Field::standing(outstanding);
        let fires = Arc::new(Fires::default());
        let waker = Waker::from(fires.clone());
        let mut done = 0;
        let mut body =
            |index| done += pair(field.far.delay(index), &mut Context::from_waker(&waker)) as usize;
        in_turns(0, operations / 10, &mut body).await;
        let start = Start::when_idle();
        in_turns(operations / 10, operations, &mut body).await;
        let span = start.end(std::time::Instant::now());
        let operations = done - operations / 10;
        let fired = fires.0.load(Relaxed);
        Answer {
            span,
            operations,
            fired,
            left: field.close(outstanding, 0),
            ..Default::default()
        }
    }))
}

/// One operation: a random sleep dropped, and another one in its memory polled once.
pub fn churn(request: &Request) -> Result<Answer, BadNumber> {
    let outstanding = request.number("outstanding", 1)?;
    let warm_up = request.number("warmup", 0)?;
    let operations = request.number("operations", 1)?;
    let core = request.number("core", 0)?;
    let mut random = SplitMix(7);
    let picks: Vec<_> = (0..1 << 18)
        .map(|_| (random.next() % outstanding as u64) as u32)
        .collect();
    Ok(run_on(core, async {
        let mut field = Field::standing(outstanding);
        let waker = Waker::from(field.fires.clone());
        let (mut done, mut dropped) = (0, 0);
        let mut body = |index: usize| {
            let picked = &mut field.sleeps[picks[index & (picks.len() - 1)] as usize];
            dropped += !picked.is_elapsed() as usize;
            picked.set(sleep(field.far.delay(index)));
            let poll = picked.as_mut().poll(&mut Context::from_waker(&waker));
            done += poll.is_pending() as usize;
        };
        in_turns(0, warm_up, &mut body).await;
        let start = Start::when_idle();
        in_turns(warm_up, operations, &mut body).await;
        let span = start.end(std::time::Instant::now());
        let left = field.close(outstanding + done, dropped);
        Answer {
            span,
            operations: done - warm_up,
            left,
            ..Default::default()
        }
    }))
}

/// One operation: `Sleep::reset` of one and the same pending sleep.
pub fn debounce(request: &Request) -> Result<Answer, BadNumber> {
    let outstanding = request.number("outstanding", 0)?;
    let operations = request.number("operations", 1)?;
    let core = request.number("core", 0)?;
    Ok(run_on(core, async {
        let field = Field::standing(outstanding);
        let fires = Arc::new(Fires::default());
        let waker = Waker::from(fires.clone());
        let delay = Duration::from_secs(5);
        let pending = sleep(delay);
        tokio::pin!(pending);
        assert!(pending
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending());
        let mut done = 0;
        let mut push = |_| {
            pending.as_mut().reset(Instant::now() + delay);
            done += !pending.is_elapsed() as usize;
        };
        in_turns(0, operations / 10, &mut push).await;
        let start = Start::when_idle();
        in_turns(0, operations, &mut push).await;
        let span = start.end(std::time::Instant::now());
        let operations = done - operations / 10;
        pending
            .as_mut()
            .reset(Instant::now() + Duration::from_millis(1));
        sleep(Duration::from_millis(20)).await;
        let fired = fires.0.load(Relaxed);
        Answer {
            span,
            operations,
            fired,
            left: field.close(outstanding, 0),
            ..Default::default()
        }
    }))
}

/// One operation: as in `pairs`, by threads that are not the runtime's.
pub fn threads(request: &Request) -> Result<Answer, BadNumber> {
    let producers = request.number("producers", 1)?;
    let each = request.number("each", 1)?;
    let fires = Arc::new(Fires::default());
    let gate = Arc::new(Barrier::new(producers + 1));
    let runtime = runtime();
    let field = runtime.block_on(unconstrained(async { Field::standing(1000) }));
    let make = |number| {
        let (handle, gate) = (runtime.handle().clone(), gate.clone());
        let waker = Waker::from(fires.clone());
        move || {
            cores::take(number);
            let (_inside, far) = (handle.enter(), Far::new());
            let mut context = Context::from_waker(&waker);
            let mut run = |count: usize| {
                (0..count)
                    .filter(|index| pair(far.delay(*index), &mut context))
                    .count()
            };
            // The warm-up, which does not count.
            run(each / 10);
            gate.wait();
            run(each)
        }
    };
    let threads: Vec<_> = (0..producers)
        .map(|number| std::thread::spawn(make(number)))
        .collect();
    // The runtime's own thread sleeps in its driver until everybody is done.
    let (ended, end) = tokio::sync::oneshot::channel();
    let joiner = std::thread::spawn(move || {
        let start = Start::when_idle();
        gate.wait();
        let done = threads
            .into_iter()
            .map(|thread| thread.join().expect("a producer"))
            .sum();
        let at = std::time::Instant::now();
        ended.send(()).expect("the runtime");
        (start.end(at), done)
    });
    runtime.block_on(end).expect("the end");
    let (span, operations) = joiner.join().expect("the joiner");
    let fired = fires.0.load(Relaxed);
    Ok(Answer {
        span,
        operations,
        fired,
        left: field.close(1000, 0),
        ..Default::default()
    })
}

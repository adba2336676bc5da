// SPDX-License-Identifier: Apache-2.0

//! tokio as a rival, in a process of its own, which measures one sample per start:
//!
//!     tokio pairs outstanding=1000 operations=100000
//!
//! prints `ok wall=… cpu=… operations=… fired=… left=…`, times in nanoseconds. The runtime is a
//! current-thread one with timers and no I/O: it parks on a condition variable, which is the cheaper
//! of tokio's two ways to sleep.

use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::{unconstrained, yield_now};
use tokio::time::{sleep, Sleep};

/// As many operations as a turn has on every other side. After it, the task yields and the runtime
/// looks at its timers.
const A_TURN: usize = 1000;

#[derive(Default)]
struct Answer {
    operations: usize,
    fired: usize,
    left: i64,
}

/// The wall and CPU time since it was made.
struct Start(Instant, i64);

impl Start {
    fn now() -> Self {
        Self(Instant::now(), cpu())
    }

    fn print(self, answer: Answer) {
        let (wall, cpu) = (self.0.elapsed().as_nanos(), cpu() - self.1);
        let Answer { operations, fired, left } = answer;
        println!("ok wall={wall} cpu={cpu} operations={operations} fired={fired} left={left}");
    }
}

fn cpu() -> i64 {
    // SAFETY: a zeroed record of C's, which the call fills in.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time);
        time
    };
    time.tv_sec as i64 * 1_000_000_000 + time.tv_nsec as i64
}

/// Keeps the calling thread on one core, as the lab does.
fn take_core(number: usize) {
    // SAFETY: a zeroed set is empty, and the calls fill it in; 0 is the calling thread.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let size = std::mem::size_of_val(&set);
        libc::sched_getaffinity(0, size, &mut set);
        let cores: Vec<_> = (0..libc::CPU_SETSIZE as usize)
            .filter(|core| libc::CPU_ISSET(*core, &set))
            .collect();
        libc::CPU_ZERO(&mut set);
        libc::CPU_SET(cores[number % cores.len()], &mut set);
        libc::sched_setaffinity(0, size, &set);
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_time().build().expect("a runtime")
}

/// The SplitMix64 generator (Steele, Lea, Flood 2014): the same numbers in every run.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
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

/// Sleeps that stand by, at random delays of 1 to 60 s.
struct Field {
    far: Vec<Duration>,
    sleeps: Vec<Pin<Box<Sleep>>>,
    fires: Arc<Fires>,
    waker: Waker,
}

impl Field {
    fn standing(outstanding: usize) -> Self {
        let mut random = SplitMix(1);
        let mut draw = || Duration::from_nanos(1_000_000_000 + random.next() % 59_000_000_000);
        let far: Vec<_> = (0..4096).map(|_| draw()).collect();
        let fires = Arc::new(Fires::default());
        let waker = Waker::from(fires.clone());
        let arm = |index: usize| {
            let mut sleep = Box::pin(sleep(far[index & 4095]));
            assert!(sleep.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            sleep
        };
        let sleeps = (0..outstanding).map(arm).collect();
        Self { far, sleeps, fires, waker }
    }

    /// How many of the `armed` sleeps were neither dropped before their deadline nor have fired.
    fn left(&self, armed: usize, dropped: usize) -> i64 {
        let pending = self.sleeps.iter().filter(|sleep| !sleep.is_elapsed()).count();
        armed as i64 - (dropped + pending + self.fires.0.load(Relaxed)) as i64
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

/// One operation: `sleep`, pinned on the stack, polled once, which registers it, and dropped, as a
/// timeout of something that ends in time is.
async fn pairs(number: impl Fn(&str) -> usize) {
    let (outstanding, operations) = (number("outstanding"), number("operations"));
    let field = Field::standing(outstanding);
    let fires = Arc::new(Fires::default());
    let waker = Waker::from(fires.clone());
    let mut done = 0;
    let mut body = |index: usize| {
        let sleep = sleep(field.far[index & 4095]);
        tokio::pin!(sleep);
        done += matches!(sleep.poll(&mut Context::from_waker(&waker)), Poll::Pending) as usize;
    };
    in_turns(0, operations / 10, &mut body).await;
    let start = Start::now();
    in_turns(operations / 10, operations, &mut body).await;
    let (operations, fired) = (done - operations / 10, fires.0.load(Relaxed));
    start.print(Answer { operations, fired, left: field.left(outstanding, 0) });
}

/// One operation: a random sleep dropped, and another one in its memory polled once.
async fn churn(number: impl Fn(&str) -> usize) {
    let (outstanding, warm_up) = (number("outstanding"), number("warmup"));
    let operations = number("operations");
    let mut random = SplitMix(7);
    let picks: Vec<_> = (0..1 << 18)
        .map(|_| (random.next() % outstanding as u64) as usize)
        .collect();
    let mut field = Field::standing(outstanding);
    let (mut done, mut dropped) = (0, 0);
    let mut body = |index: usize| {
        let picked = &mut field.sleeps[picks[index & (picks.len() - 1)]];
        dropped += !picked.is_elapsed() as usize;
        picked.set(sleep(field.far[index & 4095]));
        let poll = picked.as_mut().poll(&mut Context::from_waker(&field.waker));
        done += poll.is_pending() as usize;
    };
    in_turns(0, warm_up, &mut body).await;
    let start = Start::now();
    in_turns(warm_up, operations, &mut body).await;
    let left = field.left(outstanding + done, dropped);
    start.print(Answer { operations: done - warm_up, fired: 0, left });
}

type Post = Box<dyn FnOnce() + Send>;

/// The count that the posts raise. The runtime's thread alone changes it: a load and a store, no more.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// One operation: a closure sent through an unbounded channel to the one task that runs them, by
/// threads that are not the runtime's. It captures a pointer and a number, which is one allocation.
async fn posts(number: impl Fn(&str) -> usize) {
    let (producers, each) = (number("producers"), number("each"));
    let (sender, mut inbox) = unbounded_channel::<Post>();
    let gate = Arc::new(Barrier::new(producers + 1));
    for number in 0..producers {
        let (sender, gate) = (sender.clone(), gate.clone());
        std::thread::spawn(move || {
            take_core(number);
            gate.wait();
            for _ in 0..each {
                // Opaque, so that they are captured.
                let (count, number) = black_box((&COUNT, 1));
                let post = move || count.store(count.load(Relaxed) + number, Relaxed);
                assert!(sender.send(Box::new(post)).is_ok());
            }
        });
    }
    drop(sender);
    take_core(producers);
    let start = Start::now();
    gate.wait();
    // The channel ends with the last of the producers.
    while let Some(post) = inbox.recv().await {
        post();
    }
    let operations = producers * each;
    start.print(Answer { operations, fired: COUNT.load(Relaxed), left: 0 });
}

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let find = |word: &String| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
        words.iter().find_map(find).unwrap_or(0)
    };
    // As one task without tokio's budget: after 128 polls, that would have each further sleep pretend
    // to be pending and register nothing.
    runtime().block_on(unconstrained(async {
        match words.first().map(String::as_str) {
            Some("pairs") => {
                take_core(0);
                pairs(number).await
            }
            Some("churn") => {
                take_core(0);
                churn(number).await
            }
            Some("posts") => posts(number).await,
            _ => println!("error unknown request"),
        }
    }));
}

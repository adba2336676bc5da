// SPDX-License-Identifier: Apache-2.0

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

/// The findings of one sample. The lab compares the counts with what they have to be.
#[derive(Default)]
pub struct Answer {
    pub span: Span,
    /// Done, and found to be done.
    pub operations: usize,
    /// Closures that ran, tasks that went on, or wakers that were called.
    pub fired: usize,
    /// Timers that were armed and neither dropped before their deadline nor fired.
    pub left: i64,
    pub times: Vec<i64>,
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Usage {
            cpu,
            sleeps,
            preemptions,
        } = self.span.used;
        write!(out, "ok wall={} cpu={cpu} sleeps={sleeps}", self.span.wall)?;
        write!(
            out,
            " preemptions={preemptions} operations={}",
            self.operations
        )?;
        write!(out, " fired={} left={}", self.fired, self.left)?;
        for (index, time) in self.times.iter().enumerate() {
            write!(out, "{}{time}", if index == 0 { " times=" } else { "," })?;
        }
        Ok(())
    }
}

/// The resources that the process has used: CPU time of all its threads in nanoseconds, and their switches.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    pub cpu: i64,
    pub sleeps: i64,
    pub preemptions: i64,
}

impl Usage {
    pub fn now() -> Self {
        // SAFETY: this C record may be zeroed, and getrusage fills it in.
        let own = unsafe {
            let mut own: libc::rusage = std::mem::zeroed();
            assert_eq!(libc::getrusage(libc::RUSAGE_SELF, &mut own), 0);
            own
        };
        let seconds = own.ru_utime.tv_sec as i64 + own.ru_stime.tv_sec as i64;
        let microseconds = own.ru_utime.tv_usec as i64 + own.ru_stime.tv_usec as i64;
        Self {
            cpu: seconds * 1_000_000_000 + microseconds * 1_000,
            sleeps: own.ru_nvcsw as i64,
            preemptions: own.ru_nivcsw as i64,
        }
    }
}

/// Elapsed time in nanoseconds, and what the process has used until it was idle again.
#[derive(Default)]
pub struct Span {
    pub wall: i64,
    pub used: Usage,
}

/// The beginning of a span.
pub struct Start {
    pub at: Instant,
    before: Usage,
}

impl Start {
    /// Waits until the process is idle. It blocks the thread.
    pub fn when_idle() -> Self {
        settle();
        let before = Usage::now();
        Self {
            at: Instant::now(),
            before,
        }
    }

    /// Ends the span at an instant. It blocks the thread until the process is idle; what the thread
    /// uses for that does not count.
    pub fn end(self, at: Instant) -> Span {
        // Of the wait, which sleeps too, only the CPU time counts.
        let mut used = Usage::now();
        let waiting = settle();
        used.cpu = Usage::now().cpu - waiting - self.before.cpu;
        used.sleeps -= self.before.sleeps;
        used.preemptions -= self.before.preemptions;
        Span {
            wall: at.duration_since(self.at).as_nanos() as i64,
            used,
        }
    }
}

/// The CPU time of the calling thread, in nanoseconds.
fn thread_cpu() -> i64 {
    // SAFETY: a zeroed record of C's, which the call fills in.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        assert_eq!(
            libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time),
            0
        );
        time
    };
    time.tv_sec as i64 * 1_000_000_000 + time.tv_nsec as i64
}

/// Waits until the process uses hardly any CPU: the lab's `Settle` with its limits. Returns the CPU
/// time that the wait itself has cost the calling thread.
fn settle() -> i64 {
    let start = thread_cpu();
    let limit = Instant::now() + Duration::from_secs(5);
    let mut last = Usage::now().cpu;
    let mut calm = 0;
    while calm < 2 && Instant::now() < limit {
        thread::sleep(Duration::from_millis(1));
        let now = Usage::now().cpu;
        calm = if now < last + 150_000 { calm + 1 } else { 0 };
        last = now;
    }
    thread_cpu() - start
}

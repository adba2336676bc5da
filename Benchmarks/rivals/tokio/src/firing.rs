// SPDX-License-Identifier: Apache-2.0

use crate::span::{Answer, Start};
use crate::timers::{run, Far, Field, SplitMix};
use crate::{BadNumber, Request};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{sleep, sleep_until};

/// One operation: a firing, of timers that are all due when the runtime gets to them: its thread was
/// blocked. The code that follows a sleep belongs to a task in tokio, so each timer is one.
pub fn burst(request: &Request) -> Result<Answer, BadNumber> {
    let count = request.number("count", 1)?;
    let range = Duration::from_millis(request.number("range_ms", 0)? as u64);
    let mut random = SplitMix(2);
    let width = range.as_nanos().max(1) as u64;
    let offsets = (0..count)
        .map(|_| Duration::from_nanos(random.next() % width))
        .collect();
    Ok(run(fire(offsets, Some(range))))
}

/// One operation: a firing, evenly spread over the range.
pub fn spread(request: &Request) -> Result<Answer, BadNumber> {
    let count = request.number("count", 1)?;
    let range = Duration::from_millis(request.number("range_ms", 0)? as u64);
    let offsets = (0..count)
        .map(|index| range * index as u32 / count as u32)
        .collect();
    Ok(run(fire(offsets, None)))
}

/// The tasks' common record.
#[derive(Default)]
struct Board {
    armed: AtomicUsize,
    fired: AtomicUsize,
    done: Notify,
}

/// The first timer is due after all are armed; where arming takes longer, everything is made again
/// with twice as much time.
async fn fire(offsets: Vec<Duration>, blocked: Option<Duration>) -> Answer {
    let mut lead = Duration::from_millis(50) + Duration::from_micros(4) * offsets.len() as u32;
    for _ in 0..4 {
        if let Some(answer) = fire_after(lead, &offsets, blocked).await {
            return answer;
        }
        lead *= 2;
    }
    panic!("arming took longer than {lead:?}");
}

async fn fire_after(
    lead: Duration,
    offsets: &[Duration],
    blocked: Option<Duration>,
) -> Option<Answer> {
    let (board, count) = (Arc::new(Board::default()), offsets.len());
    let first = Instant::now() + lead;
    for offset in offsets {
        let (board, due) = (board.clone(), first + *offset);
        tokio::spawn(async move {
            board.armed.fetch_add(1, Relaxed);
            sleep_until(due.into()).await;
            if board.fired.fetch_add(1, Relaxed) + 1 == count {
                board.done.notify_one();
            }
        });
    }
    while board.armed.load(Relaxed) < count {
        yield_now().await;
    }
    let mut start = Start::when_idle();
    if Instant::now() > first {
        board.done.notified().await;
        return None;
    }
    if let Some(range) = blocked {
        let end = first + range + Duration::from_millis(2);
        std::thread::sleep(end.saturating_duration_since(Instant::now()));
    }
    start.at = if blocked.is_some() {
        Instant::now()
    } else {
        first
    };
    board.done.notified().await;
    let span = start.end(Instant::now());
    let fired = board.fired.load(Relaxed);
    Some(Answer {
        span,
        operations: count,
        fired,
        ..Default::default()
    })
}

/// One operation: a sleep of 1 to 3 ms, made when the one before it ends. Its time is how late it is.
pub fn lateness(request: &Request) -> Result<Answer, BadNumber> {
    let outstanding = request.number("outstanding", 0)?;
    let count = request.number("count", 1)?;
    Ok(run(async {
        let (field, far) = (Field::standing(outstanding), Far::new());
        let mut times = Vec::with_capacity(count);
        let start = Start::when_idle();
        for index in 0..count {
            let delay = Duration::from_millis(1 + far.delay(index).as_millis() as u64 % 3);
            let due = Instant::now() + delay;
            sleep(delay).await;
            let now = Instant::now();
            let late = now.saturating_duration_since(due).as_nanos() as i64;
            times.push(late - due.saturating_duration_since(now).as_nanos() as i64);
        }
        let span = start.end(Instant::now());
        let left = field.close(outstanding, 0);
        Answer {
            span,
            operations: count,
            fired: times.len(),
            left,
            times,
        }
    }))
}

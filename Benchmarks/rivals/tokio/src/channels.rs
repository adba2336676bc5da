// SPDX-License-Identifier: Apache-2.0

use crate::span::{Answer, Start};
use crate::timers::runtime;
use crate::{cores, BadNumber, Request};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Instant;
use tokio::sync::mpsc::{unbounded_channel, UnboundedSender};

type Post = Box<dyn FnOnce() + Send>;

/// The count that the posts raise. The runtime's thread alone changes it: a load and a store, no more.
struct Count(AtomicUsize);

static COUNT: Count = Count(AtomicUsize::new(0));

impl Count {
    fn add(&self, number: usize) {
        self.0.store(self.0.load(Relaxed) + number, Relaxed);
    }
}

/// One operation: a closure sent through an unbounded channel to the one task that runs them, by
/// threads that are not the runtime's. It captures a pointer and a number, which is one allocation,
/// or nothing, which is none.
pub fn posts(request: &Request) -> Result<Answer, BadNumber> {
    let producers = request.number("producers", 1)?;
    let each = request.number("each", 1)?;
    let capturing = request.number("capturing", 0)? != 0;
    COUNT.0.store(0, Relaxed);
    let (sender, mut inbox) = unbounded_channel::<Post>();
    let gate = Arc::new(Barrier::new(producers + 1));
    let consumer = thread::spawn(move || {
        cores::leave_free(producers);
        runtime().block_on(async {
            // The channel ends with the last of the producers.
            while let Some(post) = inbox.recv().await {
                post();
            }
        });
        Instant::now()
    });
    for number in 0..producers {
        let (sender, gate) = (sender.clone(), gate.clone());
        thread::spawn(move || {
            cores::take(number);
            gate.wait();
            produce(&sender, each, capturing);
        });
    }
    drop(sender);
    let start = Start::when_idle();
    gate.wait();
    let span = start.end(consumer.join().expect("the consumer"));
    let fired = COUNT.0.load(Relaxed);
    Ok(Answer {
        span,
        operations: producers * each,
        fired,
        ..Default::default()
    })
}

fn produce(sender: &UnboundedSender<Post>, each: usize, capturing: bool) {
    for _ in 0..each {
        let sent = if capturing {
            // Opaque, so that they are captured.
            let (count, number) = black_box((&COUNT, 1));
            sender.send(Box::new(move || count.add(number)))
        } else {
            sender.send(Box::new(|| COUNT.add(1)))
        };
        assert!(sent.is_ok());
    }
}

/// One operation: a message to another runtime on another thread, and its reply.
pub fn round_trips(request: &Request) -> Result<Answer, BadNumber> {
    let trips = request.number("trips", 1)?;
    let (there, mut requests) = unbounded_channel::<usize>();
    let (reply, mut back) = unbounded_channel::<usize>();
    let far = thread::spawn(move || {
        runtime().block_on(async {
            while let Some(value) = requests.recv().await {
                reply.send(value + 1).expect("the near end");
            }
        })
    });
    let near = runtime();
    let mut times = Vec::with_capacity(trips);
    let start = Start::when_idle();
    let fired = near.block_on(async {
        let mut replies = 0;
        for trip in 0..trips {
            let sent = Instant::now();
            there.send(trip).expect("the far end");
            replies += (back.recv().await == Some(trip + 1)) as usize;
            times.push(sent.elapsed().as_nanos() as i64);
        }
        replies
    });
    let span = start.end(Instant::now());
    drop(there);
    far.join().expect("the far end");
    Ok(Answer {
        span,
        operations: trips,
        fired,
        times,
        ..Default::default()
    })
}

// SPDX-License-Identifier: Apache-2.0

//! The tokio rival: a process that the lab asks for one sample at a time.
//!
//! A request is a line, `pairs outstanding=1000 operations=100000 core=0`, and so is its answer,
//! `ok wall=... cpu=...` or `error ...`. Benchmarks/README.md describes both. The end of the input ends the
//! program. Between two requests it blocks in a read and uses no CPU.
//!
//! Each sample has a current-thread runtime of its own. It has timers and no I/O, and parks on a
//! condition variable, which is the cheaper of tokio's two ways to sleep.

mod channels;
mod cores;
mod firing;
mod span;
mod timers;

use span::Answer;
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// The numbers of a request.
pub struct Request(HashMap<String, usize>);

/// The name of a number that the request lacks or that is too small.
pub struct BadNumber(&'static str);

type Work = fn(&Request) -> Result<Answer, BadNumber>;

impl Request {
    fn parse<'line>(words: impl Iterator<Item = &'line str>) -> Self {
        let pairs = words.filter_map(|word| word.split_once('='));
        Self(
            pairs
                .filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?)))
                .collect(),
        )
    }

    pub fn number(&self, name: &'static str, least: usize) -> Result<usize, BadNumber> {
        self.0
            .get(name)
            .copied()
            .filter(|number| *number >= least)
            .ok_or(BadNumber(name))
    }
}

fn work(name: &str) -> Option<Work> {
    Some(match name {
        "pairs" => timers::pairs,
        "churn" => timers::churn,
        "debounce" => timers::debounce,
        "threads" => timers::threads,
        "burst" => firing::burst,
        "spread" => firing::spread,
        "lateness" => firing::lateness,
        "posts" => channels::posts,
        "roundtrips" => channels::round_trips,
        _ => return None,
    })
}

fn reply(line: &str) -> String {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or("");
    let Some(work) = work(name) else {
        return format!("error unknown request: {line}");
    };
    match work(&Request::parse(words)) {
        Ok(answer) => answer.to_string(),
        Err(BadNumber(name)) => format!("error no such number as {name} needs: {line}"),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", reply(&line?))?;
        out.flush()?;
    }
    Ok(())
}

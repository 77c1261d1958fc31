//! What the benchmarks have in common: candidates that take turns, and their table.
//!
//! A round runs every candidate once, so that a machine that becomes slower does so for all of
//! them. Times are medians and leasts over the rounds; a ratio is the median of the rounds' own
//! ratios, which says more than the ratio of two medians.
//!
//! `-- --rounds N` takes another number of rounds. `-- --only NAME N` runs one candidate alone, N
//! times: what two numbers of rounds differ by, in a profiler that counts instructions, is the cost
//! of the rounds without that of starting (`instructions.sh`).

use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 41;

/// One way to do what is measured. It returns something that depends on all that it has done.
pub struct Candidate<'c> {
    name: &'static str,
    run: Box<dyn FnMut() -> u64 + 'c>,
}

pub fn candidate<'c>(name: &'static str, run: impl FnMut() -> u64 + 'c) -> Candidate<'c> {
    Candidate { name, run: Box::new(run) }
}

/// Results of the candidates by name.
pub struct Results(Vec<(&'static str, u64)>);

impl Results {
    /// Asserts that two candidates have come to the same, if both have run.
    pub fn assert_equal(&self, one: &str, other: &str) {
        let of = |name: &str| self.0.iter().find(|(n, _)| *n == name).map(|(_, result)| *result);
        assert_eq!(of(one), of(other), "{one} and {other} differ");
    }
}

/// The argument that stands `count` behind `name` on the command line.
pub fn argument(name: &str, count: usize) -> Option<String> {
    let at = std::env::args().position(|argument| argument == name)?;
    std::env::args().nth(at + count)
}

/// Runs the candidates as the arguments say and prints nanoseconds per message beside the ratio
/// to the first candidate. `None` where only one was to run.
pub fn compare(
    title: &str,
    messages: usize,
    mut candidates: Vec<Candidate<'_>>,
) -> Option<Results> {
    if let Some(name) = argument("--only", 1) {
        let rounds = argument("--only", 2).and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
        for candidate in candidates.iter_mut().filter(|candidate| candidate.name == name) {
            for _ in 0..rounds {
                black_box((candidate.run)());
            }
        }
        return None;
    }
    let rounds = argument("--rounds", 1).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let mut results = Vec::new();
    let mut times = vec![Vec::new(); candidates.len()];
    for _ in 0..rounds.max(1) {
        for (candidate, times) in candidates.iter_mut().zip(&mut times) {
            let start = Instant::now();
            let result = (candidate.run)();
            times.push(start.elapsed().as_nanos() as f64 / messages as f64);
            results.push((candidate.name, result));
        }
    }
    println!("{title}, {rounds} rounds, ns/message");
    println!("{:<40} {:>10} {:>10} {:>10}", "", "median", "least", "x first");
    for (candidate, own) in candidates.iter().zip(&times) {
        let ratios = times[0].iter().zip(own).map(|(first, own)| first / own).collect();
        println!(
            "{:<40} {:>10.1} {:>10.1} {:>10.1}",
            candidate.name,
            median(own.clone()),
            own.iter().fold(f64::INFINITY, |least, time| least.min(*time)),
            median(ratios)
        );
    }
    Some(Results(results))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

//! Rounds that are played one after the other, each known by its number.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt::Display;
use std::process::ExitCode;

use saker_cosim::library::{Library, Model};

use super::bench::Arguments;

/// A block beside its rules.
pub trait Rounds {
    /// What came of all rounds.
    type Counts: Display;

    /// Plays a round; how logic and rules differ.
    fn round(&mut self, number: u64) -> Result<(), String>;

    /// What came last.
    fn last(&self) -> &Last;

    fn counts(&self) -> &Self::Counts;
}

/// Plays the rounds that are asked for of a top module, and tells those that differ; one alone with what came last.
pub fn run<B: Rounds>(
    top: &str,
    new: impl FnOnce(&Library, Model) -> Result<B, Box<dyn Error>>,
) -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let (library, model) = arguments.model(top)?;
    let mut bench = new(&library, model)?;
    let mut differ = 0;
    for number in arguments.numbers() {
        if let Err(difference) = bench.round(number) {
            differ += 1;
            println!("round {number}: {difference}");
            if arguments.count == 1 {
                bench.last().0.iter().for_each(|line| println!("{line}"));
            }
        }
        if arguments.tells(number) {
            println!("{}, {differ} rounds differ, up to {number}", bench.counts());
        }
    }
    Ok(if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The last lines of what came in a round.
#[derive(Default)]
pub struct Last(VecDeque<String>);

impl Last {
    /// How many are kept.
    const LINES: usize = 60;

    pub fn note(&mut self, line: String) {
        if self.0.len() == Self::LINES {
            self.0.pop_front();
        }
        self.0.push_back(line);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

//! What a run of the engine tells, with the optimisations alone and together.

use std::fmt::Write;

use super::compile::{CompileError, CompileOptions, compile};
use super::engine::{Counters, Engine, EngineOptions};
use super::profile::Profile;
use super::program::Program;
use super::record::{Record, Trap};
use crate::load::Templates;

/// The clock that line rate is stated for, in hertz: eight bytes a cycle are 10 Gbit/s.
pub const CLOCK_HZ: u64 = 156_250_000;

/// The optimisations that a run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Optimisations {
    /// Up to four fields in a row.
    pub rows: bool,
    /// {template, presence map} segments from the profile.
    pub segments: bool,
    /// Branch pre-calculation.
    pub precalculate: bool,
    /// Wide fields in one step.
    pub wide: bool,
}

impl Optimisations {
    /// None, each alone, and all together, with their names.
    pub const CASES: [(&'static str, Self); 6] = [
        ("base", Self { rows: false, segments: false, precalculate: false, wide: false }),
        ("segments", Self { rows: false, segments: true, precalculate: false, wide: false }),
        ("precalculate", Self { rows: false, segments: false, precalculate: true, wide: false }),
        ("wide", Self { rows: false, segments: false, precalculate: false, wide: true }),
        ("rows", Self { rows: true, segments: false, precalculate: false, wide: false }),
        ("all", Self { rows: true, segments: true, precalculate: true, wide: true }),
    ];

    /// Adds the seed's three in its order, then rows: names and sets for a ladder.
    pub const LADDER: [(&'static str, Self); 5] = [
        ("base", Self { rows: false, segments: false, precalculate: false, wide: false }),
        ("+segments", Self { rows: false, segments: true, precalculate: false, wide: false }),
        ("+precalculate", Self { rows: false, segments: true, precalculate: true, wide: false }),
        ("+wide", Self { rows: false, segments: true, precalculate: true, wide: true }),
        ("+rows", Self { rows: true, segments: true, precalculate: true, wide: true }),
    ];
}

/// What packets cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunReport {
    /// All counters.
    pub counters: Counters,
    /// Rows of the program.
    pub program_rows: usize,
    /// Segments of the program.
    pub program_segments: usize,
    /// Least and most cycles from the word with a message's last byte to its last field, each
    /// packet on its own in an idle engine; 0 where that was not measured.
    pub latency_min: u64,
    /// See `latency_min`.
    pub latency_max: u64,
    /// The sum over the packets.
    pub latency_sum: u64,
    /// Words of the packets: the least number of cycles in which they can come.
    pub words: u64,
}

impl RunReport {
    /// Thousandths of a cycle per field, rounded to the nearest; `None` without fields.
    pub fn milli_cycles_per_field(&self) -> Option<u64> {
        let Counters { cycles, fields, .. } = self.counters;
        (cycles * 1000 + fields / 2).checked_div(fields)
    }

    /// Bits per second of packets at [`CLOCK_HZ`], back to back.
    pub fn bits_per_second(&self) -> Option<u64> {
        let Counters { cycles, bytes, .. } = self.counters;
        let bits = u128::from(bytes) * 8 * u128::from(CLOCK_HZ);
        bits.checked_div(cycles.into()).and_then(|rate| u64::try_from(rate).ok())
    }

    /// As a JSON object. Ratios are exact to the third digit.
    pub fn to_json(&self) -> String {
        let c = &self.counters;
        let mut out = String::from("{");
        let mut number = |name: &str, value: u64| {
            let comma = if out.len() > 1 { "," } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(out, "{comma}\"{name}\":{value}");
        };
        number("messages", c.messages);
        number("complete", c.complete);
        number("errors", c.errors);
        number("trapped", c.trapped());
        number("packets", c.packets);
        number("bytes", c.bytes);
        number("words", self.words);
        number("fields", c.fields);
        number("records", c.records);
        number("rows", c.rows);
        number("cycles", c.cycles);
        number("beat_cycles", c.beat_cycles);
        number("branch_cycles", c.branch_cycles);
        number("presence_cycles", c.presence_cycles);
        number("wide_cycles", c.wide_cycles);
        number("header_cycles", c.header_cycles);
        number("input_cycles", c.input_cycles);
        number("program_rows", self.program_rows as u64);
        number("program_segments", self.program_segments as u64);
        number("latency_min", self.latency_min);
        number("latency_max", self.latency_max);
        number("latency_sum", self.latency_sum);
        number("bits_per_second", self.bits_per_second().unwrap_or(0));
        let milli = self.milli_cycles_per_field().unwrap_or(0);
        let _ =
            write!(out, ",\"cycles_per_field\":{}.{:03},\"traps\":{{", milli / 1000, milli % 1000);
        for (index, trap) in Trap::ALL.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(out, "{comma}\"{}\":{}", trap.name(), c.traps[index]);
        }
        out.push_str("}}");
        out
    }
}

/// The reports of a stream with every set of optimisations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// By name: none, each alone, all.
    pub cases: Vec<(&'static str, RunReport)>,
    /// By name: one more with each.
    pub ladder: Vec<(&'static str, RunReport)>,
}

impl Comparison {
    /// The report with everything.
    pub fn all(&self) -> Option<&RunReport> {
        self.cases.last().map(|(_, report)| report)
    }

    /// As a JSON object: that of the report with everything, with `optimisations` and `ladder`.
    pub fn to_json(&self) -> String {
        let mut out = self.all().map_or("{}".to_owned(), RunReport::to_json);
        out.pop();
        for (name, reports) in [("optimisations", &self.cases), ("ladder", &self.ladder)] {
            let comma = if out.len() > 1 { "," } else { "" };
            let _ = write!(out, "{comma}\"{name}\":{{");
            for (index, (case, report)) in reports.iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                let _ = write!(out, "{comma}\"{case}\":{}", report.to_json());
            }
            out.push('}');
        }
        out.push('}');
        out
    }

    /// As a table for people.
    pub fn to_table(&self) -> String {
        let mut out = format!(
            "{:<16}{:>10}{:>10}{:>14}{:>10}\n",
            "", "fields", "cycles", "cycles/field", "Gbit/s"
        );
        for (name, report) in self.cases.iter().chain(&self.ladder) {
            let milli = report.milli_cycles_per_field().unwrap_or(0);
            let rate = report.bits_per_second().unwrap_or(0) / 10_000_000;
            let _ = writeln!(
                out,
                "{name:<16}{:>10}{:>10}{:>10}.{:03}{:>7}.{:02}",
                report.counters.fields,
                report.counters.cycles,
                milli / 1000,
                milli % 1000,
                rate / 100,
                rate % 100
            );
        }
        out
    }
}

/// Runs packets back to back and then, for the latency, each in an idle engine.
///
/// # Errors
/// If the program breaks a rule.
pub fn run(
    program: &Program,
    options: EngineOptions,
    packets: &[&[u8]],
) -> Result<RunReport, CompileError> {
    let mut report = RunReport {
        program_rows: program.rows.len(),
        program_segments: program.segments.len(),
        words: packets.iter().map(|packet| packet.len().div_ceil(8) as u64).sum(),
        ..RunReport::default()
    };
    let mut engine = Engine::new(program.clone(), options)?;
    let mut out = Vec::new();
    for packet in packets {
        out.clear();
        engine.packet(packet, &mut out);
    }
    report.counters = *engine.counters();
    let mut idle = Engine::new(program.clone(), options)?;
    let mut arrival = 0;
    for packet in packets {
        out.clear();
        let messages = idle.packet_at(packet, arrival, false, &mut out);
        arrival = idle.counters().cycles + IDLE_CYCLES;
        let Some(last) = messages.last() else { continue };
        let latency = last.done_cycle - last.last_word_cycle;
        let is_first = report.latency_max == 0;
        report.latency_min = if is_first { latency } else { report.latency_min.min(latency) };
        report.latency_max = report.latency_max.max(latency);
        report.latency_sum += latency;
    }
    Ok(report)
}

/// Cycles between packets after which nothing of the earlier one is left in the engine.
const IDLE_CYCLES: u64 = 64;

/// The profile of packets.
///
/// # Errors
/// If the templates do not fit the engine.
pub fn profile(
    templates: &Templates,
    options: &CompileOptions,
    packets: &[&[u8]],
) -> Result<Profile, CompileError> {
    let mut profile = Profile::default();
    // Strings beyond 16 bytes trap until it is known which fields have them; each round finds
    // those in front of the next.
    loop {
        let options = CompileOptions { profile: profile.clone(), ..options.clone() };
        let mut engine = Engine::new(compile(templates, &options)?, EngineOptions::default())?;
        let mut next = Profile { longest: profile.longest.clone(), ..Profile::default() };
        let mut out: Vec<Record> = Vec::new();
        for packet in packets {
            out.clear();
            let messages = engine.packet(packet, &mut out);
            let program = engine.program();
            for message in &messages {
                next.add(program, message, &out[message.records.clone()]);
            }
        }
        let found = next.long_strings() > profile.long_strings();
        profile = next;
        if !found {
            return Ok(profile);
        }
    }
}

/// Compiles templates in every way and runs packets; the profile is that of `options`.
///
/// # Errors
/// If the templates do not fit the engine.
pub fn measure(
    templates: &Templates,
    options: &CompileOptions,
    packets: &[&[u8]],
) -> Result<Comparison, CompileError> {
    let one = |case: &Optimisations| {
        let compiled = CompileOptions {
            fields_per_row: if case.rows { options.fields_per_row } else { 1 },
            segments: if case.segments { options.segments } else { 0 },
            ..options.clone()
        };
        let program = compile(templates, &compiled)?;
        let engine = EngineOptions { precalculate: case.precalculate, wide: case.wide };
        run(&program, engine, packets)
    };
    let all = |cases: &[(&'static str, Optimisations)]| {
        let mut reports = Vec::new();
        for (name, case) in cases {
            reports.push((*name, one(case)?));
        }
        Ok::<_, CompileError>(reports)
    };
    Ok(Comparison { cases: all(&Optimisations::CASES)?, ladder: all(&Optimisations::LADDER)? })
}

//! Writes what the engine in logic is checked against: programs, packets, and the records, statuses
//! and cycles that the model gives for them, as JSON: `engine_vectors CASES [SEED]`, one program a
//! line.

#[path = "../tests/common/mod.rs"]
mod common;

use common::engine_cases::{Case, Pace, known, random};
use common::hexed;
use saker_fast::microcode::image;
use serde_json::{Value, json};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let cases: u64 = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let random = (0..cases).filter_map(|number| random(seed * 1_000_003 + number));
    for case in known().into_iter().chain(random) {
        if let Some(line) = vectors(&case)? {
            println!("{line}");
        }
    }
    Ok(())
}

/// A program, its packets, what the engine makes of them; nothing where the program does not fit the logic.
fn vectors(case: &Case) -> Result<Option<Value>, Error> {
    let Ok(load) = image(&case.program) else { return Ok(None) };
    let mut packets = Vec::new();
    for (packet, played) in case.packets.iter().zip(case.play()?) {
        let records: Vec<Value> = played
            .records
            .iter()
            .map(|r| json!([r.kind as u8, r.tag, r.info, format!("{:x}", r.value), r.cycle]))
            .collect();
        packets.push(json!({
            "bytes": hexed(&packet.bytes),
            "abort": packet.abort,
            "arrival": played.arrival,
            "records": records,
        }));
    }
    let full = case.pace == Pace::Full;
    Ok(Some(json!({ "name": case.name, "full": full, "load": load, "packets": packets })))
}

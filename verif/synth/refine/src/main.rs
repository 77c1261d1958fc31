//! Moves the cells of a placed netlist so that its longest paths get shorter.
//!
//! nextpnr's placer takes a wire to last as long as its two tiles are apart. In truth the pins matter as
//! much: within one tile a wire lasts from 30 to 460 ps. This takes a netlist that nextpnr has placed,
//! moves LUTs, registers and memories about by the delays of the part's own database, and writes a netlist
//! for nextpnr to route, which has the last word on what came of it.

mod anneal;
mod board;
mod chip;
mod delays;
mod netlist;
mod sdf;
mod timing;
mod ways;

use anneal::{Annealer, Options};
use anyhow::{Context, Result, ensure};
use clap::Parser;
use std::path::{Path, PathBuf};

/// Moves the cells of a placed netlist so that its longest paths get shorter.
///
///     nextpnr-ecp5 ... --no-route --write placed.json --sdf cells.sdf
///     saker-refine chipdb-85k.bin placed.json cells.sdf refined.json
///     nextpnr-ecp5 ... --no-pack --json refined.json
#[derive(Parser)]
#[command(verbatim_doc_comment, version)]
struct Arguments {
    /// nextpnr's database of the part
    chip: PathBuf,
    /// What nextpnr has placed (`--write`)
    placed: PathBuf,
    /// The delays of its cells (`--sdf`)
    cells: PathBuf,
    /// Where the netlist goes to
    refined: PathBuf,
    /// The same seed moves the same cells
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Speed grade: 6, 7 or 8
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(6..=8))]
    speed: u8,
    /// More of them take longer and come to more
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Moves that a round tries for each cell
    #[arg(long, default_value_t = 12.0)]
    tries: f32,
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let chip = chip::Chip::read(&read(&arguments.chip)?, usize::from(arguments.speed - 6))
        .with_context(|| format!("{}", arguments.chip.display()))?;
    let netlist = serde_json::from_slice(&read(&arguments.placed)?)
        .map_err(anyhow::Error::from)
        .and_then(netlist::Netlist::read);
    let mut netlist = netlist.with_context(|| format!("{}", arguments.placed.display()))?;
    let sdf = sdf::Sdf::read(&String::from_utf8_lossy(&read(&arguments.cells)?));
    ensure!(!sdf.inside.is_empty(), "{} tells of no delays", arguments.cells.display());

    let connections = timing::connections(&netlist);
    let timing = timing::Timing::new(&netlist, &connections, &sdf);
    let ways = ways::Ways::new(&chip, &netlist, &connections);
    let board = board::Board::new(&chip, &netlist, &connections);
    let options =
        Options { seed: arguments.seed, rounds: arguments.rounds, tries: arguments.tries };
    let mut annealer = Annealer::new(&netlist, &connections, board, ways, timing, options);
    annealer.run(|round, longest, extent| {
        if round % 10 == 0 || round == arguments.rounds {
            let longest = f64::from(longest) / 1000.0;
            eprintln!(
                "round {round} of {}: {longest:.2} ns, {extent} tiles of wire",
                arguments.rounds
            );
        }
    });

    for (cell, place) in netlist.cells.iter_mut().zip(&annealer.board.places) {
        cell.place = *place;
    }
    let text = serde_json::to_vec(&netlist.write()?)?;
    std::fs::write(&arguments.refined, text)
        .with_context(|| format!("cannot write {}", arguments.refined.display()))
}

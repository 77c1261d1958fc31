//! Shortens the longest paths of a netlist that nextpnr has placed, and those of one that it has routed.
//!
//! nextpnr's placer takes a wire to last as long as its two tiles are apart. In truth the pins matter as
//! much: within one tile a wire lasts from 30 to 460 ps. `cells` moves LUTs, registers and memories about
//! by the delays of the part's own database. nextpnr's router leaves a connection the way that it found
//! when it came to it: `wires` exchanges wires between nets, where the longest path gets shorter by it. Both
//! write a netlist for nextpnr, which has the last word on what came of it.

mod anneal;
mod board;
mod carry;
mod chip;
mod copies;
mod delays;
mod fabric;
mod netlist;
mod prices;
mod reroute;
mod routes;
mod sdf;
mod search;
mod timing;
mod ways;

use anneal::{Annealer, Options};
use anyhow::{Context, Result, ensure};
use chip::Chip;
use clap::{Args, Parser, Subcommand};
use copies::Paths;
use delays::Delays;
use netlist::{Copy, Kind, Netlist, Pin, Repin};
use reroute::Router;
use sdf::Sdf;
use std::path::{Path, PathBuf};

/// Shortens the longest paths of a netlist that nextpnr has placed or routed.
///
///     nextpnr-ecp5 ... --no-route --write placed.json --sdf cells.sdf
///     saker-refine cells chipdb-85k.bin placed.json cells.sdf refined.json
///     nextpnr-ecp5 ... --no-pack --json refined.json --write routed.json --sdf wires.sdf
///     saker-refine wires chipdb-85k.bin routed.json cells.sdf wires.sdf rerouted.json
///     nextpnr-ecp5 ... --no-pack --json rerouted.json
#[derive(Parser)]
#[command(verbatim_doc_comment, version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Moves the cells of a placed netlist
    Cells {
        #[command(flatten)]
        of: Of,
        /// Where the netlist goes to
        refined: PathBuf,
        #[command(flatten)]
        how: Moves,
    },
    /// Leads the longest paths of a routed netlist by other wires
    Wires {
        #[command(flatten)]
        of: Of,
        /// The delays of its wires (`--sdf`)
        wires: PathBuf,
        /// Where the netlist goes to
        rerouted: PathBuf,
        /// It ends earlier when the longest path stays as long as it is
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
        /// Up to how many times as much is tried where the longest path stays as it is
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
        effort: u32,
    },
}

#[derive(Args)]
struct Of {
    /// nextpnr's database of the part
    chip: PathBuf,
    /// What nextpnr has written (`--write`)
    netlist: PathBuf,
    /// The delays of its cells (`--sdf`, of when it was placed)
    cells: PathBuf,
    /// The same seed does the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Speed grade: 6, 7 or 8
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(6..=8))]
    speed: u8,
}

#[derive(Args)]
struct Moves {
    /// More of them take longer and come to more
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,
    /// Of a turn: how often all paths are looked at (four times as often in the last)
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Moves that a round tries for each cell
    #[arg(long, default_value_t = 12.0)]
    tries: f32,
    /// How many cells may get a second one that takes some of their loads
    #[arg(long, default_value_t = 0)]
    copies: usize,
    /// Lead what comes late at a carry to the nearest of its pins; fewer second cells where they gave nothing
    #[arg(long)]
    carries: bool,
    /// Where all delays go as it reckons them (SDF)
    #[arg(long)]
    delays: Option<PathBuf>,
}

fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn delays_of(path: &Path) -> Result<Sdf> {
    Ok(Sdf::read(&String::from_utf8_lossy(&bytes_of(path)?)))
}

impl Of {
    fn read(&self) -> Result<(Chip, Netlist, Sdf)> {
        let chip = Chip::read(&bytes_of(&self.chip)?, usize::from(self.speed - 6))
            .with_context(|| format!("{}", self.chip.display()))?;
        let netlist = serde_json::from_slice(&bytes_of(&self.netlist)?)
            .map_err(anyhow::Error::from)
            .and_then(Netlist::read)
            .with_context(|| format!("{}", self.netlist.display()))?;
        let sdf = delays_of(&self.cells)?;
        ensure!(!sdf.inside.is_empty(), "{} tells of no delays", self.cells.display());
        Ok((chip, netlist, sdf))
    }
}

/// Takes delays for the pins that carries' inputs are led to, where they had none.
fn know_pins(sdf: &mut Sdf, netlist: &Netlist) {
    let carry = |kind| matches!(kind, Kind::Comb(comb) if comb.carry);
    sdf.all_inputs(netlist.cells.iter().filter(|cell| carry(cell.kind)).map(|cell| &cell.name));
}

fn write(netlist: Netlist, path: &Path, route: impl Fn(&str) -> Option<String>) -> Result<()> {
    let text = serde_json::to_vec(&netlist.write(route)?)?;
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// What would shorten the longest paths as they are.
#[derive(Default)]
struct Changes {
    copies: Vec<Copy>,
    repins: Vec<Repin>,
}

/// Which changes to look for: up to so many copies, and other pins for carries.
#[derive(Clone, Copy)]
struct Asked {
    copies: usize,
    carries: bool,
}

/// What came of it: the part's tables again, connections' delays and the longest path, in picoseconds, and the
/// changes that were asked for.
struct Annealed<'a> {
    tables: Delays<'a>,
    delays: Vec<i32>,
    longest: i32,
    changes: Changes,
}

fn write_delays(netlist: &Netlist, sdf: &Sdf, delays: &[i32], path: &Path) -> Result<()> {
    let pin = |pin: Pin| format!("{}/{}", netlist.cells[pin.cell as usize].name, netlist.port(pin));
    let connections = timing::connections(netlist);
    let wires = connections.iter().zip(delays);
    let text = sdf.text(wires.map(|(way, &time)| (pin(way.from), pin(way.to), time)));
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Anneals, and leaves the best places in the netlist.
fn anneal<'a>(
    chip: &'a Chip,
    delays: Delays<'a>,
    netlist: &mut Netlist,
    sdf: &Sdf,
    options: Options,
    asked: Asked,
) -> Annealed<'a> {
    let rounds = options.rounds;
    let connections = timing::connections(netlist);
    let timing = timing::Timing::new(netlist, &connections, sdf);
    let ways = ways::Ways::new(delays, netlist, &connections);
    let board = board::Board::new(chip, netlist, &connections);
    let mut annealer = Annealer::new(netlist, &connections, board, ways, timing, options);
    annealer.run(|round, longest, extent| {
        if round % 5 == 0 || round == rounds {
            let longest = f64::from(longest) / 1000.0;
            eprintln!("round {round} of {rounds}: {longest:.2} ns, {extent} tiles of wire");
        }
    });
    for (cell, place) in netlist.cells.iter_mut().zip(&annealer.board.places) {
        cell.place = *place;
    }
    let longest = annealer.longest();
    let Annealer { mut board, ways, timing, through, delays, .. } = annealer;
    let paths = Paths {
        netlist,
        connections: &connections,
        order: timing.order(),
        through: &through,
        longest,
    };
    let copies = copies::choose(&paths, &mut board, asked.copies);
    let repins = if asked.carries {
        carry::choose(netlist, &connections, &ways, &through)
    } else {
        Vec::new()
    };
    let changes = Changes { copies, repins };
    Annealed { tables: ways.into_delays(), delays, longest, changes }
}

/// So many times as many rounds has the last turn, and by such a part its longest path may be longer than the
/// shortest that there was: all others get shorter then, and leave the router more.
const LAST: u32 = 4;
const LONGER: i32 = 200;

/// Each turn starts from the best that there was, with some cells a second time: what one leaves standing in
/// the way of the longest path, another finds a way around. The last makes none.
fn cells(of: &Of, refined: &Path, how: &Moves) -> Result<()> {
    let &Moves { turns, rounds, tries, copies, carries, .. } = how;
    let (chip, mut best, mut sdf) = of.read()?;
    if carries {
        know_pins(&mut sdf, &best);
    }
    let mut tables = Delays::new(&chip);
    let mut shortest = i32::MAX / 2;
    let (mut chosen, mut reckoned, mut left) = (Changes::default(), Vec::new(), copies);
    let share = copies.div_ceil(turns as usize);
    // With carries there is one before them that moves nothing: it looks which pins to begin with.
    for turn in u32::from(!carries)..=turns {
        let (looks, last) = (turn == 0, turn == turns);
        if last {
            chosen.copies.clear();
            shortest += shortest / LONGER;
        }
        let rounds = if looks {
            0
        } else if last {
            LAST * rounds
        } else {
            rounds
        };
        let (mut trial, originals) = best.clone().with(&chosen.copies, &chosen.repins)?;
        sdf.alike(&originals);
        eprintln!(
            "turn {turn} of {turns}, {} cells a second time, {} carries by other pins",
            originals.len(),
            chosen.repins.len()
        );
        let options = Options { seed: of.seed ^ (u64::from(turn) << 32), rounds, tries };
        let most = if looks || last { 0 } else { share.min(left - chosen.copies.len()) };
        let asked = Asked { copies: most, carries: carries && !last };
        let done = anneal(&chip, tables, &mut trial, &sdf, options, asked);
        let (longest, better) = (done.longest, done.longest < shortest);
        tables = done.tables;
        let what = if better { "kept" } else { "not kept" };
        eprintln!("turn {turn} of {turns}: {:.2} ns at best, {what}", f64::from(longest) / 1000.0);
        if better {
            left -= chosen.copies.len();
            (best, shortest, chosen, reckoned) = (trial, longest, done.changes, done.delays);
        } else if carries {
            // They may have been too many at once.
            chosen.copies.truncate(chosen.copies.len() / 2);
        }
    }
    if let Some(path) = &how.delays {
        write_delays(&best, &sdf, &reckoned, path)?;
    }
    write(best, refined, |_| None)
}

fn wires(of: &Of, wires: &Path, rerouted: &Path, rounds: u32, effort: u32) -> Result<()> {
    let (chip, netlist, mut sdf) = of.read()?;
    if carry::led(&netlist) {
        know_pins(&mut sdf, &netlist);
    }
    let mut routed = delays_of(wires)?;
    let known = std::mem::take(&mut routed.wires);
    sdf.complete(routed);
    let connections = timing::connections(&netlist);
    let timing = timing::Timing::new(&netlist, &connections, &sdf);
    let delays: Vec<i32> = connections
        .iter()
        .map(|connection| {
            let cell = &netlist.cells[connection.to.cell as usize].name;
            let pin = format!("{cell}/{}", netlist.port(connection.to));
            known.get(&pin).copied().unwrap_or(0)
        })
        .collect();
    let routes = routes::Routes::read(fabric::Fabric::new(&chip), &netlist)?;
    let ways = ways::Ways::new(Delays::new(&chip), &netlist, &connections);
    let mut router = Router::new(routes, ways, &netlist, &connections, timing, &delays, of.seed)?;
    router.run(rounds, effort, |round, longest, changed| {
        let longest = f64::from(longest) / 1000.0;
        eprintln!("round {round} of {rounds}: {longest:.2} ns, {changed} ways changed");
    });
    let texts = router.routes.texts(&netlist);
    write(netlist, rerouted, |net| texts.get(net).cloned())
}

fn main() -> Result<()> {
    match Arguments::parse().what {
        What::Cells { of, refined, how } => cells(&of, &refined, &how),
        What::Wires { of, wires: delays, rerouted, rounds, effort } => {
            wires(&of, &delays, &rerouted, rounds, effort)
        }
    }
}

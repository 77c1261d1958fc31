//! How long a signal takes between two places of the part when nothing is in its way.
//!
//! A slice's outputs and inputs are not alike: from one output some inputs of the same tile are reached
//! in 30 ps and others in 460, and a tile further away the best way and the worst differ by a factor of
//! two. nextpnr's placer knows the distance of two tiles only; this knows each pair of pins.

use crate::chip::{Chip, Start, TileType};
use crate::netlist::LETTERS;
use rustc_hash::FxHashMap;

/// Tables are this far on each side; further out a tile costs `PER_TILE`.
pub const REACH: i32 = 20;
const SIDE: usize = 2 * REACH as usize + 1;
const PER_TILE: i32 = 50;

/// An output of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// Of a LUT.
    F,
    /// Of the multiplexer behind LUTs.
    Ofx,
    /// Of a register.
    Q,
}

/// An input of a slice that is reached by wires outside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// One of a LUT whose inputs may be exchanged.
    Free,
    /// That of a LUT which may not, by number.
    Fixed(u8),
    /// That of the write port of a LUT memory: by number, and of which of the slice's two LUTs.
    Write(u8, u8),
    M,
    Ce,
    Lsr,
    Wre,
}

const OUTPUTS: usize = 24;
const INPUTS: usize = 8 + 32 + 8 + 4 + 4 + 2;

fn output_index(output: Output, z: u8) -> usize {
    usize::from(z)
        + 8 * match output {
            Output::F => 0,
            Output::Ofx => 1,
            Output::Q => 2,
        }
}

fn input_index(input: Input, z: u8) -> usize {
    let z = usize::from(z);
    match input {
        Input::Free => z,
        Input::Fixed(pin) => 8 + 8 * usize::from(pin) + z,
        Input::Write(pin, half) => 8 + 8 * usize::from(pin) + (z & 6) + usize::from(half),
        Input::M => 40 + z,
        Input::Ce => 48 + z / 2,
        Input::Lsr => 52 + z / 2,
        Input::Wre => 56 + (z / 2).min(1),
    }
}

/// The name of an output's wire.
fn output_wire(output: Output, z: u8) -> String {
    let slice = char::from(b'A' + z / 2);
    match output {
        Output::F => format!("F{z}_SLICE"),
        Output::Ofx if z.is_multiple_of(2) => format!("F5{slice}_SLICE"),
        Output::Ofx => format!("FX{slice}_SLICE"),
        Output::Q => format!("Q{z}_SLICE"),
    }
}

/// All outputs, by their index.
fn all_outputs() -> impl Iterator<Item = String> {
    let all = [Output::F, Output::Ofx, Output::Q].into_iter();
    all.flat_map(|output| (0..8).map(move |z| output_wire(output, z)))
}

/// The input that a wire is.
fn inputs_of_wire() -> FxHashMap<String, usize> {
    let mut found = FxHashMap::default();
    for z in 0..8 {
        for (pin, letter) in LETTERS.into_iter().enumerate() {
            found.insert(format!("{letter}{z}_SLICE"), 8 + 8 * pin + z);
        }
        found.insert(format!("M{z}_SLICE"), 40 + z);
    }
    for slice in 0..4 {
        found.insert(format!("CE{slice}_SLICE"), 48 + slice);
        found.insert(format!("LSR{slice}_SLICE"), 52 + slice);
    }
    for slice in 0..2 {
        found.insert(format!("WRE{slice}_SLICE"), 56 + slice);
    }
    found
}

/// Delays by the way between two tiles; `u16::MAX` where none is known.
pub type Grid = Vec<u16>;

/// From here tables are made: rows of memories stand elsewhere as seen from each.
pub const VIEWS: [(i32, i32); 3] = [(62, 28), (62, 25), (62, 14)];

/// A table without an entry.
pub fn unknown() -> Grid {
    vec![u16::MAX; SIDE * SIDE]
}

/// The number of an entry.
pub fn cell(dx: i32, dy: i32) -> usize {
    (dy + REACH) as usize * SIDE + (dx + REACH) as usize
}

/// An entry; beyond the table, that at its edge and so much for each tile.
pub fn look(grid: &[u16], dx: i32, dy: i32, per_tile: i32) -> i32 {
    let (x, y) = (dx.clamp(-REACH, REACH), dy.clamp(-REACH, REACH));
    i32::from(grid[cell(x, y)]) + per_tile * ((dx - x).abs() + (dy - y).abs())
}

/// Fills what no table saw, as rows of memories have no slices, by what is beside it.
fn complete(grid: &mut [u16]) {
    for dy in -REACH..=REACH {
        for dx in -REACH..=REACH {
            if grid[cell(dx, dy)] != u16::MAX {
                continue;
            }
            let beside = [(0, -1), (0, 1), (-1, 0), (1, 0), (0, -2), (0, 2)];
            let least = beside
                .into_iter()
                .filter(|(x, y)| (dx + x).abs() <= REACH && (dy + y).abs() <= REACH)
                .map(|(x, y)| grid[cell(dx + x, dy + y)])
                .min();
            let guess = 300 + PER_TILE * (dx.abs() + dy.abs());
            grid[cell(dx, dy)] = least.filter(|&d| d != u16::MAX).unwrap_or(guess as u16);
        }
    }
}

/// Delays between pins.
pub struct Delays<'a> {
    chip: &'a Chip,
    /// By the tile's type and the wire's number there: which input or output of a slice it is.
    inputs: Vec<Vec<Option<usize>>>,
    outputs: Vec<Vec<Option<usize>>>,
    /// From each output of a slice to each input of one.
    slices: Vec<Grid>,
    /// Where one memory of each kind is.
    memories: [(i32, i32); 4],
    /// From each of their outputs that is asked for to each input of a slice, and to each such input from
    /// each output of one; one behind the other for the four kinds.
    of_memories: Vec<Vec<Grid>>,
    learnt: FxHashMap<String, usize>,
}

impl<'a> Delays<'a> {
    /// Searches the part once from every output of a slice.
    pub fn new(chip: &'a Chip) -> Self {
        let middle =
            |&(x, y): &(i32, i32)| (x - chip.width / 2).abs() + (y - chip.height / 2).abs();
        let memories = [0, 1, 2, 3].map(|kind| {
            let all = chip.memories().into_iter();
            all.filter(|&(x, y)| chip.memory(x, y) == Some(kind))
                .min_by_key(middle)
                .unwrap_or_default()
        });
        let outputs = all_outputs().enumerate().map(|(output, name)| (name, output)).collect();
        let by_type = |known: &FxHashMap<String, usize>| {
            let wires = |kind: &TileType| {
                kind.wires
                    .iter()
                    .map(|wire| known.get(wire).copied().filter(|_| kind.logic))
                    .collect()
            };
            chip.types().iter().map(wires).collect()
        };
        let mut delays = Self {
            chip,
            inputs: by_type(&inputs_of_wire()),
            outputs: by_type(&outputs),
            slices: Vec::new(),
            memories,
            of_memories: Vec::new(),
            learnt: FxHashMap::default(),
        };
        for name in all_outputs() {
            let grids = delays.grids_from(&name, &VIEWS);
            delays.slices.extend(grids);
        }
        delays
    }

    /// Which of these pins a wire is.
    fn pin(&self, pins: &[Vec<Option<usize>>], x: i32, y: i32, wire: u16) -> Option<usize> {
        pins[self.chip.type_number(self.chip.number(x, y)?)][usize::from(wire)]
    }

    fn grids_from(&self, name: &str, places: &[(i32, i32)]) -> Vec<Grid> {
        let mut grids = vec![unknown(); INPUTS];
        for &(x, y) in places {
            let Some(wire) = self.chip.wire(x, y, name) else { continue };
            let start = Start { x, y, wire, backwards: false, permute: false };
            self.chip.spread(start, REACH, |x1, y1, wire, delay| {
                let Some(input) = self.pin(&self.inputs, x1, y1, wire) else { return };
                // Where inputs may be exchanged, what counts is a LUT's nearest.
                let nearest = (8..40).contains(&input).then_some(input % 8);
                for input in nearest.into_iter().chain([input]) {
                    let known = &mut grids[input][cell(x1 - x, y1 - y)];
                    *known = delay.min(*known);
                }
            });
        }
        grids.iter_mut().for_each(|grid| complete(grid));
        grids
    }

    fn grids_to(&self, name: &str, (x, y): (i32, i32)) -> Vec<Grid> {
        let mut grids = vec![unknown(); OUTPUTS];
        if let Some(wire) = self.chip.wire(x, y, name) {
            let start = Start { x, y, wire, backwards: true, permute: false };
            self.chip.spread(start, REACH, |x1, y1, wire, delay| {
                let Some(output) = self.pin(&self.outputs, x1, y1, wire) else { return };
                let known = &mut grids[output][cell(x - x1, y - y1)];
                *known = delay.min(*known);
            });
        }
        grids.iter_mut().for_each(|grid| complete(grid));
        grids
    }

    /// A number for a wire of memories, an output or an input of theirs.
    pub fn learn(&mut self, name: &str, output: bool) -> usize {
        if let Some(&known) = self.learnt.get(name) {
            return known;
        }
        let number = self.of_memories.len();
        for place in self.memories {
            let grids = match output {
                true => self.grids_from(name, &[place]),
                false => self.grids_to(name, place),
            };
            self.of_memories.push(grids);
        }
        self.learnt.insert(name.to_owned(), number);
        number
    }

    /// Between slices, in picoseconds.
    pub fn between(
        &self,
        (output, z): (Output, u8),
        (input, z1): (Input, u8),
        dx: i32,
        dy: i32,
    ) -> i32 {
        look(
            &self.slices[output_index(output, z) * INPUTS + input_index(input, z1)],
            dx,
            dy,
            PER_TILE,
        )
    }

    /// From an output of a memory of this kind.
    pub fn memory_to_slice(
        &self,
        (output, kind): (usize, u8),
        (input, z): (Input, u8),
        dx: i32,
        dy: i32,
    ) -> i32 {
        look(&self.of_memories[output + usize::from(kind)][input_index(input, z)], dx, dy, PER_TILE)
    }

    /// To an input of a memory of this kind.
    pub fn slice_to_memory(
        &self,
        (output, z): (Output, u8),
        (input, kind): (usize, u8),
        dx: i32,
        dy: i32,
    ) -> i32 {
        look(
            &self.of_memories[input + usize::from(kind)][output_index(output, z)],
            dx,
            dy,
            PER_TILE,
        )
    }
}

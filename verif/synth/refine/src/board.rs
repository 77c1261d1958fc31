//! What stands where, which cells move together, and what may stand side by side.
//!
//! The rules are those of `isBelLocationValid` in nextpnr's `ecp5/arch_place.cc`.

use crate::chip::Chip;
use crate::netlist::{Comb, Kind, Netlist, Place, is_inner};
use crate::timing::Connection;
use fastrand::Rng;

const NONE: u32 = u32::MAX;

/// Cells that keep their places relative to each other.
pub struct Unit {
    pub cells: Vec<u32>,
    /// By how many places within a tile it can be moved; 8 where it stays as it is there.
    pub step: i32,
    pub moves: bool,
}

impl Unit {
    /// By how many places within its tile it might be moved: all,
    fn ways_along(&self) -> impl Iterator<Item = i32> + Clone + use<> {
        let step = self.step;
        (-7 / step..=7 / step).map(move |steps| steps * step)
    }

    /// and any of them.
    pub fn some_way_along(&self, rng: &mut Rng) -> i32 {
        self.step * rng.i32(-7 / self.step..=7 / self.step)
    }
}

/// The places of all cells.
pub struct Board<'a> {
    chip: &'a Chip,
    pub places: Vec<Place>,
    kinds: Vec<Kind>,
    pub units: Vec<Unit>,
    pub unit_of: Vec<u32>,
    /// Where memories may be.
    pub memories: Vec<(i32, i32)>,
    /// Of each tile: eight LUTs, eight registers, the write port of a LUT memory and a memory.
    slots: Vec<[u32; SLOTS]>,
    /// What the last move did: cell, from, to.
    pub moved: Vec<(u32, Place, Place)>,
    displaced: Vec<u32>,
}

const WRITE_PORT: usize = 16;
const MEMORY: usize = 17;
const SLOTS: usize = 18;
/// Of how many places for memories one is taken.
const NEAREST: usize = 5;
/// How often a new place is looked for, and how far, for what has to make way.
const ASIDE: (usize, i32) = (6, 3);

/// How far room for a copy is looked for.
const ROOM: i32 = 12;

/// A way to go: tiles to the right and down, and places within a tile.
pub type Shift = (i32, i32, i32);

fn slot(kind: Kind, z: u8) -> Option<usize> {
    match kind {
        Kind::Comb(_) => Some(usize::from(z)),
        Kind::Ff(_) => Some(8 + usize::from(z)),
        Kind::RamWrite => Some(WRITE_PORT),
        Kind::Memory => Some(MEMORY),
        Kind::Other => None,
    }
}

impl<'a> Board<'a> {
    pub fn new(chip: &'a Chip, netlist: &Netlist, connections: &[Connection]) -> Self {
        let places: Vec<Place> = netlist.cells.iter().map(|cell| cell.place).collect();
        let kinds: Vec<Kind> = netlist.cells.iter().map(|cell| cell.kind).collect();
        let slots = slots(chip, &places, &kinds);
        let (units, unit_of) = units(netlist, connections, &slots);
        Self {
            chip,
            places,
            kinds,
            units,
            unit_of,
            memories: chip.memories(),
            slots,
            moved: Vec::new(),
            displaced: Vec::new(),
        }
    }

    /// Puts all cells where they once were.
    pub fn restore(&mut self, places: Vec<Place>) {
        self.slots = slots(self.chip, &places, &self.kinds);
        self.places = places;
    }

    /// Moves units together. What stands there goes the other way, or somewhere near if it cannot. Says whether
    /// that was possible; if not, nothing has changed.
    pub fn shift(&mut self, units: &[u32], way: Shift, rng: &mut Rng) -> bool {
        self.moved.clear();
        self.displaced.clear();
        for &unit in units {
            if !self.units[unit as usize].moves {
                return false;
            }
            for index in 0..self.units[unit as usize].cells.len() {
                let cell = self.units[unit as usize].cells[index];
                let Some((to, slot)) = self.target(cell, way) else { return false };
                let there = self.slots[tile(self.chip, to)][slot];
                if there == NONE || units.contains(&self.unit_of[there as usize]) {
                    continue;
                }
                let other = self.unit_of[there as usize];
                if !self.units[other as usize].moves {
                    return false;
                }
                if !self.displaced.contains(&other) {
                    self.displaced.push(other);
                }
            }
        }
        units.iter().for_each(|&unit| self.lift(unit));
        for index in 0..self.displaced.len() {
            self.lift(self.displaced[index]);
        }
        let mut done = units.iter().all(|&unit| self.put(unit, way));
        for index in 0..self.displaced.len() {
            let other = self.displaced[index];
            let back = (-way.0, -way.1, -way.2);
            // A memory would always find room where the other was, and that may be far from everything.
            let aside = self.is_memory(self.units[other as usize].cells[0]) && rng.bool();
            done = done
                && ((aside && self.put_aside(other, rng))
                    || self.put(other, back)
                    || self.put_aside(other, rng));
        }
        if !done {
            self.undo();
        }
        done
    }

    pub fn is_memory(&self, cell: u32) -> bool {
        self.kinds[cell as usize] == Kind::Memory
    }

    /// The way from a memory to one of the places for memories that are nearest to there, itself left out;
    /// if `free`, of those where nothing stands.
    pub fn memory_near(
        &self,
        cell: u32,
        (x, y): (i32, i32),
        free: bool,
        rng: &mut Rng,
    ) -> Option<Shift> {
        let here = self.places[cell as usize];
        let here = (i32::from(here.x), i32::from(here.y));
        let mut nearest = [(i32::MAX, (0, 0)); NEAREST];
        for &(x1, y1) in &self.memories {
            let place = Place { x: x1 as i16, y: y1 as i16, z: 0 };
            let stands = self.slots[tile(self.chip, place)][MEMORY];
            let far = (x1 - x).abs() + (y1 - y).abs();
            if (x1, y1) != here && far < nearest[NEAREST - 1].0 && !(free && stands != NONE) {
                let at = nearest.partition_point(|&(known, _)| known <= far);
                nearest[at..].rotate_right(1);
                nearest[at] = (far, (x1, y1));
            }
        }
        let (far, (x1, y1)) = nearest[rng.usize(..NEAREST)];
        (far != i32::MAX).then_some((x1 - here.0, y1 - here.1, 0))
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        for index in 0..self.moved.len() {
            let (cell, _, to) = self.moved[index];
            if let Some(there) = self.slot_mut(cell, to)
                && *there == cell
            {
                *there = NONE;
            }
        }
        for index in 0..self.moved.len() {
            let (cell, from, _) = self.moved[index];
            if let Some(there) = self.slot_mut(cell, from) {
                *there = cell;
            }
            self.places[cell as usize] = from;
        }
    }

    /// Where a cell would come to, if it may be in such a tile at all.
    fn target(&self, cell: u32, (dx, dy, dz): Shift) -> Option<(Place, usize)> {
        let from = self.places[cell as usize];
        let (x, y, z) = (i32::from(from.x) + dx, i32::from(from.y) + dy, i32::from(from.z) + dz);
        let kind = self.kinds[cell as usize];
        let z = match kind {
            Kind::Memory => self.chip.memory(x, y)?.into(),
            _ if self.chip.is_logic(x, y) => z,
            _ => return None,
        };
        if !(0..8).contains(&z) {
            return None;
        }
        Some((Place { x: x as i16, y: y as i16, z: z as u8 }, slot(kind, z as u8)?))
    }

    /// Takes a unit's cells from the board.
    fn lift(&mut self, unit: u32) {
        for index in 0..self.units[unit as usize].cells.len() {
            let cell = self.units[unit as usize].cells[index];
            let from = self.places[cell as usize];
            self.moved.push((cell, from, from));
            if let Some(there) = self.slot_mut(cell, from) {
                *there = NONE;
            }
        }
    }

    /// What stands where a cell would be.
    fn slot_mut(&mut self, cell: u32, place: Place) -> Option<&mut u32> {
        let slot = slot(self.kinds[cell as usize], place.z)?;
        Some(&mut self.slots[tile(self.chip, place)][slot])
    }

    /// Puts a lifted unit so far from where it was, if it can be there.
    fn put(&mut self, unit: u32, way: Shift) -> bool {
        let Unit { cells, step, .. } = &self.units[unit as usize];
        if way.2 % step != 0 {
            return false;
        }
        let Some(places) = self.free(cells, way) else { return false };
        if !self.stand(&places) {
            return false;
        }
        for &(cell, to, _) in &places {
            self.places[cell as usize] = to;
            if let Some(moved) = self.moved.iter_mut().find(|moved| moved.0 == cell) {
                moved.2 = to;
            }
        }
        true
    }

    /// Where cells would come to, with the slot of each, if nothing stands there.
    fn free(&self, cells: &[u32], way: Shift) -> Option<Vec<(u32, Place, usize)>> {
        let free = |&cell: &u32| {
            let (to, slot) = self.target(cell, way)?;
            (self.slots[tile(self.chip, to)][slot] == NONE).then_some((cell, to, slot))
        };
        cells.iter().map(free).collect()
    }

    /// Puts cells into free slots, if they may stand there.
    fn stand(&mut self, places: &[(u32, Place, usize)]) -> bool {
        for &(cell, to, slot) in places {
            self.slots[tile(self.chip, to)][slot] = cell;
        }
        let valid = places.iter().all(|&(_, to, _)| self.valid(tile(self.chip, to)));
        if !valid {
            for &(_, to, slot) in places {
                self.slots[tile(self.chip, to)][slot] = NONE;
            }
        }
        valid
    }

    /// Puts a lifted unit somewhere near, if there is room.
    fn put_aside(&mut self, unit: u32, rng: &mut Rng) -> bool {
        let (times, far) = ASIDE;
        let cell = self.units[unit as usize].cells[0];
        (0..times).any(|_| {
            if self.is_memory(cell) {
                let Place { x, y, .. } = self.places[cell as usize];
                let way = self.memory_near(cell, (x.into(), y.into()), true, rng);
                return way.is_some_and(|way| self.put(unit, way));
            }
            let dz = self.units[unit as usize].some_way_along(rng);
            self.put(unit, (rng.i32(-far..=far), rng.i32(-far..=far), dz))
        })
    }

    /// Finds room for a second of each of these cells of one unit, near a tile, and takes it.
    pub fn room_for_copy(&mut self, cells: &[u32], (x, y): (i32, i32)) -> Option<Vec<Place>> {
        let first = *cells.first()?;
        let from = self.places[first as usize];
        let (x, y) = (x - i32::from(from.x), y - i32::from(from.y));
        let ways = self.units[self.unit_of[first as usize] as usize].ways_along();
        for ring in 0..ROOM {
            for (dx, dy) in around(ring) {
                for dz in ways.clone() {
                    let places = self.put_copy(cells, (x + dx, y + dy, dz));
                    if places.is_some() {
                        return places;
                    }
                }
            }
        }
        None
    }

    fn put_copy(&mut self, cells: &[u32], way: Shift) -> Option<Vec<Place>> {
        let mut places = self.free(cells, way)?;
        let before = self.kinds.len();
        for (cell, to, _) in &mut places {
            let kind = self.kinds[*cell as usize];
            *cell = self.kinds.len() as u32;
            self.kinds.push(kind);
            self.places.push(*to);
        }
        if self.stand(&places) {
            return Some(places.into_iter().map(|(_, to, _)| to).collect());
        }
        self.kinds.truncate(before);
        self.places.truncate(before);
        None
    }

    fn comb(&self, cell: u32) -> Option<Comb> {
        match self.kinds.get(cell as usize) {
            Some(Kind::Comb(comb)) => Some(*comb),
            _ => None,
        }
    }

    /// Whether what stands in a tile may stand there together.
    fn valid(&self, tile: usize) -> bool {
        let slots = &self.slots[tile];
        let mut in_tile = None;
        for slice in 0..4 {
            let mut in_slice = None;
            let pair = [0, 1].map(|half| self.comb(slots[2 * slice + half]));
            if let [Some(first), Some(second)] = pair
                && first.carry != second.carry
            {
                return false;
            }
            for (half, comb) in pair.into_iter().enumerate() {
                let mut chosen_by_m = false;
                if let Some(comb) = comb {
                    chosen_by_m = comb.wide();
                    let misplaced = (comb.mux5 && half != 0)
                        || (comb.mux6 && half != 1)
                        || (comb.ram && slice > 1)
                        || (slice == 2 && slots[WRITE_PORT] != NONE && !comb.blocked);
                    if misplaced {
                        return false;
                    }
                }
                let Some(Kind::Ff(ff)) = self.kinds.get(slots[8 + 2 * slice + half] as usize)
                else {
                    continue;
                };
                if (chosen_by_m && ff.by_m)
                    || *in_slice.get_or_insert(ff.slice) != ff.slice
                    || *in_tile.get_or_insert(ff.tile) != ff.tile
                {
                    return false;
                }
            }
        }
        true
    }
}

/// Ways to the tiles that are so far away.
fn around(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    let side = -ring..=ring;
    side.clone()
        .flat_map(move |dx| side.clone().map(move |dy| (dx, dy)))
        .filter(move |(dx, dy)| dx.abs().max(dy.abs()) == ring)
}

/// What stands in each tile.
fn slots(chip: &Chip, places: &[Place], kinds: &[Kind]) -> Vec<[u32; SLOTS]> {
    let mut slots = vec![[NONE; SLOTS]; (chip.width * chip.height) as usize];
    for (cell, (&place, &kind)) in places.iter().zip(kinds).enumerate() {
        if let Some(slot) = slot(kind, place.z) {
            slots[tile(chip, place)][slot] = cell as u32;
        }
    }
    slots
}

fn tile(chip: &Chip, place: Place) -> usize {
    (i32::from(place.y) * chip.width + i32::from(place.x)) as usize
}

/// Cells that wires inside a tile join, and those of a LUT memory.
fn units(
    netlist: &Netlist,
    connections: &[Connection],
    slots: &[[u32; SLOTS]],
) -> (Vec<Unit>, Vec<u32>) {
    let mut leader: Vec<u32> = (0..netlist.cells.len() as u32).collect();
    let mut join = |a: u32, b: u32| {
        let (a, b) = (root(&mut leader, a), root(&mut leader, b));
        leader[a.max(b) as usize] = a.min(b);
    };
    for connection in connections {
        if is_inner(netlist.port(connection.to)) {
            join(connection.from.cell, connection.to.cell);
        }
    }
    for slots in slots.iter().filter(|slots| slots[WRITE_PORT] != NONE) {
        for beside in [slots[4], slots[5]].into_iter().filter(|&cell| cell != NONE) {
            join(slots[WRITE_PORT], beside);
        }
    }
    let mut number = vec![NONE; netlist.cells.len()];
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of = Vec::new();
    for cell in 0..netlist.cells.len() as u32 {
        let first = root(&mut leader, cell) as usize;
        if number[first] == NONE {
            number[first] = units.len() as u32;
            units.push(Unit { cells: Vec::new(), step: 1, moves: true });
        }
        unit_of.push(number[first]);
        units[number[first] as usize].cells.push(cell);
    }
    for unit in &mut units {
        let cells = unit.cells.iter().map(|&cell| &netlist.cells[cell as usize]);
        let mut step = 1;
        let (mut least, mut most) = (7, 0);
        let (mut tiles, mut six, mut stays) = (Vec::new(), false, false);
        for cell in cells {
            (least, most) = (least.min(cell.place.z), most.max(cell.place.z));
            tiles.push((cell.place.x, cell.place.y));
            step = step.max(match cell.kind {
                Kind::Comb(comb) if comb.carry || comb.ram || comb.blocked => 8,
                Kind::Comb(comb) if comb.mux6 => {
                    six = true;
                    4
                }
                Kind::Comb(comb) if comb.mux5 => 2,
                Kind::Comb(_) | Kind::Ff(_) => 1,
                Kind::RamWrite | Kind::Memory => 8,
                Kind::Other => {
                    stays = true;
                    8
                }
            });
        }
        tiles.dedup();
        if six && (tiles.len() > 1 || least / 4 != most / 4) {
            step = 8;
        }
        unit.step = step;
        unit.moves = !stays;
    }
    (units, unit_of)
}

fn root(leader: &mut [u32], mut cell: u32) -> u32 {
    while leader[cell as usize] != cell {
        leader[cell as usize] = leader[leader[cell as usize] as usize];
        cell = leader[cell as usize];
    }
    cell
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::timing::connections;
    use anyhow::Context;
    use serde_json::{Value, json};

    /// Forty tiles of registers with two clock enables and two resets, LUTs beside some, pairs of LUTs with
    /// their multiplexer, and two memories.
    pub fn netlist() -> anyhow::Result<Netlist> {
        let mut cells = serde_json::Map::new();
        let mut add = |name: String, kind: &str, bel: String, inputs: Value, outputs: Value| {
            let mut directions = serde_json::Map::new();
            let mut ways = serde_json::Map::new();
            for (side, ports) in [("input", inputs), ("output", outputs)] {
                for (port, bit) in ports.as_object().into_iter().flatten() {
                    directions.insert(port.clone(), side.into());
                    ways.insert(port.clone(), json!([bit]));
                }
            }
            cells.insert(
                name,
                json!({"type": kind, "parameters": {}, "attributes": {"NEXTPNR_BEL": bel},
                       "port_directions": directions, "connections": ways}),
            );
        };
        for n in 0..40 {
            let tile = format!("X{}/Y{}", n % 8, 1 + n / 8);
            let (q, d) = (1000 + n, 2000 + n);
            let lut = json!({"A": 1000 + (n + 7) % 40, "B": 1000 + (n + 3) % 40});
            add(
                format!("lut{n}"),
                "TRELLIS_COMB",
                format!("{tile}/SLICEA.K1"),
                lut,
                json!({"F": d}),
            );
            let enable = json!({"DI": d, "CE": 1 + n / 7 % 2, "LSR": 3 + n / 5 % 2});
            add(
                format!("ff{n}"),
                "TRELLIS_FF",
                format!("{tile}/SLICEA.FF1"),
                enable,
                json!({"Q": q}),
            );
            let (f, x) = (3000 + n, 4000 + n);
            add(
                format!("f{n}"),
                "TRELLIS_COMB",
                format!("{tile}/SLICEC.K1"),
                json!({"A": q}),
                json!({"F": f}),
            );
            let mux = json!({"B": q, "F1": f, "M": 1000 + (n + 1) % 40});
            add(
                format!("mux{n}"),
                "TRELLIS_COMB",
                format!("{tile}/SLICEC.K0"),
                mux,
                json!({"OFX": x}),
            );
            let by_m = json!({"M": x, "CE": 1 + n / 7 % 2, "LSR": 3 + n / 5 % 2});
            add(
                format!("m{n}"),
                "TRELLIS_FF",
                format!("{tile}/SLICED.FF0"),
                by_m,
                json!({"Q": 5000 + n}),
            );
        }
        for n in 0..2 {
            add(
                format!("ram{n}"),
                "DP16KD",
                format!("X{n}/Y0/EBR0"),
                json!({"ADA0": 1000}),
                json!({}),
            );
        }
        Netlist::read(json!({"modules": {"top": {"cells": cells, "netnames": {}}}}))
    }

    /// By the rules as they are written, from the places alone.
    fn must_hold(board: &Board) {
        let mut on = std::collections::HashMap::new();
        for (cell, (place, kind)) in board.places.iter().zip(&board.kinds).enumerate() {
            let slot = slot(*kind, place.z).map(|slot| (place.x, place.y, slot));
            assert_eq!(on.insert(slot, cell), None, "two cells at {place:?}");
        }
        for (a, first) in board.places.iter().zip(&board.kinds) {
            for (b, second) in board.places.iter().zip(&board.kinds) {
                if (a.x, a.y) != (b.x, b.y) {
                    continue;
                }
                match (first, second) {
                    (Kind::Ff(first), Kind::Ff(second)) => {
                        assert_eq!(first.tile, second.tile);
                        assert!(a.z / 2 != b.z / 2 || first.slice == second.slice);
                    }
                    (Kind::Comb(comb), Kind::Ff(ff)) if a.z == b.z => {
                        assert!(!(comb.mux5 && ff.by_m), "both by the same M at {a:?}");
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn a_move_is_whole_and_lawful_or_nothing() -> anyhow::Result<()> {
        let chip = Chip::bare(8, 8);
        let netlist = netlist()?;
        let mut board = Board::new(&chip, &netlist, &connections(&netlist));
        let mut rng = Rng::with_seed(4);
        let apart = |board: &Board, unit: &Unit| -> Vec<(i16, i16)> {
            let first = board.places[unit.cells[0] as usize];
            let place = |&cell: &u32| board.places[cell as usize];
            unit.cells
                .iter()
                .map(place)
                .map(|place| (place.x - first.x, place.y - first.y))
                .collect()
        };
        let together: Vec<_> = board.units.iter().map(|unit| apart(&board, unit)).collect();
        let (mut moved, mut together_moved, mut displaced) = (0, 0, 0);
        for _ in 0..20_000 {
            let unit = rng.u32(..board.units.len() as u32);
            let way = (rng.i32(-3..=3), rng.i32(-3..=3), rng.i32(-3..=3));
            let before = (board.places.clone(), board.slots.clone());
            let other = rng.u32(..board.units.len() as u32);
            let company = rng.bool() && other != unit;
            let units = [unit, other];
            let done = board.shift(&units[..1 + usize::from(company)], way, &mut rng);
            if done {
                moved += 1;
                together_moved += usize::from(company);
                displaced += usize::from(!board.displaced.is_empty());
                if rng.bool() {
                    board.undo();
                    assert_eq!((&board.places, &board.slots), (&before.0, &before.1));
                }
            } else {
                assert_eq!((&board.places, &board.slots), (&before.0, &before.1));
            }
        }
        must_hold(&board);
        for (unit, together) in board.units.iter().zip(&together) {
            assert_eq!(&apart(&board, unit), together);
        }
        assert!(moved > 1000 && displaced > 100, "{moved} moves, {displaced} with others");
        assert!(together_moved > 100, "{together_moved} of two units");
        Ok(())
    }

    /// The cells of the unit that the one of this name is in.
    fn unit_with(name: &str, netlist: &Netlist, board: &Board) -> anyhow::Result<Vec<u32>> {
        let cell = netlist.cells.iter().position(|cell| cell.name == name).context("none")?;
        Ok(board.units[board.unit_of[cell] as usize].cells.clone())
    }

    #[test]
    fn a_copy_of_two_luts_stands_as_they_do() -> anyhow::Result<()> {
        let (chip, netlist) = (Chip::bare(8, 6), netlist()?);
        let mut board = Board::new(&chip, &netlist, &connections(&netlist));
        let unit = unit_with("mux3", &netlist, &board)?;
        assert_eq!(unit.len(), 2);
        let mut made = 0;
        while let Some(places) = board.room_for_copy(&unit, (4, 3)) {
            for (&cell, place) in unit.iter().zip(places) {
                assert_eq!(
                    i32::from(place.z) % 2,
                    i32::from(netlist.cells[cell as usize].name != "mux3"),
                    "{place:?}"
                );
            }
            made += 1;
        }
        must_hold(&board);
        assert!(made > 20, "room for {made}");
        Ok(())
    }

    #[test]
    fn a_copy_stands_where_nothing_stood() -> anyhow::Result<()> {
        let (chip, netlist) = (Chip::bare(8, 6), netlist()?);
        let mut board = Board::new(&chip, &netlist, &connections(&netlist));
        let unit = unit_with("lut3", &netlist, &board)?;
        assert_eq!(unit.len(), 2, "with its register");
        let mut taken = board.places.clone();
        let mut made = 0;
        while let Some(places) = board.room_for_copy(&unit, (4, 3)) {
            assert_eq!(places.len(), 2);
            assert_eq!(places[0], places[1], "the register beside its LUT");
            let here = |kind: Kind| {
                let cells = taken.iter().zip(&board.kinds);
                let alike =
                    |other: Kind| std::mem::discriminant(&other) == std::mem::discriminant(&kind);
                cells.filter(|&(&place, &other)| place == places[0] && alike(other)).count()
            };
            for &cell in &unit {
                assert_eq!(here(netlist.cells[cell as usize].kind), 0, "{:?}", places[0]);
            }
            taken.extend(&places);
            made += 1;
        }
        assert!(made > 20, "room for {made}");
        Ok(())
    }
}

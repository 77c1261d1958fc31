//! Moves units about so that the longest paths get shorter and wires do not get longer.
//!
//! As in VPR (Marquardt, Betz and Rose, "Timing-driven placement for FPGAs", 2000): a move costs what the
//! connections cost that it changes, and what the extent of their wires does; one that costs more is taken
//! with a probability that falls from round to round. Other than there, a connection's price is not its
//! delay by a weight, but a high power of the longest path by way of it: with a weight, what was short a
//! round ago may get as long as it likes until the next, and the longest path swings by a quarter.

use crate::board::{Board, Shift};
use crate::netlist::{Netlist, Place};
use crate::prices::Prices;
use crate::timing::{Connection, Timing};
use crate::ways::{Ways, permutes};
use fastrand::Rng;

/// The extent of nets on more cells than this is not looked at: they go everywhere anyway.
const WIDE: usize = 48;

/// Of the cost, how much is time.
const SHARE: f64 = 0.7;
/// To which power nearness to the longest path is taken, at first and at last.
const SHARPNESS: (f32, f32) = (10.0, 60.0);
/// Of moves that cost this much one in e is taken at first, in parts of the mean cost of those that are tried;
/// at last, of those that cost a thousandth of it.
const HEAT: f64 = 0.005;
/// How far a unit goes at first, in tiles.
const REACH: f32 = 10.0;

const NONE: u32 = u32::MAX;

/// All orders of a LUT's inputs.
const ORDERS: [[u8; 4]; 24] = orders();

const fn orders() -> [[u8; 4]; 24] {
    let mut all = [[0; 4]; 24];
    let (mut count, mut number) = (0, 0);
    while number < 256 {
        let pins =
            [number as u8 & 3, number as u8 >> 2 & 3, number as u8 >> 4 & 3, (number >> 6) as u8];
        let used = 1 << pins[0] | 1 << pins[1] | 1 << pins[2] | 1 << pins[3];
        if used == 15 {
            all[count] = pins;
            count += 1;
        }
        number += 1;
    }
    all
}

/// How many units move together at most.
const COMPANY: usize = 4;
/// How many units of the longest paths go ahead in a round, with others behind them; and how many moves of those
/// are tried for each connection of the first, and at most.
const LEADS: u32 = 100;
const FOLLOWS: usize = 20;
const MOST_FOLLOWS: usize = 1000;

pub struct Options {
    pub seed: u64,
    /// With none nothing is moved.
    pub rounds: u32,
    /// Moves tried in a round for each unit.
    pub tries: f32,
}

pub struct Annealer<'a> {
    pub board: Board<'a>,
    pub ways: Ways<'a>,
    pub timing: Timing,
    options: Options,
    rng: Rng,
    /// Paths are long from here on, in picoseconds.
    late: i32,
    /// Of connections.
    ends: Vec<(u32, u32)>,
    pub delays: Vec<i32>,
    /// The longest path by way of each when all were looked at.
    pub through: Vec<i32>,
    prices: Prices,
    /// Of connections that may end at any of several inputs: their LUT; and of LUTs those connections, and whether
    /// a long path goes by way of one. Two that end at the same LUT cannot both have its nearest input.
    lut_of: Vec<u32>,
    luts: Vec<Vec<u32>>,
    long: Vec<bool>,
    /// Of nets: their cells if they are not wide, and their extent.
    pins: Vec<Vec<u32>>,
    extents: Vec<i32>,
    /// Of cells: which connections and nets.
    connections_of: Vec<Vec<u32>>,
    nets_of: Vec<Vec<u32>>,
    /// What the move under trial changes.
    new_delays: Vec<(u32, i32)>,
    new_extents: Vec<(u32, i32)>,
    seen: Vec<u32>,
    seen_net: Vec<u32>,
    stamp: u32,
}

impl<'a> Annealer<'a> {
    pub fn new(
        netlist: &Netlist,
        connections: &[Connection],
        board: Board<'a>,
        ways: Ways<'a>,
        timing: Timing,
        options: Options,
    ) -> Self {
        let cells = netlist.cells.len();
        let mut connections_of = vec![Vec::new(); cells];
        let mut nets_of: Vec<Vec<u32>> = vec![Vec::new(); cells];
        for (number, connection) in connections.iter().enumerate() {
            if !ways.varies(number) {
                continue;
            }
            connections_of[connection.from.cell as usize].push(number as u32);
            connections_of[connection.to.cell as usize].push(number as u32);
        }
        let mut pins = Vec::new();
        for (number, net) in netlist.nets.iter().enumerate() {
            let mut on: Vec<u32> =
                net.loads.iter().chain([&net.driver]).map(|pin| pin.cell).collect();
            on.sort_unstable();
            on.dedup();
            if on.len() > WIDE || on.len() < 2 {
                on.clear();
            }
            for &cell in &on {
                nets_of[cell as usize].push(number as u32);
            }
            pins.push(on);
        }
        let ends: Vec<(u32, u32)> =
            connections.iter().map(|way| (way.from.cell, way.to.cell)).collect();
        let mut lut_of = vec![NONE; connections.len()];
        let mut luts: Vec<Vec<u32>> = Vec::new();
        let mut lut_at = vec![NONE; cells];
        for (number, connection) in connections.iter().enumerate() {
            if ways.varies(number) && permutes(netlist, connection.to) {
                let lut = &mut lut_at[connection.to.cell as usize];
                if *lut == NONE {
                    *lut = luts.len() as u32;
                    luts.push(Vec::new());
                }
                lut_of[number] = *lut;
                luts[*lut as usize].push(number as u32);
            }
        }
        let mut annealer = Self {
            long: vec![false; luts.len()],
            lut_of,
            luts,
            rng: Rng::with_seed(options.seed),
            late: 0,
            delays: vec![0; ends.len()],
            prices: Prices::new(ends.len()),
            through: vec![0; ends.len()],
            seen: vec![0; ends.len()],
            seen_net: vec![0; pins.len()],
            extents: vec![0; pins.len()],
            stamp: 0,
            new_delays: Vec::new(),
            new_extents: Vec::new(),
            board,
            ways,
            timing,
            options,
            ends,
            pins,
            connections_of,
            nets_of,
        };
        for net in 0..annealer.pins.len() {
            annealer.extents[net] = annealer.extent(net);
        }
        annealer.reckon();
        annealer
    }

    /// All delays.
    fn reckon(&mut self) {
        for connection in 0..self.ends.len() {
            self.delays[connection] = self.delay(connection);
        }
        for lut in (0..self.luts.len()).filter(|&lut| self.long[lut]) {
            let delays = self.delays_to(lut);
            for (&connection, delay) in self.luts[lut].iter().zip(delays) {
                self.delays[connection as usize] = delay;
            }
        }
    }

    /// The delays to a LUT's inputs when each connection has one of its own, so that they cost least.
    fn delays_to(&self, lut: usize) -> [i32; 4] {
        let (mut delays, mut prices) = ([[0; 4]; 4], [[0.0; 4]; 4]);
        for (index, &connection) in self.luts[lut].iter().enumerate() {
            let (from, to) = self.ends[connection as usize];
            let (from, to) = (self.board.places[from as usize], self.board.places[to as usize]);
            for pin in 0..4 {
                let delay = self.ways.delay_at(connection as usize, from, to, pin);
                delays[index][usize::from(pin)] = delay;
                prices[index][usize::from(pin)] = self.prices.price(connection, delay);
            }
        }
        let mut best = (f32::INFINITY, &ORDERS[0]);
        for pins in &ORDERS {
            let each = prices.iter().zip(pins).map(|(of, &pin)| of[usize::from(pin)]);
            let cost = each.sum();
            if cost < best.0 {
                best = (cost, pins);
            }
        }
        std::array::from_fn(|index| delays[index][usize::from(best.1[index])])
    }

    fn delay(&self, connection: usize) -> i32 {
        let (from, to) = self.ends[connection];
        let places = &self.board.places;
        self.ways.delay(connection, places[from as usize], places[to as usize])
    }

    /// Looks at all paths with everything where it is; the longest, in picoseconds.
    pub fn longest(&mut self) -> i32 {
        self.reckon();
        self.timing.analyse(&self.delays, &mut self.through)
    }

    /// Half the way around all of a net's cells.
    fn extent(&self, net: usize) -> i32 {
        let mut places = self.pins[net].iter().map(|&cell| self.board.places[cell as usize]);
        let Some(first) = places.next() else { return 0 };
        let (mut left, mut right, mut top, mut bottom) = (first.x, first.x, first.y, first.y);
        for Place { x, y, .. } in places {
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        i32::from(right - left) + i32::from(bottom - top)
    }

    /// Looks at all paths anew; the longest, in picoseconds, and the sum of all weighted delays.
    fn weigh(&mut self, sharpness: f32) -> (i32, f64) {
        for (long, ends) in self.long.iter_mut().zip(&self.luts) {
            *long =
                ends.len() > 1 && ends.iter().any(|&end| self.through[end as usize] > self.late);
        }
        self.reckon();
        let longest = self.timing.analyse(&self.delays, &mut self.through).max(1);
        let weight = |through: f32| (through / longest as f32).powf(sharpness);
        self.late = longest - longest / 8;
        self.prices
            .set(&self.through, &self.delays, |path| weight(path) * path / (sharpness + 1.0));
        let mut sum = 0.0;
        for connection in 0..self.ends.len() {
            if self.ways.varies(connection) {
                let through = self.through[connection].max(0);
                sum += f64::from(weight(through as f32)) * f64::from(self.delays[connection]);
            }
        }
        (longest, sum)
    }

    /// Runs, and leaves the best places of the second half on the board. `tell` hears of each round: its
    /// number, the longest path in picoseconds, the extent of the wires in tiles.
    pub fn run(&mut self, mut tell: impl FnMut(u32, i32, i64)) {
        let movable: Vec<u32> = (0..self.board.units.len() as u32)
            .filter(|&unit| self.board.units[unit as usize].moves)
            .collect();
        if movable.is_empty() || self.options.rounds == 0 {
            return;
        }
        let mut best: Option<(i32, Vec<Place>)> = None;
        let tries = (movable.len() as f32 * self.options.tries) as u32;
        let (first, last) = SHARPNESS;
        let mut unit_of_heat = None;
        let mut reach = REACH;
        for round in 0..=self.options.rounds {
            let passed = round as f32 / self.options.rounds as f32;
            let (longest, time) = self.weigh(first + (last - first) * passed);
            if passed > 0.5 && best.as_ref().is_none_or(|(least, _)| longest <= *least) {
                best = Some((longest, self.board.places.clone()));
            }
            let extent: i64 = self.extents.iter().map(|&extent| i64::from(extent)).sum();
            if round == self.options.rounds {
                tell(round, longest, extent);
                break;
            }
            let for_time = SHARE / time.max(1.0);
            let for_extent = (1.0 - SHARE) / extent.max(1) as f64;
            let critical: Vec<u32> = self.critical();
            let heat = unit_of_heat.unwrap_or(0.0) * HEAT * 10f64.powf(-3.0 * f64::from(passed));
            let (mut taken, mut changed, mut costs) = (0, 0, 0.0);
            for trial in 0..if round == 0 { tries / 4 } else { tries } {
                let unit = if trial % 2 == 0 && !critical.is_empty() {
                    self.one_of(&critical)
                } else {
                    movable[self.rng.usize(..movable.len())]
                };
                let Some(cost) = self.try_move(unit, reach as i32, for_time, for_extent) else {
                    continue;
                };
                changed += 1;
                costs += cost.abs();
                if cost <= 0.0 || (heat > 0.0 && self.rng.f64() < (-cost / heat).exp()) {
                    self.take();
                    taken += 1;
                } else {
                    self.board.undo();
                }
            }
            if !critical.is_empty() {
                for _ in 0..LEADS {
                    let unit = self.one_of(&critical);
                    self.lead(unit, for_time, for_extent);
                }
            }
            let accepted = taken as f32 / changed.max(1) as f32;
            if round > 0 {
                reach = (reach * (0.56 + accepted)).clamp(1.5, REACH);
            }
            unit_of_heat.get_or_insert(costs / f64::from(changed.max(1)));
            tell(round, longest, extent);
        }
        if let Some((_, places)) = best {
            self.board.restore(places);
        }
    }

    /// The connections on the longest paths, the latest first.
    fn critical(&self) -> Vec<u32> {
        let all = 0..self.ends.len();
        let late = all.filter(|&way| self.through[way] > self.late && self.ways.varies(way));
        let mut late: Vec<u32> = late.map(|way| way as u32).collect();
        late.sort_by_key(|&way| -self.through[way as usize]);
        late
    }

    /// A unit at an end of one of these connections, rather of the first ones than of the last.
    fn one_of(&mut self, critical: &[u32]) -> u32 {
        let at = self.rng.f32().powi(2) * critical.len() as f32;
        let cell = self.either_end(critical[(at as usize).min(critical.len() - 1)]);
        self.board.unit_of[cell as usize]
    }

    /// One of a connection's two cells.
    fn either_end(&mut self, connection: u32) -> u32 {
        let (from, to) = self.ends[connection as usize];
        if self.rng.bool() { from } else { to }
    }

    /// Moves a unit somewhere: what it costs, if it can be there.
    fn try_move(&mut self, unit: u32, reach: i32, for_time: f64, for_extent: f64) -> Option<f64> {
        let mut way = self.somewhere(unit, reach)?;
        let mut units = [unit; COMPANY];
        let mut count = 1;
        if self.rng.bool() {
            count = self.company(&mut units);
            if count > 1 {
                way.2 = 0;
            }
        }
        if way == (0, 0, 0) || !self.board.shift(&units[..count], way, &mut self.rng) {
            return None;
        }
        self.stamp += 1;
        self.new_delays.clear();
        self.new_extents.clear();
        let mut cost = 0.0;
        for moved in 0..self.board.moved.len() {
            let cell = self.board.moved[moved].0 as usize;
            for index in 0..self.connections_of[cell].len() {
                let connection = self.connections_of[cell][index] as usize;
                if self.seen[connection] == self.stamp {
                    continue;
                }
                let lut = self.lut_of[connection];
                if lut != NONE && self.long[lut as usize] {
                    let (delays, ends) =
                        (self.delays_to(lut as usize), self.luts[lut as usize].len());
                    for (index, delay) in delays.into_iter().enumerate().take(ends) {
                        let connection = self.luts[lut as usize][index];
                        cost += for_time * self.change(connection, delay);
                    }
                } else {
                    let delay = self.delay(connection);
                    cost += for_time * self.change(connection as u32, delay);
                }
            }
            for index in 0..self.nets_of[cell].len() {
                let net = self.nets_of[cell][index] as usize;
                if self.seen_net[net] == self.stamp {
                    continue;
                }
                self.seen_net[net] = self.stamp;
                let extent = self.extent(net);
                cost += for_extent * f64::from(extent - self.extents[net]);
                self.new_extents.push((net as u32, extent));
            }
        }
        Some(cost)
    }

    /// Moves a unit, then what is joined to it wherever that is better off, and says whether all of it together was
    /// worth it; if not, nothing has changed. A memory that goes alone leaves behind what it is read by.
    fn lead(&mut self, unit: u32, for_time: f64, for_extent: f64) -> bool {
        let before = (self.board.places.clone(), self.delays.clone(), self.extents.clone());
        let Some(mut cost) = self.try_move(unit, REACH as i32, for_time, for_extent) else {
            return false;
        };
        self.take();
        let mut moved: Vec<u32> = self.board.moved.iter().map(|moved| moved.0).collect();
        let ways: usize = moved.iter().map(|&cell| self.connections_of[cell as usize].len()).sum();
        for _ in 0..(FOLLOWS * ways).min(MOST_FOLLOWS) {
            let ways = &self.connections_of[moved[self.rng.usize(..moved.len())] as usize];
            if ways.is_empty() {
                continue;
            }
            let way = ways[self.rng.usize(..ways.len())];
            let follower = self.either_end(way);
            let unit = self.board.unit_of[follower as usize];
            let Some(more) = self.try_move(unit, REACH as i32, for_time, for_extent) else {
                continue;
            };
            if more > 0.0 {
                self.board.undo();
                continue;
            }
            cost += more;
            self.take();
            if more < 0.0 && !moved.contains(&follower) {
                moved.push(follower);
            }
        }
        if cost > 0.0 {
            self.board.restore(before.0);
            (self.delays, self.extents) = (before.1, before.2);
        }
        cost <= 0.0
    }

    /// A connection would have this delay: what it costs more.
    fn change(&mut self, connection: u32, delay: i32) -> f64 {
        self.seen[connection as usize] = self.stamp;
        self.new_delays.push((connection, delay));
        let before = self.prices.price(connection, self.delays[connection as usize]);
        f64::from(self.prices.price(connection, delay) - before)
    }

    /// Fills up, behind the first of these units, with those of its tile that are joined to it on a long path:
    /// alone it would leave them by the shortest wires that there are. Says how many there are then.
    fn company(&self, units: &mut [u32; COMPANY]) -> usize {
        let places = &self.board.places;
        let mut count = 1;
        for &cell in &self.board.units[units[0] as usize].cells {
            for &way in &self.connections_of[cell as usize] {
                let (from, to) = self.ends[way as usize];
                let other = self.board.unit_of[if from == cell { to } else { from } as usize];
                let (from, to) = (places[from as usize], places[to as usize]);
                if count < COMPANY
                    && (from.x, from.y) == (to.x, to.y)
                    && self.through[way as usize] > self.late
                    && !units[..count].contains(&other)
                {
                    units[count] = other;
                    count += 1;
                }
            }
        }
        count
    }

    /// Where a unit might go.
    fn somewhere(&mut self, unit: u32, reach: i32) -> Option<Shift> {
        let unit = &self.board.units[unit as usize];
        let cell = unit.cells[self.rng.usize(..unit.cells.len())];
        let here = self.board.places[cell as usize];
        let ways = &self.connections_of[cell as usize];
        let (x, y) = (i32::from(here.x), i32::from(here.y));
        let (dx, dy) = if !ways.is_empty() && self.rng.bool() {
            // To one that it is joined to.
            let (from, to) = self.ends[ways[self.rng.usize(..ways.len())] as usize];
            let there = self.board.places[if from == cell { to } else { from } as usize];
            let (dx, dy) = (i32::from(there.x) - x, i32::from(there.y) - y);
            (dx + self.rng.i32(-2..=2), dy + self.rng.i32(-2..=2))
        } else {
            (self.rng.i32(-reach..=reach), self.rng.i32(-reach..=reach))
        };
        if self.board.is_memory(cell) {
            return self.board.memory_near(cell, (x + dx, y + dy), false, &mut self.rng);
        }
        Some((dx, dy, unit.some_way_along(&mut self.rng)))
    }

    /// Keeps the move under trial.
    fn take(&mut self) {
        for &(connection, delay) in &self.new_delays {
            self.delays[connection as usize] = delay;
        }
        for &(net, extent) in &self.new_extents {
            self.extents[net as usize] = extent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::netlist;
    use crate::chip::Chip;
    use crate::delays::Delays;
    use crate::sdf::Sdf;
    use crate::timing::connections;

    #[test]
    fn what_goes_ahead_in_vain_leaves_all_as_it_was() -> anyhow::Result<()> {
        let (chip, netlist) = (Chip::bare(8, 8), netlist()?);
        let connections = connections(&netlist);
        let board = Board::new(&chip, &netlist, &connections);
        let ways = Ways::new(Delays::new(&chip), &netlist, &connections);
        let timing = Timing::new(&netlist, &connections, &Sdf::default());
        let options = Options { seed: 1, rounds: 1, tries: 1.0 };
        let mut annealer = Annealer::new(&netlist, &connections, board, ways, timing, options);
        annealer.weigh(10.0);
        let (mut kept, mut taken_back) = (0, 0);
        for trial in 0..400 {
            let unit = annealer.rng.u32(..annealer.board.units.len() as u32);
            let before =
                (annealer.board.places.clone(), annealer.delays.clone(), annealer.extents.clone());
            if annealer.lead(unit, 1.0, f64::from(trial % 2)) {
                kept += 1;
            } else {
                let after = (&annealer.board.places, &annealer.delays, &annealer.extents);
                assert_eq!(after, (&before.0, &before.1, &before.2));
                taken_back += 1;
            }
            for net in 0..annealer.pins.len() {
                assert_eq!(annealer.extents[net], annealer.extent(net));
            }
            for way in 0..annealer.ends.len() {
                assert_eq!(annealer.delays[way], annealer.delay(way));
            }
        }
        assert!(kept > 10 && taken_back > 10, "{kept} and {taken_back}");
        Ok(())
    }
}

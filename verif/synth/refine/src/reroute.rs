//! Leads the longest paths of a routed netlist by other wires.
//!
//! It begins with routes in which no wire has two nets, and never leaves that: a connection gets a faster
//! way, by wires that other nets have if need be; these get other ways, and so on; if in the end the whole
//! costs less, it stays, else all is as before. What a connection costs is a high power of the longest path by
//! way of it, as in `anneal`.

use crate::fabric::{NO, Wire};
use crate::netlist::{Netlist, Place};
use crate::prices::Prices;
use crate::routes::Routes;
use crate::search::{Search, Wanted};
use crate::timing::{Connection, Timing, by_net};
use crate::ways::{Ways, permutes, wire_of};
use anyhow::{Result, ensure};
use fastrand::Rng;

/// To which power nearness to the longest path is taken.
const SHARPNESS: f32 = 60.0;
/// Of paths this much shorter than the longest ways are looked for, in picoseconds.
const NEAR: i32 = 500;
/// How many ways may be looked for to make one shorter, with the least effort.
const WAYS: usize = 40;
/// By which part of the first price each of these makes wires of others dearer: those that have to make way
/// would rather go round about than make others go.
const DEARER: f32 = 8.0;
/// A way that is so little longer than it would be with nothing in its way is left as it is.
const LITTLE: i32 = 5;
/// What it costs to take a wire from another net: at least, and if it is on the longest path.
const TAKEN: (f32, f32) = (15.0, 400.0);
/// What has to make way gets no way that is longer than this.
const FAR: i32 = 4000;
/// Rounds without a shorter longest path before it ends.
const PATIENCE: u32 = 5;
/// How often a faster way is looked for, each time without the wires that could not be had, with the least effort.
const ATTEMPTS: usize = 4;

/// Marks wires on the way to where a route ends that is none of a known pin: they stay.
const UNKNOWN: u8 = u8::MAX;

/// A connection's wire and what is fixed of it.
struct End {
    net: u32,
    from: u32,
    to: u32,
    /// Where its route ends; `NO` if it has none.
    wire: Wire,
    permute: bool,
}

pub struct Router<'a> {
    pub routes: Routes<'a>,
    netlist: &'a Netlist,
    ways: Ways<'a>,
    timing: Timing,
    search: Search,
    rng: Rng,
    ends: Vec<End>,
    /// Of wires: how many ends are there.
    pins: Vec<u8>,
    /// Of nets: their ends.
    ends_of: Vec<std::ops::Range<u32>>,
    delays: Vec<i32>,
    through: Vec<i32>,
    prices: Prices,
    longest: i32,
    /// Of wires: the longest path by way of it.
    by_way: Vec<i32>,
    /// In which change each wire was laid, and what the present one touched.
    laid: Vec<u32>,
    change: u32,
    touched: Vec<u32>,
    /// In which search for a faster way each wire was found to be one that its net cannot do without.
    kept: Vec<u32>,
    search_id: u32,
    /// This round's factor for wires of other nets.
    dear: f32,
    /// How much is tried for each connection, and for so many fewer of them.
    effort: u32,
}

impl<'a> Router<'a> {
    /// `known` has nextpnr's own delays of connections.
    pub fn new(
        routes: Routes<'a>,
        ways: Ways<'a>,
        netlist: &'a Netlist,
        connections: &'a [Connection],
        timing: Timing,
        known: &[i32],
        seed: u64,
    ) -> Result<Self> {
        let wires = routes.fabric.wires();
        let mut pins = vec![0; wires];
        let mut ends = Vec::new();
        for (number, connection) in connections.iter().enumerate() {
            let number = number as u32;
            let place = netlist.cells[connection.to.cell as usize].place;
            let net = connection.net;
            let wire = wire_of(netlist, connection.to, place.z)
                .and_then(|name| routes.fabric.named(place.x.into(), place.y.into(), &name))
                .filter(|&wire| routes.at(wire).net == net && routes.roots[net as usize] != NO);
            if let Some(wire) = wire {
                pins[wire as usize] += 1;
                let delay = routes.delay(wire);
                ensure!(
                    delay == known[number as usize],
                    "nextpnr's delay to {} is {} ps, that of its route {delay} ps",
                    routes.fabric.name(wire),
                    known[number as usize]
                );
            }
            ends.push(End {
                net,
                from: connection.from.cell,
                to: connection.to.cell,
                wire: wire.unwrap_or(NO),
                permute: permutes(netlist, connection.to),
            });
        }
        for &root in routes.roots.iter().filter(|&&root| root != NO) {
            let mut unknown = Vec::new();
            routes.visit(root, |wire| {
                if routes.branches(wire) == 0 && pins[wire as usize] == 0 {
                    unknown.push(wire);
                }
            });
            for mut wire in unknown {
                while wire != NO {
                    pins[wire as usize] = UNKNOWN;
                    wire = routes.at(wire).from;
                }
            }
        }
        Ok(Self {
            search: Search::new(&routes.fabric),
            rng: Rng::with_seed(seed),
            delays: known.to_vec(),
            through: vec![0; known.len()],
            prices: Prices::new(known.len()),
            longest: 0,
            by_way: vec![0; wires],
            laid: vec![0; wires],
            change: 0,
            touched: Vec::new(),
            kept: vec![0; wires],
            search_id: 0,
            dear: 1.0,
            effort: 1,
            routes,
            netlist,
            ways,
            timing,
            ends,
            pins,
            ends_of: by_net(connections, netlist.nets.len()),
        })
    }

    /// Looks at all paths anew.
    fn weigh(&mut self) {
        self.longest = self.timing.analyse(&self.delays, &mut self.through).max(1);
        let longest = self.longest as f32;
        self.prices.set(&self.through, &self.delays, |path| (path / longest).powf(SHARPNESS));
        self.by_way.fill(0);
        for (end, &through) in self.ends.iter().zip(&self.through) {
            let mut wire = end.wire;
            while wire != NO && self.by_way[wire as usize] < through {
                self.by_way[wire as usize] = through;
                wire = self.routes.at(wire).from;
            }
        }
    }

    /// Runs; `tell` hears of each round: its number, the longest path, how many ways were changed. Where the longest
    /// path stays as it is, twice as much is tried for it, up to `effort` times as much.
    pub fn run(&mut self, rounds: u32, effort: u32, mut tell: impl FnMut(u32, i32, usize)) {
        let (mut least, mut since) = (i32::MAX, 0);
        for round in 0..=rounds {
            self.weigh();
            since = if self.longest < least { 0 } else { since + 1 };
            least = least.min(self.longest);
            if since > PATIENCE && self.effort < effort {
                self.effort = (2 * self.effort).min(effort);
                since = PATIENCE;
            }
            if round == rounds || since > PATIENCE {
                tell(round, self.longest, 0);
                return;
            }
            self.dear = 0.5 * 4f32.powf(self.rng.f32());
            let near = self.near();
            let rerouted = near.iter().filter(|&&end| self.improve(end)).count();
            tell(round, self.longest, rerouted);
        }
    }

    /// Connections on the longest paths, the longest first.
    fn near(&self) -> Vec<u32> {
        let from = self.longest - NEAR / self.effort as i32;
        let mut near: Vec<u32> = (0..self.ends.len() as u32)
            .filter(|&end| self.through[end as usize] > from && self.ways.varies(end as usize))
            .collect();
        near.sort_by_key(|&end| -self.through[end as usize]);
        near
    }

    /// Begins a change.
    fn begin(&mut self) {
        self.routes.begin();
        self.change += 1;
        self.touched.clear();
    }

    /// Ends one, and takes it back if the whole does not cost less for it.
    fn settle(&mut self) -> bool {
        let mut more = 0.0;
        let mut new = Vec::new();
        self.touched.sort_unstable();
        self.touched.dedup();
        for &net in &self.touched {
            for end in self.ends_of[net as usize].clone() {
                let wire = self.ends[end as usize].wire;
                if wire == NO {
                    continue;
                }
                let delay = self.routes.delay(wire);
                let old = self.delays[end as usize];
                if old != delay {
                    more += self.prices.price(end, delay) - self.prices.price(end, old);
                    new.push((end, delay));
                }
            }
        }
        if more >= 0.0 {
            self.routes.undo();
            return false;
        }
        for (end, delay) in new {
            self.delays[end as usize] = delay;
        }
        true
    }

    /// Looks for a faster way for a connection; says whether there is one.
    fn improve(&mut self, end: u32) -> bool {
        let End { wire, from, to, .. } = self.ends[end as usize];
        let before = self.delays[end as usize];
        let least = self.ways.least(end as usize, self.place(from), self.place(to));
        if wire == NO || before <= least + LITTLE {
            return false;
        }
        self.search_id += 1;
        for _ in 0..ATTEMPTS * self.effort as usize {
            self.begin();
            self.lift(wire);
            match self.lead_all(end, before) {
                Ok(()) if self.settle() => return true,
                Err(Some(taken)) => {
                    self.routes.undo();
                    self.kept[taken as usize] = self.search_id;
                }
                _ => {
                    self.routes.undo();
                    return false;
                }
            }
        }
        false
    }

    /// Leads an end by a way of less than `before`, and what has to make way by ways that make no path longer
    /// than that by way of it was. If that cannot be: the wire whose net has no other, if it was one's.
    fn lead_all(&mut self, end: u32, before: i32) -> Result<(), Option<Wire>> {
        let cap = self.prices.rest(end) + before - 1;
        let mut waiting = vec![(end, NO)];
        for ways in 0..WAYS * self.effort as usize {
            let hardest = (0..waiting.len()).max_by_key(|&n| self.prices.rest(waiting[n].0));
            let Some(hardest) = hardest else { return Ok(()) };
            let (next, taken) = waiting.swap_remove(hardest);
            let most = (cap - self.prices.rest(next)).min(FAR);
            if !self.lead(next, most, ways, &mut waiting) {
                return Err((taken != NO).then_some(taken));
            }
        }
        Err(waiting.first().map(|&(_, taken)| taken))
    }

    /// Leads a net to one of its ends; those that have to make way wait then, each with the wire that was taken.
    fn lead(&mut self, end: u32, most: i32, ways: usize, waiting: &mut Vec<(u32, Wire)>) -> bool {
        let End { wire, net, permute, .. } = self.ends[end as usize];
        self.touched.push(net);
        if self.routes.at(wire).net == net {
            return true;
        }
        let wanted = Wanted { net, to: wire, most, permute, soon: ways > 0, effort: self.effort };
        let dear = self.dear * (1.0 + DEARER * ways as f32);
        let (least, highest) = (TAKEN.0 * dear, TAKEN.1 * dear);
        let (by_way, laid, kept, pins) = (&self.by_way, &self.laid, &self.kept, &self.pins);
        let (change, search, longest) = (self.change, self.search_id, self.longest as f32);
        let way = self.search.find(&self.routes, &wanted, |wire| {
            let near = (by_way[wire as usize] as f32 / longest).min(1.0);
            let price = least + highest * near.powi(12);
            let wire = wire as usize;
            (laid[wire] != change && kept[wire] != search && pins[wire] != UNKNOWN)
                .then_some(price as i32)
        });
        let Some(way) = way else { return false };
        let through = (self.prices.rest(end) + most).max(0);
        for &(wire, via, from) in way.iter().rev() {
            if self.routes.at(wire).net != NO {
                self.clear(wire, waiting);
            }
            self.routes.lay(wire, net, via, from);
            self.laid[wire as usize] = self.change;
            self.by_way[wire as usize] = through;
        }
        true
    }

    /// Takes a wire from its net, whose ends behind it wait then.
    fn clear(&mut self, wire: Wire, waiting: &mut Vec<(u32, Wire)>) {
        let net = self.routes.at(wire).net;
        let mut wires = Vec::new();
        let pins = &self.pins;
        self.routes.visit(wire, |wire| {
            if pins[wire as usize] > 0 {
                wires.push(wire);
            }
        });
        let ends = self.ends_of[net as usize].clone();
        let behind = ends.filter(|&end| wires.contains(&self.ends[end as usize].wire));
        waiting.extend(behind.map(|end| (end, wire)));
        self.touched.push(net);
        self.lift(wire);
    }

    fn place(&self, cell: u32) -> Place {
        self.netlist.cells[cell as usize].place
    }

    /// Takes a wire from its net with all behind it, and all before it that led there alone.
    fn lift(&mut self, wire: Wire) {
        let mut before = self.routes.at(wire).from;
        self.routes.lift(wire);
        while before != NO
            && self.routes.branches(before) == 0
            && self.pins[before as usize] == 0
            && self.routes.at(before).from != NO
        {
            let next = self.routes.at(before).from;
            self.routes.lift(before);
            before = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::{Chip, Joint};
    use crate::delays::Delays;
    use crate::fabric::Fabric;
    use crate::sdf::Sdf;
    use crate::timing::connections;
    use serde_json::{Value, json};

    /// Two outputs to two inputs by a fast wire and by a slow one.
    fn crossing() -> Vec<Joint<'static>> {
        let mut all = Vec::new();
        for (wire, delay) in [("FAST", 250), ("SLOW", 400)] {
            for output in ["Q0_SLICE", "Q1_SLICE"] {
                all.push(((0, output), (0, wire), delay));
            }
            for input in ["M2_SLICE", "M3_SLICE"] {
                all.push(((0, wire), (0, input), delay));
            }
        }
        all
    }

    /// Two registers to two others, the first by the slow wire, with these delays of the first two.
    fn rerouted(switches: &[Joint], launch: [i32; 2]) -> Result<(Vec<String>, i32, i32)> {
        let wires = ["Q0_SLICE", "Q1_SLICE", "M2_SLICE", "M3_SLICE", "FAST", "SLOW"];
        // So large that there is a tile where `delays` looks how far things are.
        let chip = Chip::plain((64, 29), &wires, switches);
        let ff = |bel: &str, port: &str, direction: &str, bit: u32| {
            json!({"type": "TRELLIS_FF", "parameters": {},
                   "attributes": {"NEXTPNR_BEL": format!("X0/Y0/SLICE{bel}")},
                   "port_directions": {port: direction}, "connections": {port: [bit]}})
        };
        let net = |bit: u32, output: &str, by: &str, input: &str| {
            let by_switch = format!("X0/Y0/{by};X0/Y0/0_0_{output}->0_0_{by};1");
            let to_switch = format!("X0/Y0/{input};X0/Y0/0_0_{by}->0_0_{input};1");
            let route = format!("X0/Y0/{output};;1;{by_switch};{to_switch}");
            json!({"bits": [bit], "attributes": {"ROUTING": route}})
        };
        let document: Value = json!({"modules": {"top": {
            "cells": {"a": ff("A.FF0", "Q", "output", 1), "b": ff("A.FF1", "Q", "output", 2),
                      "c": ff("B.FF0", "M", "input", 1), "d": ff("B.FF1", "M", "input", 2)},
            "netnames": {"first": net(1, "Q0_SLICE", "SLOW", "M2_SLICE"),
                         "second": net(2, "Q1_SLICE", "FAST", "M3_SLICE")}}}});
        let netlist = Netlist::read(document)?;
        let [a, b] = launch;
        let sdf = Sdf::read(&format!(
            "(CELLTYPE \"TRELLIS_FF\")\n(INSTANCE a)\n(IOPATH CLK Q (1:1:{a}) ())\n\
             (INSTANCE b)\n(IOPATH CLK Q (1:1:{b}) ())\n\
             (INSTANCE c)\n(SETUPHOLD (posedge M) (posedge CLK) (1:1:0) ())\n\
             (INSTANCE d)\n(SETUPHOLD (posedge M) (posedge CLK) (1:1:0) ())\n"
        ));
        let connections = connections(&netlist);
        let timing = Timing::new(&netlist, &connections, &sdf);
        let routes = Routes::read(Fabric::new(&chip), &netlist)?;
        let known: Vec<i32> = connections
            .iter()
            .map(|way| if netlist.cells[way.to.cell as usize].name == "c" { 802 } else { 502 })
            .collect();
        let ways = Ways::new(Delays::new(&chip), &netlist, &connections);
        let mut router = Router::new(routes, ways, &netlist, &connections, timing, &known, 1)?;
        let (mut first, mut last) = (None, 0);
        router.run(10, 4, |_, longest, _| {
            first.get_or_insert(longest);
            last = longest;
        });
        let texts = (0..2).filter_map(|net| router.routes.text(net)).collect();
        Ok((texts, first.unwrap_or_default(), last))
    }

    #[test]
    fn a_net_with_time_makes_way_for_one_without() -> Result<()> {
        let (texts, first, last) = rerouted(&crossing(), [500, 100])?;
        assert_eq!((first, last), (500 + 802, 500 + 502));
        let by = |text: &str, wire: &str| text.contains(&format!("X0/Y0/{wire};"));
        assert!(by(&texts[0], "FAST") && !by(&texts[0], "SLOW"), "{}", texts[0]);
        assert!(by(&texts[1], "SLOW") && !by(&texts[1], "FAST"), "{}", texts[1]);
        Ok(())
    }

    #[test]
    fn one_that_would_be_later_than_the_other_was_does_not() -> Result<()> {
        let (texts, first, last) = rerouted(&crossing(), [500, 500])?;
        assert_eq!((first, last), (1302, 1302));
        assert!(texts[0].contains("X0/Y0/SLOW;"), "{}", texts[0]);
        Ok(())
    }

    #[test]
    fn one_that_has_no_other_way_keeps_it() -> Result<()> {
        let mut switches = crossing();
        switches.retain(|&((_, from), (_, to), _)| (from, to) != ("SLOW", "M3_SLICE"));
        let (texts, first, last) = rerouted(&switches, [500, 100])?;
        assert_eq!((first, last), (1302, 1302));
        assert!(texts[1].contains("X0/Y0/FAST;"), "{}", texts[1]);
        Ok(())
    }

    #[test]
    fn delays_that_are_not_nextpnrs_are_an_error() {
        let mut switches = crossing();
        switches.iter_mut().for_each(|switch| switch.2 += 1);
        assert!(rerouted(&switches, [500, 100]).is_err());
    }
}

//! Which net has which wire, as trees from each net's driver to its loads.

use crate::fabric::{Fabric, NO, Via, Wire};
use crate::netlist::Netlist;
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;

/// The owner of wires that are not to be touched: of clocks, and of what has no driver here.
pub const FIXED: u32 = NO - 1;

/// How strongly nextpnr takes a wire to be a net's: it keeps it, but may take it away; and it is a global
/// clock's, to which nextpnr itself gives the same again.
const STRONG: u8 = 2;
const LOCKED: &str = "5";

/// What a wire is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// Which net's it is.
    pub net: u32,
    /// The switch by which it is reached, and the wire before that; of a driver's wire there is neither.
    pub via: Via,
    pub from: Wire,
}

const FREE: Use = Use { net: NO, via: NO, from: NO };

pub struct Routes<'a> {
    pub fabric: Fabric<'a>,
    uses: Vec<Use>,
    /// How many switches lead on from each wire.
    branches: Vec<u16>,
    /// The driver's wire of each net; `NO` of those without a route.
    pub roots: Vec<Wire>,
    /// The routes, as they were read, of nets that are not among those here and no global clocks: nextpnr would
    /// find others for them, by wires that are taken.
    kept: FxHashMap<String, String>,
    /// What changes since `begin` have overwritten.
    log: Vec<(Wire, Use)>,
}

impl<'a> Routes<'a> {
    /// Takes the routes that nextpnr has written.
    pub fn read(fabric: Fabric<'a>, netlist: &Netlist) -> Result<Self> {
        let wires = fabric.wires();
        let mut routes = Self {
            fabric,
            uses: vec![FREE; wires],
            branches: vec![0; wires],
            roots: vec![NO; netlist.nets.len()],
            kept: FxHashMap::default(),
            log: Vec::new(),
        };
        let nets = netlist.nets.iter().enumerate();
        let named: FxHashMap<&str, u32> =
            nets.map(|(number, net)| (net.name.as_str(), number as u32)).collect();
        for (name, text) in netlist.routes()? {
            let net = named.get(name).copied().unwrap_or(FIXED);
            let locked = routes.take(net, text).with_context(|| format!("the route of {name}"))?;
            if net == FIXED && !locked {
                routes.kept.insert(name.to_owned(), text.to_owned());
            }
        }
        routes.log.clear();
        Ok(routes)
    }

    /// `wire;switch;strength`, again and again. Says whether it is a global clock's.
    fn take(&mut self, net: u32, text: &str) -> Result<bool> {
        let mut words = text.trim().split(';');
        let mut locked = false;
        while let (Some(wire), Some(via), Some(strength)) =
            (words.next(), words.next(), words.next())
        {
            locked |= strength == LOCKED;
            let wire = self.fabric.wire(wire)?;
            let found = match via {
                _ if net == FIXED => Use { net, ..FREE },
                "" => {
                    self.roots[net as usize] = wire;
                    Use { net, ..FREE }
                }
                _ => {
                    let via = self.fabric.via(via, wire)?;
                    let before = self.fabric.uphill(wire).find(|&(other, _)| other == via);
                    Use { net, via, from: before.context("a switch from nowhere")?.1 }
                }
            };
            self.set(wire, found);
        }
        Ok(locked)
    }

    /// Of all nets that have one.
    pub fn texts(&self, netlist: &Netlist) -> FxHashMap<String, String> {
        let nets = netlist.nets.iter().enumerate();
        let known = nets.filter_map(|(net, of)| Some((of.name.clone(), self.text(net as u32)?)));
        self.kept.clone().into_iter().chain(known).collect()
    }

    /// As nextpnr reads it.
    pub fn text(&self, net: u32) -> Option<String> {
        let root = self.roots[net as usize];
        if root == NO {
            return None;
        }
        let mut text = format!("{};;{STRONG}", self.fabric.name(root));
        self.visit(root, |wire| {
            if wire != root {
                let via = self.fabric.via_name(self.uses[wire as usize].via);
                text += &format!(";{};{via};{STRONG}", self.fabric.name(wire));
            }
        });
        Some(text)
    }

    /// Calls `see` with a wire and with all behind it, each behind the one before it.
    pub fn visit(&self, wire: Wire, mut see: impl FnMut(Wire)) {
        let mut waiting = vec![wire];
        while let Some(wire) = waiting.pop() {
            see(wire);
            if self.branches[wire as usize] > 0 {
                waiting.extend(self.behind(wire));
            }
        }
    }

    fn behind(&self, wire: Wire) -> impl Iterator<Item = Wire> {
        let all = self.fabric.downhill(wire);
        all.filter(move |&(via, to)| {
            let found = self.uses[to as usize];
            found.via == via && found.from == wire
        })
        .map(|(_, to)| to)
    }

    pub fn at(&self, wire: Wire) -> Use {
        self.uses[wire as usize]
    }

    pub fn branches(&self, wire: Wire) -> u16 {
        self.branches[wire as usize]
    }

    fn set(&mut self, wire: Wire, new: Use) {
        let old = std::mem::replace(&mut self.uses[wire as usize], new);
        if old.from != NO {
            self.branches[old.from as usize] -= 1;
        }
        if new.from != NO {
            self.branches[new.from as usize] += 1;
        }
        self.log.push((wire, old));
    }

    /// Gives a wire to a net.
    pub fn lay(&mut self, wire: Wire, net: u32, via: Via, from: Wire) {
        self.set(wire, Use { net, via, from });
    }

    /// Takes a wire from its net, with all behind it.
    pub fn lift(&mut self, wire: Wire) {
        let mut all = Vec::new();
        self.visit(wire, |wire| all.push(wire));
        for &wire in all.iter().rev() {
            self.set(wire, FREE);
        }
    }

    /// From here on `undo` takes changes back.
    pub fn begin(&mut self) {
        self.log.clear();
    }

    pub fn undo(&mut self) {
        while let Some((wire, old)) = self.log.pop() {
            self.set(wire, old);
            self.log.pop();
        }
    }

    /// From the driver to a wire of its net, in picoseconds.
    pub fn delay(&self, wire: Wire) -> i32 {
        let (mut at, mut sum) = (self.uses[wire as usize], 0);
        while at.from != NO {
            let switch = self.fabric.switch(at.via);
            sum += switch.time(self.branches[at.from as usize]);
            at = self.uses[at.from as usize];
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::Chip;
    use serde_json::json;

    /// One output, by a wire to two inputs and by another to a third.
    fn chip() -> Chip {
        let wires = ["Q", "H", "V", "A", "B", "C", "D"];
        let to = |from, to| ((0, from), (0, to), 100);
        let switches = [to("Q", "H"), to("Q", "V"), to("H", "A"), to("H", "B"), to("V", "C")];
        Chip::plain((1, 1), &wires, &switches)
    }

    fn routed(route: &str) -> Result<Netlist> {
        let cell = |bel: &str, port: &str, direction: &str| {
            json!({"type": "TRELLIS_FF", "parameters": {}, "attributes": {"NEXTPNR_BEL": bel},
                   "port_directions": {port: direction}, "connections": {port: [1]}})
        };
        let cells = json!({"q": cell("X0/Y0/SLICEA.FF0", "Q", "output"),
                           "m": cell("X0/Y0/SLICEB.FF0", "M", "input")});
        let net = json!({"bits": [1], "attributes": {"ROUTING": route}});
        let clock = json!({"bits": [2], "attributes": {"ROUTING": "X0/Y0/C;;1"}});
        let global = json!({"bits": [3], "attributes": {"ROUTING": "X0/Y0/D;;5"}});
        let names = json!({"net": net, "clock": clock, "global": global, "none": {"bits": [4]}});
        let top = json!({"cells": cells, "netnames": names});
        Netlist::read(json!({"modules": {"top": top}}))
    }

    const WHOLE: &str = "X0/Y0/Q;;1;X0/Y0/H;X0/Y0/0_0_Q->0_0_H;1;X0/Y0/A;X0/Y0/0_0_H->0_0_A;1;\
                         X0/Y0/B;X0/Y0/0_0_H->0_0_B;1;X0/Y0/V;X0/Y0/0_0_Q->0_0_V;1";

    #[test]
    fn a_route_is_a_tree_that_is_written_as_it_was_read() -> Result<()> {
        let (chip, netlist) = (chip(), routed(WHOLE)?);
        let routes = Routes::read(Fabric::new(&chip), &netlist)?;
        let wire = |name: &str| routes.fabric.wire(&format!("X0/Y0/{name}"));
        // Each switch costs 100, and one more for each that leads from the same wire.
        assert_eq!(routes.delay(wire("A")?), 102 + 102);
        assert_eq!(routes.delay(wire("V")?), 102);
        assert_eq!(routes.at(wire("C")?).net, FIXED);
        let sorted = |text: &str| {
            let words: Vec<&str> = text.split(';').collect();
            let mut all: Vec<String> = words.chunks(3).map(|wire| wire[..2].join(";")).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&routes.text(0).unwrap_or_default()), sorted(WHOLE));
        Ok(())
    }

    #[test]
    fn a_clock_keeps_its_way_to_the_global_net_but_not_that_itself() -> Result<()> {
        let (chip, netlist) = (chip(), routed(WHOLE)?);
        let routes = Routes::read(Fabric::new(&chip), &netlist)?;
        let texts = routes.texts(&netlist);
        assert_eq!(texts.get("clock").map(String::as_str), Some("X0/Y0/C;;1"));
        assert_eq!(texts.get("net"), routes.text(0).as_ref());
        assert_eq!(texts.len(), 2);
        Ok(())
    }

    #[test]
    fn what_is_undone_is_as_it_was() -> Result<()> {
        let (chip, netlist) = (chip(), routed(WHOLE)?);
        let mut routes = Routes::read(Fabric::new(&chip), &netlist)?;
        let wire = |routes: &Routes, name: &str| routes.fabric.wire(&format!("X0/Y0/{name}"));
        let before = (routes.uses.clone(), routes.branches.clone());
        let (q, h, v) = (wire(&routes, "Q")?, wire(&routes, "H")?, wire(&routes, "V")?);
        routes.begin();
        routes.lift(h);
        assert_eq!((routes.at(wire(&routes, "B")?), routes.branches(q)), (FREE, 1));
        routes.lift(v);
        let via = routes.fabric.downhill(q).find(|&(_, to)| to == v).context("no switch")?.0;
        routes.lay(v, 0, via, q);
        assert_eq!(routes.delay(v), 101);
        routes.undo();
        assert!((&routes.uses, &routes.branches) == (&before.0, &before.1));
        Ok(())
    }

    #[test]
    fn a_route_over_what_the_part_has_not_is_an_error() -> Result<()> {
        let chip = chip();
        for route in [
            "X0/Y0/W;;1",
            "X0/Y0/Q;;1;X0/Y0/A;X0/Y0/0_0_Q->0_0_A;1",
            "X0/Y0/Q;;1;X0/Y0/H;somewhere;1",
        ] {
            let netlist = routed(route)?;
            assert!(Routes::read(Fabric::new(&chip), &netlist).is_err(), "{route}");
        }
        Ok(())
    }
}

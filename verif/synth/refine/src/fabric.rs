//! All wires of the part by number, and the switches between them.

use crate::chip::{Chip, Switch};
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;

/// A wire of the part.
pub type Wire = u32;
/// A switch of the part: its tile and its number there.
pub type Via = u32;

pub const NO: u32 = u32::MAX;

pub struct Fabric<'a> {
    pub chip: &'a Chip,
    /// The number of each tile's first wire.
    first: Vec<u32>,
    tile_of: Vec<u16>,
    /// Of tiles.
    places: Vec<(u8, u8)>,
    /// By tile, so that names are looked up once.
    names: Vec<FxHashMap<&'a str, u16>>,
}

impl<'a> Fabric<'a> {
    pub fn new(chip: &'a Chip) -> Self {
        let mut first = Vec::new();
        let mut tile_of = Vec::new();
        for tile in 0..chip.width * chip.height {
            first.push(tile_of.len() as u32);
            let wires = chip.tile_type(tile as usize).wires.len();
            tile_of.resize(tile_of.len() + wires, tile as u16);
        }
        let names = chip.types().iter().map(|kind| {
            let all = kind.wires.iter().enumerate();
            all.map(|(number, name)| (name.as_str(), number as u16)).collect()
        });
        let all = (0..chip.height).flat_map(|y| (0..chip.width).map(move |x| (x as u8, y as u8)));
        Self { chip, first, tile_of, places: all.collect(), names: names.collect() }
    }

    /// How many there are.
    pub fn wires(&self) -> usize {
        self.tile_of.len()
    }

    /// The tile that a wire belongs to.
    pub fn place(&self, wire: Wire) -> (i32, i32) {
        let (x, y) = self.places[usize::from(self.tile_of[wire as usize])];
        (x.into(), y.into())
    }

    fn beside(&self, (x, y): (i32, i32), (dx, dy, number): (i16, i16, u16)) -> Option<Wire> {
        let tile = self.chip.number(x + i32::from(dx), y + i32::from(dy))?;
        Some(self.first[tile] + u32::from(number))
    }

    pub fn named(&self, x: i32, y: i32, name: &str) -> Option<Wire> {
        let tile = self.chip.number(x, y)?;
        let number = self.names[self.chip.type_number(tile)].get(name)?;
        Some(self.first[tile] + u32::from(*number))
    }

    /// A wire by the name nextpnr gives it: `X4/Y5/H02E0101`.
    pub fn wire(&self, name: &str) -> Result<Wire> {
        let found = split(name).and_then(|(x, y, wire)| self.named(x, y, wire));
        found.with_context(|| format!("the part has no wire {name}"))
    }

    /// A wire's name.
    pub fn name(&self, wire: Wire) -> String {
        let (x, y) = self.place(wire);
        let tile = usize::from(self.tile_of[wire as usize]);
        let number = wire - self.first[tile];
        format!("X{x}/Y{y}/{}", self.chip.tile_type(tile).wires[number as usize])
    }

    /// A switch by nextpnr's name, `X4/Y5/0_0_F0->1_0_H02E0101`; `to` is the wire that it leads to.
    pub fn via(&self, name: &str, to: Wire) -> Result<Via> {
        let found = split(name).and_then(|(x, y, wires)| {
            let (dx, rest) = wires.split_once("->")?.0.split_once('_')?;
            let (dy, from) = rest.split_once('_')?;
            let from =
                self.named(x + dx.parse::<i32>().ok()?, y + dy.parse::<i32>().ok()?, from)?;
            let tile = self.chip.number(x, y)?;
            self.uphill(to).find(|&(via, wire)| wire == from && (via >> 16) as usize == tile)
        });
        Ok(found.with_context(|| format!("the part has no switch {name}"))?.0)
    }

    /// A switch's name.
    pub fn via_name(&self, via: Via) -> String {
        let tile = (via >> 16) as i32;
        let (x, y) = (tile % self.chip.width, tile / self.chip.width);
        let switch = self.switch(via);
        let end = |(dx, dy, number): (i16, i16, u16)| {
            let kind = self.chip.number(x + i32::from(dx), y + i32::from(dy));
            let wires = kind.map(|tile| &self.chip.tile_type(tile).wires);
            let name = wires.and_then(|wires| wires.get(usize::from(number)));
            format!("{dx}_{dy}_{}", name.map_or("", String::as_str))
        };
        format!("X{x}/Y{y}/{}->{}", end(switch.from), end(switch.to))
    }

    pub fn switch(&self, via: Via) -> &Switch {
        &self.chip.tile_type((via >> 16) as usize).switches[(via & 0xffff) as usize]
    }

    /// The switches that lead from a wire, and where they lead to.
    pub fn downhill(&self, wire: Wire) -> impl Iterator<Item = (Via, Wire)> {
        self.switches(wire, false)
    }

    /// The switches that lead to a wire, and where they come from.
    pub fn uphill(&self, wire: Wire) -> impl Iterator<Item = (Via, Wire)> {
        self.switches(wire, true)
    }

    fn switches(&self, wire: Wire, up: bool) -> impl Iterator<Item = (Via, Wire)> {
        let tile = usize::from(self.tile_of[wire as usize]);
        let (x, y) = self.place(wire);
        let kind = self.chip.tile_type(tile);
        let number = (wire - self.first[tile]) as usize;
        let leads = if up { &kind.led } else { &kind.leads };
        leads[number].iter().filter_map(move |&(dx, dy, number)| {
            let (x, y) = (x + i32::from(dx), y + i32::from(dy));
            let tile = self.chip.number(x, y)?;
            let switch = self.chip.tile_type(tile).switches.get(number as usize)?;
            let other = self.beside((x, y), if up { switch.from } else { switch.to })?;
            Some(((tile as u32) << 16 | number, other))
        })
    }
}

/// `X4/Y5/name`.
fn split(name: &str) -> Option<(i32, i32, &str)> {
    let (x, rest) = name.strip_prefix('X')?.split_once("/Y")?;
    let (y, rest) = rest.split_once('/')?;
    Some((x.parse().ok()?, y.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_and_switches_have_the_names_they_are_found_by() -> Result<()> {
        let chip = Chip::plain(
            (3, 1),
            &["Q", "H", "M"],
            &[((0, "Q"), (1, "H"), 70), ((0, "H"), (0, "M"), 30)],
        );
        let fabric = Fabric::new(&chip);
        assert_eq!(fabric.wires(), 9);
        let mut switches = 0;
        for wire in 0..9 {
            assert_eq!(fabric.wire(&fabric.name(wire))?, wire);
            for (via, to) in fabric.downhill(wire) {
                assert_eq!(fabric.via(&fabric.via_name(via), to)?, via);
                assert!(fabric.uphill(to).any(|found| found == (via, wire)));
                switches += 1;
            }
        }
        assert_eq!(switches, 2 + 3, "the last tile's Q leads out of the part");
        assert!(
            fabric.downhill(fabric.wire("X0/Y0/Q")?).any(|(_, to)| fabric.name(to) == "X1/Y0/H")
        );
        for unknown in ["X0/Y0/F", "X3/Y0/Q", "X0/Y1/Q", "Q", ""] {
            assert!(fabric.wire(unknown).is_err(), "{unknown}");
        }
        let none = "X0/Y0/0_0_Q->0_0_M";
        assert!(fabric.via(none, fabric.wire("X0/Y0/M")?).is_err(), "{none}");
        Ok(())
    }
}

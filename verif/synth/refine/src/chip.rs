//! The part: its tiles, wires and switches with their delays, as nextpnr's own database has them.
//!
//! `share/ecp5/chipdb-85k.bin` of nextpnr-ecp5 is a tree of little-endian structures (`ecp5/arch.h`,
//! "chipdb section"). A pointer in it counts bytes from where it stands; a slice is a pointer and a
//! length. Places are relative to the tile that something belongs to, so that tiles of one type share
//! one description.

use anyhow::{Context, Result, bail, ensure};

/// A switch, told by the tile that it stands in.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The wire that it comes from and the one that it leads to, relative to that tile.
    pub from: (i16, i16, u16),
    pub to: (i16, i16, u16),
    /// Picoseconds, and how many more for each switch that the wire it comes from leads to.
    pub delay: u16,
    pub per_load: u16,
    /// It leads from one input of a LUT to another, which only a LUT whose inputs are free may use.
    pub permutes: bool,
}

impl Switch {
    /// How long it takes if so many switches begin at its wire, in picoseconds.
    pub fn time(&self, loads: u16) -> i32 {
        i32::from(self.delay) + i32::from(self.per_load) * i32::from(loads)
    }
}

/// Where a switch stands: relative to a wire's tile, and its number there.
pub type Leads = (i16, i16, u32);

/// What a type of tile has.
pub struct TileType {
    /// The name of each wire.
    pub wires: Vec<String>,
    /// Whether it has slices.
    pub logic: bool,
    /// Of which kind its memory is, if it has one.
    pub memory: Option<u8>,
    /// The switches that each wire leads to, and those that lead to it.
    pub leads: Vec<Vec<Leads>>,
    pub led: Vec<Vec<Leads>>,
    pub switches: Vec<Switch>,
}

/// The part.
pub struct Chip {
    pub width: i32,
    pub height: i32,
    types: Vec<TileType>,
    type_of: Vec<u16>,
}

/// How the names of clocks' wires begin: they are a network of their own.
const GLOBAL: &str = "G_";

impl Chip {
    /// Reads the database; `speed` is the index of the speed grade in it (0 to 2 for 6 to 8).
    pub fn read(bytes: &[u8], speed: usize) -> Result<Self> {
        let raw = Raw(bytes);
        let info = raw.pointer(0)?;
        let (width, height) = (raw.i32(info)?, raw.i32(info + 4)?);
        ensure!(
            (1..1000).contains(&width) && (1..1000).contains(&height),
            "the part's database is of another form: {width} by {height} tiles"
        );
        let grade = raw.slice(info + 72, 16)?.nth(speed).context("no such speed grade")?;
        let classes: Vec<(u16, u16)> = raw
            .slice(grade + 8, 16)?
            .map(|class| {
                let [delay, per_load] = [raw.i32(class + 4)?, raw.i32(class + 12)?];
                Ok((delay.max(0) as u16, per_load.max(0) as u16))
            })
            .collect::<Result<_>>()?;
        let type_of: Vec<u16> =
            raw.slice(info + 24, 4)?.map(|at| Ok(raw.i32(at)? as u16)).collect::<Result<_>>()?;
        ensure!(
            type_of.len() == (width * height) as usize,
            "the part's database is of another form"
        );
        let types = raw
            .slice(info + 16, 24)?
            .map(|at| raw.tile_type(at, &classes))
            .collect::<Result<Vec<TileType>>>()?;
        let known = type_of.iter().all(|&kind| usize::from(kind) < types.len());
        ensure!(known, "a tile of no type");
        Ok(Self { width, height, types, type_of })
    }

    /// The tile's type; `None` outside the part.
    pub fn tile(&self, x: i32, y: i32) -> Option<&TileType> {
        self.number(x, y).map(|tile| self.tile_type(tile))
    }

    /// A tile's number, row by row; `None` outside the part.
    pub fn number(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then_some((y * self.width + x) as usize)
    }

    /// The types that tiles have, and which of them the tile of this number has.
    pub fn types(&self) -> &[TileType] {
        &self.types
    }

    pub fn type_number(&self, tile: usize) -> usize {
        usize::from(self.type_of[tile])
    }

    pub fn tile_type(&self, tile: usize) -> &TileType {
        &self.types[self.type_number(tile)]
    }

    /// Whether there are slices.
    pub fn is_logic(&self, x: i32, y: i32) -> bool {
        self.tile(x, y).is_some_and(|tile| tile.logic)
    }

    /// Where memories are.
    pub fn memories(&self) -> Vec<(i32, i32)> {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        all.filter(|&(x, y)| self.memory(x, y).is_some()).collect()
    }

    /// Of which kind the memory of a tile is: four of them share nine columns, and lie to them differently.
    pub fn memory(&self, x: i32, y: i32) -> Option<u8> {
        self.tile(x, y)?.memory
    }

    /// The number of a tile's wire of that name.
    pub fn wire(&self, x: i32, y: i32, name: &str) -> Option<u16> {
        let wires = &self.tile(x, y)?.wires;
        wires.iter().position(|wire| wire == name).map(|number| number as u16)
    }

    fn most_wires(&self) -> usize {
        self.types.iter().map(|tile| tile.wires.len()).max().unwrap_or(0)
    }

    /// The least delay between a wire and every wire within `reach` tiles, in picoseconds; `found` is
    /// told of each of them once, nearest first.
    pub fn spread(&self, start: Start, reach: i32, mut found: impl FnMut(i32, i32, u16, u16)) {
        let Start { x, y, wire, .. } = start;
        let side = (2 * reach + 1) as usize;
        let wires = self.most_wires();
        let index = |x1: i32, y1: i32, wire: u16| {
            ((y1 - y + reach) as usize * side + (x1 - x + reach) as usize) * wires
                + usize::from(wire)
        };
        let mut best = vec![u16::MAX; side * side * wires];
        // Delays are small whole numbers: a bucket for each is the queue.
        let mut buckets: Vec<Vec<(i32, i32, u16)>> = vec![Vec::new(); LONGEST];
        buckets[0].push((x, y, wire));
        best[index(x, y, wire)] = 0;
        let mut time = 0;
        while time < buckets.len() {
            let Some((x0, y0, wire)) = buckets[time].pop() else {
                time += 1;
                continue;
            };
            if usize::from(best[index(x0, y0, wire)]) != time {
                continue;
            }
            found(x0, y0, wire, time as u16);
            let Some(tile) = self.tile(x0, y0) else { continue };
            let leads = if start.backwards { &tile.led } else { &tile.leads };
            for &(dx, dy, number) in &leads[usize::from(wire)] {
                let (xs, ys) = (x0 + i32::from(dx), y0 + i32::from(dy));
                let Some(switch) =
                    self.tile(xs, ys).and_then(|tile| tile.switches.get(number as usize))
                else {
                    continue;
                };
                let (dx, dy, wire) = if start.backwards { switch.from } else { switch.to };
                let (x1, y1) = (xs + i32::from(dx), ys + i32::from(dy));
                if (x1 - x).abs() > reach
                    || (y1 - y).abs() > reach
                    || (switch.permutes && !start.permute)
                {
                    continue;
                }
                let later = time + switch.time(1) as usize;
                let before = &mut best[index(x1, y1, wire)];
                if later < usize::from(*before) && later < LONGEST {
                    *before = later as u16;
                    buckets[later].push((x1, y1, wire));
                }
            }
        }
    }
}

/// Delays from here on are not looked for, in picoseconds.
const LONGEST: usize = 4096;

/// Where `spread` begins.
#[derive(Clone, Copy)]
pub struct Start {
    pub x: i32,
    pub y: i32,
    pub wire: u16,
    /// From inputs to the outputs that reach them.
    pub backwards: bool,
    /// Whether a way may lead from one input of a LUT to another.
    pub permute: bool,
}

/// The database's bytes.
struct Raw<'a>(&'a [u8]);

/// Where the elements of a slice stand.
struct Elements {
    next: usize,
    size: usize,
    left: usize,
}

impl Iterator for Elements {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        self.next += self.size;
        Some(self.next - self.size)
    }
}

impl Raw<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        match self.0.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => Ok(*bytes),
            None => bail!("the part's database ends early"),
        }
    }

    fn i32(&self, at: usize) -> Result<i32> {
        Ok(i32::from_le_bytes(self.bytes(at)?))
    }

    fn i16(&self, at: usize) -> Result<i16> {
        Ok(i16::from_le_bytes(self.bytes(at)?))
    }

    fn pointer(&self, at: usize) -> Result<usize> {
        at.checked_add_signed(self.i32(at)? as isize)
            .context("the part's database points before itself")
    }

    fn slice(&self, at: usize, size: usize) -> Result<Elements> {
        let left = self.i32(at + 4)?.max(0) as usize;
        // An empty one points nowhere.
        let next = if left == 0 { 0 } else { self.pointer(at)? };
        Ok(Elements { next, size, left })
    }

    fn text(&self, at: usize) -> Result<String> {
        let rest = self.0.get(self.pointer(at)?..).unwrap_or(&[]);
        let end = rest.iter().position(|&byte| byte == 0).context("a name without end")?;
        Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
    }

    fn leads(&self, at: usize) -> Result<Vec<Leads>> {
        self.slice(at, 8)?
            .map(|at| Ok((self.i16(at)?, self.i16(at + 2)?, self.i32(at + 4)? as u32)))
            .collect()
    }

    fn tile_type(&self, at: usize, classes: &[(u16, u16)]) -> Result<TileType> {
        let wires: Vec<String> =
            self.slice(at + 8, 32)?.map(|wire| self.text(wire)).collect::<Result<_>>()?;
        let (mut logic, mut memory) = (false, None);
        for bel in self.slice(at, 20)? {
            let name = self.text(bel)?;
            logic |= name.starts_with("SLICEA");
            if let Some(kind) = name.strip_prefix("EBR") {
                memory = kind.parse().ok();
            }
        }
        let (mut leads, mut led) = (Vec::new(), Vec::new());
        for (name, wire) in wires.iter().zip(self.slice(at + 8, 32)?) {
            let global = name.starts_with(GLOBAL);
            for (side, field) in [(&mut led, wire + 8), (&mut leads, wire + 16)] {
                side.push(if global { Vec::new() } else { self.leads(field)? });
            }
        }
        let switches = self
            .slice(at + 16, 20)?
            .map(|at| {
                let class = self.i16(at + 12)? as u16;
                let class = classes.get(usize::from(class)).context("a switch of no class")?;
                Ok(Switch {
                    from: (self.i16(at)?, self.i16(at + 2)?, self.i16(at + 8)? as u16),
                    to: (self.i16(at + 4)?, self.i16(at + 6)?, self.i16(at + 10)? as u16),
                    delay: class.0,
                    per_load: class.1,
                    permutes: self.i16(at + 16)? & PERMUTES != 0,
                })
            })
            .collect::<Result<_>>()?;
        Ok(TileType { wires, logic, memory, leads, led, switches })
    }
}

/// In a switch's flags: from one input of a LUT to another.
const PERMUTES: i16 = 0x4000;

/// From a wire to a wire, each by how many tiles to the right it is, and its name; with picoseconds.
#[cfg(test)]
pub type Joint<'a> = ((i16, &'a str), (i16, &'a str), u16);

#[cfg(test)]
impl Chip {
    /// Equal tiles with these wires and switches; a switch takes 1 ps more for each that begins at its wire.
    pub fn plain((width, height): (i32, i32), wires: &[&str], switches: &[Joint]) -> Self {
        let number = |name| wires.iter().position(|&wire| wire == name).unwrap_or_default();
        let mut kind = TileType {
            wires: wires.iter().map(|&wire| wire.to_owned()).collect(),
            logic: true,
            memory: None,
            leads: vec![Vec::new(); wires.len()],
            led: vec![Vec::new(); wires.len()],
            switches: Vec::new(),
        };
        for (at, &((from_x, from), (to_x, to), delay)) in switches.iter().enumerate() {
            let (from, to) = (number(from), number(to));
            kind.leads[from].push((-from_x, 0, at as u32));
            kind.led[to].push((-to_x, 0, at as u32));
            kind.switches.push(Switch {
                from: (from_x, 0, from as u16),
                to: (to_x, 0, to as u16),
                delay,
                per_load: 1,
                permutes: false,
            });
        }
        let type_of = vec![0; (width * height) as usize];
        Self { width, height, types: vec![kind], type_of }
    }

    /// A part without wires: memories in the first row, slices in the others.
    pub fn bare(width: i32, height: i32) -> Self {
        let bare = |logic, memory| TileType {
            wires: Vec::new(),
            logic,
            memory,
            leads: Vec::new(),
            led: Vec::new(),
            switches: Vec::new(),
        };
        let type_of = (0..width * height).map(|tile| u16::from(tile >= width)).collect();
        Self { width, height, types: vec![bare(false, Some(0)), bare(true, None)], type_of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tile 0 with wires `A`, `B` and a switch between them, and one like it beside it.
    fn database() -> Vec<u8> {
        let mut bytes = vec![0; 400];
        let mut put =
            |at: usize, value: i32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let slice = |put: &mut dyn FnMut(usize, i32), at: usize, to: usize, length: i32| {
            put(at, to as i32 - at as i32);
            put(at + 4, length);
        };
        put(0, 8); // the part, at 8: 2 tiles by 1
        put(8, 2);
        put(12, 1);
        slice(&mut put, 8 + 16, 100, 1); // types of tiles
        slice(&mut put, 8 + 24, 124, 2); // of which type each is: 0, 0
        slice(&mut put, 8 + 72, 140, 1); // speed grades
        slice(&mut put, 140 + 8, 160, 1); // classes of switches: 70 ps, and 5 for each load
        put(160 + 4, 70);
        put(160 + 12, 5);
        slice(&mut put, 100 + 8, 180, 2); // two wires, from 180 on
        slice(&mut put, 100 + 16, 260, 1); // one switch
        put(180, 300 - 180); // `A`
        slice(&mut put, 180 + 16, 280, 1); // leads to the switch of its own tile
        put(212, 302 - 212); // `B`
        slice(&mut put, 212 + 8, 290, 1); // is led to by that of the tile before
        bytes[260 + 4..260 + 6].copy_from_slice(&1i16.to_le_bytes()); // to the next tile's
        bytes[260 + 10..260 + 12].copy_from_slice(&1i16.to_le_bytes()); // wire 1
        bytes[290..292].copy_from_slice(&(-1i16).to_le_bytes());
        bytes[300..304].copy_from_slice(b"A\0B\0");
        bytes
    }

    fn reached(chip: &Chip, start: Start) -> Vec<(i32, i32, u16, u16)> {
        let mut found = Vec::new();
        chip.spread(start, 3, |x, y, wire, delay| found.push((x, y, wire, delay)));
        found
    }

    #[test]
    fn spreads_along_switches_both_ways() -> Result<()> {
        let chip = Chip::read(&database(), 0)?;
        let a = Start { x: 0, y: 0, wire: 0, backwards: false, permute: false };
        assert_eq!(reached(&chip, a), [(0, 0, 0, 0), (1, 0, 1, 75)]);
        let b = Start { x: 1, y: 0, wire: 1, backwards: true, permute: false };
        assert_eq!(reached(&chip, b), [(1, 0, 1, 0), (0, 0, 0, 75)]);
        Ok(())
    }

    #[test]
    fn a_database_that_ends_early_is_an_error() {
        let whole = database();
        for length in 0..300 {
            assert!(Chip::read(&whole[..length], 0).is_err(), "{length} bytes");
        }
        assert!(Chip::read(&whole, 1).is_err(), "no such speed grade");
    }
}

//! A placed netlist as nextpnr writes it (`--write`), and where its cells are put back.

use anyhow::{Context, Result, ensure};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// A place in the part. `z` counts the eight pairs of a LUT and a register of a logic tile, and says of which
/// of four kinds the tile of a memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub x: i16,
    pub y: i16,
    pub z: u8,
}

/// What a cell is, as far as its place depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A LUT with what stands behind it.
    Comb(Comb),
    Ff(Ff),
    /// What turns a slice's inputs into the write port of a LUT memory.
    RamWrite,
    Memory,
    /// A buffer of the clock, a pad: stays where it is.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comb {
    /// The multiplexer of two LUTs, and one of further multiplexers: both are chosen by M.
    pub mux5: bool,
    pub mux6: bool,
    pub carry: bool,
    pub ram: bool,
    /// Keeps a LUT free whose inputs the write port takes.
    pub blocked: bool,
    /// Begins a carry with its own value.
    pub injects: bool,
    /// What it comes to, if that is told, and which of its inputs are connected, input A the lowest bit of both.
    pub table: Option<Table>,
    pub inputs: u8,
}

/// Bit `n` is what comes of the inputs that are the bits of `n`, A the lowest.
pub type Table = u16;

/// What the ports of a LUT's inputs are called.
pub const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

impl Comb {
    /// Whether its inputs may be exchanged.
    pub fn free(self) -> bool {
        !(self.carry || self.ram)
    }

    /// Whether it has the multiplexer of a wider LUT.
    pub fn wide(self) -> bool {
        self.mux5 || self.mux6
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ff {
    /// Its value comes by M, not from the LUT beside it.
    pub by_m: bool,
    /// What both registers of a slice share, and what all eight of a tile share; equal numbers are equal.
    pub slice: u32,
    pub tile: u32,
}

#[derive(Clone)]
pub struct Cell {
    pub name: String,
    pub kind: Kind,
    pub place: Place,
    /// What nextpnr calls the place of a cell that stays.
    bel: String,
}

/// A pin: the cell, and the port's number in `Netlist::ports`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pin {
    pub cell: u32,
    pub port: u16,
}

/// A net that more than clocks are on.
#[derive(Clone)]
pub struct Net {
    pub name: String,
    pub driver: Pin,
    pub loads: Vec<Pin>,
}

/// A second of some cells of one unit, which takes loads from what drives them.
pub struct Copy {
    /// Which, and where the second of each stands.
    pub cells: Vec<(u32, Place)>,
    pub driver: Pin,
    pub loads: Vec<Pin>,
}

/// A carry's inputs that go to others of its pins, by number, and the table that then means the same.
pub struct Repin {
    pub cell: u32,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
    pub table: Table,
}

#[derive(Clone)]
pub struct Netlist {
    pub cells: Vec<Cell>,
    pub nets: Vec<Net>,
    pub ports: Vec<String>,
    document: Value,
}

impl Netlist {
    /// The name of a pin's port.
    pub fn port(&self, pin: Pin) -> &str {
        &self.ports[usize::from(pin.port)]
    }

    /// Takes what nextpnr wrote.
    pub fn read(document: Value) -> Result<Self> {
        let module = module_of(&document)?;
        let cells_in = module["cells"].as_object().context("no cells")?;
        let mut names = Interned::default();
        let mut ports = Interned::default();
        let mut cells: Vec<Cell> = Vec::new();
        let mut drivers: FxHashMap<i64, Pin> = FxHashMap::default();
        let mut loads: Vec<(i64, Pin)> = Vec::new();
        for (number, (name, cell)) in cells_in.iter().enumerate() {
            let bel = cell["attributes"]["NEXTPNR_BEL"].as_str();
            let bel =
                bel.with_context(|| format!("{name} has no place: is the netlist placed?"))?;
            let kind = kind_of(cell, &mut names);
            cells.push(Cell {
                name: name.clone(),
                kind,
                place: place_of(bel).with_context(|| format!("{name}: an unknown place, {bel}"))?,
                bel: bel.to_owned(),
            });
            let directions = cell["port_directions"].as_object().context("no directions")?;
            for (port, bits) in cell["connections"].as_object().into_iter().flatten() {
                let Some(bit) = bit_of(bits) else { continue };
                let pin = Pin { cell: number as u32, port: ports.number(port) as u16 };
                if directions[port] == "output" {
                    drivers.insert(bit, pin);
                } else if !is_clock(port) {
                    loads.push((bit, pin));
                }
            }
        }
        let mut by_net: FxHashMap<i64, Vec<Pin>> = FxHashMap::default();
        let mut order = Vec::new();
        for (bit, pin) in loads {
            let first = || {
                order.push(bit);
                Vec::new()
            };
            by_net.entry(bit).or_insert_with(first).push(pin);
        }
        let mut named: FxHashMap<i64, &String> = FxHashMap::default();
        for (name, net) in module["netnames"].as_object().context("no nets")? {
            if let Some(bit) = bit_of(&net["bits"]) {
                named.insert(bit, name);
            }
        }
        let nets = order
            .into_iter()
            .filter_map(|bit| {
                let name = named.get(&bit).copied().cloned().unwrap_or_default();
                Some(Net { name, driver: *drivers.get(&bit)?, loads: by_net.remove(&bit)? })
            })
            .collect();
        Ok(Self { cells, nets, ports: ports.names, document })
    }

    /// The routes of nets, by their names.
    pub fn routes(&self) -> Result<impl Iterator<Item = (&str, &str)>> {
        let nets = module_of(&self.document)?["netnames"].as_object().context("no nets")?;
        Ok(nets.iter().filter_map(|(name, net)| {
            Some((name.as_str(), net["attributes"]["ROUTING"].as_str()?))
        }))
    }

    /// The same with second ones of some cells, then with other pins for some carries' inputs, and all at their
    /// places. Tells the original of each new cell.
    pub fn with(
        mut self,
        copies: &[Copy],
        repins: &[Repin],
    ) -> Result<(Self, FxHashMap<String, String>)> {
        let module = module_mut(&mut self.document)?;
        let names = module["netnames"].as_object().context("no nets")?.values();
        let bits = names.flat_map(|net| net["bits"].as_array().into_iter().flatten());
        let mut next = bits.filter_map(Value::as_i64).max().unwrap_or(0) + 1;
        let cells = module["cells"].as_object_mut().context("no cells")?;
        for (cell, (_, value)) in self.cells.iter().zip(cells.iter_mut()) {
            value["attributes"]["NEXTPNR_BEL"] = Value::from(cell.bel_name());
        }
        let (mut originals, mut nets) = (FxHashMap::default(), Vec::new());
        for copy in copies {
            let mut second: FxHashMap<i64, i64> = FxHashMap::default();
            let mut made = Vec::new();
            for &(cell, place) in &copy.cells {
                let cell = &self.cells[cell as usize];
                let mut value = cells[&cell.name].clone();
                let name = format!("{}$copy{next}", cell.name);
                let there = Cell { name: name.clone(), place, bel: String::new(), kind: cell.kind };
                value["attributes"]["NEXTPNR_BEL"] = Value::from(there.bel_name());
                for (port, direction) in value["port_directions"].as_object().into_iter().flatten()
                {
                    let bit = bit_of(&value["connections"][port]);
                    if let (Some(bit), true) = (bit, direction == "output") {
                        second.insert(bit, next);
                        nets.push((format!("{name}${port}"), next));
                        next += 1;
                    }
                }
                originals.insert(name.clone(), cell.name.clone());
                made.push((name, value));
            }
            for (name, mut value) in made {
                for (_, bits) in value["connections"].as_object_mut().into_iter().flatten() {
                    if let Some(&new) = bit_of(bits).and_then(|bit| second.get(&bit)) {
                        *bits = Value::from(vec![new]);
                    }
                }
                cells.insert(name, value);
            }
            let (ports, numbered) = (&self.ports, &self.cells);
            let driver = &cells[&numbered[copy.driver.cell as usize].name]["connections"];
            let bit = bit_of(&driver[&ports[usize::from(copy.driver.port)]]);
            let new = bit.and_then(|bit| second.get(&bit)).context("a copy that drives nothing")?;
            for load in &copy.loads {
                let cell = &mut cells[&numbered[load.cell as usize].name];
                cell["connections"][&ports[usize::from(load.port)]] = Value::from(vec![*new]);
            }
        }
        for repin in repins {
            let value = &mut cells[&self.cells[repin.cell as usize].name];
            value["parameters"]["INITVAL"] = Value::from(format!("{:016b}", repin.table));
            for letter in LETTERS {
                value["port_directions"][letter] = Value::from("input");
            }
            let connections = &mut value["connections"];
            let bits: Vec<Value> =
                repin.from.iter().map(|&pin| connections[LETTERS[pin]].take()).collect();
            for letter in LETTERS {
                connections[letter] = Value::from(Vec::<i64>::new());
            }
            for (&pin, bits) in repin.to.iter().zip(bits) {
                connections[LETTERS[pin]] = bits;
            }
        }
        let names = module["netnames"].as_object_mut().context("no nets")?;
        for (name, bit) in nets {
            let net = serde_json::json!({"hide_name": 1, "bits": [bit], "attributes": {}});
            names.insert(name, net);
        }
        Ok((Self::read(self.document)?, originals))
    }

    /// What nextpnr reads (`--no-pack`): the cells at their places, and the routes of nets that have one.
    pub fn write(mut self, route: impl Fn(&str) -> Option<String>) -> Result<Value> {
        let module = module_mut(&mut self.document)?;
        let cells = module["cells"].as_object_mut().context("no cells")?;
        for (cell, (_, value)) in self.cells.iter().zip(cells.iter_mut()) {
            // nextpnr binds what has NEXTPNR_BEL while it reads, before it knows whose LUTs' inputs must
            // not be exchanged; it puts what has BEL there itself, and looks whether it may be there.
            let attributes = value["attributes"].as_object_mut().context("no attributes")?;
            attributes.remove("NEXTPNR_BEL");
            attributes.remove("BEL_STRENGTH");
            attributes.insert("BEL".to_owned(), Value::from(cell.bel_name()));
        }
        for (name, net) in module["netnames"].as_object_mut().context("no nets")?.iter_mut() {
            if let Some(attributes) = net["attributes"].as_object_mut() {
                attributes.remove("ROUTING");
                if let Some(route) = route(name) {
                    attributes.insert("ROUTING".to_owned(), Value::from(route));
                }
            }
        }
        Ok(self.document)
    }
}

impl Cell {
    fn bel_name(&self) -> String {
        let Place { x, y, z } = self.place;
        let slice = char::from(b'A' + z / 2);
        match self.kind {
            Kind::Comb(_) => format!("X{x}/Y{y}/SLICE{slice}.K{}", z % 2),
            Kind::Ff(_) => format!("X{x}/Y{y}/SLICE{slice}.FF{}", z % 2),
            Kind::RamWrite => format!("X{x}/Y{y}/SLICE{slice}.RAMW"),
            Kind::Memory => format!("X{x}/Y{y}/EBR{z}"),
            Kind::Other => self.bel.clone(),
        }
    }
}

/// Numbers for texts, in the order of their first appearance.
#[derive(Default)]
struct Interned {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl Interned {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

fn module_of(document: &Value) -> Result<&Map<String, Value>> {
    let modules = document["modules"].as_object().context("not a netlist of nextpnr's")?;
    ensure!(modules.len() == 1, "{} modules instead of one", modules.len());
    modules.values().next().and_then(Value::as_object).context("no module")
}

fn module_mut(document: &mut Value) -> Result<&mut Map<String, Value>> {
    let modules = document["modules"].as_object_mut().context("no modules")?;
    modules.values_mut().next().and_then(Value::as_object_mut).context("no module")
}

/// The bit of a port or a net, which has one.
fn bit_of(holder: &Value) -> Option<i64> {
    holder.get(0).and_then(Value::as_i64)
}

/// Clocks have wires of their own.
pub fn is_clock(port: &str) -> bool {
    matches!(port, "CLK" | "WCK" | "CLKA" | "CLKB" | "CLKR" | "CLKW" | "CLKI")
}

/// Whether a port is reached by a wire inside the tile only, which keeps two cells together.
pub fn is_inner(port: &str) -> bool {
    matches!(port, "DI" | "F1" | "FXA" | "FXB" | "FCI" | "WD" | "WAD0" | "WAD1" | "WAD2" | "WAD3")
}

fn place_of(bel: &str) -> Option<Place> {
    let mut parts = bel.split('/');
    let x = parts.next()?.strip_prefix('X')?.parse().ok()?;
    let y = parts.next()?.strip_prefix('Y')?.parse().ok()?;
    let bel = parts.next()?;
    let digit = bel.bytes().last().filter(u8::is_ascii_digit).map_or(0, |digit| digit - b'0');
    let z = match bel.strip_prefix("SLICE") {
        Some(slot) => 2 * slot.bytes().next()?.checked_sub(b'A')? + digit,
        None if bel.starts_with("EBR") => digit,
        None => 0,
    };
    Some(Place { x, y, z })
}

fn kind_of(cell: &Value, names: &mut Interned) -> Kind {
    let connected = |port: &str| bit_of(&cell["connections"][port]);
    let said = |name: &str| cell["parameters"][name].as_str().unwrap_or_default().trim();
    match cell["type"].as_str() {
        Some("TRELLIS_COMB") => Kind::Comb(Comb {
            mux5: connected("F1").is_some(),
            mux6: connected("FXA").is_some() || connected("FXB").is_some(),
            carry: said("MODE") == "CCU2",
            ram: said("MODE") == "DPRAM",
            blocked: said("MODE") == "RAMW_BLOCK",
            injects: said("CCU2_INJECT1") == "YES",
            table: Table::from_str_radix(said("INITVAL"), 2).ok(),
            inputs: (0..LETTERS.len())
                .map(|pin| u8::from(connected(LETTERS[pin]).is_some()) << pin)
                .sum(),
        }),
        Some("TRELLIS_FF") => {
            let slice = format!("{:?} {} {}", connected("CE"), said("CEMUX"), said("GSR"));
            let tile = format!(
                "{:?} {:?} {} {} {}",
                connected("CLK"),
                connected("LSR"),
                said("CLKMUX"),
                said("LSRMUX"),
                said("SRMODE") == "ASYNC"
            );
            Kind::Ff(Ff {
                by_m: connected("M").is_some(),
                slice: names.number(&slice),
                tile: names.number(&tile),
            })
        }
        Some("TRELLIS_RAMW") => Kind::RamWrite,
        Some("DP16KD" | "PDPW16KD") => Kind::Memory,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_the_names_they_were_read_from() -> Result<()> {
        let names = [
            ("TRELLIS_COMB", "X12/Y34/SLICEA.K0"),
            ("TRELLIS_COMB", "X7/Y3/SLICED.K1"),
            ("TRELLIS_FF", "X7/Y3/SLICEB.FF1"),
            ("TRELLIS_RAMW", "X7/Y3/SLICEC.RAMW"),
            ("DP16KD", "X15/Y46/EBR3"),
            ("DCCA", "X67/Y0/TDCC0"),
        ];
        let cells: Map<String, Value> = names
            .iter()
            .map(|(kind, bel)| {
                let cell = serde_json::json!({"type": kind, "parameters": {}, "connections": {},
                    "port_directions": {}, "attributes": {"NEXTPNR_BEL": bel, "BEL_STRENGTH": "1"}});
                ((*bel).to_owned(), cell)
            })
            .collect();
        let netnames =
            serde_json::json!({"n": {"bits": [1], "attributes": {"ROUTING": "X1/Y1/A;;1"}}});
        let document =
            serde_json::json!({"modules": {"top": {"cells": cells, "netnames": netnames}}});
        let written = Netlist::read(document)?.write(|_| None)?;
        for (_, bel) in names {
            let attributes = &written["modules"]["top"]["cells"][bel]["attributes"];
            assert_eq!(attributes, &serde_json::json!({"BEL": bel}));
        }
        assert_eq!(written["modules"]["top"]["netnames"]["n"]["attributes"], serde_json::json!({}));
        Ok(())
    }

    #[test]
    fn a_second_register_takes_loads_and_inputs_go_to_other_pins() -> Result<()> {
        let cell = |kind: &str, bel: &str, inputs: Value, output: (&str, i64)| {
            let mut ways = inputs.as_object().cloned().unwrap_or_default();
            let mut directions: Map<String, Value> =
                ways.keys().map(|port| (port.clone(), Value::from("input"))).collect();
            ways.insert(output.0.to_owned(), serde_json::json!([output.1]));
            directions.insert(output.0.to_owned(), Value::from("output"));
            serde_json::json!({"type": kind, "parameters": {"INITVAL": "10"}, "connections": ways,
                   "port_directions": directions, "attributes": {"NEXTPNR_BEL": bel}})
        };
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        let cells = serde_json::json!({
            "lut": cell("TRELLIS_COMB", "X2/Y2/SLICEA.K0", json(r#"{"A": [7]}"#), ("F", 1)),
            "ff": cell("TRELLIS_FF", "X2/Y2/SLICEA.FF0", json(r#"{"DI": [1], "CE": [8]}"#), ("Q", 2)),
            "near": cell("TRELLIS_COMB", "X2/Y3/SLICEA.K0", json(r#"{"A": [2]}"#), ("F", 3)),
            "far": cell("TRELLIS_COMB", "X9/Y9/SLICEA.K0", json(r#"{"B": [2], "C": [7]}"#), ("F", 4)),
        });
        let netnames =
            serde_json::json!({"q": {"bits": [2], "attributes": {}}, "clk": {"bits": [20]}});
        let document =
            serde_json::json!({"modules": {"top": {"cells": cells, "netnames": netnames}}});
        let netlist = Netlist::read(document)?;
        let pin = |cell: usize, port: &str| Pin {
            cell: cell as u32,
            port: netlist.ports.iter().position(|name| name == port).unwrap_or_default() as u16,
        };
        let place = Place { x: 9, y: 8, z: 3 };
        let (driver, loads) = (pin(1, "Q"), vec![pin(3, "B")]);
        let copy = Copy { cells: vec![(0, place), (1, place)], driver, loads };
        let repin = Repin { cell: 3, from: vec![1, 2], to: vec![3, 1], table: 0x8001 };
        let (with, originals) = netlist.with(&[copy], &[repin])?;
        assert_eq!(with.cells.len(), 6);
        let [lut, ff] = [4, 5].map(|cell| &with.cells[cell]);
        assert_eq!((originals[&lut.name].as_str(), originals[&ff.name].as_str()), ("lut", "ff"));
        assert_eq!((lut.place, ff.place), (place, place));
        assert_eq!((lut.kind, ff.kind), (with.cells[0].kind, with.cells[1].kind));
        let [lut, ff] = [lut, ff].map(|cell| cell.name.clone());
        let written = with.write(|_| None)?;
        let top = &written["modules"]["top"];
        let ways = |cell: &str| top["cells"][cell]["connections"].clone();
        let (f, q) = (ways(&lut)["F"].clone(), ways(&ff)["Q"].clone());
        assert_eq!(ways(&lut)["A"], json("[7]"));
        assert_eq!((&ways(&ff)["DI"], &ways(&ff)["CE"]), (&f, &json("[8]")));
        // B, which the second register has taken, by D now, and C by B.
        let far = ways("far");
        assert_eq!((&far["D"], &far["B"], &far["C"]), (&q, &json("[7]"), &json("[]")));
        assert_eq!(top["cells"]["far"]["parameters"]["INITVAL"], "1000000000000001");
        assert_eq!((&ways("near")["A"], &ways("ff")["DI"]), (&json("[2]"), &json("[1]")));
        let bits: Vec<&Value> = [&f, &q].into_iter().map(|bits| &bits[0]).collect();
        let named = top["netnames"].as_object().context("no nets")?.values();
        assert_eq!(named.filter(|net| bits.contains(&&net["bits"][0])).count(), 2);
        assert!(bits.iter().all(|bit| bit.as_i64() > Some(20)) && bits[0] != bits[1]);
        Ok(())
    }

    #[test]
    fn what_is_not_placed_is_refused() {
        for text in [
            "{}",
            r#"{"modules": {}}"#,
            r#"{"modules": {"a": {"cells": {"b": {"type": "DCCA", "attributes": {}}}, "netnames": {}}}}"#,
            r#"{"modules": {"a": {"cells": {"b": {"attributes": {"NEXTPNR_BEL": "X1/SLICE"}}}}}}"#,
        ] {
            let document = serde_json::from_str(text).unwrap_or_default();
            assert!(Netlist::read(document).is_err(), "{text}");
        }
    }
}

//! The delay of each connection, by where its two ends are.

use crate::delays::{Delays, Input, Output};
use crate::netlist::{Kind, LETTERS, Netlist, Pin, Place, is_inner};
use crate::timing::Connection;

/// How a connection's delay comes about.
#[derive(Clone, Copy)]
enum Way {
    /// Inside a unit, or to what is not looked at.
    Fixed(i32),
    Slices(Output, Input),
    FromMemory(usize, Input),
    ToMemory(Output, usize),
}

/// Delays of connections.
pub struct Ways<'a> {
    delays: Delays<'a>,
    ways: Vec<Way>,
    /// What a net's other loads add.
    crowd: Vec<i32>,
}

/// What a further load adds to a wire's delay is a few picoseconds for each switch that it shares; this is
/// what it came to in routed blocks.
fn crowd(loads: usize) -> i32 {
    (45.0 * (loads as f32).ln()) as i32
}

impl<'a> Ways<'a> {
    pub fn new(mut delays: Delays<'a>, netlist: &Netlist, connections: &[Connection]) -> Self {
        let mut ways = Vec::with_capacity(connections.len());
        let mut crowds = Vec::with_capacity(connections.len());
        for connection in connections {
            let way = way(&mut delays, netlist, connection);
            ways.push(way.unwrap_or(Way::Fixed(inner_delay(netlist, connection))));
            crowds.push(crowd(netlist.nets[connection.net as usize].loads.len()));
        }
        Self { delays, ways, crowd: crowds }
    }

    /// The tables, which another netlist on the same part can have.
    pub fn into_delays(self) -> Delays<'a> {
        self.delays
    }

    /// Whether it depends on places.
    pub fn varies(&self, connection: usize) -> bool {
        !matches!(self.ways[connection], Way::Fixed(_))
    }

    /// In picoseconds, as nextpnr may route it.
    pub fn delay(&self, connection: usize, from: Place, to: Place) -> i32 {
        let crowd = if self.varies(connection) { self.crowd[connection] } else { 0 };
        self.least(connection, from, to) + crowd
    }

    /// In picoseconds, with nothing in its way.
    pub fn least(&self, connection: usize, from: Place, to: Place) -> i32 {
        self.between(self.ways[connection], from, to)
    }

    /// As `delay`, of one that may end at any of several inputs of its LUT and does so at this one.
    pub fn delay_at(&self, connection: usize, from: Place, to: Place, pin: u8) -> i32 {
        let way = match self.ways[connection] {
            Way::Slices(output, Input::Free | Input::Fixed(_)) => {
                Way::Slices(output, Input::Fixed(pin))
            }
            Way::FromMemory(output, Input::Free | Input::Fixed(_)) => {
                Way::FromMemory(output, Input::Fixed(pin))
            }
            other => other,
        };
        self.between(way, from, to) + self.crowd[connection]
    }

    fn between(&self, way: Way, from: Place, to: Place) -> i32 {
        let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
        match way {
            Way::Fixed(delay) => delay,
            Way::Slices(output, input) => {
                self.delays.between((output, from.z), (input, to.z), dx, dy)
            }
            Way::FromMemory(output, input) => {
                self.delays.memory_to_slice((output, from.z), (input, to.z), dx, dy)
            }
            Way::ToMemory(output, input) => {
                self.delays.slice_to_memory((output, from.z), (input, to.z), dx, dy)
            }
        }
    }
}

/// Of what no wire outside a tile is on the way of, as nextpnr routes it, in picoseconds.
fn inner_delay(netlist: &Netlist, connection: &Connection) -> i32 {
    match (netlist.port(connection.from), netlist.port(connection.to)) {
        ("F", "DI") => 118,
        ("OFX", "DI") => 34,
        (_, "WD" | "WAD0" | "WAD1" | "WAD2" | "WAD3") => 68,
        _ => 0,
    }
}

fn way(delays: &mut Delays, netlist: &Netlist, connection: &Connection) -> Option<Way> {
    if is_inner(netlist.port(connection.to)) {
        return None;
    }
    match (output(netlist, connection.from), input(netlist, connection.to)) {
        (Some(from), Some(to)) => Some(Way::Slices(from, to)),
        (None, Some(to)) => {
            let wire = memory_wire(netlist, connection.from)?;
            Some(Way::FromMemory(delays.learn(&wire, true), to))
        }
        (Some(from), None) => {
            let wire = memory_wire(netlist, connection.to)?;
            Some(Way::ToMemory(from, delays.learn(&wire, false)))
        }
        _ => None,
    }
}

/// What nextpnr's database calls the wire of a memory's pin.
fn memory_wire(netlist: &Netlist, pin: Pin) -> Option<String> {
    let memory = netlist.cells[pin.cell as usize].kind == Kind::Memory;
    memory.then(|| format!("J{}_EBR", netlist.port(pin)))
}

fn output(netlist: &Netlist, pin: Pin) -> Option<Output> {
    match (netlist.cells[pin.cell as usize].kind, netlist.port(pin)) {
        (Kind::Comb(_), "F") => Some(Output::F),
        (Kind::Comb(_), "OFX") => Some(Output::Ofx),
        (Kind::Ff(_), "Q") => Some(Output::Q),
        _ => None,
    }
}

fn input(netlist: &Netlist, pin: Pin) -> Option<Input> {
    let port = netlist.port(pin);
    let letter = LETTERS.iter().position(|letter| port.starts_with(letter));
    match (netlist.cells[pin.cell as usize].kind, port) {
        (Kind::Comb(comb), "A" | "B" | "C" | "D") if comb.free() => Some(Input::Free),
        (Kind::Comb(_), "A" | "B" | "C" | "D") => Some(Input::Fixed(letter? as u8)),
        (Kind::Comb(_) | Kind::Ff(_), "M") => Some(Input::M),
        (Kind::Comb(_), "WRE") => Some(Input::Wre),
        (Kind::Ff(_), "CE") => Some(Input::Ce),
        (Kind::Ff(_), "LSR") => Some(Input::Lsr),
        (Kind::RamWrite, _) => {
            let half = u8::from(port.ends_with('1'));
            Some(Input::Write(letter? as u8, half))
        }
        _ => None,
    }
}

/// What nextpnr's database calls the wire of an input, if the cell is at place `z` of its tile.
pub fn wire_of(netlist: &Netlist, pin: Pin, z: u8) -> Option<String> {
    if let Some(wire) = memory_wire(netlist, pin) {
        return Some(wire);
    }
    let port = netlist.port(pin);
    let slice = char::from(b'A' + z / 2);
    Some(match (port, input(netlist, pin)) {
        (_, Some(Input::Free | Input::Fixed(_) | Input::M)) => format!("{port}{z}_SLICE"),
        (_, Some(Input::Write(_, half))) => format!("{}{}_SLICE", &port[..1], (z & 6) + half),
        (_, Some(Input::Ce | Input::Lsr)) => format!("{port}{}_SLICE", z / 2),
        (_, Some(Input::Wre)) => format!("WRE{}_SLICE", (z / 2).min(1)),
        ("DI", _) => format!("DI{z}_SLICE"),
        ("F1", _) => format!("F{}_SLICE", z + 1),
        ("FXA" | "FXB", _) => format!("{port}{slice}_SLICE"),
        ("FCI", _) if z == 0 => "FCI_SLICE".to_owned(),
        ("FCI", _) if z.is_multiple_of(2) => format!("FCI{slice}_SLICE"),
        ("FCI", _) => format!("FCI{slice}1_SLICE"),
        ("WD", _) => format!("WD{}{slice}_SLICE", z % 2),
        ("WAD0" | "WAD1" | "WAD2" | "WAD3", _) => format!("{port}{slice}_SLICE"),
        _ => return None,
    })
}

/// Whether an input is one of a LUT whose inputs may be exchanged.
pub fn permutes(netlist: &Netlist, pin: Pin) -> bool {
    input(netlist, pin) == Some(Input::Free)
}

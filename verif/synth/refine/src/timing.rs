//! When every pin is reached, and how near its longest path comes to the longest of all.

use crate::netlist::{Netlist, Pin};
use crate::sdf::Sdf;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Of what no register begins or ends.
const NEVER: i32 = -1_000_000;

/// A connection's net is that of its driver.
pub struct Connection {
    pub net: u32,
    pub from: Pin,
    pub to: Pin,
}

/// The timing graph. Outputs are nets' drivers, one a net; inputs are connections' ends.
pub struct Timing {
    /// Of each net: from which connection, and after how long.
    arcs: Vec<Vec<(u32, i32)>>,
    /// Of each connection: to which net, and after how long.
    onward: Vec<Vec<(u32, i32)>>,
    launch: Vec<i32>,
    setup: Vec<i32>,
    /// Of each net, its connections; of each connection, its net.
    loads: Vec<Range<u32>>,
    net_of: Vec<u32>,
    /// Nets, each behind those that it depends on.
    order: Vec<u32>,
    /// When a net begins; how long it takes from a connection's end on, and from a net's beginning.
    arrival: Vec<i32>,
    tail: Vec<i32>,
    rest: Vec<i32>,
}

/// All connections, those of one net one behind the other.
pub fn connections(netlist: &Netlist) -> Vec<Connection> {
    let nets = netlist.nets.iter().enumerate();
    nets.flat_map(|(net, pins)| {
        pins.loads.iter().map(move |&to| Connection { net: net as u32, from: pins.driver, to })
    })
    .collect()
}

/// Of each net, its connections.
pub fn by_net(connections: &[Connection], nets: usize) -> Vec<Range<u32>> {
    let mut found = vec![0..0; nets];
    let mut first = 0;
    for ends in connections.chunk_by(|a, b| a.net == b.net) {
        let next = first + ends.len() as u32;
        found[ends[0].net as usize] = first..next;
        first = next;
    }
    found
}

impl Timing {
    pub fn new(netlist: &Netlist, connections: &[Connection], sdf: &Sdf) -> Self {
        let nets = netlist.nets.len();
        let name = |pin: Pin| {
            (netlist.cells[pin.cell as usize].name.clone(), netlist.port(pin).to_owned())
        };
        let mut end_at: FxHashMap<(String, String), u32> = FxHashMap::default();
        for (number, connection) in connections.iter().enumerate() {
            end_at.insert(name(connection.to), number as u32);
        }
        let loads = by_net(connections, nets);
        let drivers = netlist.nets.iter().enumerate();
        let net_named: FxHashMap<(String, String), u32> =
            drivers.map(|(net, pins)| (name(pins.driver), net as u32)).collect();
        let (mut arcs, mut onward) = (vec![Vec::new(); nets], vec![Vec::new(); connections.len()]);
        for ((cell, from, to), &time) in &sdf.inside {
            let end = end_at.get(&(cell.clone(), from.clone()));
            let net = net_named.get(&(cell.clone(), to.clone()));
            if let (Some(&end), Some(&net)) = (end, net) {
                arcs[net as usize].push((end, time));
                onward[end as usize].push((net, time));
            }
        }
        let at = |times: &FxHashMap<(String, String), i32>, pin: Pin| {
            times.get(&name(pin)).copied().unwrap_or(NEVER)
        };
        let launch = netlist.nets.iter().map(|net| at(&sdf.launch, net.driver)).collect();
        let setup = connections.iter().map(|connection| at(&sdf.setup, connection.to)).collect();
        let net_of: Vec<u32> = connections.iter().map(|connection| connection.net).collect();
        let order = topological(&arcs, &onward, &loads);
        Self {
            arcs,
            onward,
            launch,
            setup,
            loads,
            net_of,
            order,
            arrival: vec![NEVER; nets],
            rest: vec![NEVER; nets],
            tail: vec![NEVER; connections.len()],
        }
    }

    /// Nets, each behind those that it depends on.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// With these delays of connections: the longest path, in picoseconds. `through` gets the longest by
    /// way of each connection.
    pub fn analyse(&mut self, delays: &[i32], through: &mut [i32]) -> i32 {
        for &net in &self.order {
            let begins = self.launch[net as usize];
            let arcs = self.arcs[net as usize].iter();
            let passes = arcs.map(|&(end, time)| {
                self.arrival[self.net_of[end as usize] as usize] + delays[end as usize] + time
            });
            self.arrival[net as usize] = passes.fold(begins, i32::max);
        }
        for &net in self.order.iter().rev() {
            let mut longest = NEVER;
            for end in self.loads[net as usize].clone().map(|end| end as usize) {
                let onward = self.onward[end].iter();
                let rest = onward.map(|&(net, time)| self.rest[net as usize] + time);
                self.tail[end] = rest.fold(self.setup[end], i32::max);
                longest = longest.max(delays[end] + self.tail[end]);
            }
            self.rest[net as usize] = longest;
        }
        let mut longest = 0;
        for (end, through) in through.iter_mut().enumerate() {
            let net = self.net_of[end] as usize;
            *through = self.arrival[net] + delays[end] + self.tail[end];
            longest = longest.max(*through);
        }
        longest
    }
}

/// Nets, each behind those that it depends on.
fn topological(
    arcs: &[Vec<(u32, i32)>],
    onward: &[Vec<(u32, i32)>],
    loads: &[Range<u32>],
) -> Vec<u32> {
    let mut waits: Vec<usize> = arcs.iter().map(Vec::len).collect();
    let mut order: Vec<u32> =
        (0..arcs.len() as u32).filter(|&net| waits[net as usize] == 0).collect();
    let mut next = 0;
    while let Some(&net) = order.get(next) {
        next += 1;
        for end in loads[net as usize].clone() {
            for &(later, _) in &onward[end as usize] {
                waits[later as usize] -= 1;
                if waits[later as usize] == 0 {
                    order.push(later);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A register to a LUT to a register, and straight to a third one.
    #[test]
    fn the_longest_path_goes_by_the_slowest_connections() -> anyhow::Result<()> {
        let cell = |kind: &str, directions, connections| {
            json!({"type": kind, "parameters": {}, "attributes": {"NEXTPNR_BEL": "X2/Y2/SLICEA.K0"},
                   "port_directions": directions, "connections": connections})
        };
        let ff = |d, q| {
            cell("TRELLIS_FF", json!({"M": "input", "Q": "output"}), json!({"M": d, "Q": q}))
        };
        let lut =
            cell("TRELLIS_COMB", json!({"A": "input", "F": "output"}), json!({"A": [1], "F": [2]}));
        let cells = json!({"a": ff([9], [1]), "l": lut, "b": ff([2], [3]), "c": ff([1], [4])});
        let netlist = Netlist::read(json!({"modules": {"top": {"cells": cells, "netnames": {}}}}))?;
        let sdf = Sdf::read(
            "(CELLTYPE \"TRELLIS_FF\")\n(INSTANCE a)\n(IOPATH CLK Q (1:1:300) ())\n\
             (INSTANCE b)\n(SETUPHOLD (posedge M) (posedge CLK) (1:1:20) ())\n\
             (INSTANCE c)\n(SETUPHOLD (posedge M) (posedge CLK) (1:1:20) ())\n\
             (CELLTYPE \"TRELLIS_COMB\")\n(INSTANCE l)\n(IOPATH A F (1:1:200) ())\n",
        );
        let ways = connections(&netlist);
        let mut timing = Timing::new(&netlist, &ways, &sdf);
        let name = |way: &Connection| netlist.cells[way.to.cell as usize].name.clone();
        let delays: Vec<i32> =
            ways.iter().map(|way| if name(way) == "c" { 900 } else { 100 }).collect();
        let mut through = vec![0; ways.len()];
        assert_eq!(timing.analyse(&delays, &mut through), 300 + 900 + 20);
        for (way, through) in ways.iter().zip(through) {
            let expected = if name(way) == "c" { 1220 } else { 300 + 100 + 200 + 100 + 20 };
            assert_eq!(through, expected, "to {}", name(way));
        }
        Ok(())
    }
}

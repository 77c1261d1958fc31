//! Cells of the longest paths a second time, so that each stands where one path wants it.
//!
//! A LUT or a register with several loads stands between them, and between the paths that they are on. A
//! second one with the same inputs takes some of the loads; both then go where theirs are. What it costs
//! are cells, and a further load for what drives the inputs.

use crate::board::Board;
use crate::netlist::{Copy, Kind, Netlist, Pin, is_inner};
use crate::timing::{Connection, by_net};

/// Nets are looked at if the longest path by way of them lacks no more than this part of the longest of all,
const NEAR: i32 = 6;
/// and of their loads those count as late that lack no more than this part behind the latest of them.
const LATE: i32 = 16;
/// Late loads that are no further apart, in tiles, go to one of the two together.
const TOGETHER: i32 = 3;

/// What is known of a placed netlist's paths.
pub struct Paths<'a> {
    pub netlist: &'a Netlist,
    pub connections: &'a [Connection],
    /// Nets, each behind those that it depends on.
    pub order: &'a [u32],
    /// The longest path by way of each connection, and the longest of all.
    pub through: &'a [i32],
    pub longest: i32,
}

/// A net with late loads, and those that a second driver would take.
struct Late {
    net: u32,
    through: i32,
    loads: Vec<Pin>,
}

/// What to make a second of, at most so many times, what is latest first; with room for it on the board.
pub fn choose(paths: &Paths, board: &mut Board, most: usize) -> Vec<Copy> {
    let mut late: Vec<Late> = of_nets(paths).collect();
    late.sort_by_key(|late| (-late.through, late.net));
    late.truncate(most);
    // A copy of what another drives has the inputs that the original has by then.
    let mut rank = vec![0; paths.netlist.nets.len()];
    paths.order.iter().enumerate().for_each(|(at, &net)| rank[net as usize] = at);
    late.sort_by_key(|late| rank[late.net as usize]);
    late.into_iter().filter_map(|late| copy(paths, board, late)).collect()
}

fn of_nets<'a>(paths: &'a Paths) -> impl Iterator<Item = Late> + 'a {
    let nets = by_net(paths.connections, paths.netlist.nets.len());
    nets.into_iter().enumerate().filter_map(|(net, ends)| {
        let ends = ends.start as usize..ends.end as usize;
        let (ends, through) = (&paths.connections[ends.clone()], &paths.through[ends]);
        let latest = through.iter().copied().max()?;
        if latest < paths.longest - paths.longest / NEAR {
            return None;
        }
        let after = latest - paths.longest / LATE;
        let late = ends.iter().zip(through).filter(|&(_, &through)| through > after);
        let late: Vec<Pin> = late.map(|(end, _)| end.to).collect();
        let loads = apart(paths.netlist, &late);
        let loads = if loads.is_empty() { late } else { loads };
        (!loads.is_empty() && loads.len() < ends.len()).then_some(Late {
            net: net as u32,
            through: latest,
            loads,
        })
    })
}

/// Of loads that are far apart, those that are nearer to one of the two furthest.
fn apart(netlist: &Netlist, late: &[Pin]) -> Vec<Pin> {
    let far = |a: &Pin, b: &Pin| {
        let (a, b) = (netlist.cells[a.cell as usize].place, netlist.cells[b.cell as usize].place);
        i32::from((a.x - b.x).abs()) + i32::from((a.y - b.y).abs())
    };
    let Some(one) = late.iter().max_by_key(|pin| late.iter().map(|other| far(pin, other)).max())
    else {
        return Vec::new();
    };
    let Some(other) = late.iter().max_by_key(|pin| far(pin, one)) else { return Vec::new() };
    if far(one, other) <= TOGETHER {
        return Vec::new();
    }
    late.iter().copied().filter(|pin| far(pin, other) < far(pin, one)).collect()
}

fn copy(paths: &Paths, board: &mut Board, late: Late) -> Option<Copy> {
    let netlist = paths.netlist;
    // A register's DI, say, has no wire but that of the LUT beside it.
    if late.loads.iter().any(|&load| is_inner(netlist.port(load))) {
        return None;
    }
    let driver = netlist.nets[late.net as usize].driver;
    let cells = match netlist.cells[driver.cell as usize].kind {
        Kind::Comb(comb) if !comb.wide() => vec![driver.cell],
        // A wide one with all its LUTs, a register with the LUT in front of it.
        _ => board.units[board.unit_of[driver.cell as usize] as usize].cells.clone(),
    };
    let plain = |&cell: &u32| match netlist.cells[cell as usize].kind {
        Kind::Comb(comb) => comb.free() && !comb.blocked,
        Kind::Ff(_) => true,
        _ => false,
    };
    if !cells.iter().all(plain) {
        return None;
    }
    let places = late.loads.iter().map(|pin| netlist.cells[pin.cell as usize].place);
    let count = late.loads.len() as i32;
    let (x, y) =
        places.fold((0, 0), |(x, y), place| (x + i32::from(place.x), y + i32::from(place.y)));
    let here = netlist.cells[driver.cell as usize].place;
    let between = ((x / count + i32::from(here.x)) / 2, (y / count + i32::from(here.y)) / 2);
    let places = board.room_for_copy(&cells, between)?;
    Some(Copy { cells: cells.into_iter().zip(places).collect(), driver, loads: late.loads })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::netlist;
    use crate::chip::Chip;
    use crate::timing::connections;
    use anyhow::Context;

    #[test]
    fn a_copy_takes_only_loads_that_a_wire_leads_to() -> anyhow::Result<()> {
        let (chip, netlist) = (Chip::bare(8, 6), netlist()?);
        let connections = connections(&netlist);
        let mut board = Board::new(&chip, &netlist, &connections);
        let paths = Paths {
            netlist: &netlist,
            connections: &connections,
            order: &[],
            through: &[],
            longest: 1,
        };
        for (driver, wire) in [("lut3", false), ("ff3", true), ("f3", false), ("mux3", true)] {
            let drives = |cell: u32| netlist.cells[cell as usize].name == driver;
            let net = netlist.nets.iter().position(|net| drives(net.driver.cell));
            let net = net.context("no such net")?;
            let loads = netlist.nets[net].loads.clone();
            assert!(!loads.is_empty());
            let late = Late { net: net as u32, through: 1, loads };
            assert_eq!(copy(&paths, &mut board, late).is_some(), wire, "{driver}");
        }
        Ok(())
    }
}

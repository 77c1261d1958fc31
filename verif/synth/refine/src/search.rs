//! The cheapest way from a net's wires to another wire.

use crate::chip::{Chip, Start};
use crate::delays::{Grid, REACH, VIEWS, cell, look, unknown};
use crate::fabric::{Fabric, NO, Via, Wire};
use crate::routes::{FIXED, Routes};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a tile beyond the table of least delays costs at least, in picoseconds.
const PER_TILE: i32 = 35;

/// So many wires are looked at in one search of the least effort.
const MOST: u64 = 20_000;

/// What is looked for.
pub struct Wanted {
    pub net: u32,
    pub to: Wire,
    /// From the driver on, in picoseconds.
    pub most: i32,
    /// Whether it may end by an exchange of a LUT's inputs.
    pub permute: bool,
    /// Whether a way that is good enough is wanted soon, or the best.
    pub soon: bool,
    /// How many times as many wires are looked at.
    pub effort: u32,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    /// In which search.
    search: u32,
    cost: i32,
    delay: i32,
    via: Via,
    from: Wire,
}

/// A search's memory.
pub struct Search {
    seen: Vec<Seen>,
    search: u32,
    queue: BinaryHeap<Reverse<(i32, Wire)>>,
    /// By the way from a tile to another: the least delay from any wire of the one to an input of the other.
    ahead: Grid,
}

impl Search {
    pub fn new(fabric: &Fabric) -> Self {
        Self {
            seen: vec![Seen::default(); fabric.wires()],
            search: 0,
            queue: BinaryHeap::new(),
            ahead: least_delays(fabric.chip),
        }
    }

    /// A way from wires that the net has: each wire of it with the switch that leads there and the wire
    /// before, the last first. `price` says what it costs to take a wire from its net; `None` if that may
    /// not be.
    pub fn find(
        &mut self,
        routes: &Routes,
        wanted: &Wanted,
        price: impl Fn(Wire) -> Option<i32>,
    ) -> Option<Vec<(Wire, Via, Wire)>> {
        self.search += 1;
        self.queue.clear();
        let (x, y) = routes.fabric.place(wanted.to);
        let table = &self.ahead;
        let ahead = |wire: Wire| {
            let (x1, y1) = routes.fabric.place(wire);
            look(table, x - x1, y - y1, PER_TILE)
        };
        let hurry = |ahead: i32| if wanted.soon { ahead * 3 / 2 } else { ahead };
        let root = routes.roots[wanted.net as usize];
        routes.visit(root, |wire| {
            let found = routes.at(wire);
            let delay = match found.from {
                NO => 0,
                from => {
                    let switch = routes.fabric.switch(found.via);
                    self.seen[from as usize].delay + switch.time(routes.branches(from))
                }
            };
            self.seen[wire as usize] =
                Seen { search: self.search, cost: delay, delay, via: NO, from: NO };
            if delay + ahead(wire) <= wanted.most {
                self.queue.push(Reverse((delay + hurry(ahead(wire)), wire)));
            }
        });
        for _ in 0..MOST * u64::from(wanted.effort) {
            let Reverse((cost, wire)) = self.queue.pop()?;
            let at = self.seen[wire as usize];
            if at.cost + hurry(ahead(wire)) != cost {
                continue;
            }
            if wire == wanted.to {
                return Some(self.way(wire));
            }
            let loads = if at.from == NO { routes.branches(wire) + 1 } else { 1 };
            for (via, to) in routes.fabric.downhill(wire) {
                let switch = routes.fabric.switch(via);
                if switch.permutes && !wanted.permute {
                    continue;
                }
                let more = switch.time(loads);
                let delay = at.delay + more;
                let ahead = ahead(to);
                if delay + ahead > wanted.most {
                    continue;
                }
                let known = self.seen[to as usize];
                let mut cost = at.cost + more;
                if known.search == self.search && known.cost <= cost {
                    continue;
                }
                match routes.at(to).net {
                    NO => {}
                    FIXED => continue,
                    net if net == wanted.net => continue,
                    _ => match price(to) {
                        Some(price) => cost += price,
                        None => continue,
                    },
                }
                if known.search == self.search && known.cost <= cost {
                    continue;
                }
                self.seen[to as usize] = Seen { search: self.search, cost, delay, via, from: wire };
                self.queue.push(Reverse((cost + hurry(ahead), to)));
            }
        }
        None
    }

    fn way(&self, mut wire: Wire) -> Vec<(Wire, Via, Wire)> {
        let mut way = Vec::new();
        loop {
            let Seen { via, from, .. } = self.seen[wire as usize];
            if from == NO {
                return way;
            }
            way.push((wire, via, from));
            wire = from;
        }
    }
}

/// Seen from inputs of each sort, from where rows of memories stand here and there.
fn least_delays(chip: &Chip) -> Grid {
    let mut least = unknown();
    for name in
        ["A0_SLICE", "B3_SLICE", "C5_SLICE", "D7_SLICE", "M0_SLICE", "M7_SLICE", "CE1_SLICE"]
    {
        for (x, y) in VIEWS {
            let Some(wire) = chip.wire(x, y, name) else { continue };
            let start = Start { x, y, wire, backwards: true, permute: true };
            chip.spread(start, REACH, |x1, y1, _, delay| {
                let known = &mut least[cell(x - x1, y - y1)];
                *known = delay.min(*known);
            });
        }
    }
    // Where no wire was seen: as far as beside it.
    least.iter_mut().filter(|delay| **delay == u16::MAX).for_each(|delay| *delay = 0);
    least
}

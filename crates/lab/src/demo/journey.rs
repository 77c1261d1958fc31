//! One order as an example: from the command that moved the market to the order's fill.

use saker_wire::station::FrameId;

use super::kinds;
use super::topology::Topology;
use crate::measure::{FrameIndex, Point, pair};
use crate::report::Step;
use crate::tap::{TapRecord, Way};
use crate::world::{NodeId, World};

/// The way of the order whose tick-to-order time is the median, or of the next slower one that was
/// answered by a fill. Empty if there is none.
pub fn typical(world: &World, topology: &Topology) -> Vec<Step> {
    let ticks = super::measure::ticks(world, topology);
    let index = FrameIndex::new(&ticks, |_| true);
    let orders = world.tapped(topology.orders_tap).records(Way::Tx);
    let orders = orders.iter().filter(|record| record.kind == kinds::ORDER);
    let mut timed: Vec<(u64, &TapRecord)> = orders
        .filter_map(|order| {
            let one = [*order];
            let pairing = pair(world.lineage(), &index, Point::FirstByte, &one, Point::FirstByte);
            Some((pairing.samples.first()?.ns, order))
        })
        .collect();
    timed.sort_by_key(|(ns, order)| (*ns, order.id));
    let median = timed.len() / 2;
    let slower = timed.iter().skip(median);
    slower
        .filter_map(|(_, order)| Tracer { world, topology }.steps(order, &index))
        .next()
        .unwrap_or_default()
}

/// Follows one order through the taps.
struct Tracer<'w> {
    world: &'w World,
    topology: &'w Topology,
}

impl Tracer<'_> {
    fn steps(&self, order: &TapRecord, ticks: &FrameIndex<'_>) -> Option<Vec<Step>> {
        let Topology { exchange, trader, orders_tap, exchange_taps, .. } = *self.topology;
        let lineage = self.world.lineage();
        let tick = ticks.get(order.cause?)?;
        let published = exchange_taps[1..].iter().find_map(|&tap| {
            let sent = self.world.tapped(tap).records(Way::Tx).iter();
            lineage.ancestors(tick.id).find_map(|id| sent.clone().find(|r| r.id == id))
        })?;
        let arrivals = self.world.tapped(exchange_taps[0]).records(Way::Rx);
        let command = arrivals.iter().find(|record| Some(record.id) == published.cause)?;
        let arrival = arrivals.iter().find(|record| self.descends(record, order))?;
        let answers = self.world.tapped(orders_tap).records(Way::Rx).iter();
        let fill = answers
            .filter(|record| record.kind == kinds::FILL)
            .find(|record| self.descends(record, order))?;

        let mut way = Steps { start: command.last_ns, steps: Vec::new() };
        way.push(command.last_ns, "exchange", "somebody's command: last byte in");
        self.stages(&mut way, exchange, "exchange", command.id, published.first_ns);
        way.push(published.first_ns, "exchange", "feed packet: first byte out");
        way.push(tick.first_ns, "trader", "tick: first byte in");
        way.push(tick.last_ns, "trader", "tick: last byte in");
        self.stages(&mut way, trader, "trader", tick.id, order.first_ns);
        way.push(order.first_ns, "trader", "order: first byte out");
        way.push(arrival.last_ns, "exchange", "order: last byte in");
        self.stages(&mut way, exchange, "exchange", arrival.id, fill.first_ns);
        way.push(fill.first_ns, "trader", "fill: first byte in");
        Some(way.steps)
    }

    fn descends(&self, record: &TapRecord, from: &TapRecord) -> bool {
        self.world.lineage().ancestors(record.id).any(|id| id == from.id)
    }

    /// The ends of the stages in which `node` served `cause`, up to `until`.
    fn stages(&self, way: &mut Steps, node: NodeId, name: &str, cause: FrameId, until: u64) {
        let spans = self.world.stages().iter().filter(|record| {
            record.node == node && record.span.cause == cause && record.span.end <= until
        });
        for record in spans {
            if record.span.end > record.span.start {
                way.push(record.span.end, name, &format!("… {}", record.span.stage));
            }
        }
    }
}

struct Steps {
    start: u64,
    steps: Vec<Step>,
}

impl Steps {
    fn push(&mut self, at: u64, station: &str, event: &str) {
        let at_ns = at.saturating_sub(self.start);
        self.steps.push(Step { at_ns, station: station.to_owned(), event: event.to_owned() });
    }
}

//! What must hold when a demo ends.

use saker_exchange::host::ExchangeHost;
use saker_trader::host::TraderHost;
use saker_trader::recovery::Status;

use super::topology::Topology;
use super::trader::Trader;
use crate::crowd::Crowd;
use crate::report::Report;
use crate::world::World;

/// Compares the trader's books with the exchange's, again and again.
///
/// At most instants the trader is a packet behind, so books are compared whenever both have seen
/// the same number of entries of an instrument.
#[derive(Debug, Default)]
pub struct BookAudit {
    /// Comparisons made.
    pub compared: u64,
    /// Those that found a difference.
    pub different: u64,
    /// Instruments compared in the last round.
    pub last_round: u64,
    /// Instruments the exchange lists.
    pub listed: u64,
}

impl BookAudit {
    pub(super) fn compare(&mut self, world: &World, topology: &Topology) {
        let Some((exchange, trader)) = machines(world, topology) else { return };
        let exchange = exchange.exchange();
        self.last_round = 0;
        self.listed = exchange.config().instruments.len() as u64;
        for (index, listed) in exchange.config().instruments.iter().enumerate() {
            let instruments = trader.feed().instruments();
            let known = instruments.by_security_id(listed.security_id.into());
            let (Some(known), Some(book)) = (known, exchange.book(index)) else { continue };
            let recovery = trader.market().recovery();
            let same_point = exchange.publisher().rpt_seq(index) == recovery.rpt_seq(known);
            if !same_point || recovery.status(known) != Status::Live {
                continue;
            }
            let Some(mine) = trader.market().books().get(known) else { continue };
            self.compared += 1;
            self.last_round += 1;
            let last_trade = exchange.last_trade(index).map(|trade| (trade.price, trade.quantity));
            let same = mine.book().digest() == book.digest() && mine.last_trade() == last_trade;
            self.different += u64::from(!same);
        }
    }
}

fn machines<'w>(
    world: &'w World,
    topology: &Topology,
) -> Option<(&'w ExchangeHost, &'w TraderHost)> {
    let trader: &Trader = world.station(topology.trader)?;
    Some((world.station(topology.exchange)?, trader.0.host()))
}

/// Adds the demo's invariants to the report.
pub fn check(report: &mut Report, world: &World, topology: &Topology, books: &BookAudit) {
    let crowd: Option<&Crowd> = world.station(topology.crowd);
    let (Some((exchange, trader)), Some(crowd)) = (machines(world, topology), crowd) else {
        report.invariant("machines_found", "The world's machines are where they were put.", false);
        return;
    };
    orders(report, trader, crowd);
    money(report, exchange, trader, crowd);

    report.invariant(
        "books_equal",
        "Whenever the trader had seen as many entries of an instrument as the exchange had \
         published, its book and last trade were the exchange's; at the end, for every instrument.",
        books.different == 0 && books.last_round == books.listed && books.compared > books.listed,
    );
    report.counter("book comparisons", books.compared);

    let recovery = trader.market().recovery();
    let live = (0..trader.feed().instruments().len())
        .filter(|&i| u32::try_from(i).is_ok_and(|i| recovery.status(i) == Status::Live))
        .count() as u64;
    report.invariant(
        "gaps_recovered",
        "Although both feed lines dropped packets, no instrument's book is missing anything.",
        live == books.listed,
    );
    report.invariant(
        "frames_well_formed",
        "Neither exchange nor trader received a frame with a wrong length or checksum.",
        trader.counters().malformed == 0 && exchange.counters().frames_malformed == 0,
    );
}

fn orders(report: &mut Report, trader: &TraderHost, crowd: &Crowd) {
    let audit = trader.line().log().audit();
    report.invariant(
        "orders_acknowledged_once",
        "Each order that the trader sent was answered by exactly one acknowledgement or rejection.",
        audit.answered_once == audit.sent,
    );
    let clean = |c: &crate::crowd::ClientCounters| {
        c.sent == c.acknowledged && c.acknowledged_again == 0 && c.unreadable == 0
    };
    report.invariant(
        "background_orders_acknowledged_once",
        "The same is true of every background trader's orders.",
        crowd.unanswered() == 0 && crowd.counters().all(clean),
    );
    let line = trader.line().counters();
    report.invariant(
        "session_sound",
        "The venue rejected none of the trader's messages, and TCP, FIX and the fast path agree \
         about every byte sent.",
        line.rejects == 0
            && line.malformed == 0
            && line.unknown_orders == 0
            && line.account_errors == 0
            && line.inconsistent_updates == 0,
    );
}

fn money(report: &mut Report, exchange: &ExchangeHost, trader: &TraderHost, crowd: &Crowd) {
    let (mut bought, mut sold) = (0u64, 0u64);
    for counters in crowd.counters() {
        bought += counters.bought;
        sold += counters.sold;
    }
    let mut positions = std::collections::BTreeMap::<&str, i128>::new();
    for record in trader.line().log().records() {
        let position = positions.entry(&record.terms.symbol).or_default();
        match record.terms.side {
            saker_book::Side::Buy => {
                bought += record.filled;
                *position += i128::from(record.filled);
            }
            saker_book::Side::Sell => {
                sold += record.filled;
                *position -= i128::from(record.filled);
            }
        }
    }
    let traded = exchange.exchange().counters().traded_quantity;
    report.invariant(
        "bought_equals_sold",
        "What all traders were told they bought is what they were told they sold, and what the \
         exchange says was traded.",
        bought == sold && bought == traded && traded > 0,
    );
    report.counter("quantity traded", traded);

    let desk = trader.market().desk();
    let slots = desk.plan().map_or(&[][..], |plan| plan.slots());
    let agree = slots.iter().zip(0u16..).all(|(plan, slot)| {
        let (Some(engine), Some((symbol, _))) = (desk.engine(), desk.slot_instrument(slot)) else {
            return false;
        };
        let told = positions.get(symbol).copied().unwrap_or(0);
        i128::from(engine.position(plan.instrument)) == told
    });
    let within = slots.iter().zip(0u16..).all(|(plan, slot)| {
        let symbol = desk.slot_instrument(slot).map_or("", |(symbol, _)| symbol);
        let held = positions.get(symbol).copied().unwrap_or(0).unsigned_abs();
        held <= u128::from(plan.limits.max_position)
    });
    report.invariant("limits_kept", "No position is beyond its strategies' limit.", within);
    report.invariant(
        "positions_agree",
        "The strategies' positions are the sums of the fills in the order log.",
        agree,
    );
}

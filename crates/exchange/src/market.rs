//! One listed instrument: its matcher, its last trade and who watches it over FIX.

use saker_feed::publish::{BookView, LastTrade};
use saker_fix::encode::Writer;
use saker_fix::tag;
use saker_matching::{Collar, Matcher, Rules, RulesError, Side};

use crate::config::{InstrumentConfig, LimitsConfig};
use crate::identifier::Identifier;

/// Which entries a market-data request asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct EntryTypes {
    pub(crate) bid: bool,
    pub(crate) offer: bool,
    pub(crate) trade: bool,
}

/// What one request wants of one instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// `MDReqID` (262).
    pub(crate) request: Identifier,
    pub(crate) types: EntryTypes,
    /// Price levels of each side, at least 1.
    pub(crate) depth: usize,
}

/// A participant's standing interest in one instrument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subscriber {
    pub(crate) participant: usize,
    pub(crate) wanted: Wanted,
    /// An update is owed that could not be sent under overload.
    pub(crate) owed: bool,
}

pub(crate) struct Market {
    pub(crate) config: InstrumentConfig,
    pub(crate) symbol: Identifier,
    pub(crate) matcher: Matcher,
    pub(crate) last_trade: Option<LastTrade>,
    pub(crate) subscribers: Vec<Subscriber>,
    /// Who is served first in the next round of updates, so that nobody always is.
    pub(crate) rotation: usize,
}

impl Market {
    pub(crate) fn new(
        config: &InstrumentConfig,
        symbol: Identifier,
        limits: &LimitsConfig,
        owners: u32,
    ) -> Result<Self, RulesError> {
        let rules = Rules {
            tick: config.tick,
            lot: config.lot,
            max_quantity: config.max_quantity,
            collar: config.collar.map(|c| Collar { reference: c.reference, width: c.width }),
            max_orders: limits.max_book_orders,
            owners,
            // The engine counts a participant's orders over all instruments itself.
            max_orders_per_owner: u32::MAX,
        };
        Ok(Self {
            matcher: Matcher::new(rules)?,
            config: config.clone(),
            symbol,
            last_trade: None,
            subscribers: Vec::new(),
            rotation: 0,
        })
    }

    /// Writes the body of a Market Data Snapshot Full Refresh (W) in the order of seed 001,
    /// table 3: bids, offers, last trade; what does not exist is left out.
    pub(crate) fn write_snapshot(&self, wanted: &Wanted, w: &mut Writer<'_>) {
        let book = self.matcher.book();
        let depth = |asked: bool| if asked { wanted.depth } else { 0 };
        let bids = book.levels(Side::Buy).take(depth(wanted.types.bid));
        let offers = book.levels(Side::Sell).take(depth(wanted.types.offer));
        let trade = self.last_trade.filter(|_| wanted.types.trade);
        let (bid_count, offer_count) = (bids.count(), offers.count());

        w.field_bytes(tag::SYMBOL, self.symbol.as_bytes());
        w.field_bytes(tag::MD_REQ_ID, wanted.request.as_bytes());
        let count = bid_count + offer_count + usize::from(trade.is_some());
        w.field_uint(tag::NO_MD_ENTRIES, count as u64);
        for (side, kind, count) in [(Side::Buy, b'0', bid_count), (Side::Sell, b'1', offer_count)] {
            for (position, level) in (1u64..).zip(book.levels(side).take(count)) {
                self.write_entry(w, kind, level.price, level.quantity, position);
            }
        }
        if let Some(trade) = trade {
            self.write_entry(w, b'2', trade.price, trade.quantity, 1);
        }
    }

    fn write_entry(&self, w: &mut Writer<'_>, kind: u8, price: i64, quantity: u64, position: u64) {
        w.field_char(tag::MD_ENTRY_TYPE, kind);
        w.field_decimal(tag::MD_ENTRY_PX, price, i32::from(self.config.exponent));
        w.field_uint(tag::MD_ENTRY_SIZE, quantity);
        w.field_uint(tag::MD_ENTRY_POSITION_NO, position);
    }
}

/// All books, as the snapshot loop of the feed reads them.
pub(crate) struct Books<'a>(pub(crate) &'a [Market]);

impl BookView for Books<'_> {
    fn visit_orders(
        &self,
        instrument: usize,
        side: saker_feed::event::Side,
        visit: &mut dyn FnMut(u64, i64, u64),
    ) {
        let side = match side {
            saker_feed::event::Side::Bid => Side::Buy,
            saker_feed::event::Side::Offer => Side::Sell,
        };
        for order in self.0[instrument].matcher.book().orders(side) {
            visit(order.id, order.price, order.quantity);
        }
    }

    fn last_trade(&self, instrument: usize) -> Option<LastTrade> {
        self.0[instrument].last_trade
    }
}

//! The books of all instruments, as the feed describes them.

use saker_book::{BookError, OrderBook, Side, Top};
use saker_feed::event::{Action, EntryKind, Side as FeedSide};
use saker_feed::normalize::{Entry, InstrumentIndex};

/// What an entry changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The book, but neither its best prices nor the quantities there.
    Depth,
    /// The best bid or offer, or the quantity there.
    Top(Top),
    /// A trade happened; the book did not change.
    Trade {
        /// Its price in the instrument's price units.
        price: i64,
        /// Its quantity.
        quantity: u64,
    },
}

/// One instrument's book, its top, and its last trade.
#[derive(Debug)]
pub struct InstrumentBook {
    book: OrderBook,
    top: Top,
    last_trade: Option<(i64, u64)>,
}

impl InstrumentBook {
    /// The order book.
    pub fn book(&self) -> &OrderBook {
        &self.book
    }

    /// Its best bid and offer.
    pub fn top(&self) -> Top {
        self.top
    }

    /// Price and quantity of the last trade seen.
    pub fn last_trade(&self) -> Option<(i64, u64)> {
        self.last_trade
    }
}

/// The books by instrument index. Each takes its memory when its instrument becomes known.
#[derive(Debug)]
pub struct Books {
    list: Vec<InstrumentBook>,
    orders_per_book: usize,
}

impl Books {
    /// No books yet; each will hold at most `orders_per_book` resting orders.
    pub fn new(orders_per_book: usize) -> Self {
        Self { list: Vec::new(), orders_per_book }
    }

    /// Makes the books up to and including that of `instrument`.
    pub fn define(&mut self, instrument: InstrumentIndex) {
        while self.list.len() <= instrument as usize {
            self.list.push(InstrumentBook {
                book: OrderBook::with_capacity(self.orders_per_book),
                top: Top::default(),
                last_trade: None,
            });
        }
    }

    /// The book of `instrument`.
    pub fn get(&self, instrument: InstrumentIndex) -> Option<&InstrumentBook> {
        self.list.get(instrument as usize)
    }

    /// Empties the book of `instrument`; the last trade stays.
    pub fn clear(&mut self, instrument: InstrumentIndex) {
        if let Some(one) = self.list.get_mut(instrument as usize) {
            one.book.clear();
            one.top = Top::default();
        }
    }

    /// Applies an entry. After an error the book no longer matches the venue's.
    pub fn apply(&mut self, entry: &Entry) -> Result<Change, BookError> {
        let Some(one) = self.list.get_mut(entry.instrument as usize) else {
            return Err(BookError::UnknownOrder(entry.id));
        };
        match entry.kind {
            EntryKind::Trade { price, quantity } => {
                one.last_trade = Some((price.mantissa, quantity));
                Ok(Change::Trade { price: price.mantissa, quantity })
            }
            EntryKind::Order { action, side, price, quantity } => {
                let side = match side {
                    FeedSide::Bid => Side::Buy,
                    FeedSide::Offer => Side::Sell,
                };
                match action {
                    Action::New => {
                        one.book.add(entry.id, side, price.mantissa, quantity)?;
                    }
                    Action::Change => {
                        one.book.change(entry.id, price.mantissa, quantity)?;
                    }
                    Action::Delete => {
                        one.book.remove(entry.id)?;
                    }
                }
                let top = one.book.top();
                if top == one.top {
                    return Ok(Change::Depth);
                }
                one.top = top;
                Ok(Change::Top(top))
            }
        }
    }
}

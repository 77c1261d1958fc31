//! The words every engine above the book shares: side, order, level, top of book.

/// An order's identity, unique among the resting orders of one book. Every value is allowed.
pub type OrderId = u64;

/// Which side of the market an order is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// A bid: higher prices come first.
    Buy,
    /// An offer: lower prices come first.
    Sell,
}

impl Side {
    /// The side this one trades with.
    #[inline]
    pub const fn opposite(self) -> Side {
        match self {
            Side::Buy => Side::Sell,
            Side::Sell => Side::Buy,
        }
    }

    /// A key that grows as `price` gets better for this side: the price for buys, its bitwise
    /// complement for sells. Both directions are exact for every `i64`.
    #[inline]
    pub const fn rank(self, price: i64) -> i64 {
        match self {
            Side::Buy => price,
            Side::Sell => !price,
        }
    }

    /// Whether an order on this side with limit `limit` accepts to trade at `price`.
    #[inline]
    pub const fn accepts(self, limit: i64, price: i64) -> bool {
        match self {
            Side::Buy => price <= limit,
            Side::Sell => price >= limit,
        }
    }
}

/// Whether an order carries a limit price (FIX tag 40).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderType {
    /// Trades at its price or better.
    Limit,
    /// Trades at any price; never rests.
    Market,
}

/// How long an order stays (FIX tag 59).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeInForce {
    /// Rests until filled, canceled, or the day ends.
    Day,
    /// Trades what it can at once; the rest is canceled.
    ImmediateOrCancel,
    /// Trades in full at once, or not at all.
    FillOrKill,
}

/// A resting order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order {
    /// Its identity.
    pub id: OrderId,
    /// Its side.
    pub side: Side,
    /// Its price, as a mantissa in the instrument's exponent. May be negative.
    pub price: i64,
    /// What remains of it, never zero.
    pub quantity: u64,
}

/// All orders at one price on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Level {
    /// The price's mantissa.
    pub price: i64,
    /// The sum of the orders' quantities.
    pub quantity: u64,
    /// How many orders there are, never zero.
    pub orders: u32,
}

/// Best price and its quantity on both sides: what strategies look at. Cheap to copy and compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Top {
    /// Highest buy `(price, quantity)`.
    pub bid: Option<(i64, u64)>,
    /// Lowest sell `(price, quantity)`.
    pub offer: Option<(i64, u64)>,
}

impl Top {
    /// Whether the best bid is at or above the best offer, which a matched market never shows.
    pub fn is_crossed(&self) -> bool {
        matches!((self.bid, self.offer), (Some((bid, _)), Some((offer, _))) if bid >= offer)
    }
}

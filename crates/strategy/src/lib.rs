//! Trading strategies and their limits, from one TOML file.
//!
//! *For*: deciding which prepared order to send when a price arrives. The same file configures the
//! software engine and the RTL. *Not for*: building orders (the trader prepares them), sending
//! them, or strategies that compute prices: whatever a strategy computes ahead of time reduces to
//! "at this price or beyond, send that order" (seed 001 §3.3).
//!
//! # How a price flows through it
//! ```text
//! strategy.toml ─StrategyFile─▶ resolve(instruments) ─▶ Plan ─▶ Engine
//!
//! on_trade / on_top ─▶ this instrument's comparisons, side by side ─▶ armed? rested? limits?
//!                                                                          │
//!     needs_prepare ─▶ software prepares ─▶ arm        Fire{slot} ◀────────┘
//!     on_order_update ◀── Accepted, Filled, Canceled, Rejected, NotSent
//! ```
//!
//! # The file
//! ```
//! # let text = r#"
//! [limits]                    # for every strategy that does not name its own
//! max_order_quantity = 100
//! max_open_orders = 4         # on the instrument, of the whole engine
//! max_position = 500          # absolute, in the instrument, of the whole engine
//!
//! [[strategy]]
//! name = "msft-stop"          # unique
//! kind = "stop"               # fires on a trade: buy at or above, sell at or below the trigger
//! symbol = "MSFT"
//! side = "sell"
//! trigger = "11.80"           # exact decimals, in quotes
//! quantity = 2
//! price = "11.00"             # or order_type = "market"
//! time_in_force = "day"       # day, ioc, fok; a stop's default is day
//!
//! [[strategy]]
//! name = "take-aapl"
//! kind = "cross"              # buy when the best offer is at or below, sell when the best bid is
//! symbol = "AAPL"             # at or above the threshold
//! side = "buy"
//! threshold = "189.50"        # also the limit price, unless price or order_type says otherwise
//! quantity = 10               # the size of the prepared order, whatever the quote's size is
//! cooldown_us = 500           # least time between two fires
//! # "#;
//! # let file = saker_strategy::StrategyFile::from_toml(text).unwrap();
//! # assert_eq!(file.symbols().count(), 2);
//! ```
//! Further keys: `market_segment` (which board, for venues that have several), `rearm` (false for
//! stops, true for crosses), and any of the limits for one strategy alone. A crossing strategy's
//! `time_in_force` is `ioc` unless given. Unknown keys, keys without effect and limits that are
//! given nowhere are errors with line and key.
//!
//! # Rules
//! * One slot for each strategy, at most [`MAX_SLOTS`]; strategy and slot have one number, the
//!   place in the file. Everything is evaluated in that order, and what one fire opens counts
//!   against the next one's limits.
//! * Conditions are looked at only when an event comes, and only while the slot is armed: what
//!   happened before it was armed never fires it.
//! * An order's quantity is that of the prepared order. It takes less if the quote is smaller.
//! * A qualifying event that a limit or the cooldown holds back is counted and leaves the slot
//!   armed; the next qualifying event tries again. Checks in order: cooldown, order quantity, open
//!   orders, position.
//! * `max_open_orders` and `max_position` count the whole engine's orders and position in the
//!   instrument. The position check assumes that everything open on the fired side fills.
//! * A slot fires again only if it re-arms, its order is over, software has prepared the next one,
//!   and the cooldown has passed since the last fire. A rejected order ends its strategy until
//!   [`Engine::restart`]; an order that could not be sent leaves it idle.
//! * A kill switch (all, or one strategy) disarms at once. Open orders stay accounted for.
//! * Evaluating an event is a walk over one array, linear in the number of strategies on the
//!   instrument. It does not allocate if `fires` has room for them.

mod decimal;
mod engine;
mod error;
mod file;
mod plan;
mod raw;
mod updates;

pub use engine::{Counters, Engine, Exposure, Fire, SlotState};
pub use error::{Problem, StrategyError};
pub use file::StrategyFile;
pub use plan::{
    Comparison, Instrument, Limits, MAX_SLOTS, Plan, SlotOrder, SlotPlan, Source, Trigger,
};
pub use saker_book::{OrderType, Side, TimeInForce, Top};
pub use updates::{OrderUpdate, UpdateError};

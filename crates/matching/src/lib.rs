//! Deterministic matching engine.
mod command;
mod event;
mod matcher;
mod rules;

pub use command::{CancelOrder, NewOrder, OwnerId, ReplaceOrder};
pub use event::{CancelReason, Event, Party, RejectReason};
pub use matcher::Matcher;
pub use rules::{Collar, Rules, RulesError, SelfMatch};
pub use saker_book::{OrderId, OrderType, Side, TimeInForce};

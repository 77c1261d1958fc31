//! A small venue for tests: a feed publisher with reference books, an order acceptor, and the
//! wires between them and a trader.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod acceptor;
pub mod feed;
pub mod sim;

use saker_wire::time::{Nanos, SECOND};

/// 2026-01-02T03:04:05Z.
pub const T0: Nanos = 1_767_323_045 * SECOND;

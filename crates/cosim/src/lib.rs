//! The trader in logic, simulated cycle by cycle, as a station of the virtual world.
//!
//! # What it is for
//!
//! ```text
//!  make rtl-model: rtl/ ──Verilator──► C++ ──shim/model.cpp──► libsaker_trader_top.so
//!                                                                      │ loaded at run time
//!  world ◄─frames─► trader ◄─► logic ◄─► line (XGMII words) ◄─► library│
//!                     │           ├──► axi, stream, probes             ▼
//!                     │           └──► registers, setup, watch, program
//!                     ├──► reference, decoded, answers: what it must do
//!                     ├──► lockstep: is it the same?
//!                     └──► sync: what the software wants of it
//! ```
//!
//! [`trader::RtlTrader`] is the machine: the verilated top in place of the software's decisions, with
//! the same software behind it. `saker demo --engine rtl` puts it into the demo's world
//! ([`machine`]), `saker replay --engine rtl` runs a capture through it ([`replay`]). In both every
//! message it decodes, every answer of its books and every order frame is compared with the
//! software's, and the first difference ends the run with both sides' values, time, cycle and packet.
//!
//! # How a frame flows through it
//!
//! The world hands a frame over as its preamble begins. [`line`] puts it on XGMII words, one a cycle
//! of 6.4 ns; [`logic`] takes the model through the cycles until nothing moves any more, and idle time
//! is skipped. What leaves is given to the world with the instant of its first byte. Then the
//! software has its turn, and what it wants of the logic is written to registers.
//!
//! # What always holds
//!
//! - The logic's stamps are virtual time, to a nanosecond, over skipped and frozen cycles
//!   ([`logic::Logic::wake`] checks it each time).
//! - Model and logic agree what every packet saw: slots are armed, numbers lent and books mended only
//!   while the logic is at rest.
//! - A library of another version, top or size is refused with a message that says how to build it.
//!
//! # Why there is `unsafe`
//!
//! The model is C++ in a shared library that is built apart, so that nothing else needs Verilator.
//! Loading it and calling it cannot be checked by the compiler; [`library`] does both, is the only
//! file that may, and says what makes it sound.
//!
//! # What it is not for
//!
//! It has no timing of gates (that is `docs/RTL-PLACED.md`), no transceivers, and no PCI Express: the
//! host's accesses to registers take no virtual time.

pub mod answers;
pub mod axi;
pub mod decoded;
pub mod library;
pub mod line;
pub mod lockstep;
pub mod logic;
pub mod machine;
pub mod make;
pub mod meter;
pub mod placed;
pub mod probes;
pub mod program;
pub mod reference;
pub mod registers;
pub mod replay;
pub mod setup;
pub mod stream;
pub mod sync;
pub mod trader;
pub mod watch;
pub mod xgmii;

use std::path::PathBuf;

/// Where `make rtl-model` leaves the model of `top`: under `SAKER_RTL_MODELS`, or `verif/build/model` of
/// the source tree that this program was built from.
pub fn model_path(top: &str) -> PathBuf {
    let root = std::env::var_os("SAKER_RTL_MODELS").map(PathBuf::from).unwrap_or_else(|| {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../verif/build/model"))
    });
    root.join(top).join(format!("libsaker_{top}.so"))
}

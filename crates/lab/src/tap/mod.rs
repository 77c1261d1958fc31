//! Taps: clocks on the cable.
//!
//! A tap sits at one port of a station and stamps every frame that passes it in either direction,
//! with the instant of its first byte (the first byte of the destination address, behind the
//! preamble). It keeps a compact [`TapRecord`] of each frame, and the bytes go to the world's
//! capture, one interface for each direction.
//!
//! Received frames are those that the port accepts: a frame with a wrong FCS is counted by the
//! link, not recorded. Sent frames are recorded when they leave, whatever becomes of them.

mod order;

use saker_wire::capture::InterfaceSpec;
use saker_wire::station::FrameId;
use saker_wire::time::Nanos;

pub(crate) use order::{Pending, Sighting};

/// Sorts frames into kinds by their bytes (header to payload); the kinds are the scenario's own.
pub type Classifier = fn(&[u8]) -> u8;

/// Which way a frame passed the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// Into the station.
    Rx,
    /// Out of the station.
    Tx,
}

/// One frame as a tap saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TapRecord {
    /// The frame's name; the same frame has the same name at both ends of a link.
    pub id: FrameId,
    /// The instant of its first byte.
    pub first_ns: Nanos,
    /// The instant of the last byte of its FCS.
    pub last_ns: Nanos,
    /// Length without FCS, in bytes.
    pub bytes: u32,
    /// What the tap's [`Classifier`] said.
    pub kind: u8,
    /// The frame that it answers, as the sending station said.
    pub cause: Option<FrameId>,
}

/// A tap of a world. Interfaces of the capture are numbered in the order of the taps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TapId(pub(crate) usize);

/// What a tap has recorded: each way in order of the first byte.
#[derive(Debug)]
pub struct Tap {
    pub(crate) name: String,
    pub(crate) classify: Classifier,
    pub(crate) rx: Vec<TapRecord>,
    pub(crate) tx: Vec<TapRecord>,
}

impl Tap {
    pub(crate) fn new(name: &str, classify: Classifier) -> Self {
        Self { name: name.to_owned(), classify, rx: Vec::new(), tx: Vec::new() }
    }

    /// The tap's name; its interfaces are called `<name>-rx` and `<name>-tx`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The frames that passed one way, in order of their first byte.
    #[must_use]
    pub fn records(&self, way: Way) -> &[TapRecord] {
        match way {
            Way::Rx => &self.rx,
            Way::Tx => &self.tx,
        }
    }
}

/// The capture's interfaces.
pub(crate) fn interfaces(taps: &[Tap]) -> Vec<InterfaceSpec> {
    let names = taps.iter().flat_map(|tap| ["rx", "tx"].map(|way| format!("{}-{way}", tap.name)));
    names.map(|name| InterfaceSpec { name }).collect()
}

/// The capture's interface for one way of a tap.
pub(crate) fn interface(tap: usize, way: Way) -> u32 {
    let index = tap * 2 + usize::from(way == Way::Tx);
    u32::try_from(index).expect("ports are 8 bits wide, so a world cannot hold 2^31 taps")
}

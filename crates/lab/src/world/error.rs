//! What can be wrong with a world.

use saker_wire::capture::WriteError;
use saker_wire::time::Nanos;

/// A world that cannot be built as asked.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Names select random streams and label captures, so they are unique within their kind.
    #[error("the name {0:?} is taken")]
    NameTaken(String),
    /// A cable is already in that port.
    #[error("port {port} of {station:?} already has a link")]
    PortTaken {
        /// The station's name.
        station: String,
        /// The port.
        port: u8,
    },
    /// The station is not one of this world's.
    #[error("no such station")]
    UnknownStation,
    /// No cable is in that port.
    #[error("port {port} of {station:?} has no link to tap")]
    PortFree {
        /// The station's name.
        station: String,
        /// The port.
        port: u8,
    },
    /// A line rate of 0 sends nothing.
    #[error("link {0:?} has a rate of 0 bit/s")]
    ZeroRate(String),
    /// A capture names its interfaces at its head, so taps come first, and it begins
    /// once.
    #[error("the capture has begun")]
    CaptureBegun,
    /// The capture's head could not be written.
    #[error("the capture cannot be begun")]
    Capture(#[from] WriteError),
}

/// A run that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// A station asks to be woken without end while time stands still.
    #[error(
        "livelock: station {station:?} was woken {wakes} times at {at_ns} ns and asks to be woken \
         at or before that instant again"
    )]
    Livelock {
        /// The station's name.
        station: String,
        /// The instant.
        at_ns: Nanos,
        /// How often it was woken.
        wakes: u32,
    },
    /// The capture could not be written.
    #[error("the capture cannot be written")]
    Capture(#[from] WriteError),
}

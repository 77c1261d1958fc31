//! Who watches a replay.

/// A part of the way of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Which copy of a packet counts, and whether its turn has come. Only of saker's own feed.
    Arbitrate,
    /// Bytes to normalised events.
    Decode,
    /// Events to books, strategies and decisions.
    Market,
    /// A decision to an order frame.
    Fire,
}

impl Stage {
    /// All stages, in the order of a tick's way.
    pub const ALL: [Stage; 4] = [Stage::Arbitrate, Stage::Decode, Stage::Market, Stage::Fire];

    /// The stage in words.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Arbitrate => "arbitrate",
            Stage::Decode => "decode",
            Stage::Market => "books, strategies",
            Stage::Fire => "fire",
        }
    }
}

/// Is called while a unit is served, at the points where a driver may look at its clock.
pub trait Observer {
    /// An order frame is ready to leave, Ethernet header to FIX trailer.
    fn sent(&mut self, frame: &[u8]);
    /// What was done since the unit began or the last stage ended was this stage.
    fn ended(&mut self, _stage: Stage) {}
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deaf;

impl Observer for Deaf {
    fn sent(&mut self, _frame: &[u8]) {}
}

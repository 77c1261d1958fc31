//! What lives from message to message.

use super::lane::{Fail, Previous};
use super::scan::Element;
use crate::error::ErrorCode;
use crate::microcode::isa::LANES;
use crate::microcode::program::{MAX_PRESENCE_BYTES, Program};
use crate::microcode::record::Trap;

/// The dictionaries and what the sequencer remembers.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// One bank for each lane.
    pub dictionary: [Vec<Previous>; LANES],
    /// The template of the last identifier: the previous value of its copy operator.
    pub last_template: Option<u16>,
    pub poisoned: bool,
    /// The row in which the last message began: it is fetched for the next in advance.
    pub last_row: Option<u16>,
    /// The first cycle in which a row can be dispatched, as far as the rows before it decide.
    pub ready: u64,
    /// When the header registers of the last two packets were free again.
    pub header_free: [u64; 2],
    /// The cycle of the last dispatch.
    pub last_dispatch: u64,
}

impl State {
    pub fn new(program: &Program) -> Self {
        Self {
            dictionary: program.dictionary.map(|size| vec![Previous::Undefined; size.into()]),
            last_template: None,
            poisoned: false,
            last_row: None,
            ready: 0,
            header_free: [0; 2],
            last_dispatch: 0,
        }
    }

    pub fn reset(&mut self) {
        self.reset_dictionary();
        self.last_template = None;
        self.poisoned = false;
    }

    pub fn reset_dictionary(&mut self) {
        for entry in self.dictionary.iter_mut().flatten() {
            *entry = Previous::Undefined;
        }
    }
}

/// A presence map in its shift register.
#[derive(Clone, Copy, Debug)]
pub(super) struct PresenceBits {
    /// The next bit is the highest.
    bits: u64,
    left: u32,
}

impl PresenceBits {
    /// Where there is no presence map: every bit is 0.
    pub const NONE: Self = Self { bits: 0, left: 0 };

    /// Of at most nine bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let left = 7 * bytes.len() as u32;
        let bits = bytes.iter().fold(0, |bits, byte| bits << 7 | u64::from(byte & 0x7f));
        Self { bits: bits << (64 - left.clamp(1, 63)), left }
    }

    pub fn next(&mut self) -> bool {
        let bit = self.bits >> 63 != 0;
        self.bits <<= 1;
        self.left = self.left.saturating_sub(1);
        bit
    }

    /// Whether no more bits came than were used (R8).
    pub fn is_used_up(&self) -> bool {
        self.left < 7 && self.bits == 0
    }
}

/// The presence map in an element.
pub(super) fn presence_map(
    element: Element,
    packet: &[u8],
    strict: bool,
) -> Result<PresenceBits, Fail> {
    let bytes = element.of(packet);
    if element.more || bytes.len() > MAX_PRESENCE_BYTES {
        return Err(Trap::PresenceMap.into());
    }
    match bytes {
        [_, .., 0x80] if strict => Err(ErrorCode::R7.into()),
        bytes => Ok(PresenceBits::new(bytes)),
    }
}

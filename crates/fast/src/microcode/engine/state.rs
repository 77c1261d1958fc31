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
    /// The template of that message and its presence map as in the stream.
    pub last_header: Option<(u16, Vec<u8>)>,
    /// The row with which the run without branch began.
    pub run: usize,
    /// The first cycle in which the next packet's message can be decided on.
    pub idle: u64,
    /// Whether that is the cycle behind the control of a last row, which can begin the next itself.
    pub ended: bool,
    /// The cycle behind the one in which the packet was left.
    pub released: u64,
    /// The first cycle in which a row can be dispatched, as far as the rows before it decide.
    pub ready: u64,
    /// When the header registers of the last two packets were free again.
    pub header_free: [u64; 2],
    /// The cycle of the last dispatch.
    pub last_dispatch: u64,
    /// The last cycle in which something went on to the operators.
    pub issued: u64,
    /// The row that was dispatched last, and when.
    pub before: Option<(u16, u64)>,
    /// When the last row was dispatched, and whether it took all that dispatch sees.
    pub last_row_at: u64,
    pub eight: bool,
    /// The first cycle in which the row in hand could be dispatched, were it not for the rows before.
    pub loaded: u64,
}

impl State {
    pub fn new(program: &Program) -> Self {
        Self {
            dictionary: program.dictionary.map(|size| vec![Previous::Undefined; size.into()]),
            last_template: None,
            poisoned: false,
            last_row: None,
            last_header: None,
            run: 0,
            idle: 0,
            ended: false,
            released: 0,
            ready: 0,
            header_free: [0; 2],
            last_dispatch: 0,
            issued: 0,
            before: None,
            last_row_at: 0,
            eight: false,
            loaded: 0,
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

/// A presence map in its shift register: the next bit is the highest, and zeros follow the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct PresenceBits(u64);

impl PresenceBits {
    /// Where there is no presence map: every bit is 0.
    pub const NONE: Self = Self(0);

    /// Of at most nine bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let used = (7 * bytes.len() as u32).clamp(1, 63);
        let bits = bytes.iter().fold(0, |bits, byte| bits << 7 | u64::from(byte & 0x7f));
        Self(bits << (64 - used))
    }

    pub fn next(&mut self) -> bool {
        let bit = self.0 >> 63 != 0;
        self.0 <<= 1;
        bit
    }

    /// Whether no bit that is set was left over (R8). Unused zeros are R7 by themselves where
    /// they fill the last byte.
    pub fn is_used_up(&self) -> bool {
        self.0 == 0
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

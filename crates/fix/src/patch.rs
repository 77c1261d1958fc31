//! Changes MsgSeqNum, SendingTime and CheckSum of a finished message in place (seed 001 §4.5.2).

use crate::encode::Layout;
use crate::value::TimestampCache;
use saker_wire::time::Nanos;

/// Why a message could not be patched; it is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The number has more digits than the field.
    #[error("MsgSeqNum {seq} does not fit {width} digits")]
    TooWide {
        /// The number.
        seq: u32,
        /// Digits there are.
        width: usize,
    },
    /// The layout is not this message's.
    #[error("layout does not fit the message")]
    Layout,
}

/// Writes `seq` over MsgSeqNum, zero-padded to its width, and corrects CheckSum.
pub fn msg_seq_num(message: &mut [u8], layout: &Layout, seq: u32) -> Result<(), PatchError> {
    let _ = (message, layout, seq);
    todo!()
}
/// Writes `now` over SendingTime and corrects CheckSum.
pub fn sending_time(
    message: &mut [u8],
    layout: &Layout,
    now: Nanos,
    dates: &mut TimestampCache,
) -> Result<(), PatchError> {
    let _ = (message, layout, now, dates);
    todo!()
}

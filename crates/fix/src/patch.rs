//! Changes MsgSeqNum, SendingTime and CheckSum of a finished message in place (seed 001 §4.5.2).
//!
//! A prepared order is sent long after it was written, by another party, perhaps by hardware. Only
//! these three values go stale. CheckSum is the sum of all bytes, so it is corrected by the
//! difference of the digits: the cost does not depend on the message's length.

use saker_wire::time::Nanos;

use crate::encode::Layout;
use crate::value::{TIMESTAMP_LEN, TimestampCache};

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
    /// The layout does not lie within the message.
    #[error("layout does not fit the message")]
    Layout,
}

/// Writes `seq` over MsgSeqNum, zero-padded to its width, and corrects CheckSum.
pub fn msg_seq_num(message: &mut [u8], layout: &Layout, seq: u32) -> Result<(), PatchError> {
    let width = layout.msg_seq_num_width;
    let mut text = [b'0'; 10];
    let mut rest = seq;
    for byte in text.iter_mut().rev() {
        *byte = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let padding = text.len().checked_sub(width).ok_or(PatchError::Layout)?;
    if text[..padding].iter().any(|&digit| digit != b'0') {
        return Err(PatchError::TooWide { seq, width });
    }
    replace(message, layout, layout.msg_seq_num_at, &text[padding..])
}

/// Writes `now` over SendingTime and corrects CheckSum.
pub fn sending_time(
    message: &mut [u8],
    layout: &Layout,
    now: Nanos,
    dates: &mut TimestampCache,
) -> Result<(), PatchError> {
    let text: [u8; TIMESTAMP_LEN] = dates.format(now);
    replace(message, layout, layout.sending_time_at, &text)
}

fn replace(message: &mut [u8], layout: &Layout, at: usize, text: &[u8]) -> Result<(), PatchError> {
    let sum_range = layout.check_sum_at..layout.check_sum_at.saturating_add(3);
    let sum = message.get(sum_range.clone()).and_then(crate::value::parse_uint);
    let sum = sum.ok_or(PatchError::Layout)? as u8;
    let end = at.checked_add(text.len()).filter(|&end| end <= layout.check_sum_at);
    let old = &mut message[at..end.ok_or(PatchError::Layout)?];
    let mut difference = 0u8;
    for (old, &new) in old.iter_mut().zip(text) {
        difference = difference.wrapping_add(new).wrapping_sub(*old);
        *old = new;
    }
    write_check_sum(&mut message[sum_range], sum.wrapping_add(difference));
    Ok(())
}

/// Writes `sum` as three digits.
pub(crate) fn write_check_sum(digits: &mut [u8], sum: u8) {
    debug_assert_eq!(digits.len(), 3);
    digits[0] = b'0' + sum / 100;
    digits[1] = b'0' + sum / 10 % 10;
    digits[2] = b'0' + sum % 10;
}

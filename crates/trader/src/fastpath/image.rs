//! A slot as the logic of `rtl/order` holds it.

use saker_fix::encode::Layout;
use saker_wire::checksum;
use saker_wire::tcp::TcpHeader;

use super::table;

/// Bytes in front of CheckSum's digits that CheckSum does not cover: its tag and "=".
const CHECK_SUM_TAG: usize = 3;

/// A frame with zeros for everything that a fire writes, where that goes, and what the rest adds
/// to both sums. Zeros are the bytes 0 in the TCP header and the characters `0` in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotImage {
    /// Ethernet header to FIX trailer.
    pub frame: Vec<u8>,
    /// Whether there is a VLAN tag: the TCP header begins at byte 38 instead of 34.
    pub tagged: bool,
    /// Offset of MsgSeqNum's nine digits in the frame.
    pub msg_seq_at: usize,
    /// Offset of CheckSum's three digits in the frame.
    pub check_sum_at: usize,
    /// Ones' complement sum of the 16-bit words of pseudo-header, TCP header and payload.
    pub tcp_sum: u16,
    /// Sum of the bytes that CheckSum covers.
    pub fix_sum: u8,
}

impl SlotImage {
    /// The longest frame that the logic's slots hold.
    pub const MAX_FRAME: usize = 512;
    /// The shortest frame that the logic sends.
    pub const MIN_FRAME: usize = 88;

    /// `sum` is that of the frame as it is, without the patched fields of the TCP header.
    pub(super) fn new(frame: &[u8], tcp_at: usize, layout: &Layout, sum: u32) -> Self {
        let payload_at = tcp_at + TcpHeader::LEN;
        let mut image = Self {
            frame: frame.to_vec(),
            tagged: tcp_at > 34,
            msg_seq_at: payload_at + layout.msg_seq_num_at,
            check_sum_at: payload_at + layout.check_sum_at,
            tcp_sum: 0,
            fix_sum: 0,
        };
        let mut sum = sum;
        for at in (image.msg_seq_at..image.msg_seq_at + layout.msg_seq_num_width)
            .chain(image.check_sum_at..image.check_sum_at + 3)
        {
            let value = u32::from(image.frame[at] - b'0');
            sum -= if at.is_multiple_of(2) { value << 8 } else { value };
            image.frame[at] = b'0';
        }
        image.tcp_sum = checksum::fold(sum);
        let covered = &image.frame[payload_at..image.check_sum_at - CHECK_SUM_TAG];
        image.fix_sum = covered.iter().fold(0, |sum, byte| sum.wrapping_add(*byte));
        image
    }

    /// The writes (address, data) that load the image into the logic's `slot`, without arming it;
    /// `None` if the logic has no such slot, or the frame's length is not one that it takes.
    pub fn writes(&self, slot: u16) -> Option<Vec<(u16, u32)>> {
        if slot >= table::SLOTS || !(Self::MIN_FRAME..=Self::MAX_FRAME).contains(&self.frame.len())
        {
            return None;
        }
        let mut writes = Vec::with_capacity(self.frame.len().div_ceil(4) + 3);
        for (word, bytes) in (table::frame(slot)..).zip(self.frame.chunks(4)) {
            let mut octets = [0; 4];
            octets[..bytes.len()].copy_from_slice(bytes);
            writes.push((word, u32::from_le_bytes(octets)));
        }
        let at = table::description(slot);
        let tagged = if self.tagged { table::SHAPE_TAGGED } else { 0 };
        let shape = self.frame.len() as u32 | tagged;
        let layout = self.msg_seq_at as u32 | (self.check_sum_at as u32) << 16;
        let sums = u32::from(self.tcp_sum) | u32::from(self.fix_sum) << 16;
        writes.extend([(at + table::SHAPE, shape), (at + 1, layout), (at + 2, sums)]);
        Some(writes)
    }

    /// The write that arms or disarms the logic's `slot`.
    pub fn arming(slot: u16, armed: bool) -> (u16, u32) {
        (table::description(slot) + table::ARM, u32::from(armed))
    }
}

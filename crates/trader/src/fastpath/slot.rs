//! One slot: a frame and its sum.

use std::ops::Range;

use saker_fix::encode::Layout;
use saker_fix::patch;
use saker_fix::session::Prepared;
use saker_fix::value::{TIMESTAMP_LEN, TimestampCache};
use saker_wire::checksum;
use saker_wire::frame::TcpPath;
use saker_wire::ipv4::PROTOCOL_TCP;
use saker_wire::tcp::{TcpFlags, TcpHeader};
use saker_wire::time::Nanos;

use super::image::SlotImage;

/// Ethernet with a VLAN tag, IPv4 and TCP without options.
const MAX_HEADERS: usize = 18 + 20 + TcpHeader::LEN;
/// Digits of CheckSum (10).
const CHECK_SUM_LEN: usize = 3;

#[derive(Debug)]
pub(super) struct Slot {
    pub armed: bool,
    pub msg_seq: u32,
    pub sending_time: Nanos,
    frame: Vec<u8>,
    tcp_at: usize,
    layout: Layout,
    /// Sum of the words of pseudo-header, TCP header (patched fields zero) and payload. Exact, so
    /// that words can be taken out of it again; a frame has fewer than 2^10 words.
    sum: u32,
}

impl Slot {
    pub fn with_capacity(mss: usize) -> Self {
        Self {
            armed: false,
            msg_seq: 0,
            sending_time: 0,
            frame: Vec::with_capacity(MAX_HEADERS + mss),
            tcp_at: 0,
            layout: Layout {
                msg_seq_num_at: 0,
                msg_seq_num_width: 0,
                sending_time_at: 0,
                check_sum_at: 0,
            },
            sum: 0,
        }
    }

    pub fn frame(&self) -> &[u8] {
        &self.frame
    }

    pub fn payload(&self) -> &[u8] {
        self.frame.get(self.payload_at()..).unwrap_or_default()
    }

    fn payload_at(&self) -> usize {
        self.tcp_at + TcpHeader::LEN
    }

    /// Builds the frame and arms the slot. False if the layout does not fit the message; the slot
    /// is empty then.
    pub fn load(&mut self, path: &TcpPath, message: &Prepared, sending_time: Nanos) -> bool {
        self.armed = false;
        let layout = message.layout;
        let end = message.bytes.len();
        let fields = [
            (layout.msg_seq_num_at, layout.msg_seq_num_width),
            (layout.sending_time_at, TIMESTAMP_LEN),
            (layout.check_sum_at, CHECK_SUM_LEN),
        ];
        let inside = |(at, len): (usize, usize)| at.checked_add(len).is_some_and(|to| to <= end);
        if layout.msg_seq_num_width != 9 || !fields.into_iter().all(inside) {
            return false;
        }
        let header = TcpHeader { flags: TcpFlags::ACK | TcpFlags::PSH, ..TcpHeader::default() };
        self.frame.clear();
        path.write(0, &header, &[], &message.bytes, &mut self.frame);
        self.tcp_at = path.tcp_offset();
        self.layout = layout;
        self.msg_seq = message.seq;
        self.sending_time = sending_time;
        self.write_tcp(TcpHeader::CHECKSUM_OFFSET, &[0; 2]);
        let segment = &self.frame[self.tcp_at..];
        let len = segment.len() as u16; // the path has checked that it fits an IPv4 packet
        self.sum = checksum::pseudo_header(*path.src.ip(), *path.dst.ip(), PROTOCOL_TCP, len)
            + words(segment);
        self.armed = true;
        true
    }

    /// Rewrites MsgSeqNum, SendingTime and CheckSum, and moves the sum along.
    pub fn refresh(&mut self, msg_seq: u32, now: Nanos, dates: &mut TimestampCache) {
        self.renumber(msg_seq);
        let at = self.layout.sending_time_at;
        self.rewrite(at..at + TIMESTAMP_LEN, |message, layout| {
            patch::sending_time(message, layout, now, dates)
        });
        self.sending_time = now;
    }

    /// Rewrites MsgSeqNum and CheckSum, and moves the sum along. SendingTime stays as it is.
    pub fn renumber(&mut self, msg_seq: u32) {
        let at = self.layout.msg_seq_num_at;
        self.rewrite(at..at + self.layout.msg_seq_num_width, |message, layout| {
            patch::msg_seq_num(message, layout, msg_seq)
        });
        self.msg_seq = msg_seq;
    }

    /// Applies a patch of one field and CheckSum, and moves the sum by the difference.
    fn rewrite(
        &mut self,
        field: Range<usize>,
        patch: impl FnOnce(&mut [u8], &Layout) -> Result<(), patch::PatchError>,
    ) {
        let layout = self.layout;
        let check_sum = layout.check_sum_at..layout.check_sum_at + CHECK_SUM_LEN;
        let before = self.field_words(&field) + self.field_words(&check_sum);
        let payload_at = self.payload_at();
        let patched = patch(&mut self.frame[payload_at..], &layout);
        debug_assert!(patched.is_ok(), "load has checked the layout");
        let after = self.field_words(&field) + self.field_words(&check_sum);
        self.sum = self.sum - before + after;
    }

    /// What the logic is loaded with to send this slot.
    pub fn image(&self) -> SlotImage {
        SlotImage::new(&self.frame, self.tcp_at, &self.layout, self.sum)
    }

    /// Writes the fields that only firing knows.
    pub fn patch(&mut self, seq: u32, ack: u32, window: u16) {
        let check = checksum::finish(
            self.sum
                + (seq >> 16)
                + (seq & 0xFFFF)
                + (ack >> 16)
                + (ack & 0xFFFF)
                + u32::from(window),
        );
        self.write_tcp(TcpHeader::SEQ_OFFSET, &seq.to_be_bytes());
        self.write_tcp(TcpHeader::ACK_OFFSET, &ack.to_be_bytes());
        self.write_tcp(TcpHeader::WINDOW_OFFSET, &window.to_be_bytes());
        self.write_tcp(TcpHeader::CHECKSUM_OFFSET, &check.to_be_bytes());
    }

    fn write_tcp(&mut self, offset: usize, bytes: &[u8]) {
        let at = self.tcp_at + offset;
        self.frame[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// What the bytes of a field weigh in the sum: even ones of the payload are high halves of
    /// words, since the headers in front have an even length.
    fn field_words(&self, field: &Range<usize>) -> u32 {
        let payload = self.payload();
        field.clone().map(|at| weigh(at, payload[at])).sum()
    }
}

fn weigh(at: usize, byte: u8) -> u32 {
    if at.is_multiple_of(2) { u32::from(byte) << 8 } else { u32::from(byte) }
}

/// The exact sum of the big-endian words of `bytes`, an odd last byte padded with zero.
fn words(bytes: &[u8]) -> u32 {
    bytes.iter().enumerate().map(|(at, byte)| weigh(at, *byte)).sum()
}

//! The sending half's memory and sequence variables (RFC 9293 section 3.3.1).
//!
//! Bytes wait in `queued` until they are transmitted and then in `sent`, the retransmission queue,
//! until they are acknowledged. Bytes that the fast path transmitted enter `sent` directly, ahead
//! of everything queued. In sequence space:
//!
//! ```text
//!   una               nxt
//!    |[SYN] sent [FIN] | queued
//! ```

use super::ring::ByteRing;
use super::seq::{ahead, before, later};

/// SND.* of RFC 9293 with the bytes they speak of.
#[derive(Debug)]
pub struct Sender {
    /// Initial sequence number.
    pub iss: u32,
    /// Oldest unacknowledged sequence number.
    pub una: u32,
    /// Next sequence number to send, as far as we know: the fast path may be ahead of it.
    pub nxt: u32,
    /// One past the last sequence number that the peer's window admits. May lie before `nxt` if
    /// the peer shrank its window.
    pub window_edge: u32,
    /// The largest window the peer ever advertised, in bytes.
    pub max_window: u32,
    /// SEG.SEQ and SEG.ACK of the last window update: SND.WL1 and SND.WL2.
    pub updated_by: (u32, u32),
    /// Shift of the peer's windows.
    pub window_shift: u8,
    /// Largest payload to send in one segment.
    pub mss: u16,
    /// Whether our SYN is acknowledged.
    pub syn_acked: bool,
    /// Whether the FIN was sent, as the last sequence number before `nxt`.
    pub fin_sent: bool,
    /// Whether the FIN is acknowledged.
    pub fin_acked: bool,
    /// Transmitted, not acknowledged.
    pub sent: ByteRing,
    /// Not transmitted.
    pub queued: ByteRing,
}

impl Sender {
    /// With the SYN counted as sent.
    pub fn new(iss: u32, mss: u16, send_capacity: usize, retransmit_capacity: usize) -> Sender {
        Sender {
            iss,
            una: iss,
            nxt: iss.wrapping_add(1),
            window_edge: iss.wrapping_add(1),
            max_window: 0,
            updated_by: (0, iss),
            window_shift: 0,
            mss,
            syn_acked: false,
            fin_sent: false,
            fin_acked: false,
            sent: ByteRing::new(retransmit_capacity),
            queued: ByteRing::new(send_capacity),
        }
    }

    /// Back to an unacknowledged SYN with another sequence number; queued bytes stay.
    pub fn start_over(&mut self, iss: u32, mss: u16) {
        self.iss = iss;
        self.una = iss;
        self.nxt = iss.wrapping_add(1);
        self.window_edge = self.nxt;
        self.max_window = 0;
        self.updated_by = (0, iss);
        self.window_shift = 0;
        self.mss = mss;
        self.syn_acked = false;
        self.sent.clear();
    }

    /// Sequence numbers sent and not acknowledged.
    pub fn in_flight(&self) -> u32 {
        self.nxt.wrapping_sub(self.una)
    }

    /// New sequence numbers the peer's window admits.
    pub fn window_left(&self) -> u32 {
        ahead(self.nxt, self.window_edge)
    }

    /// Whether the peer's window admits nothing beyond what it acknowledged.
    pub fn window_is_closed(&self) -> bool {
        !before(self.una, self.window_edge)
    }

    /// The sequence number of the first byte in `sent`.
    pub fn data_start(&self) -> u32 {
        self.una.wrapping_add(u32::from(!self.syn_acked))
    }

    /// Takes an acknowledgement within (una, nxt] and forgets what it covers.
    pub fn acknowledge(&mut self, ack: u32) {
        let mut covered = ahead(self.una, ack);
        debug_assert!(covered > 0 && covered <= self.in_flight());
        if !self.syn_acked {
            self.syn_acked = true;
            covered -= 1;
        }
        let bytes = (covered as usize).min(self.sent.len());
        self.sent.consume(bytes);
        if covered as usize > bytes {
            self.fin_acked = true;
        }
        self.una = ack;
    }

    /// Moves `count` queued bytes behind the sent ones, appending a copy to `payload`.
    pub fn transmit_queued(&mut self, count: usize, payload: &mut Vec<u8>) {
        let (first, second) = self.queued.slices(0, count);
        payload.extend_from_slice(first);
        payload.extend_from_slice(second);
        let taken = self.sent.push(first) + self.sent.push(second);
        debug_assert_eq!(taken, count, "the caller asked for no more than fits");
        self.queued.consume(count);
        self.nxt = self.nxt.wrapping_add(count as u32);
    }

    /// Enters bytes that another party transmitted from `nxt` on.
    pub fn transmitted_elsewhere(&mut self, bytes: &[u8]) {
        let taken = self.sent.push(bytes);
        debug_assert_eq!(
            taken,
            bytes.len(),
            "the delegation's limit fits the retransmission queue"
        );
        self.nxt = self.nxt.wrapping_add(bytes.len() as u32);
    }

    /// Appends to `payload` up to `limit` sent bytes from sequence number `from` on, and says
    /// whether the FIN follows right behind them.
    pub fn copy_sent(&self, from: u32, limit: usize, payload: &mut Vec<u8>) -> bool {
        let offset = ahead(self.data_start(), from) as usize;
        let count = self.sent.len().saturating_sub(offset).min(limit);
        if count > 0 {
            let (first, second) = self.sent.slices(offset, count);
            payload.extend_from_slice(first);
            payload.extend_from_slice(second);
        }
        self.fin_sent && !self.fin_acked && offset + count >= self.sent.len()
    }

    /// Takes the window of a segment: SEG.ACK + SEG.WND is where it ends. Says whether it changed.
    pub fn update_window(&mut self, seq: u32, ack: u32, window_bytes: u32) -> bool {
        let (last_seq, last_ack) = self.updated_by;
        let is_newer = before(last_seq, seq) || (last_seq == seq && !before(ack, last_ack));
        if !is_newer {
            return false;
        }
        let edge = later(ack, self.una).wrapping_add(window_bytes);
        let changed = edge != self.window_edge;
        self.window_edge = edge;
        self.max_window = self.max_window.max(window_bytes);
        self.updated_by = (seq, ack);
        changed
    }

    /// Forgets all bytes.
    pub fn clear(&mut self) {
        self.sent.clear();
        self.queued.clear();
        self.una = self.nxt;
        self.syn_acked = true;
        self.fin_acked = self.fin_sent;
    }

    /// Asserts what always holds.
    pub fn check(&self) {
        let syn = u32::from(!self.syn_acked);
        let fin = u32::from(self.fin_sent && !self.fin_acked);
        assert!(!before(self.nxt, self.una), "SND.UNA =< SND.NXT");
        assert_eq!(self.in_flight(), syn + self.sent.len() as u32 + fin);
        assert!(!self.fin_sent || self.queued.is_empty(), "nothing follows the FIN");
    }
}

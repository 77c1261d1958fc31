//! The receiving half: reassembly, the window, and the FIN's place (RFC 9293 sections 3.4, 3.8.6).
//!
//! One ring holds the readable bytes and, behind them at their final place, the out-of-order ones;
//! `ranges` says which stretches of the latter are there.

use super::ring::ByteRing;
use super::seq::{ahead, at_or_before, before, earlier, later};

/// What became of a segment's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Accepted {
    /// Bytes that became readable.
    pub delivered: usize,
    /// The segment lies behind a gap.
    pub out_of_order: bool,
    /// For want of a range it was dropped, or another stretch further away was.
    pub ranges_full: bool,
    /// All of its text had been received before.
    pub duplicate: bool,
    /// The FIN is now in order: the peer's last sequence number was received.
    pub fin: bool,
}

/// RCV.* of RFC 9293 with the bytes they speak of.
#[derive(Debug)]
pub struct Receiver {
    /// Initial sequence number of the peer.
    pub irs: u32,
    /// Next sequence number expected.
    pub nxt: u32,
    /// Shift of the windows we advertise.
    pub window_shift: u8,
    /// Whether the FIN was received in order.
    pub finished: bool,
    ring: ByteRing,
    capacity: usize,
    /// Out-of-order stretches [from, to): sorted, neither overlapping nor touching.
    ranges: Vec<(u32, u32)>,
    max_ranges: usize,
    /// Sequence number of a FIN seen out of order.
    fin_at: Option<u32>,
    /// One past the last sequence number we have invited the peer to send.
    advertised_edge: u32,
    /// Growth of the window worth telling: RFC 9293 section 3.8.6.2.2.
    worthwhile: u32,
    mss: u32,
}

impl Receiver {
    /// Before the peer's SYN.
    pub fn new(capacity: usize, max_ranges: usize, mss: u16) -> Receiver {
        let mss = u32::from(mss);
        Receiver {
            irs: 0,
            nxt: 0,
            window_shift: 0,
            finished: false,
            ring: ByteRing::new(capacity),
            capacity,
            ranges: Vec::with_capacity(max_ranges),
            max_ranges,
            fin_at: None,
            advertised_edge: 0,
            worthwhile: mss.min(capacity as u32 / 2).max(1),
            mss,
        }
    }

    /// The peer's SYN has this sequence number.
    pub fn synchronize(&mut self, irs: u32) {
        self.irs = irs;
        self.nxt = irs.wrapping_add(1);
        self.advertised_edge = self.nxt;
        self.ring.clear();
        self.ranges.clear();
        self.fin_at = None;
    }

    /// Bytes that can be taken.
    pub fn readable(&self) -> usize {
        self.ring.len()
    }

    /// Appends up to `limit` readable bytes to `out` and says how many.
    pub fn take(&mut self, limit: usize, out: &mut Vec<u8>) -> usize {
        let count = self.ring.len().min(limit);
        let (first, second) = self.ring.slices(0, count);
        out.extend_from_slice(first);
        out.extend_from_slice(second);
        self.ring.consume(count);
        count
    }

    /// RCV.WND: bytes there is room for, whether or not the peer was told.
    pub fn window(&self) -> u32 {
        self.ring.free() as u32 // at most 2^30
    }

    /// The four cases of RFC 9293 section 3.10.7.4: is any of the segment inside the window?
    pub fn is_acceptable(&self, seq: u32, len: u32) -> bool {
        let window = self.window();
        let inside = |s: u32| s.wrapping_sub(self.nxt) < window;
        match (len, window) {
            (0, 0) => seq == self.nxt,
            (0, _) => inside(seq),
            (_, 0) => false,
            _ => inside(seq) || inside(seq.wrapping_add(len - 1)),
        }
    }

    /// Takes the text of an acceptable segment, or of one that begins at `nxt`; what lies outside
    /// the window is left.
    pub fn accept(&mut self, seq: u32, payload: &[u8], fin: bool) -> Accepted {
        if self.finished {
            return Accepted { duplicate: true, ..Accepted::default() };
        }
        let end = seq.wrapping_add(payload.len() as u32);
        let window_end = self.nxt.wrapping_add(self.window());
        let from = later(seq, self.nxt);
        let to = earlier(end, window_end);
        if fin && to == end {
            self.fin_at = Some(end);
        }
        let mut accepted = Accepted::default();
        if before(from, to) {
            let at = seq_offset(seq, from);
            self.place(from, &payload[at..at + seq_offset(from, to)], &mut accepted);
        } else {
            accepted.out_of_order = before(self.nxt, seq) && before(seq, window_end);
            accepted.duplicate = !payload.is_empty() && at_or_before(end, self.nxt);
        }
        match self.fin_at {
            Some(at) if at == self.nxt => {
                self.nxt = self.nxt.wrapping_add(1);
                self.finished = true;
                self.fin_at = None;
                self.ranges.clear();
                accepted.fin = true;
            }
            Some(at) if before(at, self.nxt) => self.fin_at = None,
            _ => {}
        }
        accepted
    }

    /// Puts bytes inside the window where they belong.
    fn place(&mut self, from: u32, bytes: &[u8], accepted: &mut Accepted) {
        let to = from.wrapping_add(bytes.len() as u32);
        accepted.out_of_order = from != self.nxt;
        if accepted.out_of_order && !self.note_range(from, to, accepted) {
            return;
        }
        self.ring.write_at(self.ring.len() + seq_offset(self.nxt, from), bytes);
        if accepted.out_of_order {
            return;
        }
        let mut end = to;
        let joined = self.ranges.iter().take_while(|(start, _)| at_or_before(*start, to)).count();
        for (_, range_end) in self.ranges.drain(..joined) {
            end = later(end, range_end);
        }
        accepted.delivered = seq_offset(self.nxt, end);
        self.ring.extend(accepted.delivered);
        self.nxt = end;
        debug_assert!(self.ranges.first().is_none_or(|(start, _)| before(end, *start)));
    }

    /// Records [from, to) as received out of order; false if there is no range for it.
    fn note_range(&mut self, from: u32, to: u32, accepted: &mut Accepted) -> bool {
        let first = self.ranges.partition_point(|(_, end)| before(*end, from));
        let last = self.ranges.partition_point(|(start, _)| at_or_before(*start, to));
        if first == last {
            if self.ranges.len() == self.max_ranges {
                accepted.ranges_full = true;
                if first == self.ranges.len() {
                    return false;
                }
                // What lies nearest to the gap is of most use; nothing here was acknowledged, so
                // the peer still has what is forgotten.
                self.ranges.pop();
            }
            self.ranges.insert(first, (from, to));
            return true;
        }
        let (start, _) = self.ranges[first];
        let (_, end) = self.ranges[last - 1];
        accepted.duplicate =
            last - first == 1 && at_or_before(start, from) && at_or_before(to, end);
        self.ranges[first] = (earlier(start, from), later(end, to));
        self.ranges.drain(first + 1..last);
        true
    }

    /// The window field of the next segment, and the edge it invites the peer up to. The edge
    /// moves only if that is worth a segment to the peer (RFC 9293 section 3.8.6.2.2) and never
    /// back.
    fn next_advertisement(&self) -> (u16, u32) {
        let free = if self.finished { 0 } else { self.window() };
        let open = free.min(u32::from(u16::MAX) << self.window_shift);
        let mut edge = later(self.advertised_edge, self.nxt);
        let grown = self.nxt.wrapping_add(open);
        if ahead(edge, grown) >= self.worthwhile {
            edge = grown;
        }
        let bytes = ahead(self.nxt, edge);
        let rounded_up = bytes.div_ceil(1 << self.window_shift);
        // Rounded down, the edge would seem to move back; rounded up, it must still be true.
        let fits = rounded_up <= u32::from(u16::MAX) && rounded_up << self.window_shift <= free;
        let field = if fits { rounded_up } else { bytes >> self.window_shift };
        (field.min(u32::from(u16::MAX)) as u16, edge)
    }

    /// The window field a segment sent now carries.
    pub fn window_field(&self) -> u16 {
        self.next_advertisement().0
    }

    /// The same, noting that the peer is told.
    pub fn advertise(&mut self) -> u16 {
        let (field, edge) = self.next_advertisement();
        self.advertised_edge = edge;
        field
    }

    /// The window field of a SYN, which is never scaled (RFC 7323 section 2.2).
    pub fn advertise_in_syn(&mut self) -> u16 {
        let field = self.window().min(u32::from(u16::MAX));
        self.advertised_edge = self.nxt.wrapping_add(field);
        field as u16
    }

    /// Whether the window grew so much since the peer was last told that it should be told now.
    pub fn update_is_due(&self) -> bool {
        if self.finished {
            return false;
        }
        let open = self.window().min(u32::from(u16::MAX) << self.window_shift);
        let edge = later(self.advertised_edge, self.nxt);
        let growth = ahead(edge, self.nxt.wrapping_add(open));
        let told = ahead(self.nxt, edge);
        growth >= self.worthwhile
            && (told < self.mss || growth >= (2 * self.mss).min(self.capacity as u32 / 2))
    }

    /// Asserts what always holds.
    pub fn check(&self) {
        assert!(self.ranges.len() <= self.max_ranges);
        let mut end = self.nxt;
        for (start, stop) in &self.ranges {
            assert!(before(end, *start) && before(*start, *stop), "ranges are sorted and apart");
            end = *stop;
        }
        assert!(ahead(self.nxt, end) <= self.window(), "ranges lie inside the window");
    }
}

/// How many bytes `to` lies after `from`, where it is known not to lie before.
fn seq_offset(from: u32, to: u32) -> usize {
    ahead(from, to) as usize
}

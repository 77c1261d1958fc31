//! What to send next (RFC 9293 sections 3.8 and 3.10.2 to 3.10.5).

use super::seq::{ahead, at_or_before, before, earlier, later};
use super::state::State;
use super::transmit::{Transmit, TransmitKind};
use super::{Endpoint, PendingReset};
use crate::tcp::{TcpFlags, TcpHeader};
use crate::time::Nanos;

/// A stretch of sent sequence numbers that is being sent again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repair {
    /// Where the next segment begins.
    next: u32,
    /// Where the stretch ends.
    end: u32,
    /// Whether the congestion window holds it back: after a timeout it does, a fast retransmission
    /// goes out at once.
    is_paced: bool,
}

impl Repair {
    /// The segment at `una`, now.
    pub fn first_segment(una: u32, mss: u16, nxt: u32) -> Repair {
        let end = earlier(una.wrapping_add(u32::from(mss)), nxt);
        Repair { next: una, end, is_paced: false }
    }

    /// Everything in flight, as the congestion window allows.
    pub fn everything(una: u32, nxt: u32) -> Repair {
        Repair { next: una, end: nxt, is_paced: true }
    }

    /// The peer has everything before `una`.
    pub fn advance(&mut self, una: u32, nxt: u32) {
        debug_assert!(at_or_before(self.end, nxt));
        self.next = later(self.next, una);
    }

    /// Whether nothing is left of it.
    pub fn is_done(&self) -> bool {
        !before(self.next, self.end)
    }
}

impl Endpoint {
    /// The next segment to send, if any, its payload in place of what `payload` held. Call it until
    /// it returns `None`, after every other call that changes the endpoint.
    pub fn poll_transmit(&mut self, now: Nanos, payload: &mut Vec<u8>) -> Option<Transmit> {
        payload.clear();
        let transmit = self.next_transmit(now, payload);
        if let Some(transmit) = &transmit {
            self.counters.segments_out += 1;
            debug_assert!(payload.is_empty() || transmit.header.flags.contains(TcpFlags::ACK));
        }
        self.after_change(now);
        transmit
    }

    fn next_transmit(&mut self, now: Nanos, payload: &mut Vec<u8>) -> Option<Transmit> {
        if let Some(reset) = self.pending_reset.take() {
            self.counters.resets_out += 1;
            return Some(self.reset(reset));
        }
        match self.state {
            State::Closed | State::Listen => return None,
            State::SynSent | State::SynReceived if self.syn_due => return Some(self.syn(now)),
            State::SynSent => return None,
            State::SynReceived => return self.bare_ack(),
            _ => {}
        }
        if let Some(transmit) = self.repair_segment(payload) {
            return Some(transmit);
        }
        if self.probe_due {
            self.probe_due = false;
            return Some(self.window_probe(payload));
        }
        self.new_segment(now, payload).or_else(|| self.bare_ack()).or_else(|| self.keep_alive())
    }

    fn reset(&self, reset: PendingReset) -> Transmit {
        let header = TcpHeader {
            src_port: self.config.local_port,
            dst_port: reset.port,
            seq: reset.seq,
            ack: reset.ack.unwrap_or(0),
            flags: match reset.ack {
                Some(_) => TcpFlags::RST | TcpFlags::ACK,
                None => TcpFlags::RST,
            },
            ..TcpHeader::default()
        };
        Transmit::new(TransmitKind::Reset, header)
    }

    fn syn(&mut self, now: Nanos) -> Transmit {
        self.syn_due = false;
        self.syns_sent += 1;
        // Karn: a repeated SYN is not measured.
        self.timed = (self.syns_sent == 1).then_some((self.tx.nxt, now));
        self.counters.retransmissions += u64::from(self.syns_sent > 1);
        let answers = self.state == State::SynReceived;
        let header = TcpHeader {
            src_port: self.config.local_port,
            dst_port: self.remote_port,
            seq: self.tx.iss,
            ack: if answers { self.rx.nxt } else { 0 },
            flags: if answers { TcpFlags::SYN | TcpFlags::ACK } else { TcpFlags::SYN },
            window: self.rx.advertise_in_syn(),
            urgent: 0,
        };
        if answers {
            self.acks_sent();
        }
        let shift = if answers && !self.scaling { None } else { self.config.window_scale };
        Transmit::new(TransmitKind::Syn, header).with_syn_options(self.config.mss, shift)
    }

    /// A segment that acknowledges everything received.
    fn segment(&mut self, kind: TransmitKind, seq: u32, extra: TcpFlags) -> Transmit {
        self.acks_sent();
        let header = TcpHeader {
            src_port: self.config.local_port,
            dst_port: self.remote_port,
            seq,
            ack: self.rx.nxt,
            flags: TcpFlags::ACK | extra,
            window: self.rx.advertise(),
            urgent: 0,
        };
        Transmit::new(kind, header)
    }

    /// The next segment of the stretch under repair, as far as the windows let it.
    fn repair_segment(&mut self, payload: &mut Vec<u8>) -> Option<Transmit> {
        let repair = self.repair?;
        let mss = u32::from(self.tx.mss);
        let mut limit = mss.min(ahead(repair.next, repair.end));
        limit = limit.min(ahead(repair.next, self.tx.window_edge));
        if repair.is_paced {
            let flying = repair.next.wrapping_sub(self.tx.una);
            limit = limit.min(self.congestion.window().saturating_sub(flying));
        }
        if limit == 0 {
            return None; // a closed window is the retransmission timer's business
        }
        let fin_follows = self.tx.copy_sent(repair.next, limit as usize, payload);
        // The FIN needs a sequence number of its own within the limit.
        let fin = fin_follows && (payload.len() as u32) < limit;
        let next = repair.next.wrapping_add(payload.len() as u32 + u32::from(fin));
        debug_assert!(next != repair.next, "a repair makes progress");
        let repair_left = Repair { next, ..repair };
        self.repair = Some(repair_left).filter(|left| !left.is_done());
        self.timed = None; // Karn
        self.counters.retransmissions += 1;
        let flags = push_and_fin(!payload.is_empty(), fin);
        Some(self.segment(TransmitKind::Retransmission, repair.next, flags))
    }

    /// One sequence number beyond a closed window, or, where all new data are the fast path's to
    /// send, a bare segment that the peer must answer.
    fn window_probe(&mut self, payload: &mut Vec<u8>) -> Transmit {
        self.counters.window_probes += 1;
        self.timed = None;
        if self.tx.in_flight() > 0 {
            let fin_follows = self.tx.copy_sent(self.tx.una, 1, payload);
            let flags = push_and_fin(!payload.is_empty(), fin_follows && payload.is_empty());
            return self.segment(TransmitKind::WindowProbe, self.tx.una, flags);
        }
        let seq = self.tx.nxt;
        if self.grant.is_none() && !self.tx.queued.is_empty() {
            self.tx.transmit_queued(1, payload);
            self.counters.bytes_out += 1;
            return self.segment(TransmitKind::WindowProbe, seq, TcpFlags::PSH);
        }
        if self.grant.is_none() && self.fin_is_due() {
            self.send_fin();
            return self.segment(TransmitKind::WindowProbe, seq, TcpFlags::FIN);
        }
        self.segment(TransmitKind::WindowProbe, seq.wrapping_sub(1), TcpFlags::NONE)
    }

    /// Queued bytes, and the FIN behind the last of them. Nagle's algorithm is not used.
    fn new_segment(&mut self, now: Nanos, payload: &mut Vec<u8>) -> Option<Transmit> {
        if self.grant.is_some() || !self.state.may_send() {
            return None;
        }
        let idle_limit = self.rto.rto_ns();
        if self.tx.in_flight() == 0
            && !self.tx.queued.is_empty()
            && self.last_data_sent.is_some_and(|at| now.saturating_sub(at) > idle_limit)
        {
            self.congestion.on_idle();
        }
        let room = self.room_for_new_data() as usize;
        let count = room.min(self.tx.queued.len()).min(usize::from(self.tx.mss));
        let fin = self.close_requested
            && count == self.tx.queued.len()
            && (self.tx.window_left() as usize > count);
        if !fin && (count == 0 || self.is_silly(count)) {
            return None;
        }
        let seq = self.tx.nxt;
        self.tx.transmit_queued(count, payload);
        self.counters.bytes_out += count as u64;
        if fin {
            self.send_fin();
        }
        if self.timed.is_none() && self.repair.is_none() {
            self.timed = Some((self.tx.nxt, now));
        }
        self.last_data_sent = Some(now);
        let flags = push_and_fin(count > 0 && self.tx.queued.is_empty(), fin);
        Some(self.segment(TransmitKind::Data, seq, flags))
    }

    /// Whether sending `count` bytes would be the silly window syndrome of RFC 9293 section
    /// 3.8.6.2.1: less than asked for, less than a segment and than half the peer's window. Not
    /// while nothing is in flight: then no acknowledgement would end the wait.
    fn is_silly(&self, count: usize) -> bool {
        count < self.tx.queued.len()
            && count < usize::from(self.tx.mss)
            && (count as u32) < self.tx.max_window / 2
            && self.tx.in_flight() > 0
    }

    /// Whether the application closed and only the FIN is left to send.
    pub(super) fn fin_is_due(&self) -> bool {
        self.close_requested && self.state.may_send() && self.tx.queued.is_empty()
    }

    fn send_fin(&mut self) {
        debug_assert!(self.grant.is_none() && self.fin_is_due());
        self.tx.fin_sent = true;
        self.tx.nxt = self.tx.nxt.wrapping_add(1);
        self.state = match self.state {
            State::CloseWait => State::LastAck,
            _ => State::FinWait1,
        };
    }

    /// Bytes that may be sent for the first time now: the peer's window, the congestion window and
    /// the retransmission queue all admit them.
    pub(super) fn room_for_new_data(&self) -> u32 {
        let congestion = self.congestion.window().saturating_sub(self.tx.in_flight());
        let memory = self.tx.sent.free() as u32; // at most 2^30
        self.tx.window_left().min(congestion).min(memory)
    }

    fn bare_ack(&mut self) -> Option<Transmit> {
        if !self.ack.is_due {
            return None;
        }
        // Where the fast path is ahead of its reports, SND.NXT is at least what the peer has
        // acknowledged; a lower number would lie outside its window.
        let seq = self.known_nxt();
        Some(self.segment(TransmitKind::Ack, seq, TcpFlags::NONE))
    }

    fn keep_alive(&mut self) -> Option<Transmit> {
        if !std::mem::take(&mut self.keep_alive_due) {
            return None;
        }
        self.counters.keep_alives += 1;
        let seq = self.known_nxt().wrapping_sub(1);
        Some(self.segment(TransmitKind::KeepAlive, seq, TcpFlags::NONE))
    }
}

fn push_and_fin(push: bool, fin: bool) -> TcpFlags {
    let push = if push { TcpFlags::PSH } else { TcpFlags::NONE };
    if fin { push | TcpFlags::FIN } else { push }
}

//! Segment arrival (RFC 9293 section 3.10.7, with RFC 5961's defences).

use super::config::{MAX_WINDOW_SHIFT, MIN_MSS};
use super::congestion::{NewReno, Reaction};
use super::output::Repair;
use super::seq::{at_or_before, before};
use super::state::{Event, ResetReason, State};
use super::{Endpoint, PendingReset};
use crate::tcp::{TcpFlags, TcpHeader, TcpOption, TcpOptions};
use crate::time::Nanos;

/// The segment size of a peer that offers none (RFC 9293 section 3.7.1).
const DEFAULT_MSS: u16 = 536;

impl Endpoint {
    /// Takes a segment whose checksum was verified and whose addresses are this connection's. Ask
    /// [`poll_transmit`](Endpoint::poll_transmit) afterwards, before the next segment: the peer's
    /// loss detection counts acknowledgements.
    pub fn on_segment(
        &mut self,
        now: Nanos,
        header: &TcpHeader,
        options: &TcpOptions<'_>,
        payload: &[u8],
    ) {
        self.counters.segments_in += 1;
        let is_known_peer = self.state == State::Listen || header.src_port == self.remote_port;
        if header.dst_port != self.config.local_port || !is_known_peer {
            self.counters.bad += 1;
            return;
        }
        match self.state {
            State::Closed => self.in_closed(header, payload),
            State::Listen => self.in_listen(now, header, options, payload),
            State::SynSent => self.in_syn_sent(now, header, options, payload),
            _ => self.in_connection(now, header, payload),
        }
        self.after_change(now);
    }

    /// Section 3.10.7.1.
    fn in_closed(&mut self, header: &TcpHeader, payload: &[u8]) {
        self.counters.bad += 1;
        if !header.flags.contains(TcpFlags::RST) {
            self.reset_in_reply(header, payload);
        }
    }

    /// Section 3.10.7.2.
    fn in_listen(
        &mut self,
        now: Nanos,
        header: &TcpHeader,
        options: &TcpOptions<'_>,
        payload: &[u8],
    ) {
        let flags = header.flags;
        if flags.contains(TcpFlags::RST) || !flags.intersects(TcpFlags::ACK | TcpFlags::SYN) {
            self.counters.bad += 1;
        } else if flags.contains(TcpFlags::ACK) {
            self.counters.bad += 1;
            self.remote_port = header.src_port;
            self.reset_in_reply(header, payload);
        } else {
            self.remote_port = header.src_port;
            self.synchronize(header, options);
            self.take_window(header);
            self.last_heard = now;
            self.state = State::SynReceived;
            self.syn_due = true;
        }
    }

    /// Section 3.10.7.3.
    fn in_syn_sent(
        &mut self,
        now: Nanos,
        header: &TcpHeader,
        options: &TcpOptions<'_>,
        payload: &[u8],
    ) {
        let flags = header.flags;
        let acknowledges = flags.contains(TcpFlags::ACK);
        if acknowledges && header.ack != self.tx.nxt {
            self.counters.bad += 1;
            if !flags.contains(TcpFlags::RST) {
                self.reset_in_reply(header, payload);
            }
            return;
        }
        if flags.contains(TcpFlags::RST) {
            if acknowledges {
                self.counters.resets_in += 1;
                self.terminate(Event::Reset(ResetReason::Refused));
            } else {
                self.counters.bad += 1;
            }
            return;
        }
        if !flags.contains(TcpFlags::SYN) {
            self.counters.bad += 1;
            return;
        }
        self.synchronize(header, options);
        self.last_heard = now;
        if !acknowledges {
            // Both opened at the same time.
            self.take_window(header);
            self.state = State::SynReceived;
            self.syn_due = true;
            return;
        }
        self.advance_una(now, header.ack);
        self.take_window(header);
        self.establish();
        self.ack_now();
        self.take_text(now, header.seq.wrapping_add(1), payload, flags.contains(TcpFlags::FIN));
    }

    /// Section 3.10.7.4: every other state.
    fn in_connection(&mut self, now: Nanos, header: &TcpHeader, payload: &[u8]) {
        let flags = header.flags;
        let mut seq = header.seq;
        let mut has_syn = flags.contains(TcpFlags::SYN);
        if self.state == State::SynReceived && has_syn && seq == self.rx.irs {
            let acks_our_syn = flags.contains(TcpFlags::ACK) && header.ack == self.tx.nxt;
            if !acks_our_syn || flags.contains(TcpFlags::RST) {
                // The peer has not seen our SYN-ACK.
                self.counters.duplicates += 1;
                self.syn_due = true;
                return;
            }
            // The second half of a simultaneous open: its SYN is known, its ACK is news.
            seq = seq.wrapping_add(1);
            has_syn = false;
        }
        let has_fin = flags.contains(TcpFlags::FIN);
        let len = payload.len() as u32 + u32::from(has_syn) + u32::from(has_fin);

        // First, the sequence number. A segment at RCV.NXT is looked at even if the window is
        // closed, for its ACK and RST.
        if !self.rx.is_acceptable(seq, len) && seq != self.rx.nxt {
            self.refuse_by_sequence(now, seq, len, flags);
            return;
        }
        // Second, RST (RFC 5961 section 3.2).
        if flags.contains(TcpFlags::RST) {
            if seq == self.rx.nxt {
                self.reset_by_peer();
            } else {
                self.challenge(now);
            }
            return;
        }
        // Fourth, SYN (RFC 5961 section 4.2).
        if has_syn {
            if self.state == State::SynReceived && self.passive {
                self.counters.bad += 1;
                self.return_to_listen();
            } else {
                self.challenge(now);
            }
            return;
        }
        // Fifth, ACK.
        if !flags.contains(TcpFlags::ACK) {
            self.counters.bad += 1;
            return;
        }
        self.last_heard = now;
        self.keep_alives_sent = 0;
        if self.state == State::SynReceived {
            if header.ack != self.tx.nxt {
                self.counters.bad += 1;
                self.reset_in_reply(header, payload);
                return;
            }
            self.advance_una(now, header.ack);
            self.take_window(&TcpHeader { seq, ..*header });
            self.establish();
        } else if !self.take_ack(now, &TcpHeader { seq, ..*header }, len) {
            return;
        }
        // Seventh and eighth, text and FIN.
        if len > 0 {
            self.take_text(now, seq, payload, has_fin);
        }
    }

    /// A segment none of which is inside the window: acknowledge where we are, unless it is a
    /// reset. Bare segments are answered at a limited rate, or two confused peers would echo.
    fn refuse_by_sequence(&mut self, now: Nanos, seq: u32, len: u32, flags: TcpFlags) {
        let is_old = at_or_before(seq.wrapping_add(len), self.rx.nxt);
        if flags.contains(TcpFlags::RST) {
            self.counters.bad += 1;
        } else if len > 0 && is_old {
            self.counters.duplicates += 1;
            if flags.contains(TcpFlags::FIN) && self.state == State::TimeWait {
                self.time_wait_at = Some(now.saturating_add(self.config.time_wait_ns));
            }
            self.ack_now();
        } else {
            if !is_old {
                self.counters.bad += 1;
            }
            self.limited_ack(now);
        }
        if is_old && !flags.contains(TcpFlags::RST) {
            // The peer lives: a keep-alive probe looks like this.
            self.last_heard = now;
            self.keep_alives_sent = 0;
        }
    }

    /// An in-window RST at RCV.NXT.
    fn reset_by_peer(&mut self) {
        self.counters.resets_in += 1;
        match self.state {
            State::SynReceived if self.passive => self.return_to_listen(),
            State::SynReceived => self.terminate(Event::Reset(ResetReason::Refused)),
            State::TimeWait => self.enter_closed(),
            _ => self.terminate(Event::Reset(ResetReason::ByPeer)),
        }
    }

    /// The ACK field in a synchronized state. False if the segment is to be dropped.
    fn take_ack(&mut self, now: Nanos, header: &TcpHeader, len: u32) -> bool {
        let ack = header.ack;
        // RFC 5961 section 5.2: an ACK from before the largest window ever is no one's.
        if before(ack, self.tx.una.wrapping_sub(self.tx.max_window)) {
            self.counters.bad += 1;
            self.challenge(now);
            return false;
        }
        if before(self.tx.nxt, ack) {
            if !self.note_early_ack(ack) {
                self.counters.bad += 1;
                self.limited_ack(now);
                return false;
            }
            // It covers at least everything that was reported.
            self.take_window(header);
            if self.tx.una != self.tx.nxt {
                self.advance_una(now, self.tx.nxt);
            }
            return true;
        }
        if before(self.tx.una, ack) {
            self.take_window(header);
            self.advance_una(now, ack);
            self.close_progress(now);
        } else if ack == self.tx.una {
            let was_closed = self.tx.window_is_closed();
            let changed = self.take_window(header);
            if was_closed {
                self.window_spoke(now);
            }
            // RFC 5681 section 2: the five marks of a duplicate acknowledgement.
            if self.tx.in_flight() > 0 && len == 0 && !changed && !was_closed {
                let reaction = self.congestion.on_duplicate(self.tx.una, self.tx.nxt);
                self.counters.fast_retransmits += u64::from(reaction == Reaction::Retransmit);
                self.react(reaction);
            }
        }
        self.state != State::Closed
    }

    /// Everything up to `ack`, within (una, nxt], has arrived.
    pub(super) fn advance_una(&mut self, now: Nanos, ack: u32) {
        debug_assert!(before(self.tx.una, ack) && at_or_before(ack, self.tx.nxt));
        let acked = ack.wrapping_sub(self.tx.una);
        if let Some((end, sent_at)) = self.timed
            && at_or_before(end, ack)
        {
            self.rto.sample(now.saturating_sub(sent_at));
            self.timed = None;
        }
        let was_syn = !self.tx.syn_acked;
        self.tx.acknowledge(ack);
        self.repeated_timeouts = 0;
        self.retransmit_at = None; // armed again, from now, if something is left (RFC 6298 5.3)
        self.stalled_since = None;
        if let Some(repair) = &mut self.repair {
            repair.advance(ack, self.tx.nxt);
            if repair.is_done() {
                self.repair = None;
            }
        }
        if !was_syn {
            let reaction = self.congestion.on_ack(acked, ack, self.tx.in_flight());
            self.react(reaction);
        }
    }

    fn react(&mut self, reaction: Reaction) {
        if reaction == Reaction::Retransmit && self.tx.in_flight() > 0 {
            self.repair = Some(Repair::first_segment(self.tx.una, self.tx.mss, self.tx.nxt));
        }
    }

    /// The peer answered while its window was closed: it lives, and data that the closed window
    /// had refused go out again as soon as it opens.
    fn window_spoke(&mut self, now: Nanos) {
        self.stalled_since = Some(now);
        if !self.tx.window_is_closed() {
            self.rto.end_backoff();
            self.retransmit_at = None;
            if self.tx.in_flight() > 0 {
                self.repair = Some(Repair::everything(self.tx.una, self.tx.nxt));
            }
        }
    }

    /// Takes the window field of a segment other than a SYN's unscaled one.
    fn take_window(&mut self, header: &TcpHeader) -> bool {
        let is_syn = header.flags.contains(TcpFlags::SYN);
        let shift = if is_syn { 0 } else { self.tx.window_shift };
        let ack = if header.flags.contains(TcpFlags::ACK) { header.ack } else { self.tx.una };
        self.tx.update_window(header.seq, ack, u32::from(header.window) << shift)
    }

    /// State changes that wait for our FIN's acknowledgement.
    fn close_progress(&mut self, now: Nanos) {
        if !self.tx.fin_acked {
            return;
        }
        match self.state {
            State::FinWait1 => self.state = State::FinWait2,
            State::Closing => self.enter_time_wait(now),
            State::LastAck => {
                self.enter_closed();
                self.push_event(Event::Closed);
            }
            _ => {}
        }
    }

    /// Text and FIN of a segment in sequence space.
    fn take_text(&mut self, now: Nanos, seq: u32, payload: &[u8], fin: bool) {
        if !self.state.may_receive() {
            if !payload.is_empty() || fin {
                self.counters.duplicates += 1;
                self.ack_now();
            }
            return;
        }
        if payload.is_empty() && !fin {
            return;
        }
        let accepted = self.rx.accept(seq, payload, fin);
        self.counters.bytes_in += accepted.delivered as u64;
        self.counters.duplicates += u64::from(accepted.duplicate);
        self.counters.out_of_order += u64::from(accepted.out_of_order);
        self.counters.reassembly_full += u64::from(accepted.ranges_full);
        if accepted.delivered > 0 {
            self.push_event(Event::DataReady);
        }
        // RFC 5681 section 4.2: at once for anything but the next expected bytes.
        let in_order = accepted.delivered == payload.len() && !accepted.fin && !fin;
        if in_order {
            self.ack_soon(now)
        } else {
            self.ack_now()
        }
        if accepted.fin {
            self.push_event(Event::PeerClosed);
            match self.state {
                State::Established => self.state = State::CloseWait,
                // Our FIN is not acknowledged, or the state were FIN-WAIT-2.
                State::FinWait1 => self.state = State::Closing,
                State::FinWait2 => self.enter_time_wait(now),
                _ => {}
            }
        }
    }

    /// The peer's SYN: its sequence number, segment size and window scale.
    fn synchronize(&mut self, header: &TcpHeader, options: &TcpOptions<'_>) {
        let mut peer_mss = DEFAULT_MSS;
        let mut peer_shift = None;
        for option in options.iter() {
            match option {
                TcpOption::Mss(mss) => peer_mss = mss.max(MIN_MSS),
                TcpOption::WindowScale(shift) => peer_shift = Some(shift.min(MAX_WINDOW_SHIFT)),
                _ => {}
            }
        }
        self.rx.synchronize(header.seq);
        self.tx.mss = self.config.mss.min(peer_mss);
        self.tx.updated_by = (header.seq, self.tx.una);
        // RFC 7323 section 2.2: in force only if both sides sent the option.
        self.scaling = self.config.window_scale.is_some() && peer_shift.is_some();
        (self.tx.window_shift, self.rx.window_shift) = match (self.config.window_scale, peer_shift)
        {
            (Some(ours), Some(theirs)) => (theirs, ours),
            _ => (0, 0),
        };
        self.congestion =
            NewReno::new(self.tx.mss, self.config.initial_window_segments, self.tx.iss);
    }

    fn establish(&mut self) {
        if self.syns_sent > 1 && self.rto.smoothed_ns().is_none() {
            self.rto.syn_was_lost();
        }
        self.state = State::Established;
        self.syn_due = false;
        self.push_event(Event::Connected);
    }

    /// A passive open whose peer went away waits for the next one, with another sequence number.
    pub(super) fn return_to_listen(&mut self) {
        debug_assert!(self.passive);
        let iss = self.tx.iss.wrapping_add(1 << 16);
        self.start_over(iss, State::Listen);
    }

    /// A reset that the sender of `header` will believe (section 3.10.7.1).
    fn reset_in_reply(&mut self, header: &TcpHeader, payload: &[u8]) {
        self.pending_reset = Some(if header.flags.contains(TcpFlags::ACK) {
            PendingReset { seq: header.ack, ack: None, port: header.src_port }
        } else {
            let len = payload.len() as u32
                + u32::from(header.flags.contains(TcpFlags::SYN))
                + u32::from(header.flags.contains(TcpFlags::FIN));
            PendingReset { seq: 0, ack: Some(header.seq.wrapping_add(len)), port: header.src_port }
        });
    }

    /// A challenge ACK (RFC 5961), at a limited rate.
    fn challenge(&mut self, now: Nanos) {
        self.counters.challenges += 1;
        self.limited_ack(now);
    }
}

//! Delegated send: another party transmits in the endpoint's name (seed 001 sections 4.3 and 4.5).
//!
//! The rules that keep one sequence space in two hands:
//! - only one hand sends *new* data at a time: while a delegation is out, queued bytes wait;
//! - the fast path stays below the *edge*, which only moves up and never leaves the peer's window,
//!   the congestion window and the retransmission queue behind;
//! - what it sent is reported in order, and only then belongs to `sent`;
//! - an acknowledgement between SND.NXT and the edge is not an error: it overtook the report. It is
//!   remembered and applied when the report comes.

use super::Endpoint;
use super::seq::{ahead, before, later};
use crate::time::Nanos;

/// What a party that sends in the endpoint's name needs to know now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegation {
    /// Sequence number of the next new byte, as far as reports have come.
    pub seq: u32,
    /// Acknowledgement number to put into the header.
    pub ack: u32,
    /// Window field to put into the header.
    pub window: u16,
    /// Bytes that may be sent from `seq` on.
    pub limit_bytes: u32,
    /// Largest payload for one segment.
    pub mss: u16,
}

/// Why a report or a return was refused. The endpoint is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DelegateError {
    /// No delegation is out: none was granted, or the connection was cut meanwhile.
    #[error("no delegation is out")]
    NotDelegated,
    /// Reports come in order and without gaps.
    #[error("report begins at {reported}, expected {expected}")]
    WrongSequence {
        /// The next sequence number.
        expected: u32,
        /// The one reported.
        reported: u32,
    },
    /// More bytes than were granted.
    #[error("report of {reported} bytes, {limit} were granted")]
    BeyondLimit {
        /// Bytes left in the grant.
        limit: u32,
        /// Bytes reported.
        reported: usize,
    },
    /// A report says that something was sent.
    #[error("report of no bytes")]
    Empty,
    /// The peer acknowledged bytes that nobody reported. Either the report is still to come, or
    /// the peer invented them and the connection should be aborted.
    #[error("the peer acknowledged {0} bytes that were not reported")]
    Unreported(u32),
}

/// A delegation that is out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grant {
    /// One past the last sequence number the fast path may use.
    pub edge: u32,
    /// The highest acknowledgement beyond SND.NXT, if any: in (nxt, edge].
    pub early_ack: Option<u32>,
}

impl Endpoint {
    /// Hands out the right to send new bytes. `None` if the connection is not open for sending, was
    /// closed by the application, or a delegation is out already. The limit may be 0; it grows as
    /// the peer acknowledges: ask [`delegated`](Endpoint::delegated) again.
    pub fn delegate(&mut self) -> Option<Delegation> {
        if !self.state.may_send() || self.close_requested || self.grant.is_some() {
            return None;
        }
        self.grant = Some(Grant { edge: self.tx.nxt, early_ack: None });
        self.raise_delegation_edge();
        self.check_invariants();
        self.delegated()
    }

    /// The present state of the delegation that is out, to patch into prepared headers.
    pub fn delegated(&self) -> Option<Delegation> {
        self.grant.map(|grant| Delegation {
            seq: self.tx.nxt,
            ack: self.rx.nxt,
            window: self.rx.window_field(),
            limit_bytes: ahead(self.tx.nxt, grant.edge),
            mss: self.tx.mss,
        })
    }

    /// The fast path has transmitted one segment with these bytes at `seq`. Their retransmission
    /// timer starts now. Their round trip is not measured: when exactly they left is not known here.
    pub fn delegate_sent(
        &mut self,
        now: Nanos,
        seq: u32,
        bytes: &[u8],
    ) -> Result<(), DelegateError> {
        let grant = self.grant.ok_or(DelegateError::NotDelegated)?;
        if seq != self.tx.nxt {
            return Err(DelegateError::WrongSequence { expected: self.tx.nxt, reported: seq });
        }
        if bytes.is_empty() {
            return Err(DelegateError::Empty);
        }
        let limit = ahead(self.tx.nxt, grant.edge);
        if bytes.len() > limit as usize {
            return Err(DelegateError::BeyondLimit { limit, reported: bytes.len() });
        }
        self.tx.transmitted_elsewhere(bytes);
        self.counters.delegated_segments += 1;
        self.counters.delegated_bytes += bytes.len() as u64;
        self.last_data_sent = Some(now);
        if let Some(early) = grant.early_ack {
            let known = if before(self.tx.nxt, early) { self.tx.nxt } else { early };
            self.advance_una(now, known);
            let rest = Some(early).filter(|early| before(self.tx.nxt, *early));
            self.grant = Some(Grant { early_ack: rest, ..grant });
        }
        self.after_change(now);
        Ok(())
    }

    /// Takes the right back, once the fast path has been stopped and everything it sent reported.
    /// Queued bytes flow again from the new SND.NXT.
    pub fn revoke(&mut self) -> Result<(), DelegateError> {
        let grant = self.grant.ok_or(DelegateError::NotDelegated)?;
        if let Some(early) = grant.early_ack {
            return Err(DelegateError::Unreported(ahead(self.tx.nxt, early)));
        }
        self.grant = None;
        Ok(())
    }

    /// Remembers an acknowledgement of bytes the fast path has sent but not reported. False if no
    /// delegation reaches that far: then it acknowledges what was never sent.
    pub(super) fn note_early_ack(&mut self, ack: u32) -> bool {
        let nxt = self.tx.nxt;
        let Some(grant) = self.grant.as_mut().filter(|grant| !before(grant.edge, ack)) else {
            return false;
        };
        debug_assert!(before(nxt, ack));
        grant.early_ack = Some(grant.early_ack.map_or(ack, |before| later(before, ack)));
        self.counters.early_acks += 1;
        true
    }

    /// Lets the fast path use what the peer's and the congestion window and the retransmission
    /// queue have gained. The edge is a promise: it never moves back.
    pub(super) fn raise_delegation_edge(&mut self) {
        let room = self.room_for_new_data();
        let nxt = self.tx.nxt;
        if let Some(grant) = &mut self.grant {
            grant.edge = later(grant.edge, nxt.wrapping_add(room));
        }
    }

    /// SND.NXT as far as it can be known: the peer's acknowledgements tell of unreported bytes.
    pub(super) fn known_nxt(&self) -> u32 {
        self.grant.and_then(|grant| grant.early_ack).unwrap_or(self.tx.nxt)
    }
}

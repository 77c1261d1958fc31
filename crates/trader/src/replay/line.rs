//! The simulated order line: prepared slots on a connection that nobody answers.

use saker_fix::encode::{Header, Writer};
use saker_fix::session::Prepared;
use saker_fix::value::TimestampCache;
use saker_strategy::OrderUpdate;
use saker_wire::time::Nanos;

use super::config::ReplayConfig;
use super::observer::Observer;
use crate::desk::Desk;
use crate::fastpath::FastPath;
use crate::orders::{Identity, OrderLog, message};

/// Longest order message.
const MAX_MESSAGE: usize = 1_024;
/// Longest TCP payload of the simulated connection.
const MSS: usize = 1_460;

/// Slots, registers, and what orders are made of.
#[derive(Debug)]
pub(super) struct PreparedLine {
    fast: FastPath,
    identity: Identity,
    refresh_age_ns: Nanos,
    /// When the oldest prepared order is to be refreshed.
    refresh_at: Nanos,
    log: OrderLog,
    dates: TimestampCache,
    wanted: Vec<u16>,
    buffer: [u8; MAX_MESSAGE],
}

impl PreparedLine {
    pub fn new(slots: u16, config: &ReplayConfig) -> Self {
        let mut fast = FastPath::new(slots, MSS);
        fast.set_path(Some(config.path));
        let registers = fast.registers_mut();
        registers.leased = true;
        registers.tcp_seq = config.first_tcp_seq;
        registers.tcp_ack = 1;
        registers.tcp_window = u16::MAX;
        registers.next_msg_seq = config.first_msg_seq;
        Self {
            fast,
            identity: config.identity.clone(),
            refresh_age_ns: config.refresh_age_ns,
            refresh_at: Nanos::MAX,
            log: OrderLog::new("R", usize::MAX),
            dates: TimestampCache::default(),
            wanted: Vec::with_capacity(usize::from(slots)),
            buffer: [0; MAX_MESSAGE],
        }
    }

    pub fn fast_path(&self) -> &FastPath {
        &self.fast
    }

    /// Sends the slot's order and tells the strategies that it was accepted and filled; returns
    /// whether the fast path took it.
    pub fn fire(&mut self, slot: u16, desk: &mut Desk, observer: &mut impl Observer) -> bool {
        // Nobody closes the window.
        self.fast.registers_mut().tcp_limit = u32::MAX;
        let sent = self.fast.fire(slot).is_ok();
        if sent {
            observer.sent(self.fast.frame(slot));
        } else {
            self.fast.disarm(slot);
        }
        let quantity = desk.slot_plan(slot).map_or(0, |plan| plan.order.quantity);
        let updates: &[OrderUpdate] = match sent {
            true => &[OrderUpdate::Accepted, OrderUpdate::Filled { quantity }],
            false => &[OrderUpdate::NotSent],
        };
        for update in updates {
            let applied = desk.on_order_update(slot, *update);
            debug_assert!(applied.is_ok(), "a fired slot takes its answers");
        }
        sent
    }

    /// Prepares what the strategies want, if anything has `changed`, and refreshes what is armed
    /// and has another MsgSeqNum or has become old.
    pub fn settle(&mut self, now: Nanos, changed: bool, desk: &mut Desk) {
        if changed {
            let mut wanted = std::mem::take(&mut self.wanted);
            wanted.clear();
            desk.needs_prepare(&mut wanted);
            for slot in wanted.iter().copied() {
                if self.prepare(now, slot, desk) {
                    desk.arm(slot);
                }
            }
            self.wanted = wanted;
        }
        if changed || now >= self.refresh_at {
            self.fast.refresh(now, self.refresh_age_ns);
            self.refresh_at = self.fast.next_refresh(self.refresh_age_ns).unwrap_or(Nanos::MAX);
        }
    }

    fn prepare(&mut self, now: Nanos, slot: u16, desk: &Desk) -> bool {
        let Some((terms, order)) = self.log.terms(slot, desk) else { return false };
        let cl_ord_id = self.log.cl_ord_id(terms.number);
        let seq = self.fast.registers().next_msg_seq;
        let header = Header {
            msg_type: "D",
            msg_seq_num: seq,
            seq_width: 9,
            sender: &self.identity.sender_comp_id,
            target: &self.identity.target_comp_id,
            sending_time: now,
            poss_dup: None,
        };
        let mut w = Writer::begin(&mut self.buffer, &header, &mut self.dates);
        let account = self.identity.account.as_deref();
        message::new_order_single(&mut w, &terms, &order, &cl_ord_id, account, now);
        let Ok(encoded) = w.finish() else { return false };
        let message = Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout };
        self.fast.load(slot, &message, now).is_ok()
    }
}

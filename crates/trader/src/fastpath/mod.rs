//! The fast path: whole order frames, prepared ahead in numbered slots, sent by patching.
//!
//! Software builds a frame for every order that a strategy may want (Ethernet, IPv4, TCP and FIX)
//! and sums it up. Firing a slot then changes four fields and nothing else: TCP sequence number,
//! acknowledgement number, window and checksum. The checksum is the slot's sum plus the words that
//! were patched. The IPv4 header never changes: datagrams are atomic (DF set, identification 0,
//! RFC 6864), so even its checksum is prepared.
//!
//! [`FastPath`] is the reference model of the logic that does the same (`rtl/order`): the same slots,
//! registers, counters and refusals, and the same bytes. [`FastPath::image`] is what the logic's slot
//! is loaded with.
//!
//! # Registers
//!
//! | register | width | written by | meaning |
//! |---|---|---|---|
//! | `enabled` | 1 | software | 0: nothing fires (the kill switch) |
//! | `leased` | 1 | software | the connection's owner lends its right to send new bytes |
//! | `tcp_seq` | 32 | both | sequence number of the next new byte; advances by each payload sent |
//! | `tcp_ack`, `tcp_window` | 32, 16 | software | what to acknowledge and advertise; follows every segment received |
//! | `tcp_limit` | 32 | both | bytes that peer and retransmission memory still take; falls by each payload sent |
//! | `next_msg_seq` | 30 | both | MsgSeqNum of the next message of the session; advances by one with each fire |
//!
//! # A slot
//!
//! | field | meaning |
//! |---|---|
//! | `armed` | may fire; cleared by the fire itself |
//! | `frame` | Ethernet header to FIX trailer, TCP fields that firing patches being zero |
//! | `sum` | sum of all 16-bit words of pseudo-header, TCP header and payload, not folded (at most 2^26) |
//! | `msg_seq`, `sending_time` | the MsgSeqNum and SendingTime that the frame bears |
//! | `layout` | where MsgSeqNum (9 digits), SendingTime (21 characters) and CheckSum (3 digits) are |
//!
//! # Refresh (seed 001, section 4.5.2)
//!
//! A prepared message is only good under the session's next MsgSeqNum. Whenever any other message
//! has gone out, software writes `next_msg_seq` and refreshes every armed slot; so it does when a
//! slot's SendingTime has reached the configured age. A refresh rewrites digits of fixed width in
//! place and moves both checksums by the difference, so that a frame is never longer or shorter
//! than when it was loaded. If a slot fires before it was refreshed (two slots on one tick), the
//! fire renumbers it first: no two messages ever bear the same MsgSeqNum. A fire rewrites MsgSeqNum
//! and CheckSum only. SendingTime is what the last refresh wrote, so at most the configured age old.

mod answer;
mod image;
mod slot;
pub mod table;

pub use answer::{ORDERS_XML, UdpAnswer};
pub use image::SlotImage;

use saker_fix::session::Prepared;
use saker_fix::value::TimestampCache;
use saker_wire::frame::TcpPath;
use saker_wire::time::Nanos;

use slot::Slot;

/// The largest MsgSeqNum that nine digits hold.
pub const MAX_MSG_SEQ: u32 = 999_999_999;

/// The registers; see the module's page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Registers {
    /// Whether anything may fire.
    pub enabled: bool,
    /// Whether the TCP connection's right to send is lent to this block.
    pub leased: bool,
    /// Sequence number of the next new byte.
    pub tcp_seq: u32,
    /// What to acknowledge.
    pub tcp_ack: u32,
    /// What to advertise, as the header bears it.
    pub tcp_window: u16,
    /// Payload bytes that may still be sent.
    pub tcp_limit: u32,
    /// MsgSeqNum of the next message.
    pub next_msg_seq: u32,
}

/// Counters; every call of [`FastPath::fire`] counts as exactly one of `fired` and the refusals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct FastPathCounters {
    /// Frames sent.
    pub fired: u64,
    /// Refused: the block is disabled.
    pub refused_disabled: u64,
    /// Refused: the slot does not exist or is not armed.
    pub refused_not_armed: u64,
    /// Refused: the right to send is not here.
    pub refused_not_leased: u64,
    /// Refused: peer or retransmission memory do not take the frame's payload.
    pub refused_limit: u64,
    /// Refused: MsgSeqNum has run out of digits.
    pub refused_msg_seq: u64,
    /// Frames loaded into slots.
    pub loaded: u64,
    /// Slots refreshed by software.
    pub refreshed: u64,
    /// Slots renumbered by the fire itself.
    pub refreshed_at_fire: u64,
}

/// Why a slot did not fire. Nothing was sent and nothing has changed but a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FireRefused {
    /// The kill switch is on.
    #[error("the fast path is disabled")]
    Disabled,
    /// There is no such slot, or it is not armed.
    #[error("the slot is not armed")]
    NotArmed,
    /// The connection's right to send is not lent to the fast path.
    #[error("the right to send is not here")]
    NotLeased,
    /// The payload exceeds what may be sent.
    #[error("the window or the retransmission memory is exhausted")]
    Limit,
    /// MsgSeqNum would need ten digits.
    #[error("MsgSeqNum exceeds nine digits")]
    MsgSeq,
}

/// Why a frame was not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// There is no such slot.
    #[error("no slot {0}")]
    NoSlot(u16),
    /// The connection's addresses are not known yet.
    #[error("no path")]
    NoPath,
    /// The message does not fit one segment.
    #[error("a message of {len} bytes exceeds the segment size {mss}")]
    TooLong {
        /// The message's length.
        len: usize,
        /// The longest payload.
        mss: usize,
    },
    /// The layout does not describe the message.
    #[error("the layout does not fit the message")]
    Layout,
}

/// The account of a fire: `slot` sent the stream's bytes `[start, end)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The slot.
    pub slot: u16,
    /// The MsgSeqNum it bore.
    pub msg_seq: u32,
    /// TCP sequence number of the first payload byte.
    pub start: u32,
    /// TCP sequence number behind the last payload byte.
    pub end: u32,
    /// Length of the whole frame, without FCS.
    pub frame_len: usize,
    /// Whether the fire had to renumber the slot first.
    pub refreshed: bool,
}

/// The block: slots, registers, counters.
#[derive(Debug)]
pub struct FastPath {
    path: Option<TcpPath>,
    mss: usize,
    slots: Vec<Slot>,
    registers: Registers,
    counters: FastPathCounters,
    dates: TimestampCache,
}

impl FastPath {
    /// `slots` empty slots for messages of at most `mss` bytes; enabled, but without lease.
    pub fn new(slots: u16, mss: usize) -> Self {
        Self {
            path: None,
            mss,
            slots: (0..slots).map(|_| Slot::with_capacity(mss)).collect(),
            registers: Registers { enabled: true, ..Registers::default() },
            counters: FastPathCounters::default(),
            dates: TimestampCache::default(),
        }
    }

    /// A new connection, or none: its addresses are in every frame, so all slots are emptied and
    /// the lease ends.
    pub fn set_path(&mut self, path: Option<TcpPath>) {
        self.path = path;
        self.registers.leased = false;
        self.slots.iter_mut().for_each(|slot| slot.armed = false);
    }

    /// The connection's addresses, while there is one.
    pub fn path(&self) -> Option<&TcpPath> {
        self.path.as_ref()
    }

    /// The registers.
    pub fn registers(&self) -> &Registers {
        &self.registers
    }

    /// The registers, for their owner to write.
    pub fn registers_mut(&mut self) -> &mut Registers {
        &mut self.registers
    }

    /// The counters.
    pub fn counters(&self) -> FastPathCounters {
        self.counters
    }

    /// Puts a prepared message into a slot and arms it. `sending_time` is what the message bears.
    pub fn load(
        &mut self,
        slot: u16,
        message: &Prepared,
        sending_time: Nanos,
    ) -> Result<(), LoadError> {
        let path = self.path.ok_or(LoadError::NoPath)?;
        if message.bytes.len() > self.mss {
            return Err(LoadError::TooLong { len: message.bytes.len(), mss: self.mss });
        }
        let entry = self.slots.get_mut(usize::from(slot)).ok_or(LoadError::NoSlot(slot))?;
        if !entry.load(&path, message, sending_time) {
            return Err(LoadError::Layout);
        }
        self.counters.loaded += 1;
        Ok(())
    }

    /// Disarms a slot; returns whether it was armed.
    pub fn disarm(&mut self, slot: u16) -> bool {
        let entry = self.slots.get_mut(usize::from(slot));
        entry.is_some_and(|slot| std::mem::take(&mut slot.armed))
    }

    /// Whether the slot may fire.
    pub fn is_armed(&self, slot: u16) -> bool {
        self.slots.get(usize::from(slot)).is_some_and(|slot| slot.armed)
    }

    /// How many slots are armed.
    pub fn armed(&self) -> usize {
        self.slots.iter().filter(|slot| slot.armed).count()
    }

    /// Brings every armed slot to `next_msg_seq`, and to `now` where its MsgSeqNum is stale or its
    /// SendingTime is `max_age_ns` old. Returns how many were rewritten.
    pub fn refresh(&mut self, now: Nanos, max_age_ns: Nanos) -> usize {
        let msg_seq = self.registers.next_msg_seq;
        if msg_seq > MAX_MSG_SEQ {
            return 0;
        }
        let mut count = 0;
        for slot in self.slots.iter_mut().filter(|slot| slot.armed) {
            let aged = now.saturating_sub(slot.sending_time) >= max_age_ns;
            if aged || slot.msg_seq != msg_seq {
                slot.refresh(msg_seq, now, &mut self.dates);
                count += 1;
            }
        }
        self.counters.refreshed += count as u64;
        count
    }

    /// When the oldest armed slot's SendingTime reaches `max_age_ns`.
    pub fn next_refresh(&self, max_age_ns: Nanos) -> Option<Nanos> {
        let armed = self.slots.iter().filter(|slot| slot.armed);
        armed.map(|slot| slot.sending_time).min().map(|oldest| oldest.saturating_add(max_age_ns))
    }

    /// Sends a slot: afterwards [`FastPath::frame`] is the frame to put on the wire, and the slot
    /// is empty.
    pub fn fire(&mut self, slot: u16) -> Result<Sent, FireRefused> {
        let registers = &mut self.registers;
        let counters = &mut self.counters;
        if !registers.enabled {
            counters.refused_disabled += 1;
            return Err(FireRefused::Disabled);
        }
        let armed = self.slots.get_mut(usize::from(slot)).filter(|slot| slot.armed);
        let Some(entry) = armed else {
            counters.refused_not_armed += 1;
            return Err(FireRefused::NotArmed);
        };
        if !registers.leased {
            counters.refused_not_leased += 1;
            return Err(FireRefused::NotLeased);
        }
        let payload_len = entry.payload().len() as u32;
        if payload_len > registers.tcp_limit {
            counters.refused_limit += 1;
            return Err(FireRefused::Limit);
        }
        if registers.next_msg_seq > MAX_MSG_SEQ {
            counters.refused_msg_seq += 1;
            return Err(FireRefused::MsgSeq);
        }
        let refreshed = entry.msg_seq != registers.next_msg_seq;
        if refreshed {
            entry.renumber(registers.next_msg_seq);
            counters.refreshed_at_fire += 1;
        }
        entry.patch(registers.tcp_seq, registers.tcp_ack, registers.tcp_window);
        entry.armed = false;
        let start = registers.tcp_seq;
        registers.tcp_seq = start.wrapping_add(payload_len);
        registers.tcp_limit -= payload_len;
        let msg_seq = registers.next_msg_seq;
        registers.next_msg_seq += 1;
        counters.fired += 1;
        let (end, frame_len) = (registers.tcp_seq, entry.frame().len());
        Ok(Sent { slot, msg_seq, start, end, frame_len, refreshed })
    }

    /// What the logic's slot is loaded with so that it sends what this one would; `None` if there
    /// is no such slot, or it is not armed.
    pub fn image(&self, slot: u16) -> Option<SlotImage> {
        self.slots.get(usize::from(slot)).filter(|slot| slot.armed).map(Slot::image)
    }

    /// The slot's frame: after [`FastPath::fire`], what was sent.
    pub fn frame(&self, slot: u16) -> &[u8] {
        self.slots.get(usize::from(slot)).map_or(&[], |slot| slot.frame())
    }

    /// The FIX message in the slot's frame.
    pub fn payload(&self, slot: u16) -> &[u8] {
        self.slots.get(usize::from(slot)).map_or(&[], |slot| slot.payload())
    }
}

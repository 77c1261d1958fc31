//! Replaying a capture of bare feed messages: no packets, no lines, no TCP.
//!
//! A captured file of FAST messages goes through the same decoder, normaliser, books, strategies
//! and prepared slots as live packets do. What is missing is simulated as simply as can be:
//!
//! - the order line is a fixed session on a fixed connection: MsgSeqNum and TCP sequence numbers
//!   count up from the configured start, nobody acknowledges, windows are open;
//! - every order is taken as accepted and filled in full at once.
//!
//! Each firing yields a [`FiringRecord`] with the order frame as it would have left.

use saker_fast::{DecodeError, Decoder, DecoderOptions, ResetPolicy, Templates};
use saker_feed::normalize::{
    Instruments, InstrumentsConfig, NormalizeCounters, Normalizer, TagMap,
};
use saker_fix::encode::{Header, Writer};
use saker_fix::session::Prepared;
use saker_fix::value::TimestampCache;
use saker_strategy::{OrderUpdate, StrategyError, StrategyFile};
use saker_wire::frame::TcpPath;
use saker_wire::time::Nanos;

use crate::desk::Desk;
use crate::fastpath::{FastPath, FastPathCounters};
use crate::market::{Firing, Market, MarketConfig, MarketCounters};
use crate::orders::{Identity, OrderLog, OrderTerms, message};
use crate::recovery::{Continuity, RecoveryConfig};

/// Longest order message.
const MAX_MESSAGE: usize = 1_024;
/// Longest TCP payload of the simulated connection.
const MSS: usize = 1_460;

/// How a capture is framed and what it is replayed against.
#[derive(Debug, Clone)]
pub struct ReplayConfig {
    /// Bytes before each message that are not FAST.
    pub preamble_len: usize,
    /// When the decoder's dictionaries are reset.
    pub reset: ResetPolicy,
    /// The power of ten that prices are brought to; a price with digits below it is dropped and
    /// counted.
    pub price_exponent: i8,
    /// Instruments beyond this number are refused and counted.
    pub max_instruments: usize,
    /// Bounds of books and recovery. With [`Continuity::Counted`], a hole in RptSeq is only
    /// counted: right for captures of trades alone.
    pub market: MarketConfig,
    /// The simulated session.
    pub identity: Identity,
    /// The simulated connection.
    pub path: TcpPath,
    /// The first MsgSeqNum.
    pub first_msg_seq: u32,
    /// The first TCP sequence number.
    pub first_tcp_seq: u32,
}

impl ReplayConfig {
    /// For captures of trades by FAST messages after a 4-byte preamble, dictionaries reset by every
    /// message, prices to 10^-6.
    pub fn trades(identity: Identity, path: TcpPath) -> Self {
        let recovery = RecoveryConfig { continuity: Continuity::Counted, ..Default::default() };
        Self {
            preamble_len: saker_feed::PREAMBLE_LEN,
            reset: ResetPolicy::Message,
            price_exponent: -6,
            max_instruments: 4_096,
            // No orders rest in books that only see trades.
            market: MarketConfig { orders_per_book: 64, recovery },
            identity,
            path,
            first_msg_seq: 2,
            first_tcp_seq: 1,
        }
    }
}

/// One order that was fired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiringRecord {
    /// The strategy's name.
    pub strategy: String,
    /// The instrument's symbol.
    pub symbol: String,
    /// The message that fired it, from 0.
    pub message: u64,
    /// The position of the entry in its message, from 0.
    pub entry: u32,
    /// The price that was looked at, as a mantissa of `10^exponent`.
    pub price: i64,
    /// The power of ten of `price`.
    pub exponent: i8,
    /// The order frame, Ethernet header to FIX trailer, without FCS.
    pub frame: Vec<u8>,
}

/// Why a replay stops.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The strategies do not fit the feed.
    #[error("strategies: {0}")]
    Strategies(#[from] StrategyError),
    /// A message does not decode. Where the next one begins is unknown.
    #[error("message {message}: {error}")]
    Decode {
        /// The message, from 0.
        message: u64,
        /// What is wrong, with the offset from the message's first byte.
        error: DecodeError,
    },
    /// The bytes end within a preamble.
    #[error("message {message}: the preamble is cut short")]
    Preamble {
        /// The message, from 0.
        message: u64,
    },
}

/// What a replay has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReplayCounters {
    /// Messages decoded.
    pub messages: u64,
    /// Bytes taken, preambles included.
    pub bytes: u64,
    /// Orders fired.
    pub fired: u64,
    /// Decisions that the fast path refused.
    pub refused: u64,
}

/// A replay in progress.
#[derive(Debug)]
pub struct Replay {
    config: ReplayConfig,
    decoder: Decoder,
    normalizer: Normalizer,
    market: Market,
    fast: FastPath,
    log: OrderLog,
    dates: TimestampCache,
    firings: Vec<Firing>,
    wanted: Vec<u16>,
    buffer: [u8; MAX_MESSAGE],
    counters: ReplayCounters,
    records: Vec<FiringRecord>,
}

impl Replay {
    /// Arms the strategies at `now`.
    ///
    /// # Errors
    /// A price in the strategy file has digits below the configured exponent.
    pub fn new(
        templates: &Templates,
        strategies: StrategyFile,
        config: ReplayConfig,
        now: Nanos,
    ) -> Result<Self, ReplayError> {
        let desk = Desk::with_exponent(strategies, config.price_exponent)?;
        let slots = desk.plan().map_or(0, |plan| plan.slots().len());
        let instruments = InstrumentsConfig {
            capacity: config.max_instruments,
            create_on_first_sight: Some(config.price_exponent),
        };
        // The strategy engine has at most 1,024 slots.
        let mut fast = FastPath::new(slots as u16, MSS);
        fast.set_path(Some(config.path));
        let registers = fast.registers_mut();
        registers.leased = true;
        registers.tcp_seq = config.first_tcp_seq;
        registers.tcp_ack = 1;
        registers.tcp_window = u16::MAX;
        registers.next_msg_seq = config.first_msg_seq;
        let mut replay = Self {
            decoder: Decoder::new(templates, DecoderOptions::with_reset(config.reset)),
            normalizer: Normalizer::new(TagMap::new(templates), instruments, 1 << 16),
            market: Market::new(config.market, desk),
            fast,
            log: OrderLog::new("R", usize::MAX),
            dates: TimestampCache::default(),
            firings: Vec::with_capacity(64),
            wanted: Vec::with_capacity(slots),
            buffer: [0; MAX_MESSAGE],
            counters: ReplayCounters::default(),
            records: Vec::new(),
            config,
        };
        replay.prepare(now);
        Ok(replay)
    }

    /// Takes the preamble and message at the start of `bytes`, at `now`, and returns their length.
    /// What fired is in [`Replay::records`] afterwards.
    ///
    /// # Errors
    /// The message does not decode; the replay cannot go on.
    pub fn step(&mut self, now: Nanos, bytes: &[u8]) -> Result<usize, ReplayError> {
        let message = self.counters.messages;
        let rest = bytes.get(self.config.preamble_len..);
        let rest = rest.filter(|rest| !rest.is_empty()).ok_or(ReplayError::Preamble { message })?;
        self.normalizer.clear();
        let length = self
            .decoder
            .decode(rest, &mut self.normalizer)
            .map_err(|error| ReplayError::Decode { message, error })?;
        self.counters.messages += 1;
        let length = length + self.config.preamble_len;
        self.counters.bytes += length as u64;
        // Packets have no numbers here; those of the messages stand in for them.
        let packet = u32::try_from(message).unwrap_or(u32::MAX).saturating_add(1);
        if message == 0 {
            self.market.recovery_mut().on_join(packet);
        }
        let fired = self.records.len();
        for at in 0..self.normalizer.events().len() {
            let event = self.normalizer.events()[at];
            let instruments = self.normalizer.instruments();
            self.market.on_event(now, packet, &event, instruments, &mut self.firings);
            self.fire_all(now, message);
        }
        self.market.end_message(now, &mut self.firings);
        self.fire_all(now, message);
        if self.records.len() > fired {
            self.prepare(now);
        }
        Ok(length)
    }

    /// The orders fired so far, oldest first.
    pub fn records(&self) -> &[FiringRecord] {
        &self.records
    }

    /// Hands the records over and forgets them.
    pub fn take_records(&mut self) -> Vec<FiringRecord> {
        std::mem::take(&mut self.records)
    }

    /// What was counted.
    pub fn counters(&self) -> ReplayCounters {
        self.counters
    }

    /// What the normaliser counted, with every drop reason.
    pub fn normalize_counters(&self) -> &NormalizeCounters {
        self.normalizer.counters()
    }

    /// What the fast path counted.
    pub fn fast_path_counters(&self) -> FastPathCounters {
        self.fast.counters()
    }

    /// What books and strategies counted.
    pub fn market_counters(&self) -> MarketCounters {
        self.market.counters()
    }

    /// Books and strategies.
    pub fn market(&self) -> &Market {
        &self.market
    }

    /// The instruments seen so far.
    pub fn instruments(&self) -> &Instruments {
        self.normalizer.instruments()
    }

    fn fire_all(&mut self, now: Nanos, message: u64) {
        for at in 0..self.firings.len() {
            let firing = self.firings[at];
            self.fire(now, message, firing);
        }
        self.firings.clear();
    }

    fn fire(&mut self, now: Nanos, message: u64, firing: Firing) {
        let slot = firing.fire.slot;
        // Nobody closes the window.
        self.fast.registers_mut().tcp_limit = u32::MAX;
        let sent = self.fast.fire(slot, now);
        let desk = self.market.desk_mut();
        let quantity = desk.slot_plan(slot).map_or(0, |plan| plan.order.quantity);
        let updates: &[OrderUpdate] = match sent {
            Ok(_) => &[OrderUpdate::Accepted, OrderUpdate::Filled { quantity }],
            Err(_) => &[OrderUpdate::NotSent],
        };
        for update in updates {
            let applied = desk.on_order_update(slot, *update);
            debug_assert!(applied.is_ok(), "a fired slot takes its answers");
        }
        if sent.is_err() {
            self.counters.refused += 1;
            self.fast.disarm(slot);
            return;
        }
        self.counters.fired += 1;
        let (symbol, exponent) = desk.slot_instrument(slot).unwrap_or_default();
        self.records.push(FiringRecord {
            strategy: desk.slot_plan(slot).map_or_else(String::new, |plan| plan.name.clone()),
            symbol: symbol.to_owned(),
            message,
            entry: firing.position,
            price: firing.price,
            exponent,
            frame: self.fast.frame(slot).to_vec(),
        });
    }

    /// Prepares what the strategies want, and refreshes what is armed.
    fn prepare(&mut self, now: Nanos) {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        self.market.desk().needs_prepare(&mut wanted);
        for slot in wanted.iter().copied() {
            if self.prepare_slot(now, slot) {
                self.market.desk_mut().arm(slot);
            }
        }
        self.wanted = wanted;
        self.fast.refresh(now, Nanos::MAX);
    }

    fn prepare_slot(&mut self, now: Nanos, slot: u16) -> bool {
        let desk = self.market.desk();
        let (Some(plan), Some((symbol, exponent))) =
            (desk.slot_plan(slot), desk.slot_instrument(slot))
        else {
            return false;
        };
        let order = plan.order;
        let terms = OrderTerms {
            number: self.log.take_number(),
            slot,
            symbol: symbol.to_owned(),
            side: order.side,
            price: order.price,
            exponent,
            quantity: order.quantity,
        };
        let cl_ord_id = self.log.cl_ord_id(terms.number);
        let identity = &self.config.identity;
        let seq = self.fast.registers().next_msg_seq;
        let header = Header {
            msg_type: "D",
            msg_seq_num: seq,
            seq_width: 9,
            sender: &identity.sender_comp_id,
            target: &identity.target_comp_id,
            sending_time: now,
            poss_dup: None,
        };
        let mut w = Writer::begin(&mut self.buffer, &header, &mut self.dates);
        let account = identity.account.as_deref();
        message::new_order_single(&mut w, &terms, &order, &cl_ord_id, account, now);
        let Ok(encoded) = w.finish() else { return false };
        let message = Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout };
        self.fast.load(slot, &message, now).is_ok()
    }
}

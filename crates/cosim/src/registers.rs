//! Registers of the trader in logic: addresses in bytes, field masks and shifts.
//!
//! This file is emitted by verif/rtl/gen_registers.py from rtl/top/trader.rdl;
//! `docs/REGISTERS.md` is the same for readers.

/// What this is.
pub mod identity {
    /// Tells the block from another.
    pub const MAGIC: u32 = 0x0000;
    /// How it was built.
    pub const SHAPE: u32 = 0x0004;
    /// Mask, in place. Slots of prepared orders.
    pub const SHAPE_SLOTS_MASK: u32 = 0xff;
    /// Its lowest bit.
    pub const SHAPE_SLOTS_SHIFT: u32 = 0;
    /// Mask, in place. Instruments with an order book.
    pub const SHAPE_INSTRUMENTS_MASK: u32 = 0xff00;
    /// Its lowest bit.
    pub const SHAPE_INSTRUMENTS_SHIFT: u32 = 8;
    /// Mask, in place. Counters.
    pub const SHAPE_COUNTERS_MASK: u32 = 0xff0000;
    /// Its lowest bit.
    pub const SHAPE_COUNTERS_SHIFT: u32 = 16;
    /// Mask, in place. Stages of the latency meter.
    pub const SHAPE_STAGES_MASK: u32 = 0xff000000;
    /// Its lowest bit.
    pub const SHAPE_STAGES_SHIFT: u32 = 24;
    /// Written and read back, nothing else.
    pub const SCRATCH: u32 = 0x0008;
}

/// Switches. What a change means for a packet or an order under way is said at each.
pub mod control {
    /// Switches.
    pub const SWITCHES: u32 = 0x0040;
    /// Mask, in place. Packets go to the FAST engine. Seen at a packet's first beat: each is
    /// decoded to its end or swallowed and counted. The program has a switch of its own
    /// (MICROCODE.md, load port).
    pub const SWITCHES_ENGINE_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const SWITCHES_ENGINE_SHIFT: u32 = 0;
    /// Mask, in place. Orders may fire (the kill switch of the order sender). A frame that has
    /// begun is sent to its end.
    pub const SWITCHES_ORDERS_MASK: u32 = 0x2;
    /// Its lowest bit.
    pub const SWITCHES_ORDERS_SHIFT: u32 = 1;
    /// Mask, in place. Orders begin before their packet's verdict, and end poisoned if that is bad
    /// or late. Change it only while `orders.status.busy` is low.
    pub const SWITCHES_SPECULATE_MASK: u32 = 0x4;
    /// Its lowest bit.
    pub const SWITCHES_SPECULATE_SHIFT: u32 = 2;
    /// Mask, in place. Orders carry the latency trailer. Change it only while `orders.status.busy`
    /// is low.
    pub const SWITCHES_TRAILER_MASK: u32 = 0x8;
    /// Its lowest bit.
    pub const SWITCHES_TRAILER_SHIFT: u32 = 3;
    /// Mask, in place. Whole frames of the feed go to the host port, too. Seen at a frame's end.
    pub const SWITCHES_MIRROR_MASK: u32 = 0x10;
    /// Its lowest bit.
    pub const SWITCHES_MIRROR_SHIFT: u32 = 4;
    /// Mask, in place. Holes in RptSeq are only counted: for feeds of trades alone.
    pub const SWITCHES_COUNTED_MASK: u32 = 0x20;
    /// Its lowest bit.
    pub const SWITCHES_COUNTED_SHIFT: u32 = 5;
    /// Mask, in place. No strategy is armed while it is set.
    pub const SWITCHES_KILL_ALL_MASK: u32 = 0x40;
    /// Its lowest bit.
    pub const SWITCHES_KILL_ALL_SHIFT: u32 = 6;
    /// Each bit written as one does something once.
    pub const PULSES: u32 = 0x0044;
    /// Mask, in place. A/B arbitration forgets the awaited packet number; the next packet sets it.
    pub const PULSES_RESYNC_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const PULSES_RESYNC_SHIFT: u32 = 0;
    /// Mask, in place. Latency statistics and histogram begin anew.
    pub const PULSES_CLEAR_LATENCY_MASK: u32 = 0x2;
    /// Its lowest bit.
    pub const PULSES_CLEAR_LATENCY_SHIFT: u32 = 1;
    /// Strategies that are not armed while their bit is set, by slot.
    pub const KILL: u32 = 0x0048;
    /// A market-data channel, A and B: UDP datagrams to this address and port. A frame in flight
    /// while it changes is judged by either. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const CHANNEL: u32 = 0x0050;
    /// How many of [`CHANNEL`] there are.
    pub const CHANNEL_COUNT: u32 = 2;
    /// From one [`CHANNEL`] to the next, in bytes.
    pub const CHANNEL_STRIDE: u32 = 8;
    /// Mask, in place. IPv4 address, first octet highest.
    pub const CHANNEL_ADDRESS_MASK: u64 = 0xffffffff;
    /// Its lowest bit.
    pub const CHANNEL_ADDRESS_SHIFT: u32 = 0;
    /// Mask, in place. UDP port.
    pub const CHANNEL_PORT_MASK: u64 = 0xffff00000000;
    /// Its lowest bit.
    pub const CHANNEL_PORT_SHIFT: u32 = 32;
    /// Mask, in place. The channel is listened to.
    pub const CHANNEL_ENABLE_MASK: u64 = 0x1000000000000;
    /// Its lowest bit.
    pub const CHANNEL_ENABLE_SHIFT: u32 = 48;
}

/// The clock, in nanoseconds.
pub mod clock {
    /// Now. Reading the low half keeps the high half of that moment. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const NOW: u32 = 0x0080;
    /// Writing the high half sets the clock to both. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const SET: u32 = 0x0088;
    /// Writing moves the clock once.
    pub const ADJUST: u32 = 0x0090;
}

/// Program of the FAST engine: words and addresses as `saker_fast::microcode::image` gives them.
/// Load only while the program's own switch, its first word, is off.
pub mod engine {
    /// Where the next word goes.
    pub const LOAD_ADDRESS: u32 = 0x00a0;
    /// Mask, in place. Counts up by one with each word.
    pub const LOAD_ADDRESS_VALUE_MASK: u32 = 0xfffff;
    /// Its lowest bit.
    pub const LOAD_ADDRESS_VALUE_SHIFT: u32 = 0;
    /// Writing loads a word.
    pub const LOAD_DATA: u32 = 0x00a4;
}

/// Books and what the strategies are shown.
pub mod market {
    /// Which instruments are live, by index.
    pub const LIVE: u32 = 0x0100;
    /// Mask, in place.
    pub const LIVE_INSTRUMENTS_MASK: u32 = 0xffff;
    /// Its lowest bit.
    pub const LIVE_INSTRUMENTS_SHIFT: u32 = 0;
    /// Which instruments' books lost an order, until they are cleared, by index.
    pub const INEXACT: u32 = 0x0104;
    /// Mask, in place.
    pub const INEXACT_INSTRUMENTS_MASK: u32 = 0xffff;
    /// Its lowest bit.
    pub const INEXACT_INSTRUMENTS_SHIFT: u32 = 0;
    /// RptSeq reached, by instrument.
    pub const RPT_SEQ: u32 = 0x0140;
    /// How many of [`RPT_SEQ`] there are.
    pub const RPT_SEQ_COUNT: u32 = 16;
    /// From one [`RPT_SEQ`] to the next, in bytes.
    pub const RPT_SEQ_STRIDE: u32 = 4;
}

/// An entry of the host's: how it rebuilds a book from a snapshot. Write the others first; writing
/// `command` hands the entry over. It is taken when the feed has none.
pub mod inject {
    /// The order's id. 64 bits: the low half is at this address, the high half behind it.
    pub const ID: u32 = 0x0180;
    /// Mask, in place.
    pub const ID_LOW_MASK: u64 = 0xffffffff;
    /// Its lowest bit.
    pub const ID_LOW_SHIFT: u32 = 0;
    /// Mask, in place.
    pub const ID_HIGH_MASK: u64 = 0xffffffff00000000;
    /// Its lowest bit.
    pub const ID_HIGH_SHIFT: u32 = 32;
    /// Price at the instrument's exponent, two's complement. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const PRICE: u32 = 0x0188;
    /// Mask, in place.
    pub const PRICE_LOW_MASK: u64 = 0xffffffff;
    /// Its lowest bit.
    pub const PRICE_LOW_SHIFT: u32 = 0;
    /// Mask, in place.
    pub const PRICE_HIGH_MASK: u64 = 0xffffffff00000000;
    /// Its lowest bit.
    pub const PRICE_HIGH_SHIFT: u32 = 32;
    /// Quantity. 64 bits: the low half is at this address, the high half behind it.
    pub const QUANTITY: u32 = 0x0190;
    /// Mask, in place.
    pub const QUANTITY_LOW_MASK: u64 = 0xffffffff;
    /// Its lowest bit.
    pub const QUANTITY_LOW_SHIFT: u32 = 0;
    /// Mask, in place.
    pub const QUANTITY_HIGH_MASK: u64 = 0xffffffff00000000;
    /// Its lowest bit.
    pub const QUANTITY_HIGH_SHIFT: u32 = 32;
    /// RptSeq; 0: none.
    pub const RPT_SEQ: u32 = 0x0198;
    /// Writing hands the entry over. While `status.busy` is set, do not write here or to the
    /// registers before it: a command is refused and counted.
    pub const COMMAND: u32 = 0x019c;
    /// Mask, in place. feed_pkg::entry_op_t: 0 New, 1 Change, 2 Delete, 3 Trade, 4 Other, 8 Clear,
    /// 9 Live, 10 Show, 11 Stale.
    pub const COMMAND_OP_MASK: u32 = 0xf;
    /// Its lowest bit.
    pub const COMMAND_OP_SHIFT: u32 = 0;
    /// Mask, in place. Index of the instrument.
    pub const COMMAND_INSTRUMENT_MASK: u32 = 0xf0;
    /// Its lowest bit.
    pub const COMMAND_INSTRUMENT_SHIFT: u32 = 4;
    /// Mask, in place. 0 bid, 1 offer.
    pub const COMMAND_SIDE_MASK: u32 = 0x100;
    /// Its lowest bit.
    pub const COMMAND_SIDE_SHIFT: u32 = 8;
    /// Of the last command.
    pub const STATUS: u32 = 0x01a0;
    /// Mask, in place. The entry has not been taken yet.
    pub const STATUS_BUSY_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const STATUS_BUSY_SHIFT: u32 = 0;
}

/// Commands to the strategies: about a slot or, the last four, about an instrument. Write
/// `quantity` first; writing `command` hands it over.
pub mod strategy {
    /// Quantity of a fill, or the value to set. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const QUANTITY: u32 = 0x0200;
    /// Mask, in place.
    pub const QUANTITY_LOW_MASK: u64 = 0xffffffff;
    /// Its lowest bit.
    pub const QUANTITY_LOW_SHIFT: u32 = 0;
    /// Mask, in place.
    pub const QUANTITY_HIGH_MASK: u64 = 0xffffffff00000000;
    /// Its lowest bit.
    pub const QUANTITY_HIGH_SHIFT: u32 = 32;
    /// Writing hands the command over. While `status.busy` is set it is refused and counted.
    pub const COMMAND: u32 = 0x0208;
    /// Mask, in place. strategy_pkg::command_op_t: 0 arm, 1 disarm, 2 restart, 3 accepted, 4
    /// filled, 5 canceled, 6 rejected, 7 not sent, 8 set position, 9 set open buy, 10 set open
    /// sell, 11 set open orders.
    pub const COMMAND_OP_MASK: u32 = 0xf;
    /// Its lowest bit.
    pub const COMMAND_OP_SHIFT: u32 = 0;
    /// Mask, in place. Slot, or index of the instrument.
    pub const COMMAND_SLOT_MASK: u32 = 0xff0;
    /// Its lowest bit.
    pub const COMMAND_SLOT_SHIFT: u32 = 4;
    /// Of the last command.
    pub const STATUS: u32 = 0x020c;
    /// Mask, in place. The command has not been taken yet.
    pub const STATUS_BUSY_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const STATUS_BUSY_SHIFT: u32 = 0;
    /// Which strategies are armed, by slot.
    pub const ARMED: u32 = 0x0210;
    /// What state a strategy is in, eight slots a word, four bits each: 0 idle, 1 armed, 2 fired, 3
    /// live, 4 done.
    pub const STATE: u32 = 0x0220;
    /// How many of [`STATE`] there are.
    pub const STATE_COUNT: u32 = 2;
    /// From one [`STATE`] to the next, in bytes.
    pub const STATE_STRIDE: u32 = 4;
    /// Of which instrument the exposure below is.
    pub const EXPOSURE_SELECT: u32 = 0x0230;
    /// Mask, in place.
    pub const EXPOSURE_SELECT_INSTRUMENT_MASK: u32 = 0xf;
    /// Its lowest bit.
    pub const EXPOSURE_SELECT_INSTRUMENT_SHIFT: u32 = 0;
    /// Open orders. Reading it keeps the three that follow.
    pub const EXPOSURE_OPEN_ORDERS: u32 = 0x0234;
    /// Position, two's complement. Reading the low half keeps the high half of that moment. 64
    /// bits: the low half is at this address, the high half behind it.
    pub const EXPOSURE_POSITION: u32 = 0x0238;
    /// Quantity of open buy orders, read as the position. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const EXPOSURE_OPEN_BUY: u32 = 0x0240;
    /// Quantity of open sell orders, read as the position. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const EXPOSURE_OPEN_SELL: u32 = 0x0248;
    /// Counts of all strategies together, since reset; they wrap at 2^32: fires; fires blocked by
    /// order quantity, by open orders, by position; held by the cooldown; unexpected updates;
    /// rearmed; missed, since the queue of events was full.
    pub const COUNT: u32 = 0x0260;
    /// How many of [`COUNT`] there are.
    pub const COUNT_COUNT: u32 = 8;
    /// From one [`COUNT`] to the next, in bytes.
    pub const COUNT_STRIDE: u32 = 4;
}

/// The order sender: what a prepared order is patched with. The registers are those of
/// `saker_trader::fastpath`.
pub mod orders {
    /// The connection.
    pub const LEASE: u32 = 0x0300;
    /// Mask, in place. TCP's right to send new bytes is lent to the logic.
    pub const LEASE_LEASED_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const LEASE_LEASED_SHIFT: u32 = 0;
    /// What to acknowledge.
    pub const TCP_ACK: u32 = 0x0304;
    /// What to advertise, as the header bears it.
    pub const TCP_WINDOW: u32 = 0x0308;
    /// Mask, in place.
    pub const TCP_WINDOW_VALUE_MASK: u32 = 0xffff;
    /// Its lowest bit.
    pub const TCP_WINDOW_VALUE_SHIFT: u32 = 0;
    /// Sets the sequence number of the next new byte. Refused and counted while leased or a frame
    /// is under way, as the two that follow.
    pub const SET_TCP_SEQ: u32 = 0x0310;
    /// Sets how many payload bytes may still be sent.
    pub const SET_TCP_LIMIT: u32 = 0x0314;
    /// Sets MsgSeqNum of the next message.
    pub const SET_NEXT_MSG_SEQ: u32 = 0x0318;
    /// Mask, in place.
    pub const SET_NEXT_MSG_SEQ_VALUE_MASK: u32 = 0x3fffffff;
    /// Its lowest bit.
    pub const SET_NEXT_MSG_SEQ_VALUE_SHIFT: u32 = 0;
    /// Sets the sequence number of the next packet of FAST over UDP. Refused and counted while a
    /// frame is under way.
    pub const SET_UDP_SEQ: u32 = 0x031c;
    /// Sequence number of the next new byte.
    pub const TCP_SEQ: u32 = 0x0320;
    /// Payload bytes that may still be sent.
    pub const TCP_LIMIT: u32 = 0x0324;
    /// MsgSeqNum of the next message.
    pub const NEXT_MSG_SEQ: u32 = 0x0328;
    /// Mask, in place.
    pub const NEXT_MSG_SEQ_VALUE_MASK: u32 = 0x3fffffff;
    /// Its lowest bit.
    pub const NEXT_MSG_SEQ_VALUE_SHIFT: u32 = 0;
    /// Sequence number of the next packet of FAST over UDP.
    pub const UDP_SEQ: u32 = 0x032c;
    /// What it does.
    pub const STATUS: u32 = 0x0330;
    /// Mask, in place. A frame is under way, or a fire waits.
    pub const STATUS_BUSY_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const STATUS_BUSY_SHIFT: u32 = 0;
    /// Which slots are armed.
    pub const ARMED: u32 = 0x0334;
}

/// Fill levels now.
pub mod levels {
    /// Beats of whole frames that wait for the host.
    pub const HOST: u32 = 0x0380;
    /// Mask, in place.
    pub const HOST_VALUE_MASK: u32 = 0xffff;
    /// Its lowest bit.
    pub const HOST_VALUE_SHIFT: u32 = 0;
    /// Beats of feed packets that wait for the FAST engine.
    pub const PACKETS: u32 = 0x0384;
    /// Mask, in place.
    pub const PACKETS_VALUE_MASK: u32 = 0xffff;
    /// Its lowest bit.
    pub const PACKETS_VALUE_SHIFT: u32 = 0;
}

/// How the latency histogram is laid out. Change it, then clear it.
pub mod histogram {
    /// Nanoseconds at which bin 0 begins.
    pub const BASE: u32 = 0x03a0;
    /// A bin is 2^shift nanoseconds wide.
    pub const SHIFT: u32 = 0x03a4;
    /// Mask, in place.
    pub const SHIFT_VALUE_MASK: u32 = 0xf;
    /// Its lowest bit.
    pub const SHIFT_VALUE_SHIFT: u32 = 0;
}

/// Latency from the first byte of the frame that caused it, in nanoseconds, by stage: 0 the
/// packet's first word in the FAST engine, 1 a message's end behind the engine, 2 a book's answer,
/// 3 a fire, 4 the order's first byte on XGMII. Reading `count` keeps the others of its stage as
/// they were in that moment. All wrap.
pub mod latency {
    /// Samples.
    pub const STAGE_COUNT: u32 = 0x0400;
    /// How many of [`STAGE_COUNT`] there are.
    pub const STAGE_COUNT_COUNT: u32 = 5;
    /// From one [`STAGE_COUNT`] to the next, in bytes.
    pub const STAGE_COUNT_STRIDE: u32 = 32;
    /// The least; 2^32 - 1 without samples.
    pub const STAGE_MINIMUM: u32 = 0x0404;
    /// How many of [`STAGE_MINIMUM`] there are.
    pub const STAGE_MINIMUM_COUNT: u32 = 5;
    /// From one [`STAGE_MINIMUM`] to the next, in bytes.
    pub const STAGE_MINIMUM_STRIDE: u32 = 32;
    /// The most.
    pub const STAGE_MAXIMUM: u32 = 0x0408;
    /// How many of [`STAGE_MAXIMUM`] there are.
    pub const STAGE_MAXIMUM_COUNT: u32 = 5;
    /// From one [`STAGE_MAXIMUM`] to the next, in bytes.
    pub const STAGE_MAXIMUM_STRIDE: u32 = 32;
    /// Of all samples. 64 bits: the low half is at this address, the high half behind it.
    pub const STAGE_SUM: u32 = 0x0410;
    /// How many of [`STAGE_SUM`] there are.
    pub const STAGE_SUM_COUNT: u32 = 5;
    /// From one [`STAGE_SUM`] to the next, in bytes.
    pub const STAGE_SUM_STRIDE: u32 = 32;
    /// Histogram of the last stage: from first byte in to first byte out.
    pub const BIN: u32 = 0x0500;
    /// How many of [`BIN`] there are.
    pub const BIN_COUNT: u32 = 32;
    /// From one [`BIN`] to the next, in bytes.
    pub const BIN_STRIDE: u32 = 4;
}

/// Counts of events since reset, 64 bits each, wrapping; at most some hundred cycles behind.
/// Reading a low half keeps the high half of that moment.
pub mod counters {
    /// Receiving MAC: frames with a good FCS. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const RX_GOOD: u32 = 0x0800;
    /// Receiving MAC: frames with a bad FCS. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const RX_BAD_FCS: u32 = 0x0808;
    /// Receiving MAC: frames with a control character inside. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const RX_CODING: u32 = 0x0810;
    /// Receiving MAC: frames of fewer than 64 bytes. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const RX_RUNT: u32 = 0x0818;
    /// Receiving MAC: frames over the limit, cut there. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const RX_GIANT: u32 = 0x0820;
    /// Receiving MAC: starts without a proper preamble. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const RX_BAD_PREAMBLE: u32 = 0x0828;
    /// Header parser: datagrams of channel A. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const FEED_A: u32 = 0x0830;
    /// Header parser: datagrams of channel B. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const FEED_B: u32 = 0x0838;
    /// Header parser: frames that the MAC aborted. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const FEED_ABORTED: u32 = 0x0840;
    /// Header parser: of a channel, shorter than their headers say; to the host. 64 bits: the low
    /// half is at this address, the high half behind it.
    pub const FEED_TRUNCATED: u32 = 0x0848;
    /// Header parser: ended before all headers; to the host, as all that follow. 64 bits: the low
    /// half is at this address, the high half behind it.
    pub const FEED_SHORT_FRAME: u32 = 0x0850;
    /// Header parser: not IPv4. 64 bits: the low half is at this address, the high half behind it.
    pub const FEED_NOT_IPV4: u32 = 0x0858;
    /// Header parser: not version 4 with a header of 20 bytes. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const FEED_OPTIONS: u32 = 0x0860;
    /// Header parser: bad IPv4 header checksum. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const FEED_CHECKSUM: u32 = 0x0868;
    /// Header parser: fragments. 64 bits: the low half is at this address, the high half behind it.
    pub const FEED_FRAGMENT: u32 = 0x0870;
    /// Header parser: not UDP. 64 bits: the low half is at this address, the high half behind it.
    pub const FEED_NOT_UDP: u32 = 0x0878;
    /// Header parser: UDP, of no channel. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const FEED_NO_CHANNEL: u32 = 0x0880;
    /// Header parser: of a channel, but lengths disagree or nothing is in it. 64 bits: the low half
    /// is at this address, the high half behind it.
    pub const FEED_BAD_LENGTH: u32 = 0x0888;
    /// A/B arbitration: packets that passed, of channel A. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const AB_PASSED_A: u32 = 0x0890;
    /// A/B arbitration: packets that passed, of channel B. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const AB_PASSED_B: u32 = 0x0898;
    /// A/B arbitration: packets that passed and then ended with abort. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const AB_ABORTED: u32 = 0x08a0;
    /// A/B arbitration: packets without a sequence number, dropped. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const AB_TOO_SHORT: u32 = 0x08a8;
    /// A/B arbitration: second copies, dropped. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const AB_DUPLICATE: u32 = 0x08b0;
    /// A/B arbitration: holes in the packet numbers. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const AB_GAP: u32 = 0x08b8;
    /// Host port: frames lost for want of room. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const HOST_OVERFLOW: u32 = 0x08c0;
    /// Packets lost whole for want of room in front of the FAST engine. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const PACKET_DROPPED: u32 = 0x08c8;
    /// Packets ended with abort for want of room in front of the FAST engine. 64 bits: the low half
    /// is at this address, the high half behind it.
    pub const PACKET_CUT: u32 = 0x08d0;
    /// Packets that ended well. 64 bits: the low half is at this address, the high half behind it.
    pub const VERDICT_GOOD: u32 = 0x08d8;
    /// Packets that ended with abort. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const VERDICT_BAD: u32 = 0x08e0;
    /// Transmitting MAC: frames with a good FCS. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const TX_SENT: u32 = 0x08e8;
    /// Transmitting MAC: frames with a bad FCS, by request. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const TX_POISONED: u32 = 0x08f0;
    /// Transmitting MAC: frames cut with Error, since a word was late. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const TX_UNDERFLOW: u32 = 0x08f8;
    /// FAST engine: packets swallowed while it was off. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const ENGINE_SWALLOWED: u32 = 0x0900;
    /// FAST engine: messages decoded. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const ENGINE_MESSAGE: u32 = 0x0908;
    /// FAST engine: messages that ended with an error. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const ENGINE_FAILED: u32 = 0x0910;
    /// FAST engine: messages not decoded, since one before failed. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_POISONED: u32 = 0x0918;
    /// FAST engine: packets that ended with abort. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const ENGINE_ABORTED: u32 = 0x0920;
    /// FAST engine: messages that ended in the trap of operator. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_OPERATOR: u32 = 0x0928;
    /// FAST engine: messages that ended in the trap of length. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_LONG: u32 = 0x0930;
    /// FAST engine: messages that ended in the trap of width. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_WIDE: u32 = 0x0938;
    /// FAST engine: messages that ended in the trap of presence map. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const ENGINE_TRAP_MAP: u32 = 0x0940;
    /// FAST engine: messages that ended in the trap of depth. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_DEPTH: u32 = 0x0948;
    /// FAST engine: messages that ended in the trap of watchdog. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_WATCHDOG: u32 = 0x0950;
    /// FAST engine: messages that ended in the trap of program. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_PROGRAM: u32 = 0x0958;
    /// FAST engine: messages that ended in the trap of limit. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ENGINE_TRAP_LIMIT: u32 = 0x0960;
    /// Entry builder: incremental messages ended. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const BUILDER_MESSAGE: u32 = 0x0968;
    /// Entry builder: entries of watched instruments. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const BUILDER_ENTRY: u32 = 0x0970;
    /// Entry builder: entries of other instruments, dropped. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const BUILDER_UNWATCHED: u32 = 0x0978;
    /// Entry builder: entries that name no instrument, dropped. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const BUILDER_NO_INSTRUMENT: u32 = 0x0980;
    /// Entry builder: MDUpdateAction is not 0, 1 or 2. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const BUILDER_BAD_ACTION: u32 = 0x0988;
    /// Entry builder: MDEntryID is no number of at most 16 digits. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const BUILDER_BAD_ENTRY_ID: u32 = 0x0990;
    /// Entry builder: RptSeq or SecurityID is no number in range. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const BUILDER_BAD_COUNTER: u32 = 0x0998;
    /// Entry builder: quantity absent, negative, fractional or out of reach. 64 bits: the low half
    /// is at this address, the high half behind it.
    pub const BUILDER_BAD_QUANTITY: u32 = 0x09a0;
    /// Entry builder: price absent where it is needed. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const BUILDER_NO_PRICE: u32 = 0x09a8;
    /// Entry builder: price out of range. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const BUILDER_PRICE_OVERFLOW: u32 = 0x09b0;
    /// Entry builder: price with digits below the instrument's exponent. 64 bits: the low half is
    /// at this address, the high half behind it.
    pub const BUILDER_PRICE_INEXACT: u32 = 0x09b8;
    /// Entry builder: more sequences inside each other than are followed. 64 bits: the low half is
    /// at this address, the high half behind it.
    pub const BUILDER_TOO_DEEP: u32 = 0x09c0;
    /// Entry builder: messages that ended with an error. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const BUILDER_MESSAGE_FAILED: u32 = 0x09c8;
    /// Market: entries in their turn. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const MARKET_APPLIED: u32 = 0x09d0;
    /// Market: entries that the book had. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const MARKET_OLD: u32 = 0x09d8;
    /// Market: entries of stale instruments, not applied. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const MARKET_WITHHELD: u32 = 0x09e0;
    /// Market: holes in RptSeq. 64 bits: the low half is at this address, the high half behind it.
    pub const MARKET_JUMP: u32 = 0x09e8;
    /// Market: unreadable entries. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const MARKET_BROKEN: u32 = 0x09f0;
    /// Market: entries of bad packets or messages. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const MARKET_POISONED: u32 = 0x09f8;
    /// Market: entries that a book refused. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const MARKET_REFUSED: u32 = 0x0a00;
    /// Market: bad verdicts for packets that had touched a book. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const MARKET_BAD_PACKET: u32 = 0x0a08;
    /// Market: entries lost for want of room; all instruments are stale. 64 bits: the low half is
    /// at this address, the high half behind it.
    pub const MARKET_OVERFLOW: u32 = 0x0a10;
    /// Market: trades shown to the strategies. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const MARKET_SHOW_TRADE: u32 = 0x0a18;
    /// Market: tops shown to the strategies. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const MARKET_SHOW_TOP: u32 = 0x0a20;
    /// Market: tops not shown, since the instrument is stale. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const MARKET_SHOW_HELD: u32 = 0x0a28;
    /// Market: instruments made live by the host. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const MARKET_LIVE: u32 = 0x0a30;
    /// Market: instruments that the host could not make live. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const MARKET_BEHIND: u32 = 0x0a38;
    /// Entries of the host written while one waited. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const INJECT_REFUSED: u32 = 0x0a40;
    /// Commands to the strategies written while one waited. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const COMMAND_REFUSED: u32 = 0x0a48;
    /// Order sender: frames that left whole. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const ORDER_FIRED: u32 = 0x0a50;
    /// Order sender: frames that left with a bad FCS. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const ORDER_POISONED: u32 = 0x0a58;
    /// Order sender: poisoned frames whose packet turned out good, sent again. 64 bits: the low
    /// half is at this address, the high half behind it.
    pub const ORDER_RETRIED: u32 = 0x0a60;
    /// Order sender: fires refused, disabled. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const ORDER_REFUSED_DISABLED: u32 = 0x0a68;
    /// Order sender: fires refused, slot not armed. 64 bits: the low half is at this address, the
    /// high half behind it.
    pub const ORDER_REFUSED_NOT_ARMED: u32 = 0x0a70;
    /// Order sender: fires refused, TCP's right to send is not here. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const ORDER_REFUSED_NOT_LEASED: u32 = 0x0a78;
    /// Order sender: fires refused, peer or memory do not take the payload. 64 bits: the low half
    /// is at this address, the high half behind it.
    pub const ORDER_REFUSED_LIMIT: u32 = 0x0a80;
    /// Order sender: fires refused, MsgSeqNum has run out of digits. 64 bits: the low half is at
    /// this address, the high half behind it.
    pub const ORDER_REFUSED_MSG_SEQ: u32 = 0x0a88;
    /// Order sender: fires refused, their packet turned out bad. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const ORDER_REFUSED_BAD_PACKET: u32 = 0x0a90;
    /// Order sender: fires refused, the queue was full. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const ORDER_REFUSED_QUEUE_FULL: u32 = 0x0a98;
    /// Order sender: slots armed by the host. 64 bits: the low half is at this address, the high
    /// half behind it.
    pub const ORDER_ARMED: u32 = 0x0aa0;
    /// Order sender: armed slots disarmed by the host. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const ORDER_DISARMED: u32 = 0x0aa8;
    /// Order sender: writes to a slot that is armed or under way, or that armed nonsense. 64 bits:
    /// the low half is at this address, the high half behind it.
    pub const ORDER_WRITE_REFUSED: u32 = 0x0ab0;
    /// Order sender: writes to sequence registers while leased or a frame is under way. 64 bits:
    /// the low half is at this address, the high half behind it.
    pub const ORDER_REGISTER_REFUSED: u32 = 0x0ab8;
    /// Every counter's name and address.
    pub const ALL: [(&str, u32); 88] = [
        ("rx_good", RX_GOOD),
        ("rx_bad_fcs", RX_BAD_FCS),
        ("rx_coding", RX_CODING),
        ("rx_runt", RX_RUNT),
        ("rx_giant", RX_GIANT),
        ("rx_bad_preamble", RX_BAD_PREAMBLE),
        ("feed_a", FEED_A),
        ("feed_b", FEED_B),
        ("feed_aborted", FEED_ABORTED),
        ("feed_truncated", FEED_TRUNCATED),
        ("feed_short_frame", FEED_SHORT_FRAME),
        ("feed_not_ipv4", FEED_NOT_IPV4),
        ("feed_options", FEED_OPTIONS),
        ("feed_checksum", FEED_CHECKSUM),
        ("feed_fragment", FEED_FRAGMENT),
        ("feed_not_udp", FEED_NOT_UDP),
        ("feed_no_channel", FEED_NO_CHANNEL),
        ("feed_bad_length", FEED_BAD_LENGTH),
        ("ab_passed_a", AB_PASSED_A),
        ("ab_passed_b", AB_PASSED_B),
        ("ab_aborted", AB_ABORTED),
        ("ab_too_short", AB_TOO_SHORT),
        ("ab_duplicate", AB_DUPLICATE),
        ("ab_gap", AB_GAP),
        ("host_overflow", HOST_OVERFLOW),
        ("packet_dropped", PACKET_DROPPED),
        ("packet_cut", PACKET_CUT),
        ("verdict_good", VERDICT_GOOD),
        ("verdict_bad", VERDICT_BAD),
        ("tx_sent", TX_SENT),
        ("tx_poisoned", TX_POISONED),
        ("tx_underflow", TX_UNDERFLOW),
        ("engine_swallowed", ENGINE_SWALLOWED),
        ("engine_message", ENGINE_MESSAGE),
        ("engine_failed", ENGINE_FAILED),
        ("engine_poisoned", ENGINE_POISONED),
        ("engine_aborted", ENGINE_ABORTED),
        ("engine_trap_operator", ENGINE_TRAP_OPERATOR),
        ("engine_trap_long", ENGINE_TRAP_LONG),
        ("engine_trap_wide", ENGINE_TRAP_WIDE),
        ("engine_trap_map", ENGINE_TRAP_MAP),
        ("engine_trap_depth", ENGINE_TRAP_DEPTH),
        ("engine_trap_watchdog", ENGINE_TRAP_WATCHDOG),
        ("engine_trap_program", ENGINE_TRAP_PROGRAM),
        ("engine_trap_limit", ENGINE_TRAP_LIMIT),
        ("builder_message", BUILDER_MESSAGE),
        ("builder_entry", BUILDER_ENTRY),
        ("builder_unwatched", BUILDER_UNWATCHED),
        ("builder_no_instrument", BUILDER_NO_INSTRUMENT),
        ("builder_bad_action", BUILDER_BAD_ACTION),
        ("builder_bad_entry_id", BUILDER_BAD_ENTRY_ID),
        ("builder_bad_counter", BUILDER_BAD_COUNTER),
        ("builder_bad_quantity", BUILDER_BAD_QUANTITY),
        ("builder_no_price", BUILDER_NO_PRICE),
        ("builder_price_overflow", BUILDER_PRICE_OVERFLOW),
        ("builder_price_inexact", BUILDER_PRICE_INEXACT),
        ("builder_too_deep", BUILDER_TOO_DEEP),
        ("builder_message_failed", BUILDER_MESSAGE_FAILED),
        ("market_applied", MARKET_APPLIED),
        ("market_old", MARKET_OLD),
        ("market_withheld", MARKET_WITHHELD),
        ("market_jump", MARKET_JUMP),
        ("market_broken", MARKET_BROKEN),
        ("market_poisoned", MARKET_POISONED),
        ("market_refused", MARKET_REFUSED),
        ("market_bad_packet", MARKET_BAD_PACKET),
        ("market_overflow", MARKET_OVERFLOW),
        ("market_show_trade", MARKET_SHOW_TRADE),
        ("market_show_top", MARKET_SHOW_TOP),
        ("market_show_held", MARKET_SHOW_HELD),
        ("market_live", MARKET_LIVE),
        ("market_behind", MARKET_BEHIND),
        ("inject_refused", INJECT_REFUSED),
        ("command_refused", COMMAND_REFUSED),
        ("order_fired", ORDER_FIRED),
        ("order_poisoned", ORDER_POISONED),
        ("order_retried", ORDER_RETRIED),
        ("order_refused_disabled", ORDER_REFUSED_DISABLED),
        ("order_refused_not_armed", ORDER_REFUSED_NOT_ARMED),
        ("order_refused_not_leased", ORDER_REFUSED_NOT_LEASED),
        ("order_refused_limit", ORDER_REFUSED_LIMIT),
        ("order_refused_msg_seq", ORDER_REFUSED_MSG_SEQ),
        ("order_refused_bad_packet", ORDER_REFUSED_BAD_PACKET),
        ("order_refused_queue_full", ORDER_REFUSED_QUEUE_FULL),
        ("order_armed", ORDER_ARMED),
        ("order_disarmed", ORDER_DISARMED),
        ("order_write_refused", ORDER_WRITE_REFUSED),
        ("order_register_refused", ORDER_REGISTER_REFUSED),
    ];
}

/// Top of book of each instrument, as its last answer had it. Reading `status` keeps the others as
/// they were in that moment.
pub mod tops {
    /// Reading it keeps the others.
    pub const STATUS: u32 = 0x0c00;
    /// How many of [`STATUS`] there are.
    pub const STATUS_COUNT: u32 = 16;
    /// From one [`STATUS`] to the next, in bytes.
    pub const STATUS_STRIDE: u32 = 64;
    /// Mask, in place. There is a bid.
    pub const STATUS_BID_VALID_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const STATUS_BID_VALID_SHIFT: u32 = 0;
    /// Mask, in place. There is an offer.
    pub const STATUS_ASK_VALID_MASK: u32 = 0x2;
    /// Its lowest bit.
    pub const STATUS_ASK_VALID_SHIFT: u32 = 1;
    /// Mask, in place. The instrument was live.
    pub const STATUS_LIVE_MASK: u32 = 0x4;
    /// Its lowest bit.
    pub const STATUS_LIVE_SHIFT: u32 = 2;
    /// Mask, in place. feed_pkg::answer_t of the last answer.
    pub const STATUS_ANSWER_MASK: u32 = 0xf0;
    /// Its lowest bit.
    pub const STATUS_ANSWER_SHIFT: u32 = 4;
    /// RptSeq of the last entry.
    pub const RPT_SEQ: u32 = 0x0c04;
    /// How many of [`RPT_SEQ`] there are.
    pub const RPT_SEQ_COUNT: u32 = 16;
    /// From one [`RPT_SEQ`] to the next, in bytes.
    pub const RPT_SEQ_STRIDE: u32 = 64;
    /// Orders at the best prices.
    pub const ORDERS: u32 = 0x0c08;
    /// How many of [`ORDERS`] there are.
    pub const ORDERS_COUNT: u32 = 16;
    /// From one [`ORDERS`] to the next, in bytes.
    pub const ORDERS_STRIDE: u32 = 64;
    /// Mask, in place.
    pub const ORDERS_BID_MASK: u32 = 0xffff;
    /// Its lowest bit.
    pub const ORDERS_BID_SHIFT: u32 = 0;
    /// Mask, in place.
    pub const ORDERS_ASK_MASK: u32 = 0xffff0000;
    /// Its lowest bit.
    pub const ORDERS_ASK_SHIFT: u32 = 16;
    /// Best bid, two's complement. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const BID_PRICE: u32 = 0x0c10;
    /// How many of [`BID_PRICE`] there are.
    pub const BID_PRICE_COUNT: u32 = 16;
    /// From one [`BID_PRICE`] to the next, in bytes.
    pub const BID_PRICE_STRIDE: u32 = 64;
    /// Its quantity. 64 bits: the low half is at this address, the high half behind it.
    pub const BID_QUANTITY: u32 = 0x0c18;
    /// How many of [`BID_QUANTITY`] there are.
    pub const BID_QUANTITY_COUNT: u32 = 16;
    /// From one [`BID_QUANTITY`] to the next, in bytes.
    pub const BID_QUANTITY_STRIDE: u32 = 64;
    /// Best offer, two's complement. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const ASK_PRICE: u32 = 0x0c20;
    /// How many of [`ASK_PRICE`] there are.
    pub const ASK_PRICE_COUNT: u32 = 16;
    /// From one [`ASK_PRICE`] to the next, in bytes.
    pub const ASK_PRICE_STRIDE: u32 = 64;
    /// Its quantity. 64 bits: the low half is at this address, the high half behind it.
    pub const ASK_QUANTITY: u32 = 0x0c28;
    /// How many of [`ASK_QUANTITY`] there are.
    pub const ASK_QUANTITY_COUNT: u32 = 16;
    /// From one [`ASK_QUANTITY`] to the next, in bytes.
    pub const ASK_QUANTITY_STRIDE: u32 = 64;
    /// When the frame that told it came, in nanoseconds. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const TIME: u32 = 0x0c30;
    /// How many of [`TIME`] there are.
    pub const TIME_COUNT: u32 = 16;
    /// From one [`TIME`] to the next, in bytes.
    pub const TIME_STRIDE: u32 = 64;
}

/// Fields of the strategies (`strategy_pkg::field_t`), by slot. Written low half first; takes
/// effect with the high half.
pub mod strategies {
    /// strategy_pkg::slot_control_t. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const CONTROL: u32 = 0x1000;
    /// How many of [`CONTROL`] there are.
    pub const CONTROL_COUNT: u32 = 16;
    /// From one [`CONTROL`] to the next, in bytes.
    pub const CONTROL_STRIDE: u32 = 64;
    /// Bound, two's complement, in the instrument's price units. 64 bits: the low half is at this
    /// address, the high half behind it.
    pub const BOUND: u32 = 0x1008;
    /// How many of [`BOUND`] there are.
    pub const BOUND_COUNT: u32 = 16;
    /// From one [`BOUND`] to the next, in bytes.
    pub const BOUND_STRIDE: u32 = 64;
    /// Quantity of the order. 64 bits: the low half is at this address, the high half behind it.
    pub const QUANTITY: u32 = 0x1010;
    /// How many of [`QUANTITY`] there are.
    pub const QUANTITY_COUNT: u32 = 16;
    /// From one [`QUANTITY`] to the next, in bytes.
    pub const QUANTITY_STRIDE: u32 = 64;
    /// Largest quantity of an order. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const MAX_ORDER_QUANTITY: u32 = 0x1018;
    /// How many of [`MAX_ORDER_QUANTITY`] there are.
    pub const MAX_ORDER_QUANTITY_COUNT: u32 = 16;
    /// From one [`MAX_ORDER_QUANTITY`] to the next, in bytes.
    pub const MAX_ORDER_QUANTITY_STRIDE: u32 = 64;
    /// Most open orders. 64 bits: the low half is at this address, the high half behind it.
    pub const MAX_OPEN_ORDERS: u32 = 0x1020;
    /// How many of [`MAX_OPEN_ORDERS`] there are.
    pub const MAX_OPEN_ORDERS_COUNT: u32 = 16;
    /// From one [`MAX_OPEN_ORDERS`] to the next, in bytes.
    pub const MAX_OPEN_ORDERS_STRIDE: u32 = 64;
    /// Largest position. 64 bits: the low half is at this address, the high half behind it.
    pub const MAX_POSITION: u32 = 0x1028;
    /// How many of [`MAX_POSITION`] there are.
    pub const MAX_POSITION_COUNT: u32 = 16;
    /// From one [`MAX_POSITION`] to the next, in bytes.
    pub const MAX_POSITION_STRIDE: u32 = 64;
    /// Cooldown, in nanoseconds. 64 bits: the low half is at this address, the high half behind it.
    pub const COOLDOWN: u32 = 0x1030;
    /// How many of [`COOLDOWN`] there are.
    pub const COOLDOWN_COUNT: u32 = 16;
    /// From one [`COOLDOWN`] to the next, in bytes.
    pub const COOLDOWN_STRIDE: u32 = 64;
}

/// Watched instruments (`watch_pkg`). Each is written low half first and takes effect with the high
/// half.
pub mod watch {
    /// SecurityID. 64 bits: the low half is at this address, the high half behind it.
    pub const SECURITY_ID: u32 = 0x1400;
    /// How many of [`SECURITY_ID`] there are.
    pub const SECURITY_ID_COUNT: u32 = 16;
    /// From one [`SECURITY_ID`] to the next, in bytes.
    pub const SECURITY_ID_STRIDE: u32 = 32;
    /// The last eight bytes of the symbol, right-aligned. 64 bits: the low half is at this address,
    /// the high half behind it.
    pub const SYMBOL: u32 = 0x1408;
    /// How many of [`SYMBOL`] there are.
    pub const SYMBOL_COUNT: u32 = 16;
    /// From one [`SYMBOL`] to the next, in bytes.
    pub const SYMBOL_STRIDE: u32 = 32;
    /// The rest of what names it. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const TEXT: u32 = 0x1410;
    /// How many of [`TEXT`] there are.
    pub const TEXT_COUNT: u32 = 16;
    /// From one [`TEXT`] to the next, in bytes.
    pub const TEXT_STRIDE: u32 = 32;
    /// Mask, in place. The symbol's bytes before the last eight.
    pub const TEXT_SYMBOL_MASK: u64 = 0xffffffff;
    /// Its lowest bit.
    pub const TEXT_SYMBOL_SHIFT: u32 = 0;
    /// Mask, in place. Trading session.
    pub const TEXT_SESSION_MASK: u64 = 0xffffffff00000000;
    /// Its lowest bit.
    pub const TEXT_SESSION_SHIFT: u32 = 32;
    /// watch_pkg::watch_control_t. 64 bits: the low half is at this address, the high half behind
    /// it.
    pub const CONTROL: u32 = 0x1418;
    /// How many of [`CONTROL`] there are.
    pub const CONTROL_COUNT: u32 = 16;
    /// From one [`CONTROL`] to the next, in bytes.
    pub const CONTROL_STRIDE: u32 = 32;
    /// Mask, in place. Of its prices, two's complement.
    pub const CONTROL_EXPONENT_MASK: u64 = 0xff;
    /// Its lowest bit.
    pub const CONTROL_EXPONENT_SHIFT: u32 = 0;
    /// Mask, in place. 0 (none) to 12.
    pub const CONTROL_SYMBOL_LENGTH_MASK: u64 = 0xf00;
    /// Its lowest bit.
    pub const CONTROL_SYMBOL_LENGTH_SHIFT: u32 = 8;
    /// Mask, in place. 0 to 4.
    pub const CONTROL_SESSION_LENGTH_MASK: u64 = 0x7000;
    /// Its lowest bit.
    pub const CONTROL_SESSION_LENGTH_SHIFT: u32 = 12;
    /// Mask, in place. It has a SecurityID.
    pub const CONTROL_BY_ID_MASK: u64 = 0x8000;
    /// Its lowest bit.
    pub const CONTROL_BY_ID_SHIFT: u32 = 15;
    /// Mask, in place. It is watched.
    pub const CONTROL_ENABLED_MASK: u64 = 0x10000;
    /// Its lowest bit.
    pub const CONTROL_ENABLED_SHIFT: u32 = 16;
}

/// Registers of the order books (rtl/book/README.md), by instrument: sixteen of 64 bits each.
/// Reading a low half keeps the high half of that moment; reading `book[16 i]` keeps that
/// instrument's top, too.
pub mod books {
    /// A register: {instrument, number}. 64 bits: the low half is at this address, the high half
    /// behind it.
    pub const BOOK: u32 = 0x2000;
    /// How many of [`BOOK`] there are.
    pub const BOOK_COUNT: u32 = 256;
    /// From one [`BOOK`] to the next, in bytes.
    pub const BOOK_STRIDE: u32 = 8;
}

/// Templates, by number.
pub mod templates {
    /// What messages of this template are.
    pub const CLASS: u32 = 0x4000;
    /// How many of [`CLASS`] there are.
    pub const CLASS_COUNT: u32 = 4096;
    /// From one [`CLASS`] to the next, in bytes.
    pub const CLASS_STRIDE: u32 = 4;
    /// Mask, in place. An incremental refresh with a sequence of entries.
    pub const CLASS_ENTRIES_MASK: u32 = 0x1;
    /// Its lowest bit.
    pub const CLASS_ENTRIES_SHIFT: u32 = 0;
    /// Mask, in place. An incremental refresh that is its only entry.
    pub const CLASS_ENTRY_MASK: u32 = 0x2;
    /// Its lowest bit.
    pub const CLASS_ENTRY_SHIFT: u32 = 1;
}

/// Slots of the order sender: whole frames and their descriptions, at the addresses that order_pkg
/// lays out.
pub mod frames {
    /// A word.
    pub const WORD: u32 = 0x8000;
    /// How many of [`WORD`] there are.
    pub const WORD_COUNT: u32 = 4096;
    /// From one [`WORD`] to the next, in bytes.
    pub const WORD_STRIDE: u32 = 4;
}

//! What `verif/cosim/trader_cosim.sv` shows of the logic's inside: the FAST engine's records, the
//! market's answers, and what the order sender did.

use saker_fast::microcode::{Record, RecordKind};

use crate::answers::{Answer, AnswerCode, EntryOp, Quote};
use crate::library::{Library, LoadError, Model, Output};

/// Something that happened in a cycle.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The engine has decoded a message.
    Message {
        /// Its records.
        records: Vec<Record>,
        /// When its packet's frame came.
        stamp: u64,
    },
    /// The market has answered an entry.
    Answer {
        /// The answer.
        answer: Answer,
        /// When the frame with the entry came; of the host's entries, when they were taken.
        stamp: u64,
    },
    /// An order has left whole.
    Sent(Report),
    /// An order has left with a bad FCS, since its packet's verdict was late or bad.
    Poisoned(Report),
    /// A fire sent nothing.
    Refused {
        /// The slot.
        slot: u16,
        /// `refusal_t`.
        reason: u8,
    },
    /// The probe showed what no logic may: an unknown kind, op or answer.
    Nonsense(String),
}

/// What the order sender says of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The slot.
    pub slot: u16,
    /// MsgSeqNum.
    pub msg_seq: u32,
    /// TCP sequence numbers of the payload.
    pub start: u32,
    /// One behind the last.
    pub end: u32,
    /// The first byte of the frame that caused it.
    pub stamp_in: u64,
    /// The order's first byte.
    pub stamp_out: u64,
}

macro_rules! outputs {
    ($($field:ident: $bits:literal),* $(,)?) => {
        /// The probe ports.
        #[derive(Debug)]
        pub struct Probes {
            $($field: Output,)*
            /// Records of the message at hand.
            records: Vec<Record>,
        }

        impl Probes {
            /// The ports of the model.
            ///
            /// # Errors
            /// The model lacks one.
            pub fn new(library: &Library) -> Result<Self, LoadError> {
                Ok(Self {
                    $($field: library.output(concat!("probe_", stringify!($field)), $bits)?,)*
                    records: Vec::with_capacity(128),
                })
            }
        }
    };
}

outputs! {
    activity: 16,
    now_ns: 64,
    record_value: 256,
    record_tag: 56,
    record_kind: 16,
    record_info: 32,
    template: 16,
    status: 8,
    engine_tstamp: 64,
    answer_op: 4,
    answer_instrument: 4,
    answer_code: 4,
    answer_flags: 4,
    answer_rpt_seq: 32,
    answer_bid_price: 64,
    answer_bid_quantity: 64,
    answer_bid_orders: 16,
    answer_ask_price: 64,
    answer_ask_quantity: 64,
    answer_ask_orders: 16,
    answer_tstamp: 64,
    sent_slot: 4,
    sent_poisoned: 1,
    sent_msg_seq: 32,
    sent_start: 32,
    sent_end: 32,
    sent_tstamp_in: 64,
    sent_tstamp_out: 64,
    refused_slot: 4,
    refused_reason: 3,
}

/// Bits of `probe_activity`.
mod activity {
    pub const RECORDS: u64 = 0xf;
    pub const BEGIN: u64 = 1 << 4;
    pub const ELEMENT: u64 = 1 << 5;
    pub const END: u64 = 1 << 6;
    pub const CALL_BEGIN: u64 = 1 << 7;
    pub const CALL_END: u64 = 1 << 8;
    pub const ANSWER: u64 = 1 << 9;
    pub const SENT: u64 = 1 << 10;
    pub const REFUSED: u64 = 1 << 11;
    /// The rest: something is under way.
    pub const ENGINE: u64 = RECORDS | BEGIN | ELEMENT | END | CALL_BEGIN | CALL_END;
}

/// Bits of `probe_answer_flags`.
mod flags {
    pub const FROM_HOST: u64 = 1;
    pub const LIVE: u64 = 2;
    pub const BID: u64 = 4;
    pub const ASK: u64 = 8;
}

const KINDS: [RecordKind; 14] = [
    RecordKind::UInt,
    RecordKind::Int,
    RecordKind::Decimal,
    RecordKind::Ascii,
    RecordKind::Unicode,
    RecordKind::Bytes,
    RecordKind::Length,
    RecordKind::MessageBegin,
    RecordKind::MessageEnd,
    RecordKind::ElementEnd,
    RecordKind::GroupBegin,
    RecordKind::GroupEnd,
    RecordKind::CallBegin,
    RecordKind::CallEnd,
];

impl Probes {
    /// The logic's clock, of the cycle that comes next.
    pub fn now_ns(&self, model: &Model) -> u64 {
        model.get(self.now_ns)
    }

    /// To be called after each step: appends what happened. Returns whether anything did, or is under
    /// way.
    #[inline]
    pub fn sample(&mut self, model: &Model, cycle: u64, events: &mut Vec<Event>) -> bool {
        let active = model.get(self.activity);
        if active == 0 {
            return false;
        }
        if active & activity::ENGINE != 0 {
            self.engine(model, active, cycle, events);
        }
        if active & activity::ANSWER != 0 {
            events.push(self.answer(model));
        }
        if active & activity::SENT != 0 {
            let report = Report {
                slot: model.get(self.sent_slot) as u16,
                msg_seq: model.get(self.sent_msg_seq) as u32,
                start: model.get(self.sent_start) as u32,
                end: model.get(self.sent_end) as u32,
                stamp_in: model.get(self.sent_tstamp_in),
                stamp_out: model.get(self.sent_tstamp_out),
            };
            let poisoned = model.get(self.sent_poisoned) == 1;
            events.push(if poisoned { Event::Poisoned(report) } else { Event::Sent(report) });
        }
        if active & activity::REFUSED != 0 {
            let slot = model.get(self.refused_slot) as u16;
            events.push(Event::Refused { slot, reason: model.get(self.refused_reason) as u8 });
        }
        true
    }

    fn engine(&mut self, model: &Model, active: u64, cycle: u64, events: &mut Vec<Event>) {
        let mark = |kind, tag, info| Record { kind, tag, info, value: 0, cycle };
        let template = model.get(self.template) as u16;
        if active & activity::BEGIN != 0 {
            self.records.clear();
            self.records.push(mark(RecordKind::MessageBegin, template, 0));
        }
        if active & activity::CALL_BEGIN != 0 {
            self.records.push(mark(RecordKind::CallBegin, template, 0));
        }
        if active & activity::RECORDS != 0 {
            let values = model.get_words(self.record_value);
            let tags = model.get(self.record_tag);
            let kinds = model.get(self.record_kind);
            let infos = model.get(self.record_info);
            for lane in (0..4).filter(|lane| active >> lane & 1 == 1) {
                let kind = (kinds >> (4 * lane) & 0xf) as usize;
                let Some(kind) = kind.checked_sub(1).and_then(|at| KINDS.get(at)).copied() else {
                    events.push(Event::Nonsense(format!("a record of kind {kind}")));
                    continue;
                };
                self.records.push(Record {
                    kind,
                    tag: (tags >> (14 * lane) & 0x3fff) as u16,
                    info: (infos >> (8 * lane)) as u8,
                    value: u64::from(values[2 * lane]) | u64::from(values[2 * lane + 1]) << 32,
                    cycle,
                });
            }
        }
        if active & activity::ELEMENT != 0 {
            self.records.push(mark(RecordKind::ElementEnd, 0, 0));
        }
        if active & activity::CALL_END != 0 {
            self.records.push(mark(RecordKind::CallEnd, 0, 0));
        }
        if active & activity::END != 0 {
            let status = model.get(self.status) as u8;
            self.records.push(mark(RecordKind::MessageEnd, 0, status));
            let records = std::mem::take(&mut self.records);
            events.push(Event::Message { records, stamp: model.get(self.engine_tstamp) });
        }
    }

    fn answer(&self, model: &Model) -> Event {
        let (op, code) = (model.get(self.answer_op), model.get(self.answer_code));
        let (Some(op), Some(answer)) = (EntryOp::decode(op), AnswerCode::decode(code)) else {
            return Event::Nonsense(format!("the answer {code} to an entry {op}"));
        };
        let flags = model.get(self.answer_flags);
        let quote = |valid, price, quantity, orders| {
            (flags & valid != 0).then(|| Quote {
                price: model.get(price).cast_signed(),
                quantity: model.get(quantity),
                orders: model.get(orders),
            })
        };
        let answer = Answer {
            instrument: model.get(self.answer_instrument) as usize,
            op,
            answer,
            from_host: flags & flags::FROM_HOST != 0,
            live: flags & flags::LIVE != 0,
            rpt_seq: model.get(self.answer_rpt_seq) as u32,
            bid: quote(
                flags::BID,
                self.answer_bid_price,
                self.answer_bid_quantity,
                self.answer_bid_orders,
            ),
            ask: quote(
                flags::ASK,
                self.answer_ask_price,
                self.answer_ask_quantity,
                self.answer_ask_orders,
            ),
            known: true,
        };
        Event::Answer { answer, stamp: model.get(self.answer_tstamp) }
    }
}

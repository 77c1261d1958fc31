//! What the logic shows of its inside on its `obs_*` ports: the FAST engine's records, the market's
//! answers, and what the order sender did.

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
            now_ns: Output,
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
                    $($field: library.output(concat!("obs_", stringify!($field)), $bits)?,)*
                    now_ns: library.output("now_ns", 64)?,
                    records: Vec::with_capacity(128),
                })
            }
        }
    };
}

outputs! {
    record_valid: 4,
    record_value: 256,
    record_tag: 56,
    record_kind: 16,
    record_info: 32,
    begin: 1,
    template: 16,
    element: 1,
    end: 1,
    status: 8,
    tstamp: 64,
    top_valid: 1,
    top_op: 4,
    top_instrument: 4,
    top_answer: 4,
    top_from_host: 1,
    top_rpt_seq: 32,
    top_bid_valid: 1,
    top_bid_price: 64,
    top_bid_quantity: 64,
    top_bid_orders: 16,
    top_ask_valid: 1,
    top_ask_price: 64,
    top_ask_quantity: 64,
    top_ask_orders: 16,
    top_tstamp: 64,
    sent_valid: 1,
    sent_slot: 8,
    sent_poisoned: 1,
    sent_msg_seq: 32,
    sent_seq_start: 32,
    sent_seq_end: 32,
    sent_tstamp_in: 64,
    sent_tstamp_out: 64,
    refused_valid: 1,
    refused_slot: 8,
    refused_reason: 3,
}

impl Probes {
    /// The logic's clock, of the cycle that comes next.
    pub fn now_ns(&self, model: &Model) -> u64 {
        model.get(self.now_ns)
    }

    /// To be called after each step: appends what happened. Returns whether anything did, or is under
    /// way.
    #[inline]
    pub fn sample(&mut self, model: &Model, cycle: u64, events: &mut Vec<Event>) -> bool {
        let count = events.len();
        let engine = self.engine(model, cycle, events);
        if model.is(self.top_valid) {
            events.push(self.answer(model));
        }
        if model.is(self.sent_valid) {
            let report = Report {
                slot: model.get(self.sent_slot) as u16,
                msg_seq: model.get(self.sent_msg_seq) as u32,
                start: model.get(self.sent_seq_start) as u32,
                end: model.get(self.sent_seq_end) as u32,
                stamp_in: model.get(self.sent_tstamp_in),
                stamp_out: model.get(self.sent_tstamp_out),
            };
            let poisoned = model.is(self.sent_poisoned);
            events.push(if poisoned { Event::Poisoned(report) } else { Event::Sent(report) });
        }
        if model.is(self.refused_valid) {
            let slot = model.get(self.refused_slot) as u16;
            events.push(Event::Refused { slot, reason: model.get(self.refused_reason) as u8 });
        }
        engine || events.len() > count
    }

    #[inline]
    fn engine(&mut self, model: &Model, cycle: u64, events: &mut Vec<Event>) -> bool {
        let valid = model.get(self.record_valid);
        let [begin, element, end] = [self.begin, self.element, self.end].map(|port| model.is(port));
        if valid == 0 && !begin && !element && !end {
            return false;
        }
        let mark = |kind, tag, info| Record { kind, tag, info, value: 0, cycle };
        if begin {
            let template = model.get(self.template) as u16;
            self.records.clear();
            self.records.push(mark(RecordKind::MessageBegin, template, 0));
        }
        if valid != 0 {
            let values = model.get_words(self.record_value);
            let tags = model.get(self.record_tag);
            let kinds = model.get(self.record_kind);
            let infos = model.get(self.record_info);
            for lane in (0..4usize).filter(|lane| valid >> lane & 1 == 1) {
                let code = (kinds >> (4 * lane) & 0xf) as u8;
                let Some(kind) = RecordKind::decode(code) else {
                    events.push(Event::Nonsense(format!("a record of kind {code}")));
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
        if element {
            self.records.push(mark(RecordKind::ElementEnd, 0, 0));
        }
        if end {
            let status = model.get(self.status) as u8;
            self.records.push(mark(RecordKind::MessageEnd, 0, status));
            let records = std::mem::take(&mut self.records);
            events.push(Event::Message { records, stamp: model.get(self.tstamp) });
        }
        true
    }

    fn answer(&self, model: &Model) -> Event {
        let (op, code) = (model.get(self.top_op), model.get(self.top_answer));
        let (Some(op), Some(answer)) = (EntryOp::decode(op), AnswerCode::decode(code)) else {
            return Event::Nonsense(format!("the answer {code} to an entry {op}"));
        };
        let quote = |valid, price, quantity, orders| {
            (model.is(valid)).then(|| Quote {
                price: model.get(price).cast_signed(),
                quantity: model.get(quantity),
                orders: model.get(orders),
            })
        };
        let answer = Answer {
            instrument: model.get(self.top_instrument) as usize,
            op,
            answer,
            from_host: model.is(self.top_from_host),
            rpt_seq: model.get(self.top_rpt_seq) as u32,
            bid: quote(
                self.top_bid_valid,
                self.top_bid_price,
                self.top_bid_quantity,
                self.top_bid_orders,
            ),
            ask: quote(
                self.top_ask_valid,
                self.top_ask_price,
                self.top_ask_quantity,
                self.top_ask_orders,
            ),
            known: true,
        };
        Event::Answer { answer, stamp: model.get(self.top_tstamp) }
    }
}

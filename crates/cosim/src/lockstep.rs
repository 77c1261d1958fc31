//! Model and logic side by side: every message, every answer of the market, every order.
//!
//! Both sides fill queues, in the order of the feed; what stands at the heads of two of them must be
//! the same. The first difference ends the run.

use std::collections::VecDeque;

use saker_fast::microcode::{Program, Record};
use saker_trader::fastpath::Sent;
use saker_wire::station::FrameId;
use saker_wire::time::Nanos;

use crate::answers::Answer;
use crate::decoded::{MessageItems, difference};
use crate::probes::Report;

/// Where model and logic disagree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} differs: {field}: the model has {model}, the logic has {logic} \
     (virtual time {at} ns, cycle {cycle}, feed packet {packet})"
)]
pub struct Difference {
    /// What is compared.
    pub what: &'static str,
    /// Virtual time.
    pub at: Nanos,
    /// The logic's cycle.
    pub cycle: u64,
    /// The feed packet's number, 0 if none is known.
    pub packet: u32,
    /// The field.
    pub field: String,
    /// The model's value.
    pub model: String,
    /// The logic's.
    pub logic: String,
}

/// What was compared and found equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages, every record of each.
    pub messages: u64,
    /// Answers of the market, each with both tops.
    pub tops: u64,
    /// Order frames, every byte.
    pub orders: u64,
    /// Fires that sent nothing.
    pub refusals: u64,
    /// Frames sent with a bad FCS before the same order was sent or refused.
    pub poisoned: u64,
    /// Answers with nothing to compare them with: of instruments that a bad packet has touched.
    pub skipped: u64,
}

/// An order that the model sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelOrder {
    /// The fast path's account.
    pub sent: Sent,
    /// The frame.
    pub frame: Vec<u8>,
    /// The feed frame that caused it.
    pub cause: Option<FrameId>,
}

/// An order that has left the logic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicOrder {
    /// What the order sender says.
    pub report: Report,
    /// The frame on the line.
    pub frame: Vec<u8>,
}

/// A fire that sent nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The slot.
    pub slot: u16,
    /// `refusal_t`.
    pub reason: u8,
}

#[derive(Debug)]
struct Model<T> {
    packet: u32,
    what: T,
}

#[derive(Debug)]
struct Logic<T> {
    cycle: u64,
    what: T,
}

#[derive(Debug)]
struct Pair<M, L> {
    model: VecDeque<Model<M>>,
    logic: VecDeque<Logic<L>>,
}

impl<M, L> Default for Pair<M, L> {
    fn default() -> Self {
        Self { model: VecDeque::new(), logic: VecDeque::new() }
    }
}

impl<M, L> Pair<M, L> {
    fn next(&mut self) -> Option<(Model<M>, Logic<L>)> {
        if self.model.is_empty() || self.logic.is_empty() {
            return None;
        }
        self.model.pop_front().zip(self.logic.pop_front())
    }
}

/// The queues.
#[derive(Debug)]
pub struct Lockstep {
    program: Program,
    messages: Pair<MessageItems, Vec<Record>>,
    answers: Pair<Answer, Answer>,
    orders: Pair<ModelOrder, LogicOrder>,
    refusals: Pair<Refusal, Refusal>,
    counts: Counts,
    last_packet: u32,
}

impl Lockstep {
    /// Nothing to compare yet; `program` is the engine's.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            messages: Pair::default(),
            answers: Pair::default(),
            orders: Pair::default(),
            refusals: Pair::default(),
            counts: Counts::default(),
            last_packet: 0,
        }
    }

    /// What was compared.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The model has decoded a message.
    pub fn model_message(&mut self, packet: u32, what: MessageItems) {
        self.last_packet = packet;
        self.messages.model.push_back(Model { packet, what });
    }

    /// The model has answered an entry.
    pub fn model_answer(&mut self, packet: u32, what: Answer) {
        self.answers.model.push_back(Model { packet, what });
    }

    /// The model has sent an order.
    pub fn model_order(&mut self, packet: u32, what: ModelOrder) {
        self.orders.model.push_back(Model { packet, what });
    }

    /// The model has refused a fire.
    pub fn model_refusal(&mut self, packet: u32, what: Refusal) {
        self.refusals.model.push_back(Model { packet, what });
    }

    /// The logic has decoded a message.
    pub fn logic_message(&mut self, cycle: u64, what: Vec<Record>) {
        self.messages.logic.push_back(Logic { cycle, what });
    }

    /// The logic has answered an entry.
    pub fn logic_answer(&mut self, cycle: u64, what: Answer) {
        self.answers.logic.push_back(Logic { cycle, what });
    }

    /// The logic has sent an order.
    pub fn logic_order(&mut self, cycle: u64, what: LogicOrder) {
        self.orders.logic.push_back(Logic { cycle, what });
    }

    /// The logic has refused a fire.
    pub fn logic_refusal(&mut self, cycle: u64, what: Refusal) {
        self.refusals.logic.push_back(Logic { cycle, what });
    }

    /// The logic has sent an order with a bad FCS.
    pub fn logic_poisoned(&mut self) {
        self.counts.poisoned += 1;
    }

    /// Compares what both sides have. Orders that agree are appended to `orders`. `at` is the instant
    /// of a cycle.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(
        &mut self,
        at: impl Fn(u64) -> Nanos,
        orders: &mut Vec<(ModelOrder, LogicOrder)>,
    ) -> Result<(), Difference> {
        let differs = |what, cycle, packet, (field, model, logic): (String, String, String)| {
            Err(Difference { what, at: at(cycle), cycle, packet, field, model, logic })
        };
        while let Some((model, logic)) = self.messages.next() {
            if let Some(found) = difference(&self.program, &model.what, &logic.what) {
                return differs("a decoded message", logic.cycle, model.packet, found);
            }
            self.counts.messages += 1;
        }
        while let Some((model, logic)) = self.answers.next() {
            if !model.what.known {
                self.counts.skipped += 1;
                continue;
            }
            if let Some((field, a, b)) = model.what.difference(&logic.what) {
                let context = format!("{field} of {:?}", model.what);
                return differs("a book", logic.cycle, model.packet, (context, a, b));
            }
            self.counts.tops += 1;
        }
        while let Some((model, logic)) = self.refusals.next() {
            if model.what != logic.what {
                let texts = (format!("{:?}", model.what), format!("{:?}", logic.what));
                let found = ("slot and reason".to_owned(), texts.0, texts.1);
                return differs("a refused fire", logic.cycle, model.packet, found);
            }
            self.counts.refusals += 1;
        }
        while let Some((model, logic)) = self.orders.next() {
            if let Some(found) = order_difference(&model.what, &logic.what) {
                return differs("an order", logic.cycle, model.packet, found);
            }
            self.counts.orders += 1;
            orders.push((model.what, logic.what));
        }
        Ok(())
    }

    /// Nothing is under way any more: what one side has, the other will never have.
    ///
    /// # Errors
    /// What is left over.
    pub fn finish(&mut self, cycle: u64, at: Nanos) -> Result<(), Difference> {
        let nothing = || "nothing".to_owned();
        let cut = |text: String| text.chars().take(600).collect::<String>();
        let found = [
            first(&self.messages, "a decoded message"),
            first(&self.answers, "a book"),
            first(&self.orders, "an order"),
            first(&self.refusals, "a refused fire"),
        ];
        match found.into_iter().flatten().next() {
            None => Ok(()),
            Some((what, at_cycle, packet, model, logic)) => Err(Difference {
                what,
                at,
                cycle: at_cycle.unwrap_or(cycle),
                packet: packet.unwrap_or(self.last_packet),
                field: "presence".to_owned(),
                model: cut(model.unwrap_or_else(nothing)),
                logic: cut(logic.unwrap_or_else(nothing)),
            }),
        }
    }
}

type Left = (&'static str, Option<u64>, Option<u32>, Option<String>, Option<String>);

/// What only one side has.
fn first<M: std::fmt::Debug, L: std::fmt::Debug>(
    pair: &Pair<M, L>,
    name: &'static str,
) -> Option<Left> {
    let (model, logic) = (pair.model.front(), pair.logic.front());
    if model.is_none() && logic.is_none() {
        return None;
    }
    Some((
        name,
        logic.map(|one| one.cycle),
        model.map(|one| one.packet),
        model.map(|one| format!("{:?}", one.what)),
        logic.map(|one| format!("{:?}", one.what)),
    ))
}

fn order_difference(model: &ModelOrder, logic: &LogicOrder) -> Option<(String, String, String)> {
    let (sent, report) = (&model.sent, &logic.report);
    let fields = [
        ("slot", u64::from(sent.slot), u64::from(report.slot)),
        ("MsgSeqNum", sent.msg_seq.into(), report.msg_seq.into()),
        ("start of the payload", sent.start.into(), report.start.into()),
        ("end of the payload", sent.end.into(), report.end.into()),
    ];
    if let Some((name, a, b)) = fields.into_iter().find(|(_, a, b)| a != b) {
        return Some((name.to_owned(), a.to_string(), b.to_string()));
    }
    if model.frame == logic.frame {
        return None;
    }
    let length = model.frame.len().max(logic.frame.len());
    let at = (0..length).find(|at| model.frame.get(*at) != logic.frame.get(*at)).unwrap_or(0);
    let around = |frame: &[u8]| {
        let part = frame.get(at..frame.len().min(at + 24)).unwrap_or_default();
        format!("{:02x?} of {} bytes", part, frame.len())
    };
    Some((format!("frame from byte {at}"), around(&model.frame), around(&logic.frame)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use super::*;

    fn order(frame: &[u8]) -> (ModelOrder, LogicOrder) {
        let sent = Sent { slot: 1, msg_seq: 2, start: 3, end: 4, frame_len: 5, refreshed: false };
        let report = Report { slot: 1, msg_seq: 2, start: 3, end: 4, stamp_in: 5, stamp_out: 6 };
        let frame = frame.to_vec();
        (ModelOrder { sent, frame: frame.clone(), cause: Some(9) }, LogicOrder { report, frame })
    }

    #[test]
    fn a_difference_is_named() {
        let mut lockstep = Lockstep::new(Program::default());
        let (model, logic) = order(b"abcd");
        lockstep.model_order(7, model.clone());
        lockstep.logic_order(100, logic.clone());
        let mut agreed = Vec::new();
        lockstep.compare(|cycle| cycle * 10, &mut agreed).unwrap();
        assert_eq!(agreed.len(), 1);
        lockstep.finish(200, 2_000).unwrap();

        lockstep.model_order(8, model.clone());
        let wrong = LogicOrder { frame: b"abXd".to_vec(), ..logic.clone() };
        lockstep.logic_order(300, wrong);
        let found = lockstep.compare(|cycle| cycle * 10, &mut agreed).unwrap_err();
        assert_eq!((found.cycle, found.at, found.packet), (300, 3_000, 8));
        assert_eq!(found.field, "frame from byte 2");

        lockstep.logic_order(400, logic);
        lockstep.compare(|cycle| cycle, &mut agreed).unwrap();
        let left = lockstep.finish(500, 5).unwrap_err();
        assert_eq!((left.what, left.model.as_str()), ("an order", "nothing"));
        assert_eq!(lockstep.counts().orders, 1);
    }
}

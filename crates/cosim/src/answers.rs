//! What the market in logic answers to each entry (`rtl/feed/feed_pkg.sv`).

use saker_book::BookError;
use saker_feed::event::{Action, EntryKind};

/// What an entry is, `entry_op_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum EntryOp {
    /// A new order.
    New = 0,
    /// An order has changed.
    Change = 1,
    /// An order is gone.
    Delete = 2,
    /// A trade.
    Trade = 3,
    /// Counts in RptSeq only.
    Other = 4,
    /// Unreadable.
    Broken = 5,
    /// Unreadable, and nobody knows whose.
    Lost = 6,
    /// The end of a message, without an entry.
    End = 7,
    /// The host empties the book.
    Clear = 8,
    /// The host says that the book is complete.
    Live = 9,
    /// The host has the top shown.
    Show = 10,
    /// The host distrusts the book.
    Stale = 11,
}

impl EntryOp {
    const ALL: [Self; 12] = [
        Self::New,
        Self::Change,
        Self::Delete,
        Self::Trade,
        Self::Other,
        Self::Broken,
        Self::Lost,
        Self::End,
        Self::Clear,
        Self::Live,
        Self::Show,
        Self::Stale,
    ];

    /// The op of a number.
    pub fn decode(number: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// The op of a normalised entry.
    pub fn of(kind: &EntryKind) -> Self {
        match kind {
            EntryKind::Trade { .. } => Self::Trade,
            EntryKind::Order { action: Action::New, .. } => Self::New,
            EntryKind::Order { action: Action::Change, .. } => Self::Change,
            EntryKind::Order { action: Action::Delete, .. } => Self::Delete,
        }
    }
}

/// What became of it, `answer_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AnswerCode {
    /// Applied.
    Done = 0,
    /// Refused: no quantity.
    Zero = 1,
    /// Refused: the order rests already.
    Duplicate = 2,
    /// Refused: there is no such order.
    Unknown = 3,
    /// Refused: no room.
    Full = 4,
    /// Refused: out of the book's range.
    OutOfRange = 5,
    /// Seen before.
    Old = 8,
    /// RptSeq has jumped: stale from now on.
    Gap = 9,
    /// The instrument is stale.
    Stale = 10,
    /// It could not be read.
    Broken = 11,
    /// It is of a bad packet or message.
    Poisoned = 12,
    /// LIVE was refused.
    Behind = 13,
}

impl AnswerCode {
    const ALL: [Self; 12] = [
        Self::Done,
        Self::Zero,
        Self::Duplicate,
        Self::Unknown,
        Self::Full,
        Self::OutOfRange,
        Self::Old,
        Self::Gap,
        Self::Stale,
        Self::Broken,
        Self::Poisoned,
        Self::Behind,
    ];

    /// The answer of a number.
    pub fn decode(number: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|code| *code as u64 == number)
    }

    /// The answer to what the book refuses.
    pub fn of_refusal(error: &BookError) -> Self {
        match error {
            BookError::ZeroQuantity(_) => Self::Zero,
            BookError::DuplicateOrder(_) => Self::Duplicate,
            BookError::UnknownOrder(_) => Self::Unknown,
            BookError::Full { .. } => Self::Full,
            BookError::Overfilled { .. } | BookError::LevelOverflow { .. } => Self::OutOfRange,
        }
    }
}

/// The best price of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    /// The price at the instrument's exponent.
    pub price: i64,
    /// What all orders there have together.
    pub quantity: u64,
    /// How many orders there are.
    pub orders: u64,
}

/// The answer to one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The watched instrument.
    pub instrument: usize,
    /// The entry.
    pub op: EntryOp,
    /// What became of it.
    pub answer: AnswerCode,
    /// It was the host's.
    pub from_host: bool,
    /// The entry's RptSeq.
    pub rpt_seq: u32,
    /// The best bid with the entry applied.
    pub bid: Option<Quote>,
    /// The best offer with the entry applied.
    pub ask: Option<Quote>,
    /// Whether there is something to compare with.
    pub known: bool,
}

impl Answer {
    /// The first field in which `other` differs, with both values.
    pub fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let fields = |a: &Self| {
            [
                ("instrument", format!("{}", a.instrument)),
                ("op", format!("{:?}", a.op)),
                ("answer", format!("{:?}", a.answer)),
                ("from_host", format!("{}", a.from_host)),
                ("rpt_seq", format!("{}", a.rpt_seq)),
                ("bid", format!("{:?}", a.bid)),
                ("ask", format!("{:?}", a.ask)),
            ]
        };
        if *self == *other {
            return None;
        }
        let pairs = fields(self).into_iter().zip(fields(other));
        let mut different = pairs.filter(|(a, b)| a != b).map(|((name, a), (_, b))| (name, a, b));
        different.next()
    }
}

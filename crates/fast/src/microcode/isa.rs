//! The instruction set: rows of four slots and a control word (MICROCODE.md §4).

use std::fmt;

/// Slots of a row, and lanes of the engine.
pub const LANES: usize = 4;
/// Most entities that a row may take from the queue.
pub const WINDOW: usize = 8;
/// Most slots of a row whose number of entities depends on a NULL.
pub const MAX_UNCERTAIN: usize = 3;
/// Bytes of an encoded row.
pub const ROW_BYTES: usize = 24;
/// Most rows of a program: targets have 12 bits.
pub const MAX_ROWS: usize = 1 << 12;
/// Most tags: 14 bits.
pub const MAX_TAGS: usize = 1 << 14;
/// Dictionary entries of a lane: 8 bits.
pub const MAX_ENTRIES: usize = 1 << 8;
/// Constants of a lane, number 0 for *none*: 8 bits.
pub const MAX_CONSTANTS: usize = 1 << 8;

/// Declares an enumeration with its encoding and its mnemonic.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($(#[$item:meta])* $variant:ident = $code:literal $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$item])* $variant = $code,)* }

        impl $name {
            /// All of them in the order of their codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The mnemonic of the assembly language.
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The one with a mnemonic.
            pub fn from_mnemonic(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.mnemonic() == text)
            }

            /// The one with a code.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.mnemonic())
            }
        }
    };
}

codes! {
    /// What a slot decodes.
    Kind {
        /// Nothing.
        Nop = 0 "nop",
        /// uInt32.
        U32 = 1 "u32",
        /// uInt64.
        U64 = 2 "u64",
        /// int32.
        I32 = 3 "i32",
        /// int64.
        I64 = 4 "i64",
        /// A decimal, exponent and mantissa in one step.
        Decimal = 5 "dec",
        /// The exponent of a decimal with individual operators; the mantissa is the next slot.
        Exponent = 6 "exp",
        /// The mantissa; skipped where the exponent is absent.
        Mantissa = 7 "man",
        /// An ASCII string of at most 16 bytes in the stream.
        Ascii = 8 "ascii",
        /// An ASCII string of any length without operator; the last slot of its row.
        Text = 9 "text",
        /// A Unicode string; the last slot of its row.
        Unicode = 10 "unicode",
        /// A byte vector; the last slot of its row.
        Bytes = 11 "bytes",
        /// The length of a sequence; the last slot of a row with the control `seq`.
        Length = 12 "len",
        /// Marks the begin of a group.
        GroupBegin = 13 "group",
        /// Marks the end of a group.
        GroupEnd = 14 "endgroup",
        /// What hardware does not do: the message goes to software.
        Trap = 15 "trap",
    }
}

codes! {
    /// The operator of a slot (FAST 1.1 §6.3).
    Operator {
        /// None.
        None = 0 "none",
        /// Constant.
        Constant = 1 "const",
        /// Default.
        Default = 2 "default",
        /// Copy.
        Copy = 3 "copy",
        /// Increment.
        Increment = 4 "incr",
        /// Delta, of numbers.
        Delta = 5 "delta",
    }
}

codes! {
    /// How a slot learns whether its field is in the stream.
    Presence {
        /// No bit belongs to the field.
        Always = 0 "always",
        /// The next bit of the presence map.
        Bit = 1 "bit",
        /// Known when the segment was compiled: the bit is 1.
        Set = 2 "set",
        /// Known when the segment was compiled: the bit is 0.
        Clear = 3 "clear",
    }
}

codes! {
    /// What follows a row.
    Control {
        /// The next row.
        Next = 0 "next",
        /// The row `target`.
        Jump = 1 "jump",
        /// The end of the template: of the message, or of a called part.
        End = 2 "end",
        /// A sequence begins, its length in the last slot: the next row, or `target` where it is
        /// absent or 0.
        Sequence = 3 "seq",
        /// The end of an element: the first row of the sequence's elements, or the next row.
        Loop = 4 "loop",
        /// An optional group: the next row if the next bit of the presence map is 1, or `target`.
        Group = 5 "test",
        /// A dynamic template reference in the application type numbered `target`, then the next
        /// row.
        Call = 6 "call",
        /// As `loop`, and as `end` after the last element.
        LoopEnd = 7 "loopend",
    }
}

/// One field operation of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// What is decoded.
    pub kind: Kind,
    /// Its operator.
    pub operator: Operator,
    /// Whether the field is optional, hence NULL exists.
    pub optional: bool,
    /// Its presence map bit.
    pub presence: Presence,
    /// The entry in the lane's dictionary bank (copy, increment, delta).
    pub entry: u8,
    /// The number of the initial value among the lane's constants; 0 for none.
    pub initial: u8,
    /// The tag of its output record.
    pub tag: u16,
}

impl Slot {
    /// The slot that does nothing.
    pub const NOP: Self = Self {
        kind: Kind::Nop,
        operator: Operator::None,
        optional: false,
        presence: Presence::Always,
        entry: 0,
        initial: 0,
        tag: 0,
    };

    /// A mandatory field without operator.
    pub const fn plain(kind: Kind, tag: u16) -> Self {
        Self { kind, tag, ..Self::NOP }
    }

    /// Whether it uses an entry of the dictionary.
    pub const fn uses_dictionary(&self) -> bool {
        matches!(self.operator, Operator::Copy | Operator::Increment | Operator::Delta)
    }

    /// Whether it must be the last of its row.
    pub const fn must_be_last(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::Unicode | Kind::Bytes | Kind::Length | Kind::Trap)
    }

    /// Most entities that it takes from the queue.
    pub const fn max_entities(&self) -> usize {
        match self.kind {
            Kind::Nop | Kind::GroupBegin | Kind::GroupEnd | Kind::Trap => 0,
            _ if matches!(self.operator, Operator::Constant)
                || matches!(self.presence, Presence::Clear) =>
            {
                0
            }
            Kind::Decimal => 2,
            _ => 1,
        }
    }

    /// Whether the number of entities depends on a NULL in the stream: an optional decimal.
    pub const fn uncertain(&self) -> bool {
        match self.kind {
            Kind::Decimal => self.optional && self.max_entities() > 0,
            Kind::Exponent => self.optional,
            _ => false,
        }
    }

    /// Bits 0–39 (§4.2).
    pub const fn encode(&self) -> u64 {
        self.kind as u64
            | (self.operator as u64) << 4
            | (self.optional as u64) << 7
            | (self.presence as u64) << 8
            | (self.entry as u64) << 10
            | (self.initial as u64) << 18
            | (self.tag as u64) << 26
    }

    /// The slot of 40 bits; `None` where the operator has no meaning.
    pub fn decode(bits: u64) -> Option<Self> {
        Some(Self {
            kind: Kind::from_code((bits & 15) as u8)?,
            operator: Operator::from_code((bits >> 4 & 7) as u8)?,
            optional: bits >> 7 & 1 != 0,
            presence: Presence::from_code((bits >> 8 & 3) as u8)?,
            entry: (bits >> 10 & 0xff) as u8,
            initial: (bits >> 18 & 0xff) as u8,
            tag: (bits >> 26 & 0x3fff) as u16,
        })
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The slots, one for each lane.
    pub slots: [Slot; LANES],
    /// What follows.
    pub control: Control,
    /// The row, or the application type, that the control names; 0 where it names none.
    pub target: u16,
    /// Whether the first entity is a presence map.
    pub push: bool,
    /// Whether the presence map that a `push` began ends with the row and is checked (R8).
    pub pop: bool,
}

impl Row {
    /// A row that does nothing.
    pub const EMPTY: Self = Self {
        slots: [Slot::NOP; LANES],
        control: Control::Next,
        target: 0,
        push: false,
        pop: false,
    };

    /// Slots up to the last that is not a `nop`.
    pub fn used(&self) -> &[Slot] {
        let last = self.slots.iter().rposition(|slot| *slot != Slot::NOP);
        &self.slots[..last.map_or(0, |last| last + 1)]
    }

    /// Most entities that it takes from the queue.
    pub fn max_entities(&self) -> usize {
        usize::from(self.push) + self.slots.iter().map(Slot::max_entities).sum::<usize>()
    }

    /// How many slots depend on a NULL.
    pub fn uncertain(&self) -> usize {
        self.slots.iter().filter(|slot| slot.uncertain()).count()
    }

    /// Whether a slot or the control tests the presence map.
    pub fn is_conditional(&self) -> bool {
        self.control == Control::Group || self.has_conditional_slot()
    }

    /// Whether a slot tests the presence map.
    pub fn has_conditional_slot(&self) -> bool {
        self.slots.iter().any(|slot| slot.presence == Presence::Bit)
    }

    /// Whether the presence of its mantissa depends on the dictionary: it waits until all earlier
    /// rows are done.
    pub fn waits(&self) -> bool {
        self.slots.iter().any(|slot| {
            slot.kind == Kind::Exponent
                && slot.optional
                && matches!(slot.operator, Operator::Copy | Operator::Increment)
        })
    }

    /// Whether it tests a presence map that is there before it.
    pub fn tests_at_once(&self) -> bool {
        self.is_conditional() && !self.push
    }

    /// Whether a lane uses the same entry of its dictionary in both rows.
    pub fn shares_entry(&self, other: &Self) -> bool {
        let uses = |slot: &Slot| {
            matches!(slot.operator, Operator::Copy | Operator::Increment | Operator::Delta)
        };
        let lanes = self.slots.iter().zip(&other.slots);
        lanes.into_iter().any(|(one, two)| uses(one) && uses(two) && one.entry == two.entry)
    }

    /// Whether it begins a sequence whose length has no operator.
    pub fn is_unoperated_sequence(&self) -> bool {
        self.control == Control::Sequence
            && self.used().last().is_some_and(|slot| slot.operator == Operator::None)
    }

    /// Whether the number of presence map bits that it uses is known only when it has run.
    pub fn bits_depend(&self) -> bool {
        self.slots.windows(2).any(|pair| {
            pair[0].kind == Kind::Exponent && pair[0].optional && pair[1].presence == Presence::Bit
        })
    }

    /// Whether a presence map bit is used behind a mantissa whose own bit may not exist: dispatch
    /// could not tell in one step which bit that is.
    pub fn bits_are_late(&self) -> bool {
        let pair = self.slots.windows(2).position(|pair| {
            pair[0].kind == Kind::Exponent && pair[0].optional && pair[1].presence == Presence::Bit
        });
        pair.is_some_and(|at| {
            let behind = self.slots.iter().skip(at + 2);
            self.control == Control::Group
                || behind.into_iter().any(|slot| slot.presence == Presence::Bit)
        })
    }

    /// The control word (§4.1).
    pub const fn encode_control(&self) -> u32 {
        self.control as u32
            | (self.push as u32) << 4
            | (self.pop as u32) << 5
            | (self.target as u32) << 6
    }

    /// The row in the instruction memory: control word, then the slots of lanes 0–3, five bytes
    /// each, all little-endian.
    pub fn encode(&self) -> [u8; ROW_BYTES] {
        let mut bytes = [0; ROW_BYTES];
        bytes[..4].copy_from_slice(&self.encode_control().to_le_bytes());
        for (chunk, slot) in bytes[4..].chunks_exact_mut(5).zip(&self.slots) {
            chunk.copy_from_slice(&slot.encode().to_le_bytes()[..5]);
        }
        bytes
    }

    /// The row of an encoding; `None` for a code without meaning or a reserved bit.
    pub fn decode(bytes: &[u8; ROW_BYTES]) -> Option<Self> {
        let (control, slots) = bytes.split_first_chunk::<4>()?;
        let control = u32::from_le_bytes(*control);
        if control >> 18 != 0 {
            return None;
        }
        let mut row = Self {
            control: Control::from_code((control & 15) as u8)?,
            push: control >> 4 & 1 != 0,
            pop: control >> 5 & 1 != 0,
            target: (control >> 6 & 0xfff) as u16,
            ..Self::EMPTY
        };
        for (slot, chunk) in row.slots.iter_mut().zip(slots.chunks_exact(5)) {
            let mut bits = [0; 8];
            bits[..5].copy_from_slice(chunk);
            *slot = Slot::decode(u64::from_le_bytes(bits))?;
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_encode_and_decode() {
        let slot = Slot {
            kind: Kind::Mantissa,
            operator: Operator::Delta,
            optional: true,
            presence: Presence::Clear,
            entry: 0xa5,
            initial: 0x5a,
            tag: 0x3fff,
        };
        assert_eq!(Slot::decode(slot.encode()), Some(slot));
        assert!(slot.encode() < 1 << 40);
        let row = Row {
            slots: [slot, Slot::NOP, Slot::plain(Kind::U64, 7), slot],
            control: Control::Call,
            target: 0xfff,
            push: true,
            pop: true,
        };
        assert_eq!(Row::decode(&row.encode()), Some(row));
        let mut bytes = row.encode();
        bytes[3] |= 0x80;
        assert_eq!(Row::decode(&bytes), None);
    }
}

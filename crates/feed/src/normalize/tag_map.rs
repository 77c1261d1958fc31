//! What every field of every template means, worked out once when the templates are loaded.

use std::collections::HashMap;

use saker_fast::Templates;
use saker_fast::model::{Field, FieldOperator, Instruction, Operator, OwnedValue, Template};

/// What a field means to the market, by its FIX tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Role {
    #[default]
    None,
    /// MsgType (35) of a template that does not fix it.
    MsgType,
    /// SecurityID (48).
    SecurityId,
    /// Symbol (55).
    Symbol,
    /// TradingSessionID (336).
    Session,
    /// RptSeq (83).
    RptSeq,
    /// LastMsgSeqNumProcessed (369).
    LastPacket,
    /// FirstFragment (5893).
    FirstFragment,
    /// LastFragment (893).
    LastFragment,
    /// MinPriceIncrement (969).
    PriceIncrement,
    /// RoundLot (561).
    RoundLot,
    /// MDUpdateAction (279).
    Action,
    /// MDEntryType (269).
    EntryType,
    /// MDEntryID (278).
    EntryId,
    /// MDEntryPx (270).
    Price,
    /// MDEntrySize (271).
    Quantity,
}

const ROLES: [(u32, Role); 15] = [
    (35, Role::MsgType),
    (48, Role::SecurityId),
    (55, Role::Symbol),
    (83, Role::RptSeq),
    (269, Role::EntryType),
    (270, Role::Price),
    (271, Role::Quantity),
    (278, Role::EntryId),
    (279, Role::Action),
    (336, Role::Session),
    (369, Role::LastPacket),
    (561, Role::RoundLot),
    (893, Role::LastFragment),
    (969, Role::PriceIncrement),
    (5893, Role::FirstFragment),
];

/// NoMDEntries (268): the length of the sequence of entries.
const NO_MD_ENTRIES: u32 = 268;

/// What the messages of a template are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// 35=d.
    Definition,
    /// 35=X: each element of the sequence of entries (268) is one.
    Incremental,
    /// 35=X without that sequence: the message is an entry.
    IncrementalEntry,
    /// 35=W.
    Snapshot,
    /// 35=0.
    Heartbeat,
    /// Anything else.
    Ignored,
    /// The template does not fix MsgType: the message says it.
    InMessage,
}

impl Class {
    /// Of a template, as far as it fixes MsgType (35).
    pub fn of(template: &Template) -> Class {
        let mut dynamic = false;
        for instruction in &template.instructions {
            match instruction {
                Instruction::Field(field) if field.id.number == Some(35) => match constant(field) {
                    Some(b"X") if is_entry(template) => return Class::IncrementalEntry,
                    Some(text) => return Class::of_msg_type(text),
                    None => dynamic = true,
                },
                // A shared header, perhaps: its MsgType comes with each message.
                Instruction::StaticReference { .. } => dynamic = true,
                _ => {}
            }
        }
        if dynamic { Class::InMessage } else { Class::Ignored }
    }

    pub(super) fn of_msg_type(msg_type: &[u8]) -> Class {
        match msg_type {
            b"d" => Class::Definition,
            b"X" => Class::Incremental,
            b"W" => Class::Snapshot,
            b"0" => Class::Heartbeat,
            _ => Class::Ignored,
        }
    }
}

/// Roles by tag and classes by template: looked up by number, never by name.
#[derive(Debug)]
pub struct TagMap {
    /// Indexed by tag.
    roles: Vec<Role>,
    /// By template id.
    classes: HashMap<u32, Class>,
}

impl TagMap {
    /// The map of a set of templates. A template whose constant MsgType (35) is d, X, W or 0 is a
    /// definition, an incremental refresh, a snapshot or a heartbeat; one without constant is
    /// classified by each message's MsgType; the others are ignored and counted. A refresh with
    /// MDEntryType (269) at message level, and no sequence there, is itself an entry.
    pub fn new(templates: &Templates) -> Self {
        let highest = ROLES.iter().map(|(tag, _)| *tag).max().unwrap_or(0);
        let mut roles = vec![Role::None; highest as usize + 1];
        for (tag, role) in ROLES {
            roles[tag as usize] = role;
        }
        let classes = templates
            .all()
            .iter()
            .filter_map(|template| template.id.number.map(|id| (id, Class::of(template))))
            .collect();
        Self { roles, classes }
    }

    pub(super) fn role(&self, tag: Option<u32>) -> Role {
        tag.and_then(|tag| self.roles.get(tag as usize)).copied().unwrap_or_default()
    }

    pub(super) fn class(&self, template: &Template) -> Class {
        let class = template.id.number.and_then(|id| self.classes.get(&id));
        class.copied().unwrap_or(Class::Ignored)
    }

    pub(super) fn is_entries(length_tag: Option<u32>) -> bool {
        length_tag == Some(NO_MD_ENTRIES)
    }
}

/// Whether a message of this template is an entry: all of it is in sight, MDEntryType (269) among it, and
/// no sequence.
fn is_entry(template: &Template) -> bool {
    let is_field = |one: &Instruction| matches!(one, Instruction::Field(_));
    let is_kind =
        |one: &Instruction| matches!(one, Instruction::Field(f) if f.id.number == Some(269));
    template.instructions.iter().all(is_field) && template.instructions.iter().any(is_kind)
}

fn constant(field: &Field) -> Option<&[u8]> {
    match &field.operator {
        FieldOperator::Whole(Operator::Constant(OwnedValue::Ascii(text))) => Some(text),
        FieldOperator::Whole(Operator::Constant(OwnedValue::Unicode(text))) => {
            Some(text.as_bytes())
        }
        _ => None,
    }
}

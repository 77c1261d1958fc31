//! Random templates of a market-data feed, and messages of them.

use saker_fast::message::{GroupMut, Select};
use saker_fast::model::{Field, FieldOperator, Instruction, Operator};
use saker_fast::{FieldType, Message, Templates, Value};

use fastrand::Rng;

/// The template that defines instruments.
pub const DEFINITION: u32 = 1;
/// Exponents of instruments' prices.
const EXPONENTS: [i8; 3] = [-4, -2, 0];
/// Instruments: SecurityID, Symbol, TradingSessionID. The logic watches the first ones.
pub const INSTRUMENTS: [(Option<u64>, &str, &str); 6] = [
    (Some(1001), "AFLT", "TQBR"),
    (None, "TWELVE_BYTES", "A"),
    (Some(u64::MAX), "SBER", ""),
    (None, "AFLT", "SMAL"),
    (Some(7), "GAZP", "TQBR"),
    (None, "SBER", "SMAL"),
];

/// Fields of an entry: name, FIX tag, and what each may be.
const FIELDS: [(&str, u32, &[&str]); 9] = [
    ("SecurityID", 48, &["uInt32", "uInt64"]),
    ("Symbol", 55, &["string"]),
    ("TradingSessionID", 336, &["string"]),
    ("RptSeq", 83, &["uInt32", "uInt64", "int64"]),
    ("MDUpdateAction", 279, &["uInt32", "uInt64", "int32", "string"]),
    ("MDEntryType", 269, &["uInt32", "uInt64", "int32", "string"]),
    ("MDEntryID", 278, &["uInt64", "string", "int64"]),
    ("MDEntryPx", 270, &["decimal", "decimal", "int64", "uInt64"]),
    ("MDEntrySize", 271, &["uInt64", "decimal", "int64"]),
];
/// Of these the first ones may be said for a whole message.
const NAMES: usize = 3;
/// The one that makes a message without a sequence an entry.
const ENTRY_TYPE: u32 = 269;

/// A definition of some templates: instruments, refreshes of both forms, and what is neither.
pub fn xml(random: &mut Rng) -> String {
    let mut definition = message("Definition", DEFINITION, "d", "");
    let body = "<uInt64 name=\"SecurityID\" id=\"48\" presence=\"optional\"/>\
        <string name=\"Symbol\" id=\"55\"/><string name=\"TradingSessionID\" id=\"336\"/>\
        <decimal name=\"MinPriceIncrement\" id=\"969\"/>";
    definition = definition.replace("</template>", &format!("{body}</template>"));
    let mut all = vec![definition];
    let count = random.u32(2..5);
    for number in 0..count {
        let id = DEFINITION + 1 + number;
        let name = format!("Refresh{id}");
        all.push(match random.u32(0..3) {
            0 => message(&name, id, "X", &fields(random, true)),
            _ => message(&name, id, "X", &refresh(random)),
        });
    }
    let id = DEFINITION + 1 + count;
    all.push(message("Snapshot", id, "W", &refresh(random)));
    all.push(message("Heartbeat", id + 1, "0", ""));
    let namespace = "http://www.fixprotocol.org/ns/fast/td/1.1";
    format!("<templates xmlns=\"{namespace}\" dictionary=\"template\">{}</templates>", all.concat())
}

fn message(name: &str, id: u32, msg_type: &str, body: &str) -> String {
    format!(
        "<template name=\"{name}\" id=\"{id}\"><string name=\"MsgType\" id=\"35\"><constant value=\"{msg_type}\"/>\
         </string>{body}</template>"
    )
}

/// The message's own fields, and its sequences.
fn refresh(random: &mut Rng) -> String {
    let mut parts = Vec::new();
    for at in 0..NAMES {
        if random.u32(0..4) == 0 {
            parts.push(field(random, at));
        }
    }
    if random.u32(0..3) == 0 {
        parts.push(other_sequence(random, "Before"));
    }
    let nested =
        if random.u32(0..4) == 0 { other_sequence(random, "Nested") } else { String::new() };
    let presence = [" presence=\"optional\"", ""][random.usize(0..2)];
    parts.push(format!(
        "<sequence name=\"MDEntries\"{presence}><length name=\"NoMDEntries\" id=\"268\"/>{}{nested}</sequence>",
        fields(random, false)
    ));
    if random.u32(0..4) == 0 {
        parts.push(other_sequence(random, "Behind"));
    }
    parts.concat()
}

/// A sequence whose fields have tags of an entry's, and are none of it.
fn other_sequence(random: &mut Rng, name: &str) -> String {
    let at = random.usize(0..FIELDS.len());
    let inner = field(random, at);
    format!("<sequence name=\"{name}\"><length name=\"No{name}\" id=\"9000\"/>{inner}</sequence>")
}

/// Most of an entry's fields, in any order. Of a message that is an entry, its type is among them.
fn fields(random: &mut Rng, is_message: bool) -> String {
    let mut places: Vec<usize> = (0..FIELDS.len()).collect();
    random.shuffle(&mut places);
    let few = random.u32(0..8) == 0;
    places.retain(|&at| {
        let left_out = if few || at < NAMES { 4 } else { 1 };
        random.u32(0..16) >= left_out || (is_message && FIELDS[at].1 == ENTRY_TYPE)
    });
    places.into_iter().map(|at| field(random, at)).collect()
}

fn field(random: &mut Rng, at: usize) -> String {
    let (name, tag, types) = FIELDS[at];
    let of = types[random.usize(0..types.len())];
    let presence = [" presence=\"optional\"", "", ""][random.usize(0..3)];
    let operator = match random.u32(0..6) {
        0 => "<copy/>",
        1 if of != "string" => "<delta/>",
        _ => "",
    };
    format!("<{of} name=\"{name}\" id=\"{tag}\"{presence}>{operator}</{of}>")
}

/// The definition of an instrument.
pub fn definition(templates: &Templates, at: usize) -> Option<Message> {
    let (id, symbol, session) = INSTRUMENTS[at];
    let mut message = Message::with_id(templates, DEFINITION)?;
    let mut root = message.root_mut();
    if let Some(id) = id {
        root.set(Select::Tag(48), id).ok()?;
    }
    root.set(Select::Tag(55), Value::Ascii(symbol.as_bytes())).ok()?;
    root.set(Select::Tag(336), Value::Ascii(session.as_bytes())).ok()?;
    let exponent = EXPONENTS[at % EXPONENTS.len()].into();
    root.set(Select::Tag(969), Value::Decimal { mantissa: 1, exponent }).ok()?;
    Some(message)
}

/// A random message of a template that is no definition.
pub fn random_message(random: &mut Rng, templates: &Templates) -> Option<Message> {
    let all = templates.all();
    let template = &all[random.usize(1..all.len())];
    let mut message = Message::with_id(templates, template.id.number?)?;
    fill(random, &template.instructions, &mut message.root_mut());
    Some(message)
}

fn fill(random: &mut Rng, instructions: &[Instruction], group: &mut GroupMut<'_>) {
    for (ordinal, instruction) in (0..).zip(instructions) {
        let select = Select::Ordinal(ordinal);
        match instruction {
            Instruction::Field(field) => {
                if field.presence == saker_fast::Presence::Optional && random.u32(0..3) == 0 {
                    continue;
                }
                put(random, field, select, group);
            }
            Instruction::Sequence(sequence) => {
                if sequence.presence == saker_fast::Presence::Optional && random.u32(0..8) == 0 {
                    continue;
                }
                let Ok(mut elements) = group.sequence(select) else { continue };
                for _ in 0..[0, 1, 1, 1, 2, 3, 6][random.usize(0..7)] {
                    fill(random, &sequence.instructions, &mut elements.push());
                }
            }
            _ => {}
        }
    }
}

fn put(random: &mut Rng, field: &Field, select: Select<'_>, group: &mut GroupMut<'_>) {
    if let FieldOperator::Whole(Operator::Constant(value)) = &field.operator {
        let _ = group.set(select, value.as_value());
        return;
    }
    let tag = field.id.number.unwrap_or(0);
    let odd = random.u32(0..64) == 0;
    let value = match field.field_type {
        FieldType::Ascii => {
            let text = text(random, tag, odd);
            let _ = group.set(select, Value::Ascii(text.as_bytes()));
            return;
        }
        FieldType::Decimal => decimal(random, tag, odd),
        FieldType::UInt32 => Value::UInt(number(random, tag, odd) & u64::from(u32::MAX)),
        FieldType::UInt64 => Value::UInt(number(random, tag, odd)),
        FieldType::Int32 => Value::Int((number(random, tag, odd) as i32).into()),
        _ => Value::Int(number(random, tag, odd).cast_signed()),
    };
    let _ = group.set(select, value);
}

fn number(random: &mut Rng, tag: u32, odd: bool) -> u64 {
    let any = random.u64(..) >> random.u32(0..64);
    if odd {
        return any;
    }
    match tag {
        48 => [1001, 1001, 1001, u64::MAX, 7, 5][random.usize(0..6)],
        83 => random.u32(..).into(),
        279 => random.u64(0..3),
        269 => [0, 1, 2, 0, 1, 2, 3][random.usize(0..7)],
        _ => any,
    }
}

fn text(random: &mut Rng, tag: u32, odd: bool) -> String {
    let any = |random: &mut Rng| {
        let length = random.usize(0..16);
        (0..length).map(|_| random.alphanumeric()).collect::<String>()
    };
    if odd {
        return any(random);
    }
    match tag {
        55 => {
            let names =
                ["AFLT", "SBER", "TWELVE_BYTES", "TWELVE_BYTEZ", "", "LVE_BYTES", "TWELVE_BYTES_X"];
            names[random.usize(0..names.len())].to_owned()
        }
        336 => ["TQBR", "SMAL", "A", ""][random.usize(0..4)].to_owned(),
        279 => random.u32(0..3).to_string(),
        269 => ["0", "1", "2", "z", "J", "01"][random.usize(0..6)].to_owned(),
        // At most 16 digits.
        278 => (random.u64(..10_000_000_000_000_000) >> random.u32(0..54)).to_string(),
        _ => any(random),
    }
}

/// One whose digits fit an exponent, or which no exponent but its own and lower ones can have: what software divides
/// by ten, and logic does not, does not come.
fn decimal(random: &mut Rng, tag: u32, odd: bool) -> Value<'static> {
    let most = [20, 60][random.usize(0..2)];
    let mut mantissa = (random.u64(..) >> (64 - random.u32(1..most))).cast_signed();
    if tag == 270 && random.bool() || random.u32(0..32) == 0 {
        mantissa = -mantissa;
    }
    if mantissa % 10 == 0 && mantissa != 0 {
        mantissa += 1;
    }
    let exponent = match (odd, tag) {
        (true, _) => [-63, -5, -3, -1, 30, 63][random.usize(0..6)],
        (false, 270) => [-4, -2, 0, 0, 1, 3, 6][random.usize(0..7)],
        (false, _) => [0, 0, 1, 3, 10][random.usize(0..5)],
    };
    Value::Decimal { mantissa, exponent }
}

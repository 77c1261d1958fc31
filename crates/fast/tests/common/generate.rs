//! Random templates and messages for them.
//!
//! Fields share dictionary entries only where no sequence of values can run into an error:
//! entries are shared by copy and increment operators of one type.

use saker_fast::message::GroupMut;
use saker_fast::{FieldInfo, FieldKind, FieldType, Message, Templates, Value};

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len() as u64) as usize]
    }
}

/// Strings with the tail operator all have this length, since a tail cannot shorten its base.
const TAIL_LENGTH: usize = 6;

/// What the values of a field must be like, by the field's name.
enum Rule {
    Free,
    Constant(&'static str),
    /// (exponent, mantissa), where they are constant.
    Parts(Option<i32>, Option<i64>),
    Tail,
}

/// A definition with up to five templates.
pub struct Generator {
    pub random: Random,
    /// The identifiers of those that have one.
    pub ids: [u32; 4],
    names: u32,
    rules: Vec<(String, Rule)>,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self { random: Random(seed), ids: [1, 2, 3, 4], names: 0, rules: Vec::new() }
    }

    pub fn definition(&mut self) -> String {
        let mut xml =
            String::from("<templates xmlns=\"http://www.fixprotocol.org/ns/fast/td/1.1\">");
        xml += &format!("<template name=\"Part\">{}</template>", self.instructions(1));
        for number in 0..1 + self.random.below(4) {
            let id = self.ids[number as usize];
            let dictionary = self.dictionary();
            let type_ref = if self.random.chance(30) { "<typeRef name=\"Type\"/>" } else { "" };
            let reset = if self.random.chance(10) {
                " xmlns:s=\"http://www.fixprotocol.org/ns/fast/scp/1.1\" s:reset=\"yes\""
            } else {
                ""
            };
            xml += &format!(
                "<template name=\"T{id}\" id=\"{id}\"{dictionary}{reset}>{type_ref}{}</template>",
                self.instructions(0)
            );
        }
        xml + "</templates>"
    }

    fn dictionary(&mut self) -> &'static str {
        self.random.pick::<&str>(&[
            "",
            "",
            "",
            " dictionary=\"template\"",
            " dictionary=\"type\"",
            " dictionary=\"global\"",
            " dictionary=\"own\"",
        ])
    }

    fn instructions(&mut self, depth: u32) -> String {
        let count = if self.random.chance(5) { 80 } else { 1 + self.random.below(8) };
        (0..count).map(|_| self.instruction(depth)).collect()
    }

    fn presence(&mut self) -> &'static str {
        if self.random.chance(50) { " presence=\"optional\"" } else { "" }
    }

    fn instruction(&mut self, depth: u32) -> String {
        let kind = self.random.below(100);
        self.names += 1;
        let name = format!("F{}", self.names);
        let presence = self.presence();
        if depth < 3 && kind < 8 {
            let length = match self.random.below(4) {
                0 => String::new(),
                1 => format!("<length name=\"{name}N\" id=\"{}\"/>", self.names),
                2 => "<length><copy/></length>".to_owned(),
                _ => "<length><delta value=\"2\"/></length>".to_owned(),
            };
            let dictionary = self.dictionary();
            let content = self.instructions(depth + 1);
            return format!(
                "<sequence name=\"{name}\"{presence}{dictionary}>{length}{content}</sequence>"
            );
        }
        if depth < 3 && kind < 16 {
            let content = self.instructions(depth + 1);
            return format!("<group name=\"{name}\"{presence}>{content}</group>");
        }
        if depth == 0 && kind < 20 {
            return "<templateRef name=\"Part\"/>".to_owned();
        }
        if depth == 0 && kind < 22 {
            return "<templateRef/>".to_owned();
        }
        match self.random.below(9) {
            0..=3 => {
                let element = *self.random.pick(&["int32", "uInt32", "int64", "uInt64"]);
                let operator = self.operator(&name, element, presence, &["1", "7", "2147483647"]);
                format!("<{element} name=\"{name}\"{presence}>{operator}</{element}>")
            }
            4 => {
                let operator =
                    self.operator(&name, "decimal", presence, &["1", "-0.25", "1200000"]);
                format!("<decimal name=\"{name}\"{presence}>{operator}</decimal>")
            }
            5 => self.decimal_of_parts(&name, presence),
            6 => {
                let operator = self.operator(&name, "string", presence, &["", "AB", "GEH6"]);
                format!("<string name=\"{name}\"{presence}>{operator}</string>")
            }
            7 => {
                let operator = self.operator(&name, "unicode", presence, &["", "é", "日本"]);
                format!("<string charset=\"unicode\" name=\"{name}\"{presence}>{operator}</string>")
            }
            _ => {
                let operator = self.operator(&name, "byteVector", presence, &["", "00ff", "0102"]);
                format!("<byteVector name=\"{name}\"{presence}>{operator}</byteVector>")
            }
        }
    }

    /// An operator or none; `values` are initial values.
    fn operator(
        &mut self,
        name: &str,
        element: &str,
        presence: &str,
        values: &[&'static str],
    ) -> String {
        let value = *self.random.pick(values);
        let initial =
            if self.random.chance(50) { format!(" value=\"{value}\"") } else { String::new() };
        let key =
            if self.random.chance(25) { format!(" key=\"{element}\"") } else { String::new() };
        let dictionary = self.dictionary();
        let mut rule = Rule::Free;
        let operator = match self.random.below(8) {
            0 | 1 => String::new(),
            2 => {
                rule = Rule::Constant(value);
                format!("<constant value=\"{value}\"/>")
            }
            3 if presence.is_empty() => format!("<default value=\"{value}\"/>"),
            3 => format!("<default{initial}/>"),
            4 => format!("<copy{dictionary}{key}{initial}/>"),
            5 if element.contains("nt") => format!("<increment{dictionary}{key}{initial}/>"),
            6 if matches!(element, "string" | "unicode" | "byteVector") => {
                rule = Rule::Tail;
                format!("<tail{dictionary}{initial}/>")
            }
            _ => format!("<delta{dictionary}{initial}/>"),
        };
        self.rules.push((name.to_owned(), rule));
        operator
    }

    fn decimal_of_parts(&mut self, name: &str, presence: &str) -> String {
        let mut constants = (None, None);
        let mut part = |random: &mut Random, element: &str| match random.below(5) {
            0 if element == "exponent" => {
                constants.0 = Some(-2);
                "<exponent><constant value=\"-2\"/></exponent>".to_owned()
            }
            0 => {
                constants.1 = Some(17);
                "<mantissa><constant value=\"17\"/></mantissa>".to_owned()
            }
            1 => format!("<{element}><default value=\"2\"/></{element}>"),
            2 => format!("<{element}><copy value=\"-1\"/></{element}>"),
            3 => format!("<{element}><delta/></{element}>"),
            _ => format!("<{element}><increment/></{element}>"),
        };
        let mut content = part(&mut self.random, "exponent");
        if self.random.chance(70) {
            content += &part(&mut self.random, "mantissa");
        }
        self.rules.push((name.to_owned(), Rule::Parts(constants.0, constants.1)));
        format!("<decimal name=\"{name}\"{presence}>{content}</decimal>")
    }

    /// A message of a random template that has an identifier.
    pub fn message(&mut self, templates: &Templates) -> Message {
        let id = self.id(templates);
        let mut message = Message::with_id(templates, id).unwrap();
        self.fill(templates, message.root_mut(), 0);
        message
    }

    fn id(&mut self, templates: &Templates) -> u32 {
        self.ids[self.random.below(templates.all().len() as u64 - 1) as usize]
    }

    fn fill(&mut self, templates: &Templates, mut group: GroupMut<'_>, depth: u32) {
        let fields: Vec<FieldInfo> = group.as_ref().fields().cloned().collect();
        for field in fields {
            let optional = field.presence == saker_fast::Presence::Optional;
            if optional && self.random.chance(35) {
                continue;
            }
            let select = saker_fast::message::Select::Ordinal(field.ordinal);
            match field.kind {
                FieldKind::Primitive(field_type) => self.value(&field, field_type, &mut group),
                FieldKind::Group => {
                    self.fill(templates, group.group(select).unwrap(), depth + 1);
                }
                FieldKind::Sequence => {
                    let mut sequence = group.sequence(select).unwrap();
                    for _ in 0..self.random.below(4) {
                        self.fill(templates, sequence.push(), depth + 1);
                    }
                }
                FieldKind::Reference => {
                    // Deep nesting ends with the first template without references, if any.
                    let name = templates.by_id(self.id(templates)).unwrap().name.local.clone();
                    let inner = group.reference(select, &name).unwrap();
                    if depth < 4 {
                        self.fill(templates, inner, depth + 1);
                    } else {
                        self.complete(templates, inner);
                    }
                }
            }
        }
    }

    /// Only what is mandatory; a reference too many makes the message one that does not encode.
    fn complete(&mut self, templates: &Templates, group: GroupMut<'_>) {
        let references = group.as_ref().fields().any(|field| field.kind == FieldKind::Reference);
        if !references {
            self.fill(templates, group, 10);
        }
    }

    fn value(&mut self, field: &FieldInfo, field_type: FieldType, group: &mut GroupMut<'_>) {
        let random = &mut self.random;
        let select = saker_fast::message::Select::Ordinal(field.ordinal);
        let rule = self.rules.iter().find(|(name, _)| **name == *field.name.local);
        let rule = &rule.expect("every field has a rule").1;
        if let Rule::Constant(value) = rule {
            // The decimal as it is normalized in the template.
            match (field_type, *value) {
                (FieldType::Decimal, "1200000") => {
                    group.set(select, Value::Decimal { mantissa: 12, exponent: 5 }).unwrap();
                }
                _ => group.set(select, *value).unwrap(),
            }
            return;
        }
        let number = match random.below(6) {
            0 => random.next(),
            1 => random.next() >> random.below(64),
            _ => random.below(4),
        };
        match field_type {
            FieldType::UInt32 => group.set(select, number as u32),
            FieldType::Int32 => group.set(select, number as i32),
            FieldType::UInt64 => group.set(select, number),
            FieldType::Int64 => group.set(select, number.cast_signed()),
            FieldType::Decimal => {
                let (mut exponent, mut mantissa) =
                    (random.below(127) as i32 - 63, number.cast_signed());
                if random.chance(70) {
                    exponent = -2;
                }
                if let Rule::Parts(constant_exponent, constant_mantissa) = rule {
                    exponent = constant_exponent.unwrap_or(exponent);
                    mantissa = constant_mantissa.unwrap_or(mantissa);
                }
                group.set(select, Value::Decimal { mantissa, exponent })
            }
            FieldType::Ascii | FieldType::Unicode | FieldType::Bytes => {
                let letters: &[char] = match field_type {
                    FieldType::Unicode => &['A', 'é', '日', '\u{0}'],
                    FieldType::Ascii => &['A', 'B', '\u{0}', '\u{7f}'],
                    _ => &['0', 'f'],
                };
                let mut text = String::new();
                // Bytes: hexadecimal digits come in pairs. Unicode tails count bytes.
                let length = match rule {
                    Rule::Tail if field_type == FieldType::Bytes => 2 * TAIL_LENGTH,
                    Rule::Tail => TAIL_LENGTH,
                    _ if field_type == FieldType::Bytes => 2 * random.below(9) as usize,
                    _ if random.chance(10) => random.below(40) as usize,
                    _ => random.below(5) as usize,
                };
                while text.len() < length {
                    let letter = *random.pick(letters);
                    if text.len() + letter.len_utf8() <= length {
                        text.push(letter);
                    }
                }
                group.set(select, &*text)
            }
        }
        .unwrap();
    }
}

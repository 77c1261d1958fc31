//! Messages to JSON text.

use std::fmt::Write;

use crate::decode::Visitor;
use crate::message::Message;
use crate::model::{LogicalType, Template};
use crate::plan::FieldInfo;
use crate::value::Value;

/// A visitor that writes each message as a line of JSON.
///
/// A message that fails to decode leaves no line: the next message begins where it began.
#[derive(Clone, Debug, Default)]
pub struct JsonWriter {
    text: String,
    /// Where the line of the message at hand begins.
    line: usize,
    /// Whether the object at hand has no member yet.
    first: bool,
}

impl JsonWriter {
    /// The lines written so far, each with its line end.
    pub fn text(&self) -> &str {
        &self.text[..self.line]
    }

    /// Forgets the lines and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.line = 0;
    }

    fn member(&mut self, field: &FieldInfo) {
        if !self.first {
            self.text.push(',');
        }
        self.first = false;
        push_string(&field.key, &mut self.text);
        self.text.push(':');
    }

    fn begin_template(&mut self, template: &Template) {
        self.text.push_str("{\"template\":");
        push_string(&template.name.local, &mut self.text);
        self.text.push_str(",\"id\":");
        match template.id.number {
            Some(id) => push_unsigned(id.into(), &mut self.text),
            None => self.text.push_str("null"),
        }
        self.text.push_str(",\"fields\":{");
        self.first = true;
    }
}

impl Visitor for JsonWriter {
    fn begin_message(&mut self, template: &Template) {
        self.text.truncate(self.line);
        self.begin_template(template);
    }

    fn end_message(&mut self) {
        self.text.push_str("}}\n");
        self.line = self.text.len();
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        self.member(field);
        match &field.logical {
            None => push_value(value, &mut self.text),
            Some(logical) => push_logical(logical, value, &mut self.text),
        }
    }

    fn begin_sequence(&mut self, field: &FieldInfo, _length: u32) {
        self.member(field);
        self.text.push('[');
    }

    fn begin_element(&mut self, index: u32) {
        self.text.push_str(if index == 0 { "{" } else { ",{" });
        self.first = true;
    }

    fn end_element(&mut self) {
        self.text.push('}');
    }

    fn end_sequence(&mut self, _field: &FieldInfo) {
        self.text.push(']');
        self.first = false;
    }

    fn begin_group(&mut self, field: &FieldInfo) {
        self.member(field);
        self.text.push('{');
        self.first = true;
    }

    fn end_group(&mut self, _field: &FieldInfo) {
        self.text.push('}');
        self.first = false;
    }

    fn begin_reference(&mut self, field: &FieldInfo, template: &Template) {
        self.member(field);
        self.begin_template(template);
    }

    fn end_reference(&mut self, _field: &FieldInfo) {
        self.text.push_str("}}");
        self.first = false;
    }
}

/// One message as JSON, without a line end.
pub fn to_json(message: &Message) -> String {
    let mut writer = JsonWriter::default();
    message.visit(&mut writer);
    let mut text = writer.text;
    text.truncate(text.trim_end().len());
    text
}

/// A value of a type of FAST 1.2: see the [module](super) for the form.
#[inline(never)]
fn push_logical(logical: &LogicalType, value: Value<'_>, text: &mut String) {
    match (logical, value) {
        (LogicalType::Boolean, Value::UInt(value)) => {
            text.push_str(if value == 0 { "false" } else { "true" });
        }
        (LogicalType::Enum(_), Value::UInt(place)) => match logical.element(place) {
            Some(element) => push_string(&element.name, text),
            None => push_value(value, text),
        },
        (LogicalType::Set(elements), Value::UInt(bits)) => {
            text.push('[');
            let mut separator = "";
            for (place, element) in elements.iter().enumerate() {
                if bits >> place & 1 != 0 {
                    text.push_str(separator);
                    push_string(&element.name, text);
                    separator = ",";
                }
            }
            text.push(']');
        }
        _ => push_value(value, text),
    }
}

/// A value as JSON.
fn push_value(value: Value<'_>, text: &mut String) {
    match value {
        Value::UInt(value) => push_unsigned(value, text),
        Value::Int(value) => push_signed(value, text),
        Value::Decimal { mantissa, exponent } => push_decimal(mantissa, exponent, text),
        // Values of ASCII fields are below 0x80, which is UTF-8.
        Value::Ascii(bytes) => push_string(&String::from_utf8_lossy(bytes), text),
        Value::Unicode(string) => push_string(string, text),
        Value::Bytes(bytes) => {
            text.push('"');
            push_hexadecimal(bytes, text);
            text.push('"');
        }
    }
}

/// See the [module](super) for the form.
fn push_decimal(mantissa: i64, exponent: i32, text: &mut String) {
    if exponent >= 0 {
        push_signed(mantissa, text);
        if exponent > 0 {
            text.push('e');
            push_signed(exponent.into(), text);
        }
        return;
    }
    if mantissa < 0 {
        text.push('-');
    }
    let decimals = exponent.unsigned_abs() as usize;
    let start = text.len();
    push_unsigned(mantissa.unsigned_abs(), text);
    let digits = text.len() - start;
    if digits <= decimals {
        let zeros = decimals + 1 - digits;
        text.insert_str(start, &"0".repeat(zeros));
    }
    text.insert(text.len() - decimals, '.');
}

fn push_signed(number: i64, text: &mut String) {
    if number < 0 {
        text.push('-');
    }
    push_unsigned(number.unsigned_abs(), text);
}

/// As `Display`, at a fraction of its cost.
fn push_unsigned(number: u64, text: &mut String) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        // A remainder by ten is a digit.
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

fn push_string(string: &str, text: &mut String) {
    text.push('"');
    let mut plain = 0;
    for (at, byte) in string.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' && byte != 0x7f {
            continue;
        }
        // Escaped characters are ASCII, so that both offsets are character boundaries.
        text.push_str(&string[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            other => {
                write!(text, "\\u{other:04x}").expect("writing to a string does not fail");
            }
        }
    }
    text.push_str(&string[plain..]);
    text.push('"');
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn push_hexadecimal(bytes: &[u8], text: &mut String) {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 15)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_written_as_display_writes_them() {
        for number in [0, 1, 9, 10, 4_294_967_296, u64::MAX] {
            let mut text = String::new();
            push_unsigned(number, &mut text);
            push_signed(number.cast_signed(), &mut text);
            assert_eq!(text, format!("{number}{}", number.cast_signed()));
        }
    }

    #[test]
    fn decimals_keep_mantissa_and_exponent() {
        let text = |mantissa, exponent| {
            let mut text = String::from("x");
            push_decimal(mantissa, exponent, &mut text);
            text[1..].to_owned()
        };
        assert_eq!(text(1125, -2), "11.25");
        assert_eq!(text(1100, -2), "11.00");
        assert_eq!(text(5, -3), "0.005");
        assert_eq!(text(-5, -2), "-0.05");
        assert_eq!(text(0, -2), "0.00");
        assert_eq!(text(0, 0), "0");
        assert_eq!(text(0, 3), "0e3");
        assert_eq!(text(11, 2), "11e2");
        assert_eq!(text(i64::MIN, -18), "-9.223372036854775808");
        assert_eq!(text(1, -63), format!("0.{}1", "0".repeat(62)));
    }
}

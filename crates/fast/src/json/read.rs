//! JSON text to messages.

use super::parse::{Json, parse};
use crate::load::Templates;
use crate::message::{FieldError, GroupMut, Message, Select};
use crate::model::{FieldType, LogicalType, OwnedValue};
use crate::plan::FieldKind;
use crate::value::Value;

/// JSON text is not a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {message}")]
pub struct JsonError {
    /// Offset into the text of the value that is wrong.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

impl JsonError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

/// Reads one message; the inverse of [`to_json`](super::to_json). The template is found by its
/// identifier where an `id` is given, which its name must then agree with, otherwise by its name.
///
/// # Errors
/// Where the text is not JSON or not a message of `templates`.
pub fn from_json(templates: &Templates, text: &str) -> Result<Message, JsonError> {
    let json = parse(text)?;
    let (name, fields) = header(templates, &json)?;
    let mut message = Message::new(templates, name)
        .ok_or_else(|| JsonError::new(json.offset(), format!("no template {name:?}")))?;
    fill(templates, message.root_mut(), fields)?;
    Ok(message)
}

/// The name that finds the template and the object of the fields.
fn header<'j>(templates: &'j Templates, json: &'j Json) -> Result<(&'j str, &'j Json), JsonError> {
    let mut name = None;
    let mut id = None;
    let mut fields = None;
    for (key, value) in members(json)? {
        match (key.as_str(), value) {
            ("template", Json::String(_, text)) => name = Some(text.as_str()),
            ("id", Json::Null(_)) => {}
            ("id", Json::Number(_, text)) => id = Some((value.offset(), text)),
            ("fields", Json::Object(..)) => fields = Some(value),
            _ => {
                return Err(JsonError::new(value.offset(), format!("unexpected member {key:?}")));
            }
        }
    }
    let name = name.ok_or_else(|| JsonError::new(json.offset(), "no member \"template\""))?;
    let fields = fields.ok_or_else(|| JsonError::new(json.offset(), "no member \"fields\""))?;
    let index = match id {
        None => templates.index_of(name),
        Some((offset, text)) => {
            let entry = text.parse().ok().and_then(|id| templates.plan().by_id.get(&id).copied());
            let named = |index: &u32| *templates.all()[*index as usize].name.local == *name;
            Some(entry.filter(named).ok_or_else(|| {
                JsonError::new(offset, format!("{text} is not the id of {name:?}"))
            })?)
        }
    };
    let name = match index {
        Some(index) => templates.label(index),
        None => return Err(JsonError::new(json.offset(), format!("no template {name:?}"))),
    };
    Ok((name, fields))
}

fn members(json: &Json) -> Result<&[(String, Json)], JsonError> {
    match json {
        Json::Object(_, members) => Ok(members),
        other => Err(JsonError::new(other.offset(), "an object is expected")),
    }
}

fn fill(templates: &Templates, mut group: GroupMut<'_>, json: &Json) -> Result<(), JsonError> {
    for (key, value) in members(json)? {
        let offset = value.offset();
        let field_error = |error: FieldError| JsonError::new(offset, error.to_string());
        let wrong = |wanted: &str| {
            JsonError::new(offset, format!("{wanted} is expected for field {key:?}"))
        };
        let field = group
            .as_ref()
            .field(key.as_str())
            .ok_or_else(|| JsonError::new(offset, format!("no field {key:?}")))?;
        let select = Select::Ordinal(field.ordinal);
        match field.kind {
            FieldKind::Primitive(_) if field.logical.is_some() => {
                let logical = field.logical.as_deref();
                let value = logical.and_then(|logical| logical_value(logical, value));
                let value = value.ok_or_else(|| wrong("a value of its type"))?;
                group.set(select, value.as_value()).map_err(field_error)?;
            }
            FieldKind::Primitive(field_type) => {
                let value = match (field_type, value) {
                    (FieldType::Decimal, Json::Number(_, text)) => {
                        decimal(text).ok_or_else(|| wrong("a decimal in range"))?
                    }
                    (other, Json::Number(_, text)) if other.is_integer() => {
                        integer(text).ok_or_else(|| wrong("an integer"))?
                    }
                    (FieldType::Ascii | FieldType::Unicode, Json::String(_, text))
                    | (FieldType::Bytes, Json::String(_, text)) => Value::Unicode(text),
                    (FieldType::Ascii | FieldType::Unicode, _) => return Err(wrong("a string")),
                    (FieldType::Bytes, _) => {
                        return Err(wrong("a string of hexadecimal digits"));
                    }
                    _ => return Err(wrong("a number")),
                };
                group.set(select, value).map_err(field_error)?;
            }
            FieldKind::Group => {
                fill(templates, group.group(select).map_err(field_error)?, value)?;
            }
            FieldKind::Sequence => {
                let Json::Array(_, elements) = value else { return Err(wrong("an array")) };
                let mut sequence = group.sequence(select).map_err(field_error)?;
                for element in elements {
                    fill(templates, sequence.push(), element)?;
                }
            }
            FieldKind::Reference => {
                let (name, fields) = header(templates, value)?;
                fill(templates, group.reference(select, name).map_err(field_error)?, fields)?;
            }
        }
    }
    Ok(())
}

/// The integer of a value of FAST 1.2's types.
fn logical_value(logical: &LogicalType, json: &Json) -> Option<OwnedValue> {
    match (logical, json) {
        (_, Json::Number(_, text)) => Some(integer(text)?.into()),
        (LogicalType::Boolean, Json::Bool(_, value)) => Some(OwnedValue::UInt(u64::from(*value))),
        (LogicalType::Enum(_), Json::String(_, name)) => {
            Some(OwnedValue::UInt(logical.place(name)?))
        }
        (LogicalType::Set(_), Json::Array(_, names)) => {
            let mut bits = 0;
            for name in names {
                let Json::String(_, name) = name else { return None };
                bits |= 1u64 << logical.place(name)?;
            }
            Some(OwnedValue::UInt(bits))
        }
        _ => None,
    }
}

fn integer(text: &str) -> Option<Value<'static>> {
    match text.parse::<u64>() {
        Ok(value) => Some(Value::UInt(value)),
        Err(_) => text.parse::<i64>().ok().map(Value::Int),
    }
}

/// Mantissa and exponent as the digits give them; nothing is normalized.
fn decimal(text: &str) -> Option<Value<'static>> {
    let (number, power) = match text.split_once(['e', 'E']) {
        Some((number, power)) => (number, power.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let mantissa = format!("{whole}{decimals}").parse::<i64>().ok()?;
    let exponent = power.checked_sub(i32::try_from(decimals.len()).ok()?)?;
    (-63..=63).contains(&exponent).then_some(Value::Decimal { mantissa, exponent })
}

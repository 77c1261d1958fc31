//! Runs a plan over the values of a message.

use super::block::What;
use super::{EncoderOptions, Source};
use crate::dictionary::Dictionary;
use crate::error::{EncodeError, ErrorCode, Site};
use crate::load::Templates;
use crate::message::is_of;
use crate::model::FieldType;
use crate::plan::{Code, FieldInfo, FieldKind, Instruction, NONE, Operated, OperatorCode, Plan};
use crate::transfer::{
    PresenceBits, Processor, write_ascii, write_bytes, write_null, write_signed,
    write_signed_nullable, write_unsigned, write_unsigned_nullable,
};
use crate::value::Value;

/// What encoding a message needs besides its values.
pub(super) struct Run<'r> {
    pub templates: &'r Templates,
    pub plan: &'r Plan,
    pub options: &'r EncoderOptions,
    pub dictionary: &'r mut Dictionary,
    pub last_entry: &'r mut Option<u32>,
    pub presence_store: &'r mut Vec<bool>,
    pub out: &'r mut Vec<u8>,
    pub processor: Processor,
    pub depth: u32,
    /// The current template.
    pub template: u32,
    /// The innermost field at which an error occurred, or `NONE`.
    pub failed_field: u32,
}

impl Run<'_> {
    /// Appends the message of the template with index `template`.
    pub fn message<S: Source>(mut self, template: u32, source: S) -> Result<(), EncodeError> {
        self.template = template;
        self.segment(template, template, source).map_err(|code| {
            let field = self.plan.fields.get(self.failed_field as usize);
            let template = self.templates.all().get(self.template as usize);
            let site = Site {
                template: template.map(|template| template.name.local.clone()),
                field: field.map(|field| field.name.local.clone()),
            };
            EncodeError { code, site }
        })
    }

    /// A segment with a template identifier: that of `template`, whose entry is `entry`.
    fn segment<S: Source>(
        &mut self,
        template: u32,
        entry: u32,
        source: S,
    ) -> Result<(), ErrorCode> {
        let id = self.templates.all()[template as usize].id.number.ok_or(ErrorCode::D9)?;
        let send = self.options.always_send_id || *self.last_entry != Some(template);
        if send {
            *self.last_entry = Some(template);
        }
        let entry = self.plan.entries[entry as usize];
        if entry.reset {
            self.dictionary.reset();
        }
        let block = self.plan.blocks[entry.block as usize];
        self.part(block, source, What::Message(send.then_some(id)))
    }

    /// A primitive field, whatever its value.
    #[inline(never)]
    pub(super) fn primitive(
        &mut self,
        instruction: &Instruction,
        field_type: FieldType,
        value: Option<Value<'_>>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let Some(value) = value else {
            if instruction.code.is_nullable() {
                write_null(self.out);
                return Ok(());
            }
            return self.field(instruction, field_type, None, presence);
        };
        if is_of(value, field_type) {
            self.field(instruction, field_type, Some(value), presence)
        } else {
            let converted = instruction.info.convert(value, field_type)?;
            self.field(instruction, field_type, Some(converted.as_value()), presence)
        }
    }

    pub(super) fn step<S: Source>(
        &mut self,
        instruction: &Instruction,
        source: S,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        let field = &instruction.info;
        match field.kind {
            FieldKind::Primitive(field_type) => {
                self.primitive(instruction, field_type, source.value(field), presence)
            }
            FieldKind::Group if instruction.code == Code::BitGroup => {
                let group = &plan.bit_groups[instruction.operand as usize];
                self.bit_group(group, source.group(field), presence)
            }
            FieldKind::Group => {
                let inner = source.group(field);
                if instruction.code == Code::GroupOptional {
                    presence.push(inner.is_some(), self.presence_store);
                    if inner.is_none() {
                        return Ok(());
                    }
                }
                let inner = inner.ok_or(ErrorCode::Missing)?;
                self.deeper()?;
                self.part(plan.blocks[instruction.operand as usize], inner, What::One)?;
                self.depth -= 1;
                Ok(())
            }
            FieldKind::Sequence => {
                self.sequence(field, &plan.operated[instruction.operand as usize], source, presence)
            }
            FieldKind::Reference => {
                let (name, inner) = source.reference(field).ok_or(ErrorCode::Missing)?;
                let template = self.templates.index_of(name).ok_or(ErrorCode::D9)?;
                self.deeper()?;
                let outer = std::mem::replace(&mut self.template, template);
                let entry = plan.entry_within(template, instruction.operand);
                self.segment(template, entry, inner)?;
                self.template = outer;
                self.depth -= 1;
                Ok(())
            }
        }
    }

    fn sequence<S: Source>(
        &mut self,
        field: &FieldInfo,
        length_field: &Operated,
        source: S,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let length = source.length(field);
        let bits = match length {
            Some(length) => Some(u64::from(u32::try_from(length).map_err(|_| ErrorCode::R4)?)),
            None => None,
        };
        self.integer(length_field, bits, presence)?;
        let Some(length) = length else { return Ok(()) };
        self.deeper()?;
        let block = self.plan.blocks[field.scope.unwrap_or(NONE) as usize];
        self.part(block, source, What::Elements(field, length))?;
        self.depth -= 1;
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), ErrorCode> {
        self.depth += 1;
        if self.depth > self.options.max_depth { Err(ErrorCode::Limit) } else { Ok(()) }
    }

    /// A primitive field; `value` is of its type.
    #[inline]
    fn field(
        &mut self,
        instruction: &Instruction,
        field_type: FieldType,
        value: Option<Value<'_>>,
        presence: &mut PresenceBits,
    ) -> Result<(), ErrorCode> {
        let plan = self.plan;
        let max = self.options.max_string as usize;
        if value.and_then(Value::as_bytes).is_some_and(|bytes| bytes.len() > max) {
            return Err(ErrorCode::Limit);
        }
        let operated = |index: usize| &plan.operated[index];
        let operand = instruction.operand as usize;
        match instruction.code {
            Code::Constant => match value {
                Some(value) if value != plan.values[operand].as_value() => Err(ErrorCode::D3),
                None if self.options.require_constants => Err(ErrorCode::Missing),
                _ => Ok(()),
            },
            Code::ConstantOptional => {
                if value.is_some_and(|value| value != plan.values[operand].as_value()) {
                    return Err(ErrorCode::D3);
                }
                presence.push(value.is_some(), self.presence_store);
                Ok(())
            }
            Code::Integer => self.integer(operated(operand), bits(value), presence),
            Code::Bounded => self.bounded(&plan.bounded[operand], value, presence),
            Code::DecimalWhole => self.decimal(operated(operand), decimal(value), presence),
            Code::DecimalParts => {
                let (exponent, mantissa) = (operated(operand), operated(operand + 1));
                let value = match decimal(value) {
                    Some(value) if exponent.operator == OperatorCode::Constant => {
                        let constant = exponent.initial_bits.cast_signed();
                        Some(rescale(value, constant).ok_or(ErrorCode::D3)?)
                    }
                    other => other,
                };
                let constant = mantissa.operator == OperatorCode::Constant;
                // A constant exponent alone makes no value.
                if value.is_none() && !exponent.optional && !constant {
                    return Err(ErrorCode::Missing);
                }
                let exponent_bits = value.map(|(_, exponent)| i64::from(exponent).cast_unsigned());
                self.integer(exponent, exponent_bits, presence)?;
                match value {
                    Some((value, _)) => {
                        self.integer(mantissa, Some(value.cast_unsigned()), presence)
                    }
                    None => Ok(()),
                }
            }
            Code::Text => self.text(operated(operand), value.and_then(Value::as_bytes), presence),
            code => {
                let optional = code.is_nullable();
                if value.is_none() && !optional {
                    return Err(ErrorCode::Missing);
                }
                self.put(field_type, optional, value);
                Ok(())
            }
        }
    }

    /// A value as it is in the stream; it is there unless the field is optional.
    #[inline]
    pub(super) fn put(&mut self, field_type: FieldType, optional: bool, value: Option<Value<'_>>) {
        let out = &mut *self.out;
        match value {
            None => write_null(out),
            Some(Value::UInt(value)) if optional => write_unsigned_nullable(Some(value), out),
            Some(Value::UInt(value)) => write_unsigned(value.into(), out),
            Some(Value::Int(value)) if optional => write_signed_nullable(Some(value.into()), out),
            Some(Value::Int(value)) => write_signed(value.into(), out),
            Some(Value::Decimal { mantissa, exponent }) => {
                if optional {
                    write_signed_nullable(Some(exponent.into()), out);
                } else {
                    write_signed(exponent.into(), out);
                }
                write_signed(mantissa.into(), out);
            }
            Some(Value::Ascii(text)) => write_ascii(text, optional, out),
            Some(Value::Unicode(text)) => write_bytes(text.as_bytes(), optional, out),
            // Text with operators is handled as bytes whatever its type.
            Some(Value::Bytes(bytes)) if field_type == FieldType::Ascii => {
                write_ascii(bytes, optional, out);
            }
            Some(Value::Bytes(bytes)) => write_bytes(bytes, optional, out),
        }
    }
}

pub(super) fn bits(value: Option<Value<'_>>) -> Option<u64> {
    match value {
        Some(Value::UInt(value)) => Some(value),
        Some(Value::Int(value)) => Some(value.cast_unsigned()),
        _ => None,
    }
}

fn decimal(value: Option<Value<'_>>) -> Option<(i64, i32)> {
    match value {
        Some(Value::Decimal { mantissa, exponent }) => Some((mantissa, exponent)),
        _ => None,
    }
}

/// The same decimal with another exponent, where there is one (§6.2.2).
pub(crate) fn rescale((mantissa, exponent): (i64, i32), wanted: i64) -> Option<(i64, i32)> {
    let wanted = i32::try_from(wanted).ok()?;
    let mut mantissa = mantissa;
    for _ in wanted..exponent {
        mantissa = mantissa.checked_mul(10)?;
    }
    for _ in exponent..wanted {
        if mantissa % 10 != 0 {
            return None;
        }
        mantissa /= 10;
    }
    Some((mantissa, wanted))
}

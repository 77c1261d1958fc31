//! The concrete syntax to the template model: primitive fields, sequences, operators.

use roxmltree::Node;

use super::reader::{Inherited, Reader, auxiliary_id};
use super::types::{Declaration, with_context};
use super::{StaticCode, TemplateError, TemplateErrorKind};
use crate::error::ErrorCode;
use crate::model::{
    Context, Field, FieldOperator, FieldType, Key, KeyPart, Length, Name, Operator, OwnedValue,
    Presence, Sequence, convert, normalize, parse_decimal,
};
use crate::value::Value;

/// The type of a primitive field's element. The charset is checked where the field is read.
pub(super) fn field_type(node: Node<'_, '_>) -> Option<FieldType> {
    Some(match node.tag_name().name() {
        "int32" => FieldType::Int32,
        "uInt32" => FieldType::UInt32,
        "int64" => FieldType::Int64,
        "uInt64" => FieldType::UInt64,
        "decimal" => FieldType::Decimal,
        "byteVector" => FieldType::Bytes,
        "string" => match node.attribute("charset") {
            Some(name) => charset_of(name).unwrap_or(FieldType::Ascii),
            None => FieldType::Ascii,
        },
        _ => return None,
    })
}

/// Whose operator is read.
pub(super) struct Slot<'k> {
    pub presence: Presence,
    /// The key where the operator has none.
    pub key: &'k Key,
    /// The type's element, for errors.
    pub field_type: &'static str,
    /// Whether the operator is applicable to the type.
    pub applicable: bool,
    /// The type of the values.
    pub value_type: FieldType,
}

impl<'a, 'i> Reader<'_, 'a, 'i> {
    pub(super) fn primitive(
        &mut self,
        declaration: &Declaration<'a, 'i>,
        inherited: &Inherited,
        field_type: FieldType,
    ) -> Result<Field, TemplateError> {
        let Declaration { site, body: node, .. } = *declaration;
        let is_string = matches!(field_type, FieldType::Ascii | FieldType::Unicode);
        let type_attributes: &[&str] = if is_string { &["charset"] } else { &[] };
        self.declared_attributes(declaration, type_attributes)?;
        if is_string
            && let Some(charset) = node.attribute("charset")
            && !matches!(charset, "ascii" | "unicode")
            && !(self.options.loose_values && charset_of(charset).is_some())
        {
            let value = charset.to_owned();
            let kind = TemplateErrorKind::AttributeValue { attribute: "charset", value };
            return Err(self.schema(node, kind));
        }
        let inherited = self.inherit(site, inherited)?;
        let name = self.name(site, &inherited)?;
        let presence = self.declared_presence(declaration)?;
        let mut length = None;
        let mut operators: Vec<Node<'_, '_>> = Vec::new();
        for child in self.children(node)? {
            let has_length = matches!(field_type, FieldType::Unicode | FieldType::Bytes);
            match child.tag_name().name() {
                "length" if has_length && length.is_none() && operators.is_empty() => {
                    self.attributes(child, &["name", "ns", "id"])?;
                    self.no_children(child)?;
                    let inherited = self.inherit(child, &inherited)?;
                    length = Some((self.name(child, &inherited)?, auxiliary_id(child)));
                }
                _ => operators.push(child),
            }
        }
        if let Some(operator) = declaration.operator {
            operators = vec![operator];
        }
        let is_part = |node: &Node<'_, '_>| {
            matches!(node.tag_name().name(), "exponent" | "mantissa")
                && field_type == FieldType::Decimal
        };
        let operator = if operators.first().is_some_and(is_part) {
            self.parts_of_decimal(node, &operators, &inherited, &name, presence)?
        } else {
            let key = Key { name: name.clone(), part: KeyPart::Value };
            let mut operator = Operator::None;
            for (index, child) in operators.iter().enumerate() {
                if index > 0 {
                    return Err(self.unexpected(*child, node));
                }
                operator = self.operator(*child, node, &inherited, field_type, presence, &key)?;
            }
            FieldOperator::Whole(operator)
        };
        let (id, position) = (auxiliary_id(site), self.position(site));
        Ok(Field { name, id, presence, field_type, logical: None, operator, length, position })
    }

    /// `exponent?, mantissa?`, each with one operator (§6.2.2).
    fn parts_of_decimal(
        &self,
        node: Node<'_, '_>,
        children: &[Node<'_, '_>],
        inherited: &Inherited,
        name: &Name,
        presence: Presence,
    ) -> Result<FieldOperator, TemplateError> {
        let mut exponent = None;
        let mut mantissa = None;
        for child in children {
            let (target, part, field_type, presence) = match child.tag_name().name() {
                "exponent"
                    if exponent.is_none() && (mantissa.is_none() || self.options.any_order) =>
                {
                    (&mut exponent, KeyPart::Exponent, FieldType::Int32, presence)
                }
                // The mantissa is there iff the exponent is, so that it is mandatory (§10.5.1).
                "mantissa" if mantissa.is_none() => {
                    (&mut mantissa, KeyPart::Mantissa, FieldType::Int64, Presence::Mandatory)
                }
                _ => return Err(self.unexpected(*child, node)),
            };
            self.attributes(*child, &[])?;
            let key = Key { name: name.clone(), part };
            let operators = self.children(*child)?;
            if let Some(second) = operators.get(1) {
                return Err(self.unexpected(*second, *child));
            }
            let Some(operator) = operators.first() else {
                if self.options.empty_parts {
                    *target = Some(Operator::None);
                    continue;
                }
                let element = child.tag_name().name().to_owned();
                return Err(self.schema(*child, TemplateErrorKind::MissingOperator(element)));
            };
            *target =
                Some(self.operator(*operator, *child, inherited, field_type, presence, &key)?);
        }
        Ok(FieldOperator::Parts {
            exponent: exponent.unwrap_or(Operator::None),
            mantissa: mantissa.unwrap_or(Operator::None),
        })
    }

    pub(super) fn sequence(
        &mut self,
        declaration: &Declaration<'a, 'i>,
        inherited: &Inherited,
    ) -> Result<Sequence, TemplateError> {
        let Declaration { site, body, .. } = *declaration;
        self.declared_attributes(declaration, &["dictionary"])?;
        let inherited = self.deeper(declaration, inherited)?;
        let name = self.name(site, &inherited)?;
        let presence = self.declared_presence(declaration)?;
        let parts = self.parts(body, &inherited, true)?;
        let length = match parts.length {
            None => Length { name: None, id: Default::default(), operator: Operator::None },
            Some(child) => self.length(child, &inherited, &name, presence)?,
        };
        Ok(Sequence {
            name,
            id: auxiliary_id(site),
            presence,
            type_ref: parts.type_ref,
            length,
            instructions: parts.instructions,
            position: self.position(site),
        })
    }

    fn length(
        &self,
        node: Node<'_, '_>,
        inherited: &Inherited,
        sequence: &Name,
        presence: Presence,
    ) -> Result<Length, TemplateError> {
        self.attributes(node, &["name", "ns", "id"])?;
        let inherited = self.inherit(node, inherited)?;
        let name = match node.attribute("name") {
            Some(_) => Some(self.name(node, &inherited)?),
            None => None,
        };
        let key = match &name {
            Some(name) => Key { name: name.clone(), part: KeyPart::Value },
            None => Key { name: sequence.clone(), part: KeyPart::Length },
        };
        let operators = self.children(node)?;
        if let Some(second) = operators.get(1) {
            return Err(self.unexpected(*second, node));
        }
        let operator = match operators.first() {
            None => Operator::None,
            Some(child) => {
                self.operator(*child, node, &inherited, FieldType::UInt32, presence, &key)?
            }
        };
        Ok(Length { name, id: auxiliary_id(node), operator })
    }

    fn operator(
        &self,
        node: Node<'_, '_>,
        parent: Node<'_, '_>,
        inherited: &Inherited,
        field_type: FieldType,
        presence: Presence,
        default_key: &Key,
    ) -> Result<Operator, TemplateError> {
        let applicable = match node.tag_name().name() {
            "increment" => field_type.is_integer(),
            "tail" => field_type.is_text(),
            _ => true,
        };
        let loose = self.options.loose_values;
        let slot = Slot {
            presence,
            key: default_key,
            field_type: field_type.element(),
            applicable,
            value_type: field_type,
        };
        self.operator_of(node, parent, inherited, slot, &|text| initial(text, field_type, loose))
    }

    /// An operator; `initial` converts the initial value.
    pub(super) fn operator_of(
        &self,
        node: Node<'_, '_>,
        parent: Node<'_, '_>,
        inherited: &Inherited,
        slot: Slot<'_>,
        initial: &dyn Fn(&str) -> Result<OwnedValue, ErrorCode>,
    ) -> Result<Operator, TemplateError> {
        let element = node.tag_name().name();
        if !matches!(element, "constant" | "default" | "copy" | "increment" | "delta" | "tail") {
            return Err(self.unexpected(node, parent));
        }
        if !slot.applicable {
            let kind = TemplateErrorKind::OperatorNotApplicable {
                operator: element.to_owned(),
                field_type: slot.field_type,
            };
            return Err(self.error(Some(StaticCode::S2), node, kind));
        }
        self.no_children(node)?;
        let text = node.attribute("value");
        // An empty value means none where no type has an empty value.
        let text = text.filter(|text| {
            let is_text = matches!(slot.field_type, "string" | "byteVector");
            is_text || !self.options.loose_values || !text.trim().is_empty()
        });
        let value = match text {
            None => None,
            Some(text) => Some(initial(text).map_err(|reason| {
                let kind = TemplateErrorKind::InitialValue {
                    value: text.to_owned(),
                    field_type: slot.field_type,
                    reason,
                };
                self.error(Some(StaticCode::S3), node, kind)
            })?),
        };
        let implied = self.options.implied_initial_values
            && slot.presence == Presence::Mandatory
            && matches!(element, "default" | "copy" | "increment" | "tail");
        let value = value.or_else(|| implied.then(|| base(slot.value_type)));
        match element {
            "constant" => {
                self.attributes(node, &["value"])?;
                let code = Some(StaticCode::S4);
                let missing = || self.error(code, node, TemplateErrorKind::ConstantWithoutValue);
                Ok(Operator::Constant(value.ok_or_else(missing)?))
            }
            "default" => {
                self.attributes(node, &["value"])?;
                if slot.presence == Presence::Mandatory && value.is_none() {
                    let kind = TemplateErrorKind::DefaultWithoutValue;
                    return Err(self.error(Some(StaticCode::S5), node, kind));
                }
                Ok(Operator::Default(value))
            }
            _ => {
                self.attributes(node, &["dictionary", "key", "ns", "value"])?;
                let inherited = self.inherit(node, inherited)?;
                let key = match node.attribute("key") {
                    Some(key) => Key { name: self.name_of(key, &inherited), part: KeyPart::Value },
                    None => slot.key.clone(),
                };
                let dictionary = inherited.dictionary;
                Ok(with_context(element, Context { dictionary, key, initial: value }))
            }
        }
    }
}

/// §6.3.7.1: the default base value of a type.
fn base(value_type: FieldType) -> OwnedValue {
    match value_type {
        FieldType::UInt32 | FieldType::UInt64 => OwnedValue::UInt(0),
        FieldType::Int32 | FieldType::Int64 => OwnedValue::Int(0),
        FieldType::Decimal => OwnedValue::Decimal { mantissa: 0, exponent: 0 },
        FieldType::Ascii => OwnedValue::Ascii(Vec::new()),
        FieldType::Unicode => OwnedValue::Unicode(String::new()),
        FieldType::Bytes => OwnedValue::Bytes(Vec::new()),
    }
}

/// §6.3.2
fn initial(text: &str, field_type: FieldType, loose: bool) -> Result<OwnedValue, ErrorCode> {
    let converted = match convert(Value::Unicode(text), field_type) {
        Err(ErrorCode::D11) if loose => loose_number(text, field_type).ok_or(ErrorCode::D11),
        other => other,
    };
    match converted {
        Ok(OwnedValue::Decimal { mantissa, exponent }) => normalize(mantissa, exponent)
            .map(|(mantissa, exponent)| OwnedValue::Decimal { mantissa, exponent }),
        other => other,
    }
}

/// A number with a plus sign, an integer in hexadecimal behind `0x`, a decimal with a power of ten.
fn loose_number(text: &str, field_type: FieldType) -> Option<OwnedValue> {
    let text = text.trim();
    let text = match text.strip_prefix('+') {
        Some(rest) if rest.starts_with('-') => return None,
        Some(rest) => rest,
        None => text,
    };
    if field_type.is_integer()
        && let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
    {
        let number = u64::from_str_radix(digits, 16).ok()?;
        return convert(Value::UInt(number), field_type).ok();
    }
    if field_type == FieldType::Decimal
        && let Some((number, power)) = text.split_once(['e', 'E'])
    {
        let (mantissa, exponent) = parse_decimal(number).ok()?;
        let exponent = power.parse::<i32>().ok()?.checked_add(exponent)?;
        return convert(Value::Decimal { mantissa, exponent }, field_type).ok();
    }
    let plain = field_type.is_integer() || field_type == FieldType::Decimal;
    plain.then(|| convert(Value::Unicode(text), field_type).ok()).flatten()
}

/// The charset that a name in other words means.
fn charset_of(name: &str) -> Option<FieldType> {
    match name.trim().to_ascii_lowercase().as_str() {
        "ascii" | "us-ascii" => Some(FieldType::Ascii),
        "unicode" | "utf-8" | "utf8" => Some(FieldType::Unicode),
        _ => None,
    }
}

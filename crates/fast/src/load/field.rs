//! The concrete syntax to the template model: primitive fields, sequences, operators.

use roxmltree::Node;

use super::reader::{Inherited, Reader, auxiliary_id};
use super::{StaticCode, TemplateError, TemplateErrorKind};
use crate::model::{
    Context, Field, FieldOperator, FieldType, Key, KeyPart, Length, Name, Operator, OwnedValue,
    Presence, Sequence, convert, normalize,
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
            Some("unicode") => FieldType::Unicode,
            _ => FieldType::Ascii,
        },
        _ => return None,
    })
}

impl Reader<'_> {
    pub(super) fn primitive(
        &mut self,
        node: Node<'_, '_>,
        inherited: &Inherited,
        field_type: FieldType,
    ) -> Result<Field, TemplateError> {
        let is_string = matches!(field_type, FieldType::Ascii | FieldType::Unicode);
        if is_string {
            self.attributes(node, &["name", "ns", "id", "presence", "charset"])?;
            if let Some(charset) = node.attribute("charset")
                && !matches!(charset, "ascii" | "unicode")
            {
                let value = charset.to_owned();
                let kind = TemplateErrorKind::AttributeValue { attribute: "charset", value };
                return Err(self.schema(node, kind));
            }
        } else {
            self.attributes(node, &["name", "ns", "id", "presence"])?;
        }
        let inherited = self.inherit(node, inherited)?;
        let name = self.name(node, &inherited)?;
        let presence = self.presence(node)?;
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
        let (id, position) = (auxiliary_id(node), self.position(node));
        Ok(Field { name, id, presence, field_type, operator, length, position })
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
                "exponent" if exponent.is_none() && mantissa.is_none() => {
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
        node: Node<'_, '_>,
        inherited: &Inherited,
    ) -> Result<Sequence, TemplateError> {
        self.attributes(node, &["name", "ns", "id", "presence", "dictionary"])?;
        let inherited = self.deeper(node, inherited)?;
        let name = self.name(node, &inherited)?;
        let presence = self.presence(node)?;
        let parts = self.parts(node, &inherited, true)?;
        let length = match parts.length {
            None => Length { name: None, id: Default::default(), operator: Operator::None },
            Some(child) => self.length(child, &inherited, &name, presence)?,
        };
        Ok(Sequence {
            name,
            id: auxiliary_id(node),
            presence,
            type_ref: parts.type_ref,
            length,
            instructions: parts.instructions,
            position: self.position(node),
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
        let element = node.tag_name().name();
        let applicable = match element {
            "constant" | "default" | "copy" | "delta" => true,
            "increment" => field_type.is_integer(),
            "tail" => field_type.is_text(),
            _ => return Err(self.unexpected(node, parent)),
        };
        if !applicable {
            let kind = TemplateErrorKind::OperatorNotApplicable {
                operator: element.to_owned(),
                field_type: field_type.element(),
            };
            return Err(self.error(Some(StaticCode::S2), node, kind));
        }
        self.no_children(node)?;
        let initial = self.initial_value(node, field_type)?;
        match element {
            "constant" => {
                self.attributes(node, &["value"])?;
                let code = Some(StaticCode::S4);
                let missing = || self.error(code, node, TemplateErrorKind::ConstantWithoutValue);
                Ok(Operator::Constant(initial.ok_or_else(missing)?))
            }
            "default" => {
                self.attributes(node, &["value"])?;
                if presence == Presence::Mandatory && initial.is_none() {
                    let kind = TemplateErrorKind::DefaultWithoutValue;
                    return Err(self.error(Some(StaticCode::S5), node, kind));
                }
                Ok(Operator::Default(initial))
            }
            _ => {
                self.attributes(node, &["dictionary", "key", "ns", "value"])?;
                let inherited = self.inherit(node, inherited)?;
                let key = match node.attribute("key") {
                    Some(key) => Key { name: self.name_of(key, &inherited), part: KeyPart::Value },
                    None => default_key.clone(),
                };
                let context = Context { dictionary: inherited.dictionary, key, initial };
                Ok(match element {
                    "copy" => Operator::Copy(context),
                    "increment" => Operator::Increment(context),
                    "delta" => Operator::Delta(context),
                    _ => Operator::Tail(context),
                })
            }
        }
    }

    /// §6.3.2
    fn initial_value(
        &self,
        node: Node<'_, '_>,
        field_type: FieldType,
    ) -> Result<Option<OwnedValue>, TemplateError> {
        let Some(text) = node.attribute("value") else { return Ok(None) };
        let converted = match convert(Value::Unicode(text), field_type) {
            Ok(OwnedValue::Decimal { mantissa, exponent }) => normalize(mantissa, exponent)
                .map(|(mantissa, exponent)| OwnedValue::Decimal { mantissa, exponent }),
            other => other,
        };
        converted.map(Some).map_err(|reason| {
            let kind = TemplateErrorKind::InitialValue {
                value: text.to_owned(),
                field_type: field_type.element(),
                reason,
            };
            self.error(Some(StaticCode::S3), node, kind)
        })
    }
}

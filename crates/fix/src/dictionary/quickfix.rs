//! Reads a data dictionary in QuickFIX's XML form.

use roxmltree::{Document, Node};

use super::{Dictionary, Field, FieldType, Fieldset, Group, MAX_TAG};

/// How deep groups and components may nest; real dictionaries reach 5.
const MAX_DEPTH: usize = 16;

/// The dictionary's text cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("data dictionary: {what} at byte {offset}")]
pub struct DictionaryError {
    /// What is wrong.
    pub what: String,
    /// Where in the text.
    pub offset: usize,
}

impl Dictionary {
    /// A dictionary in QuickFIX's XML form. Tags from 1,024 on cannot be required.
    pub fn from_quickfix_xml(text: &str) -> Result<Self, DictionaryError> {
        let document = Document::parse(text).map_err(|error| DictionaryError {
            what: error.to_string(),
            offset: offset_of(text, error.pos()),
        })?;
        let root = document.root_element();
        let mut loader = Loader { root, names: Vec::new(), dictionary: Dictionary::default() };
        loader.fields()?;
        loader.messages()?;
        Ok(loader.dictionary)
    }
}

fn offset_of(text: &str, position: roxmltree::TextPos) -> usize {
    let line = position.row.saturating_sub(1) as usize;
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let column = position.col.saturating_sub(1) as usize;
    let in_line = text[before..].char_indices().nth(column).map_or(0, |(at, _)| at);
    before + in_line
}

type Element<'d> = Node<'d, 'd>;

struct Loader<'d> {
    root: Element<'d>,
    /// Field names and tags, sorted by name.
    names: Vec<(&'d str, u32)>,
    dictionary: Dictionary,
}

impl<'d> Loader<'d> {
    fn fields(&mut self) -> Result<(), DictionaryError> {
        let section = self.section(self.root, "fields")?;
        for node in elements(section) {
            let number = attribute(node, "number")?;
            let tag = number.parse().ok().filter(|tag| (1..=MAX_TAG).contains(tag));
            let tag =
                tag.ok_or_else(|| error(node, format!("tag {number} not in 1..={MAX_TAG}")))?;
            let mut values: Vec<Vec<u8>> = elements(node)
                .map(|value| attribute(value, "enum").map(|text| text.as_bytes().to_vec()))
                .collect::<Result<_, _>>()?;
            values.sort_unstable();
            let kind = field_type(attribute(node, "type")?);
            self.names.push((attribute(node, "name")?, tag));
            self.dictionary.define(tag, Field { kind, values });
        }
        self.names.sort_unstable();
        Ok(())
    }

    fn messages(&mut self) -> Result<(), DictionaryError> {
        self.dictionary.header = self.fieldset(self.section(self.root, "header")?)?;
        self.dictionary.trailer = self.fieldset(self.section(self.root, "trailer")?)?.allowed;
        for node in elements(self.section(self.root, "messages")?) {
            let msg_type = attribute(node, "msgtype")?.as_bytes().to_vec();
            let fieldset = self.fieldset(node)?;
            self.dictionary.messages.push((msg_type, fieldset));
        }
        self.dictionary.messages.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(())
    }

    fn fieldset(&self, node: Element<'d>) -> Result<Fieldset, DictionaryError> {
        let mut fieldset = Fieldset::default();
        self.collect(node, true, &mut fieldset, &mut 0, 0)?;
        Ok(fieldset)
    }

    /// Adds the children of `node`; `first` is set to the first tag seen. What is optional as a
    /// whole (`required` false) has no required fields.
    fn collect(
        &self,
        node: Element<'d>,
        required: bool,
        into: &mut Fieldset,
        first: &mut u32,
        depth: usize,
    ) -> Result<(), DictionaryError> {
        if depth > MAX_DEPTH {
            return Err(error(node, format!("nesting beyond {MAX_DEPTH}")));
        }
        for child in elements(node) {
            let name = attribute(child, "name")?;
            let needed = required && attribute(child, "required")? == "Y";
            if child.tag_name().name() == "component" {
                let component = self.component(child, name)?;
                self.collect(component, needed, into, first, depth + 1)?;
                continue;
            }
            let tag = self.tag(child, name)?;
            if *first == 0 {
                *first = tag;
            }
            into.add(tag, needed && tag < 1_024);
            if child.tag_name().name() == "group" {
                let mut group = Group::default();
                let entry_depth = depth + 1;
                self.collect(child, true, &mut group.entry, &mut group.delimiter, entry_depth)?;
                if group.delimiter == 0 {
                    return Err(error(child, format!("group {name} without fields")));
                }
                into.groups.push((tag, group));
            }
        }
        Ok(())
    }

    fn tag(&self, node: Element<'d>, name: &str) -> Result<u32, DictionaryError> {
        let found = self.names.binary_search_by_key(&name, |(known, _)| known);
        let index = found.map_err(|_| error(node, format!("unknown field {name}")))?;
        Ok(self.names[index].1)
    }

    fn component(&self, node: Element<'d>, name: &str) -> Result<Element<'d>, DictionaryError> {
        elements(self.section(self.root, "components")?)
            .find(|component| component.attribute("name") == Some(name))
            .ok_or_else(|| error(node, format!("unknown component {name}")))
    }

    fn section(&self, root: Element<'d>, name: &str) -> Result<Element<'d>, DictionaryError> {
        elements(root)
            .find(|node| node.tag_name().name() == name)
            .ok_or_else(|| error(root, format!("no <{name}>")))
    }
}

fn elements<'d>(node: Element<'d>) -> impl Iterator<Item = Element<'d>> {
    node.children().filter(Node::is_element)
}

fn attribute<'d>(node: Element<'d>, name: &str) -> Result<&'d str, DictionaryError> {
    node.attribute(name).ok_or_else(|| error(node, format!("no attribute {name}")))
}

fn error(node: Element<'_>, what: String) -> DictionaryError {
    DictionaryError { what, offset: node.range().start }
}

fn field_type(name: &str) -> FieldType {
    match name {
        "CHAR" => FieldType::Char,
        "BOOLEAN" => FieldType::Boolean,
        "INT" | "DAYOFMONTH" => FieldType::Int,
        "SEQNUM" | "NUMINGROUP" | "LENGTH" => FieldType::Unsigned,
        "FLOAT" | "QTY" | "QUANTITY" | "PRICE" | "PRICEOFFSET" | "AMT" | "PERCENTAGE" => {
            FieldType::Float
        }
        "UTCTIMESTAMP" => FieldType::UtcTimestamp,
        "UTCTIMEONLY" => FieldType::UtcTimeOnly,
        "UTCDATEONLY" | "UTCDATE" | "LOCALMKTDATE" => FieldType::Date,
        "MONTHYEAR" => FieldType::MonthYear,
        "MULTIPLEVALUESTRING" => FieldType::MultipleValue,
        "DATA" => FieldType::Data,
        _ => FieldType::Text,
    }
}

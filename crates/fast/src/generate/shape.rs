//! What is to be generated: structs with their fields, and dictionary entries, by name.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::GenerateError;
use super::names::{Names, camel, snake};
use crate::load::Templates;
use crate::model::FieldType;
use crate::plan::{
    BitMember, Block, Code, Dictionary, FieldInfo, Instruction, NONE, Op, Operated, OperatorCode,
    Plan,
};

/// Type names that the generated code uses itself.
const RESERVED_TYPES: &[&str] = &[
    "Box",
    "Decoder",
    "Default",
    "Dictionaries",
    "Encoder",
    "Err",
    "FnMut",
    "From",
    "Into",
    "Message",
    "Messages",
    "None",
    "Ok",
    "Option",
    "Result",
    "Self",
    "Some",
    "Template",
    "Vec",
];

/// Everything that the code depends on.
pub(super) struct Shape<'t> {
    pub plan: &'t Plan,
    pub messages: Vec<MessageShape>,
    pub structs: Vec<StructShape>,
    /// By slot; `None` where only templates without identifier use it.
    pub slots: Vec<Option<SlotShape>>,
    /// Application types in which there are dynamic references, *any* first.
    pub reference_types: Vec<u32>,
}

/// A template that has an identifier.
pub(super) struct MessageShape {
    /// The index of the template.
    pub template: u32,
    pub name: Arc<str>,
    pub id: u32,
    pub reset: bool,
    /// Index into `structs`.
    pub scope: usize,
    /// Its field in `Messages`.
    pub ident: String,
}

/// A message, group or sequence element.
pub(super) struct StructShape {
    pub ident: String,
    pub doc: String,
    pub is_message: bool,
    pub fields: Vec<FieldShape>,
    /// The blocks that decode it, by application type of the surroundings; *any* first.
    pub blocks: Vec<(u32, u32)>,
    /// The members of a bit group: instructions that the plan does not have, and their places.
    pub members: Vec<(Instruction, BitMember)>,
}

pub(super) struct FieldShape {
    pub ident: String,
    pub info: FieldInfo,
    /// The struct of a group or of a sequence's elements.
    pub inner: Option<usize>,
}

/// An entry of a dictionary.
pub(super) struct SlotShape {
    pub ident: String,
    pub doc: String,
    /// `None` where several types share it.
    pub field_type: Option<FieldType>,
    /// The dictionary's name, where it can be reset by name.
    pub resettable: Option<Arc<str>>,
}

impl<'t> Shape<'t> {
    pub fn new(templates: &'t Templates) -> Result<Self, GenerateError> {
        let plan = templates.plan();
        let mut shape = Self {
            plan,
            messages: Vec::new(),
            structs: Vec::new(),
            slots: plan.slots.iter().map(|_| None).collect(),
            reference_types: vec![0],
        };
        let mut types = Names::with(RESERVED_TYPES);
        let mut idents = Names::with(&["current"]);
        for (index, template) in (0u32..).zip(templates.all()) {
            let Some(id) = template.id.number else { continue };
            let name = template.name.local.clone();
            let ident = types.take(camel(&name), "");
            let doc = format!("Template `{name}`, identifier {id}.");
            let block = plan.entries[index as usize].block;
            let scope = shape.scope(ident, doc, true, block, &mut types);
            shape.messages.push(MessageShape {
                template: index,
                ident: idents.take(snake(&name), "_"),
                name,
                id,
                reset: template.reset,
                scope,
            });
        }
        if shape.messages.is_empty() {
            return Err(GenerateError::NoMessages);
        }
        shape.variants();
        shape.name_slots(templates);
        shape.check()?;
        Ok(shape)
    }

    fn scope(
        &mut self,
        ident: String,
        doc: String,
        is_message: bool,
        block: u32,
        types: &mut Names,
    ) -> usize {
        let index = self.structs.len();
        self.structs.push(StructShape {
            ident: ident.clone(),
            doc,
            is_message,
            fields: Vec::new(),
            blocks: vec![(0, block)],
            members: Vec::new(),
        });
        let mut names = Names::default();
        let mut fields = Vec::new();
        for instruction in self.code(block) {
            let info = instruction.info.clone();
            let inner = inner_block(instruction).map(|block| {
                let name = types.take(format!("{ident}{}", camel(&info.key)), "");
                let what = match instruction.code {
                    Code::Sequence => "An element of sequence",
                    Code::BitGroup => "Bit group",
                    _ => "Group",
                };
                let doc = format!("{what} `{}`{}.", info.name.local, in_brackets(info.id));
                let inner = self.scope(name, doc, false, block, types);
                if instruction.code == Code::BitGroup {
                    self.bit_group(inner, instruction.operand);
                }
                inner
            });
            fields.push(FieldShape { ident: names.take(snake(&info.key), "_"), info, inner });
        }
        self.structs[index].fields = fields;
        index
    }

    /// Gives the struct of a bit group its members.
    fn bit_group(&mut self, scope: usize, group: u32) {
        let plan = self.plan;
        let mut names = Names::default();
        let scope = &mut self.structs[scope];
        for member in &plan.bit_groups[group as usize].members {
            let info = plan.fields[member.field as usize].clone();
            let ident = names.take(snake(&info.key), "_");
            scope.fields.push(FieldShape { ident, info: info.clone(), inner: None });
            let (code, field) = (Code::Bounded, member.field);
            let instruction = Instruction {
                code,
                nullable_run: 0,
                field,
                operand: NONE,
                op: Op::OTHER,
                text: Box::default(),
                info,
            };
            scope.members.push((instruction, *member));
        }
    }

    /// The instructions of a block.
    pub fn code(&self, block: u32) -> &'t [Instruction] {
        let Block { start, end, .. } = self.plan.blocks[block as usize];
        &self.plan.code[start as usize..end as usize]
    }

    /// Gives structs the blocks that decode them inside other application types.
    fn variants(&mut self) {
        let mut variants: Vec<(u32, u32, u32)> = self
            .plan
            .variants
            .iter()
            .map(|((template, within), entry)| (*within, *template, *entry))
            .collect();
        variants.sort_unstable();
        for (within, template, entry) in variants {
            let scope = self.messages.iter().find(|message| message.template == template);
            if let Some(scope) = scope.map(|message| message.scope) {
                self.add_block(scope, within, self.plan.entries[entry as usize].block);
            }
            if !self.reference_types.contains(&within) {
                self.reference_types.push(within);
            }
        }
        for instruction in &self.plan.code {
            if instruction.code == Code::Reference
                && !self.reference_types.contains(&instruction.operand)
            {
                self.reference_types.push(instruction.operand);
            }
        }
        self.reference_types.sort_unstable();
    }

    fn add_block(&mut self, scope: usize, within: u32, block: u32) {
        self.structs[scope].blocks.push((within, block));
        for (ordinal, instruction) in self.code(block).iter().enumerate() {
            if let (Some(block), Some(inner)) =
                (inner_block(instruction), self.structs[scope].fields[ordinal].inner)
            {
                self.add_block(inner, within, block);
            }
        }
    }

    fn name_slots(&mut self, templates: &Templates) {
        let mut names = Names::with(&["template"]);
        let mut types: FxHashMap<u32, FxHashSet<FieldType>> = FxHashMap::default();
        let blocks: Vec<u32> = self
            .structs
            .iter()
            .flat_map(|shape| shape.blocks.iter().map(|(_, block)| *block))
            .collect();
        for block in blocks {
            for instruction in self.code(block) {
                for (operated, part) in operated_parts(self.plan, instruction) {
                    if operated.slot == NONE {
                        continue;
                    }
                    types.entry(operated.slot).or_default().insert(operated.field_type);
                    let dictionary =
                        &self.plan.dictionaries[self.plan.slots[operated.slot as usize] as usize];
                    let slot = &mut self.slots[operated.slot as usize];
                    if slot.is_none() {
                        *slot = Some(slot_shape(
                            dictionary,
                            &instruction.info,
                            part,
                            templates,
                            &mut names,
                        ));
                    }
                }
            }
        }
        for (slot, types) in types {
            if let Some(shape) = &mut self.slots[slot as usize]
                && types.len() == 1
            {
                shape.field_type = types.iter().next().copied();
            }
        }
    }

    /// What cannot be generated: a mandatory value that may be absent all the same, for which
    /// there is no struct field.
    fn check(&self) -> Result<(), GenerateError> {
        for shape in &self.structs {
            for instruction in shape.blocks.iter().flat_map(|(_, block)| self.code(*block)) {
                let without_value = |operated: &Operated| {
                    operated.operator == OperatorCode::Default
                        && !operated.optional
                        && !operated.has_initial()
                };
                if operated_parts(self.plan, instruction).any(|(part, _)| without_value(part)) {
                    return Err(GenerateError::Unsupported {
                        template: shape.ident.clone(),
                        field: instruction.info.name.local.to_string(),
                        what: "a mandatory field with the default operator needs a value",
                    });
                }
            }
        }
        Ok(())
    }

    /// The dictionary entry of a slot; empty for none.
    pub fn slot(&self, slot: u32) -> &str {
        let slot = self.slots.get(slot as usize).and_then(Option::as_ref);
        slot.map_or("", |slot| slot.ident.as_str())
    }

    /// How many presence bits the instructions of a block use.
    pub fn presence_bits(&self, block: u32) -> usize {
        self.code(block)
            .iter()
            .map(|instruction| match instruction.code {
                Code::ConstantOptional | Code::GroupOptional => 1,
                _ => operated_parts(self.plan, instruction)
                    .filter(|(operated, _)| operated.has_bit())
                    .count(),
            })
            .sum()
    }
}

/// The block of a group or of a sequence's elements.
pub(super) fn inner_block(instruction: &Instruction) -> Option<u32> {
    match instruction.code {
        Code::Group | Code::GroupOptional => Some(instruction.operand),
        Code::Sequence | Code::BitGroup => instruction.info.scope,
        _ => None,
    }
}

/// The values of an instruction that have operators, and what is appended to the field's name for
/// them.
pub(super) fn operated_parts<'p>(
    plan: &'p Plan,
    instruction: &Instruction,
) -> impl Iterator<Item = (&'p Operated, &'static str)> {
    let operand = instruction.operand as usize;
    let (parts, first): (&[&str], _) = match instruction.code {
        Code::Integer | Code::DecimalWhole | Code::Text => (&[""], operand),
        Code::DecimalParts => (&["_exponent", "_mantissa"], operand),
        Code::Sequence => (&["_length"], operand),
        Code::BitGroup => (&[""], plan.bit_groups[operand].operated as usize),
        // A member of a bit group has none.
        Code::Bounded if instruction.operand != NONE => {
            (&[""], plan.bounded[operand].operated as usize)
        }
        _ => (&[], 0),
    };
    parts.iter().enumerate().map(move |(at, part)| (&plan.operated[first + at], *part))
}

fn slot_shape(
    dictionary: &Dictionary,
    info: &FieldInfo,
    part: &str,
    templates: &Templates,
    names: &mut Names,
) -> SlotShape {
    let (prefix, doc, resettable) = match dictionary {
        Dictionary::Global => {
            ("global".to_owned(), "the global dictionary".to_owned(), Some(Arc::from("global")))
        }
        Dictionary::Template(index) => {
            let name = &templates.all()[*index as usize].name.local;
            (format!("template {name}"), format!("the dictionary of template `{name}`"), None)
        }
        Dictionary::Type(None) => {
            ("type any".to_owned(), "the dictionary of the type *any*".to_owned(), None)
        }
        Dictionary::Type(Some(name)) => {
            let name = &name.local;
            (format!("type {name}"), format!("the dictionary of the type `{name}`"), None)
        }
        Dictionary::User(name) => {
            (format!("dictionary {name}"), format!("dictionary `{name}`"), Some(name.clone()))
        }
    };
    let ident = format!("{}_{}{part}", snake(&prefix), snake(&info.key).trim_end_matches('_'));
    let what = match part {
        "_exponent" => "the exponent of ",
        "_mantissa" => "the mantissa of ",
        "_length" => "the length of ",
        _ => "",
    };
    SlotShape {
        ident: names.take(ident, "_"),
        doc: format!("For {what}`{}` in {doc}.", info.name.local),
        field_type: None,
        resettable,
    }
}

pub(super) fn in_brackets(id: Option<u32>) -> String {
    id.map(|id| format!(" ({id})")).unwrap_or_default()
}

//! The template model to a plan.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    BitGroup, BitMember, Block, Bounded, Code, DENSE_IDS, Dictionary, Entry, FieldInfo, FieldKind,
    Instruction, NONE, Op, OpCode, Operated, OperatorCode, Plain, Plan, Scope,
};
use crate::load::{LoadOptions, StaticCode, TemplateError, TemplateErrorKind};
use crate::model::{
    AuxiliaryId, BitGroup as BitGroupModel, Context, DictionaryName, Field, FieldOperator,
    FieldType, Instruction as Model, Key, LogicalType, Name, Operator, OwnedValue, Position,
    Presence, Sequence, Template,
};

/// The number of the application type *any*.
const ANY: u32 = 0;

/// Compiles a set of templates.
pub(crate) fn compile(model: &[Template], options: &LoadOptions) -> Result<Plan, TemplateError> {
    let mut compiler = Compiler::new(model, options)?;
    for index in 0..model.len() {
        compiler.entry(index, ANY)?;
    }
    // A part by a dynamic reference works in the application type of its surroundings. Types come
    // from `typeRef` elements only, so that the list ends.
    let mut dependent: Vec<usize> = compiler.type_dependent.iter().copied().collect();
    dependent.sort_unstable();
    let mut done = 0;
    while let Some(application_type) = compiler.reference_types.get(done).copied() {
        done += 1;
        for index in dependent.iter().copied() {
            let entry = compiler.entry(index, application_type)?;
            compiler.plan.variants.insert((number(index), application_type), entry);
        }
    }
    Ok(compiler.plan)
}

struct Compiler<'m> {
    model: &'m [Template],
    options: &'m LoadOptions,
    by_name: FxHashMap<&'m Name, usize>,
    plan: Plan,
    slots: FxHashMap<(u32, Key), u32>,
    dictionaries: FxHashMap<Dictionary, u32>,
    /// Application types by number; number 0 is *any*.
    types: Vec<Option<Name>>,
    type_numbers: FxHashMap<Name, u32>,
    /// Types other than *any* in which there are dynamic references.
    reference_types: Vec<u32>,
    is_reference_type: FxHashSet<u32>,
    /// Templates that behave differently in different application types.
    type_dependent: FxHashSet<usize>,
    steps: u32,
}

/// Where the compiler is.
#[derive(Clone)]
struct Place {
    /// The template of the entry.
    entry: usize,
    /// The current template (§6.1).
    template: usize,
    /// The current application type.
    application_type: u32,
    /// Whether that type came from outside the entry's template.
    inherited_type: bool,
    /// Templates whose static references led here.
    path: Vec<usize>,
}

#[derive(Default)]
struct BlockBuilder {
    code: Vec<Instruction>,
    /// Bits of its presence map.
    bits: u32,
    scope: Scope,
    /// How many fields have a local name already.
    occurrences: FxHashMap<Arc<str>, u32>,
}

impl<'m> Compiler<'m> {
    fn new(model: &'m [Template], options: &'m LoadOptions) -> Result<Self, TemplateError> {
        let mut by_name = FxHashMap::default();
        let mut by_id = FxHashMap::default();
        for (index, template) in model.iter().enumerate() {
            if by_name.insert(&template.name, index).is_some() {
                let kind = TemplateErrorKind::DuplicateName(template.name.to_string());
                return Err(error(template, None, template.position, kind));
            }
            if let Some(id) = template.id.number
                && by_id.insert(id, number(index)).is_some()
            {
                let kind = TemplateErrorKind::DuplicateId(id);
                return Err(error(template, None, template.position, kind));
            }
        }
        let small = by_id.keys().filter(|id| **id < DENSE_IDS).max().map_or(0, |id| id + 1);
        let by_small_id = (0..small).map(|id| by_id.get(&id).copied().unwrap_or(NONE)).collect();
        Ok(Self {
            model,
            options,
            by_name,
            plan: Plan {
                by_small_id,
                entries: Vec::new(),
                variants: FxHashMap::default(),
                by_id,
                code: Vec::new(),
                blocks: Vec::new(),
                scopes: Vec::new(),
                fields: Vec::new(),
                operated: Vec::new(),
                bounded: Vec::new(),
                bit_groups: Vec::new(),
                values: Vec::new(),
                slots: Vec::new(),
                dictionaries: Vec::new(),
            },
            slots: FxHashMap::default(),
            dictionaries: FxHashMap::default(),
            types: vec![None],
            type_numbers: FxHashMap::default(),
            reference_types: Vec::new(),
            is_reference_type: FxHashSet::default(),
            type_dependent: FxHashSet::default(),
            steps: 0,
        })
    }

    fn entry(&mut self, index: usize, application_type: u32) -> Result<u32, TemplateError> {
        self.step(index)?;
        let template = &self.model[index];
        let place = Place {
            entry: index,
            template: index,
            application_type,
            inherited_type: true,
            path: vec![index],
        };
        let place = self.within_type(&place, template.type_ref.as_ref());
        let block = self.block(&template.instructions, &place)?;
        let entry = number(self.plan.entries.len());
        self.plan.entries.push(Entry { template: number(index), block, reset: template.reset });
        Ok(entry)
    }

    /// Counts an instruction or an entry against the limit.
    fn step(&mut self, template: usize) -> Result<(), TemplateError> {
        self.steps += 1;
        let limit = self.options.max_instructions;
        if self.steps <= limit {
            return Ok(());
        }
        let template = &self.model[template];
        let kind = TemplateErrorKind::Limit { what: "instructions", limit };
        Err(error(template, None, template.position, kind))
    }

    fn within_type(&mut self, place: &Place, type_ref: Option<&Name>) -> Place {
        let mut place = place.clone();
        if let Some(name) = type_ref {
            let types = &mut self.types;
            place.application_type = *self.type_numbers.entry(name.clone()).or_insert_with(|| {
                types.push(Some(name.clone()));
                number(types.len() - 1)
            });
            place.inherited_type = false;
        }
        place
    }

    fn block(&mut self, instructions: &'m [Model], place: &Place) -> Result<u32, TemplateError> {
        let mut builder = BlockBuilder::default();
        self.instructions(instructions, place, &mut builder)?;
        let (mut run, mut plain_run) = (0u8, 0u8);
        for instruction in builder.code.iter_mut().rev() {
            run = if instruction.code.is_nullable() { run.saturating_add(1) } else { 0 };
            instruction.nullable_run = run;
            instruction.op = Op::of(instruction, &self.plan);
            plain_run =
                if instruction.op.plain == Plain::NONE { 0 } else { plain_run.saturating_add(1) };
            instruction.op.plain_run = plain_run;
            let text = match instruction.op.code {
                OpCode::ConstantAscii => {
                    self.plan.values[instruction.operand as usize].as_value().as_bytes()
                }
                OpCode::DefaultAscii => {
                    self.plan.initial_text(&self.plan.operated[instruction.operand as usize])
                }
                _ => None,
            };
            instruction.text = text.unwrap_or_default().into();
        }
        let start = number(self.plan.code.len());
        self.plan.code.append(&mut builder.code);
        let end = number(self.plan.code.len());
        for (index, instruction) in (start..end).zip(&mut self.plan.code[start as usize..]) {
            instruction.op.index = index;
            instruction.op.block_end = end;
        }
        self.plan.blocks.push(Block { start, end, segment: builder.bits > 0, bits: builder.bits });
        self.plan.scopes.push(builder.scope);
        Ok(number(self.plan.blocks.len() - 1))
    }

    fn instructions(
        &mut self,
        instructions: &'m [Model],
        place: &Place,
        builder: &mut BlockBuilder,
    ) -> Result<(), TemplateError> {
        for instruction in instructions {
            self.step(place.template)?;
            match instruction {
                Model::Field(field) => self.field(field, place, builder),
                Model::Sequence(sequence) => self.sequence(sequence, place, builder)?,
                Model::Group(group) => {
                    let inner = self.within_type(place, group.type_ref.as_ref());
                    let block = self.block(&group.instructions, &inner)?;
                    let optional = group.presence == Presence::Optional;
                    builder.bits += u32::from(optional);
                    let code = if optional { Code::GroupOptional } else { Code::Group };
                    let info = FieldInfo {
                        presence: group.presence,
                        scope: Some(block),
                        ..info(&group.name, &group.id, FieldKind::Group)
                    };
                    self.push(builder, code, info, block);
                }
                Model::BitGroup(group) => self.bit_group(group, place, builder),
                Model::StaticReference { name, position } => {
                    self.static_reference(name, *position, place, builder)?;
                }
                Model::DynamicReference { .. } => {
                    if place.inherited_type {
                        self.type_dependent.insert(place.entry);
                    }
                    let application_type = place.application_type;
                    if application_type != ANY && self.is_reference_type.insert(application_type) {
                        self.reference_types.push(application_type);
                    }
                    let name = Name { namespace: Arc::from(""), local: Arc::from("templateRef") };
                    let info = info(&name, &AuxiliaryId::default(), FieldKind::Reference);
                    self.push(builder, Code::Reference, info, application_type);
                }
            }
        }
        Ok(())
    }

    fn static_reference(
        &mut self,
        name: &Name,
        position: Position,
        place: &Place,
        builder: &mut BlockBuilder,
    ) -> Result<(), TemplateError> {
        let referrer = &self.model[place.template];
        let Some(index) = self.by_name.get(name).copied() else {
            let kind = TemplateErrorKind::UnknownTemplate(name.to_string());
            return Err(error(referrer, Some(StaticCode::D8), position, kind));
        };
        if place.path.contains(&index) {
            let kind = TemplateErrorKind::ReferenceCycle(name.to_string());
            return Err(error(referrer, None, position, kind));
        }
        let limit = self.options.max_depth;
        if place.path.len() >= limit as usize {
            let kind = TemplateErrorKind::Limit { what: "levels of template references", limit };
            return Err(error(referrer, None, position, kind));
        }
        let template = &self.model[index];
        let mut inner = self.within_type(place, template.type_ref.as_ref());
        inner.template = index;
        inner.path.push(index);
        self.instructions(&template.instructions, &inner, builder)
    }

    fn field(&mut self, field: &Field, place: &Place, builder: &mut BlockBuilder) {
        let optional = field.presence == Presence::Optional;
        let (code, operand) = match &field.operator {
            FieldOperator::Whole(Operator::None) => (plain(field.field_type, optional), NONE),
            FieldOperator::Whole(Operator::Constant(value)) => {
                builder.bits += u32::from(optional);
                let code = if optional { Code::ConstantOptional } else { Code::Constant };
                (code, self.value(Some(value)))
            }
            FieldOperator::Whole(operator) => {
                let code = match field.field_type {
                    FieldType::Decimal => Code::DecimalWhole,
                    other if other.is_integer() => Code::Integer,
                    _ => Code::Text,
                };
                (code, self.operated(operator, field.field_type, optional, place, builder))
            }
            FieldOperator::Parts { exponent, mantissa } => {
                let first = self.operated(exponent, FieldType::Int32, optional, place, builder);
                self.operated(mantissa, FieldType::Int64, false, place, builder);
                (Code::DecimalParts, first)
            }
        };
        let (code, operand) = match &field.logical {
            Some(logical) => self.bounded(field, logical, (code, operand), place, builder),
            None => (code, operand),
        };
        let info = FieldInfo {
            presence: field.presence,
            constant: code == Code::Constant,
            logical: field.logical.clone(),
            length: field.length.clone(),
            ..info(&field.name, &field.id, FieldKind::Primitive(field.field_type))
        };
        self.push(builder, code, info, operand);
    }

    /// The instruction of an integer with a meaning: as it is where the type's bounds are its own
    /// or the value is given, otherwise one that checks the bounds.
    fn bounded(
        &mut self,
        field: &Field,
        logical: &LogicalType,
        (code, operand): (Code, u32),
        place: &Place,
        builder: &mut BlockBuilder,
    ) -> (Code, u32) {
        let FieldOperator::Whole(operator) = &field.operator else { return (code, operand) };
        if matches!(logical, LogicalType::Timestamp { .. })
            || matches!(code, Code::Constant | Code::ConstantOptional)
        {
            return (code, operand);
        }
        let operated = if operand == NONE {
            let optional = field.presence == Presence::Optional;
            self.operated(operator, field.field_type, optional, place, builder)
        } else {
            operand
        };
        let (least, greatest) = logical.bounds();
        self.plan.bounded.push(Bounded { operated, least, greatest });
        (Code::Bounded, number(self.plan.bounded.len() - 1))
    }

    /// The members are the fields of a scope without instructions of its own.
    fn bit_group(&mut self, group: &BitGroupModel, place: &Place, builder: &mut BlockBuilder) {
        let operated = self.operated(&group.operator, FieldType::UInt64, false, place, builder);
        let mut inner = BlockBuilder::default();
        let mut members = Vec::with_capacity(group.members.len());
        let mut shift = group.bits();
        for member in &group.members {
            let info = FieldInfo {
                presence: member.presence,
                logical: Some(member.logical.clone()),
                ..info(&member.name, &member.id, FieldKind::Primitive(member.field_type))
            };
            shift -= member.bits;
            let (least, greatest) = member.logical.bounds();
            members.push(BitMember {
                field: number(self.plan.fields.len()),
                shift,
                bits: member.bits,
                signed: matches!(*member.logical, LogicalType::Integer { signed: true, .. }),
                optional: member.presence == Presence::Optional,
                least,
                greatest,
            });
            self.push(&mut inner, Code::Bounded, info, NONE);
        }
        let end = number(self.plan.code.len());
        self.plan.blocks.push(Block { start: end, end, segment: false, bits: 0 });
        self.plan.scopes.push(inner.scope);
        let scope = number(self.plan.blocks.len() - 1);
        self.plan.bit_groups.push(BitGroup { operated, bits: group.bits(), members });
        let operand = number(self.plan.bit_groups.len() - 1);
        let info =
            FieldInfo { scope: Some(scope), ..info(&group.name, &group.id, FieldKind::Group) };
        self.push(builder, Code::BitGroup, info, operand);
    }

    fn sequence(
        &mut self,
        sequence: &'m Sequence,
        place: &Place,
        builder: &mut BlockBuilder,
    ) -> Result<(), TemplateError> {
        let optional = sequence.presence == Presence::Optional;
        let length = &sequence.length;
        // The length belongs to the surroundings, also as to its dictionary.
        let operand = self.operated(&length.operator, FieldType::UInt32, optional, place, builder);
        let inner = self.within_type(place, sequence.type_ref.as_ref());
        let block = self.block(&sequence.instructions, &inner)?;
        let id = if sequence.id.number.is_some() { &sequence.id } else { &length.id };
        let info = FieldInfo {
            presence: sequence.presence,
            length: length.name.clone().map(|name| (name, length.id.clone())),
            scope: Some(block),
            ..info(&sequence.name, id, FieldKind::Sequence)
        };
        self.push(builder, Code::Sequence, info, operand);
        Ok(())
    }

    fn operated(
        &mut self,
        operator: &Operator,
        field_type: FieldType,
        optional: bool,
        place: &Place,
        builder: &mut BlockBuilder,
    ) -> u32 {
        let (operator, slot, initial) = match operator {
            Operator::None => (OperatorCode::None, NONE, None),
            Operator::Constant(value) => (OperatorCode::Constant, NONE, Some(value)),
            Operator::Default(value) => (OperatorCode::Default, NONE, value.as_ref()),
            Operator::Copy(context) => {
                (OperatorCode::Copy, self.slot(context, place), initial(context))
            }
            Operator::Increment(context) => {
                (OperatorCode::Increment, self.slot(context, place), initial(context))
            }
            Operator::Delta(context) => {
                (OperatorCode::Delta, self.slot(context, place), initial(context))
            }
            Operator::Tail(context) => {
                (OperatorCode::Tail, self.slot(context, place), initial(context))
            }
        };
        let (initial_bits, initial_exponent) = match initial {
            Some(OwnedValue::UInt(value)) => (*value, 0),
            Some(OwnedValue::Int(value)) => (value.cast_unsigned(), 0),
            Some(OwnedValue::Decimal { mantissa, exponent }) => {
                (mantissa.cast_unsigned(), *exponent)
            }
            _ => (0, 0),
        };
        let initial = self.value(initial);
        let mut operated = Operated {
            op: Op::OTHER,
            field_type,
            operator,
            optional,
            slot,
            initial,
            initial_bits,
            initial_exponent,
        };
        operated.op = Op::integer(&operated, number(self.plan.operated.len()));
        builder.bits += u32::from(operated.has_bit());
        self.plan.operated.push(operated);
        number(self.plan.operated.len() - 1)
    }

    fn slot(&mut self, context: &Context, place: &Place) -> u32 {
        let dictionary = match &context.dictionary {
            DictionaryName::Global => Dictionary::Global,
            DictionaryName::Template => Dictionary::Template(number(place.template)),
            DictionaryName::Type => {
                if place.inherited_type {
                    self.type_dependent.insert(place.entry);
                }
                Dictionary::Type(self.types[place.application_type as usize].clone())
            }
            DictionaryName::User(name) => Dictionary::User(name.clone()),
        };
        let plan = &mut self.plan;
        let dictionary = *self.dictionaries.entry(dictionary).or_insert_with_key(|dictionary| {
            plan.dictionaries.push(dictionary.clone());
            number(plan.dictionaries.len() - 1)
        });
        *self.slots.entry((dictionary, context.key.clone())).or_insert_with(|| {
            plan.slots.push(dictionary);
            number(plan.slots.len() - 1)
        })
    }

    fn value(&mut self, value: Option<&OwnedValue>) -> u32 {
        let Some(value) = value else { return NONE };
        self.plan.values.push(value.clone());
        number(self.plan.values.len() - 1)
    }

    fn push(&mut self, builder: &mut BlockBuilder, code: Code, mut info: FieldInfo, operand: u32) {
        let field = number(self.plan.fields.len());
        let ordinal = number(builder.scope.fields.len());
        let local = info.name.local.clone();
        let occurrence = builder.occurrences.entry(local.clone()).or_insert(0);
        *occurrence += 1;
        let mut key = local.clone();
        if *occurrence > 1 {
            key = Arc::from(format!("{local}#{occurrence}"));
        }
        // A field may be named `X#2` in the template.
        while builder.scope.names.contains_key(&key) {
            *occurrence += 1;
            key = Arc::from(format!("{local}#{occurrence}"));
        }
        info.ordinal = ordinal;
        info.key = key.clone();
        builder.scope.fields.push(field);
        builder.scope.names.insert(key, ordinal);
        if let Some(tag) = info.id {
            builder.scope.tags.entry(tag).or_insert(ordinal);
        }
        self.plan.fields.push(info.clone());
        builder.code.push(Instruction {
            code,
            nullable_run: 0,
            field,
            operand,
            op: Op::OTHER,
            text: Box::default(),
            info,
        });
    }
}

fn plain(field_type: FieldType, optional: bool) -> Code {
    match (field_type, optional) {
        (FieldType::Int32, false) => Code::Int32,
        (FieldType::Int32, true) => Code::Int32Optional,
        (FieldType::UInt32, false) => Code::UInt32,
        (FieldType::UInt32, true) => Code::UInt32Optional,
        (FieldType::Int64, false) => Code::Int64,
        (FieldType::Int64, true) => Code::Int64Optional,
        (FieldType::UInt64, false) => Code::UInt64,
        (FieldType::UInt64, true) => Code::UInt64Optional,
        (FieldType::Decimal, false) => Code::Decimal,
        (FieldType::Decimal, true) => Code::DecimalOptional,
        (FieldType::Ascii, false) => Code::Ascii,
        (FieldType::Ascii, true) => Code::AsciiOptional,
        (FieldType::Unicode, false) => Code::Unicode,
        (FieldType::Unicode, true) => Code::UnicodeOptional,
        (FieldType::Bytes, false) => Code::Bytes,
        (FieldType::Bytes, true) => Code::BytesOptional,
    }
}

fn info(name: &Name, id: &AuxiliaryId, kind: FieldKind) -> FieldInfo {
    FieldInfo {
        name: name.clone(),
        key: name.local.clone(),
        id: id.number,
        tag: id.number.unwrap_or(0),
        kind,
        logical: None,
        presence: Presence::Mandatory,
        constant: false,
        length: None,
        ordinal: 0,
        scope: None,
    }
}

fn initial(context: &Context) -> Option<&OwnedValue> {
    context.initial.as_ref()
}

fn error(
    template: &Template,
    code: Option<StaticCode>,
    position: Position,
    kind: TemplateErrorKind,
) -> TemplateError {
    let template = Some(template.name.local.clone());
    TemplateError { code, kind, position, template, field: None }
}

/// Sizes of tables stay far below 2^32: the options limit the instructions.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("the tables of a plan are limited by max_instructions")
}

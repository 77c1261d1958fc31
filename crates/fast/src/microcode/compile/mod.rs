//! Templates to a program.

mod block;
mod pack;

use rustc_hash::FxHashMap;

use super::isa::{LANES, MAX_ROWS, MAX_TAGS};
use super::profile::Profile;
use super::program::{
    EntryPoint, MAX_NAME, MAX_SEGMENTS, Program, ProgramError, Segment, Settings, Tag, TemplateInfo,
};
use crate::load::Templates;
use crate::plan::{Entry, Plan};
use pack::Packer;

/// How to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileOptions {
    /// Most fields of a row, 1–4: the optimisation beyond seed 004.
    pub fields_per_row: usize,
    /// Most {template, presence map} segments, 0–16 (seed 004 §6.1); they come from the profile.
    pub segments: usize,
    /// What the stream is like. Without one, strings are `ascii`: those beyond 16 bytes trap.
    pub profile: Profile,
    /// Which mandatory constants are delivered. Those beyond 16 bytes never are.
    pub constants: Constants,
    /// Options and limits of the program.
    pub settings: Settings,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            fields_per_row: LANES,
            segments: MAX_SEGMENTS,
            profile: Profile::default(),
            constants: Constants::None,
            settings: Settings::default(),
        }
    }
}

/// Mandatory constants, which tell nothing that the template does not, and take a slot of a row each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constants {
    /// None of them.
    #[default]
    None,
    /// All.
    All,
    /// Those of fields with these numbers: for a reader that knows fields and not templates.
    Numbered(&'static [u32]),
}

impl Constants {
    /// Whether that of a field with this number is delivered.
    pub fn deliver(self, id: Option<u32>) -> bool {
        match self {
            Constants::None => false,
            Constants::All => true,
            Constants::Numbered(numbers) => id.is_some_and(|id| numbers.contains(&id)),
        }
    }
}

/// Templates do not fit the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A memory of the engine is too small.
    #[error("the templates need more {what} than the engine has ({limit})")]
    TooLarge {
        /// What there is too little of.
        what: &'static str,
        /// How much there is.
        limit: usize,
    },
    /// The result breaks a rule.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// Compiles all templates that have an identifier.
///
/// # Errors
/// If they do not fit the engine's memories or tables.
pub fn compile(templates: &Templates, options: &CompileOptions) -> Result<Program, CompileError> {
    let plan = templates.plan();
    let mut compiler = Compiler {
        plan,
        options,
        program: Program { settings: options.settings, ..Program::default() },
        packer: Packer::new(options.fields_per_row.clamp(1, LANES)),
        banks: FxHashMap::default(),
    };
    if plan.fields.len() > MAX_TAGS {
        return Err(CompileError::TooLarge { what: "tags", limit: MAX_TAGS });
    }
    for field in &plan.fields {
        let name = clip(&field.name.local);
        compiler.program.tags.push(Tag { id: field.id, name });
    }
    // Template index in the plan to index in the program.
    let mut numbers = FxHashMap::default();
    for (index, template) in (0u32..).zip(templates.all()) {
        let Some(id) = template.id.number else { continue };
        numbers.insert(index, compiler.program.templates.len() as u16);
        let name = clip(&template.name.local);
        compiler.program.templates.push(TemplateInfo { id, reset: template.reset, name });
    }
    let mut entries: Vec<(u32, u32, Entry)> = (0u32..)
        .zip(&plan.entries)
        .take(templates.all().len())
        .map(|(index, entry)| (0, index, *entry))
        .collect();
    for ((template, scope), entry) in &plan.variants {
        entries.push((*scope, *template, plan.entries[*entry as usize]));
    }
    entries.sort_by_key(|(scope, template, _)| (*scope, *template));
    for (scope, index, entry) in &entries {
        let Some(template) = numbers.get(index).copied() else { continue };
        if *scope >= 1 << 12 {
            return Err(CompileError::TooLarge { what: "application types", limit: 1 << 12 });
        }
        let row = compiler.template(entry, None)?.unwrap_or(0);
        let scope = *scope as u16;
        compiler.program.entries.push(EntryPoint { template, scope, row });
    }
    for (id, pmap) in options.profile.most_frequent(options.segments.min(MAX_SEGMENTS)) {
        let Some(entry) = plan.entry_by_id(id).map(|entry| plan.entries[entry as usize]) else {
            continue;
        };
        let Some(template) = numbers.get(&entry.template).copied() else { continue };
        if let Some(row) = compiler.template(&entry, Some(pmap))? {
            let pmap = pmap.to_vec();
            compiler.program.segments.push(Segment { template, pmap, row });
        }
    }
    compiler.program.check()?;
    Ok(compiler.program)
}

struct Compiler<'t> {
    plan: &'t Plan,
    options: &'t CompileOptions,
    program: Program,
    packer: Packer,
    /// Slots of the plan to lane and entry.
    banks: FxHashMap<u32, (usize, u8)>,
}

impl Compiler<'_> {
    /// The rows of a template; with a presence map those of a segment, or `None` and no rows where
    /// the map does not decide or does not fit.
    fn template(
        &mut self,
        entry: &Entry,
        pmap: Option<&[u8]>,
    ) -> Result<Option<u16>, CompileError> {
        let start = self.program.rows.len();
        let mut bits = pmap.map(block::KnownBits::new);
        let outcome = self.block(entry.block, &mut bits);
        let fits = bits.is_none_or(|bits| bits.fits());
        if matches!(outcome, Err(block::Stop::Unknown)) || !fits {
            self.program.rows.truncate(start);
            self.packer.clear();
            return Ok(None);
        }
        outcome.map_err(|stop| match stop {
            block::Stop::Error(error) => error,
            block::Stop::Unknown => CompileError::TooLarge { what: "segments", limit: 0 },
        })?;
        self.end();
        if self.program.rows.len() > MAX_ROWS {
            return Err(CompileError::TooLarge { what: "rows", limit: MAX_ROWS });
        }
        Ok(Some(start as u16))
    }
}

fn clip(name: &str) -> String {
    let printable: String = name.chars().filter(|c| !c.is_control()).collect();
    let mut end = printable.len().min(MAX_NAME);
    while !printable.is_char_boundary(end) {
        end -= 1;
    }
    printable[..end].to_owned()
}

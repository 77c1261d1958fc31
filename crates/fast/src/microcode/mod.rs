//! FAST for hardware: an assembly language, programs and a cycle-accurate engine (seed 004).
//!
//! `MICROCODE.md` beside this crate specifies the machine; the SystemVerilog engine implements
//! that document, and the model here agrees with the [`crate::Decoder`] on every message.
//!
//! [`compile`] turns templates into a [`Program`]; [`listing`] prints a program in the assembly
//! language and [`assemble`] translates such a text, so that both give the same bytes. An
//! [`Engine`] runs a program on packets and gives [`Record`]s with their cycles;
//! [`read_records`] turns records into fields again. [`measure`] compares the optimisations.

mod asm;
pub mod binary;
mod compile;
mod engine;
pub mod image;
pub mod isa;
mod profile;
pub mod program;
pub mod record;
mod report;

pub use asm::{AsmError, AsmErrorKind, assemble, listing};
pub use binary::FormatError;
pub use compile::{CompileError, CompileOptions, Constants, compile};
pub use engine::{Counters, Engine, EngineOptions, MessageReport};
pub use image::{ImageError, ImageLimits, image, image_for, roles, roles_for};
pub use isa::{Control, Kind, LANES, Operator, Presence, Row, Slot};
pub use profile::Profile;
pub use program::{
    Constant, EntryPoint, Program, ProgramError, Segment, Settings, Tag, TemplateInfo,
};
pub use record::{Item, Record, RecordKind, Status, Trap, read_records};
pub use report::{CLOCK_HZ, Comparison, Optimisations, RunReport, measure, profile, run};

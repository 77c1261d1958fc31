//! FAST for hardware: an assembly language, programs and a cycle-accurate engine (seed 004).
//!
//! `MICROCODE.md` beside this crate specifies the machine; the SystemVerilog engine implements
//! that document, and the model here agrees with the [`crate::Decoder`] on every message.
//!
//! Templates become a [`Program`] by way of the assembly language: [`compile`] writes the text,
//! [`assemble`] translates it, [`listing`] prints a program so that it assembles again. An
//! [`Engine`] runs a program on packets and gives [`Record`]s, cycle by cycle; [`read_records`]
//! turns records into fields again. [`measure`] compares the optimisations.

pub mod binary;
mod compile;
mod engine;
pub mod isa;
mod profile;
pub mod program;
pub mod record;

pub use binary::FormatError;
pub use compile::{CompileError, CompileOptions, compile};
pub use engine::{Counters, Engine, EngineOptions, MessageReport};
pub use isa::{Control, Kind, LANES, Operator, Presence, Row, Slot};
pub use profile::Profile;
pub use program::{
    Constant, EntryPoint, Program, ProgramError, Segment, Settings, Tag, TemplateInfo,
};
pub use record::{Item, Record, RecordKind, Status, Trap, read_records};

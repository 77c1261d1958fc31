//! `saker fast compile`, `asm` and `run`: the FAST engine's programs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use saker_fast::microcode::{
    self, Comparison, CompileOptions, Engine, EngineOptions, Program, Settings, Status,
};
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{Decoder, DecoderOptions, Ignore, ResetPolicy, Templates};

use super::fast::datagrams;
use crate::args::{FastAsmArgs, FastCompileArgs, FastRunArgs};
use crate::fast_args::FileFraming;
use crate::input;

/// How far a message without length is looked for, at first.
const FIRST_LOOK: usize = 512;

/// Compiles templates.
pub fn compile(args: &FastCompileArgs) -> Result<ExitCode> {
    if args.output.is_none() && !args.listing {
        bail!("nothing to do: name a file with --output, or ask for the --listing");
    }
    let templates = input::templates(&args.templates, &args.load.load_options())?;
    let preamble = u8::try_from(args.preamble).context("a preamble has at most 64 bytes")?;
    let settings = Settings { reset: input::reset(args.reset), preamble, ..Settings::default() };
    let mut options = CompileOptions { settings, ..CompileOptions::default() };
    let name = || args.templates.display().to_string();
    if let Some(path) = &args.profile {
        let file = || path.display().to_string();
        let (bytes, framing) = framed_bytes(path, args.framing)?;
        let packets = packets(&bytes, &templates, framing, &settings).with_context(file)?;
        options.profile = microcode::profile(&templates, &options, &packets).with_context(name)?;
    }
    let program = microcode::compile(&templates, &options).with_context(name)?;
    if args.listing {
        io::stdout().lock().write_all(microcode::listing(&program).as_bytes())?;
    }
    if let Some(path) = &args.output {
        write(path, &program)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Assembles a program.
pub fn assemble(args: &FastAsmArgs) -> Result<ExitCode> {
    let name = || args.file.display().to_string();
    let text = String::from_utf8(input::bytes(&args.file)?).with_context(name)?;
    write(&args.output, &microcode::assemble(&text).with_context(name)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a program and compares the optimisations.
pub fn run(args: &FastRunArgs) -> Result<ExitCode> {
    let name = || args.program.display().to_string();
    let program = Program::from_bytes(&input::bytes(&args.program)?).with_context(name)?;
    let file = || args.file.display().to_string();
    let (bytes, framing) = framed_bytes(&args.file, args.framing)?;
    let comparison = match &args.templates {
        Some(path) => {
            let templates = input::templates(path, &args.load.load_options())?;
            let settings = program.settings;
            let packets = packets(&bytes, &templates, framing, &settings).with_context(file)?;
            let mut options = CompileOptions { settings, ..CompileOptions::default() };
            options.profile = microcode::profile(&templates, &options, &packets)?;
            microcode::measure(&templates, &options, &packets)?
        }
        None => {
            let packets = match framing {
                Framing::None => bare_messages(&bytes, &program).with_context(file)?,
                framing => framed(&bytes, framing).with_context(file)?,
            };
            as_it_is(&program, &packets)?
        }
    };
    let text = if args.json { comparison.to_json() + "\n" } else { comparison.to_table() };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// A given program with the engine's own optimisations off, each alone, and on.
fn as_it_is(program: &Program, packets: &[&[u8]]) -> Result<Comparison> {
    let cases = [
        ("base", EngineOptions { precalculate: false, wide: false }),
        ("precalculate", EngineOptions { precalculate: true, wide: false }),
        ("wide", EngineOptions { precalculate: false, wide: true }),
        ("all", EngineOptions { precalculate: true, wide: true }),
    ];
    let mut comparison = Comparison { cases: Vec::new(), ladder: Vec::new() };
    for (name, options) in cases {
        comparison.cases.push((name, microcode::run(program, options, packets)?));
    }
    Ok(comparison)
}

/// The bytes of a file and what tells where packets end in them.
fn framed_bytes(path: &Path, framing: FileFraming) -> Result<(Vec<u8>, Framing)> {
    let bytes = input::bytes(path)?;
    match framing {
        FileFraming::Pcap => Ok((datagrams(path, &bytes)?, Framing::U32Le)),
        other => Ok((bytes, other.of_bytes())),
    }
}

fn write(path: &Path, program: &Program) -> Result<()> {
    fs::write(path, program.to_bytes()).with_context(|| path.display().to_string())
}

/// The packets of a raw file, preambles included; without lengths the decoder finds their ends.
fn packets<'b>(
    bytes: &'b [u8],
    templates: &Templates,
    framing: Framing,
    settings: &Settings,
) -> Result<Vec<&'b [u8]>> {
    if framing != Framing::None {
        return framed(bytes, framing);
    }
    let preamble = usize::from(settings.preamble);
    // A packet is a message here: both policies reset in front of it.
    let reset = match settings.reset {
        ResetPolicy::Never => ResetPolicy::Never,
        ResetPolicy::Packet | ResetPolicy::Message => ResetPolicy::Message,
    };
    let mut decoder = Decoder::new(templates, DecoderOptions::with_reset(reset));
    let layout = Layout { framing: Framing::None, preamble };
    let mut stream = MessageStream::new(bytes, layout);
    let mut found = Vec::new();
    while let Some(message) = stream.next(&mut decoder, &mut Ignore)? {
        found.push(&bytes[message.offset - preamble..message.offset + message.bytes.len()]);
    }
    Ok(found)
}

/// The packets of a file in which something tells where each ends.
fn framed(bytes: &[u8], framing: Framing) -> Result<Vec<&[u8]>> {
    let layout = Layout { framing, preamble: 0 };
    let mut stream = MessageStream::new(bytes, layout);
    let mut found = Vec::new();
    while let Some(packet) = stream.unit()? {
        found.push(packet);
    }
    Ok(found)
}

/// The packets of a file of bare messages: the engine itself finds where each ends.
fn bare_messages<'b>(bytes: &'b [u8], program: &Program) -> Result<Vec<&'b [u8]>> {
    let mut engine = Engine::new(program.clone(), EngineOptions::default())?;
    let mut records = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut look = FIRST_LOOK;
        let length = loop {
            let end = bytes.len().min(at + look);
            let mut trial = engine.clone();
            records.clear();
            let reports = trial.packet(&bytes[at..end], &mut records);
            match reports.first() {
                Some(first) if first.status == Status::Complete => {
                    break first.offset + first.length;
                }
                _ if end < bytes.len() => look *= 4,
                Some(first) => bail!("byte {at}: message {}: {:?}", found.len(), first.status),
                None => bail!("byte {at}: no message"),
            }
        };
        let packet = &bytes[at..at + length];
        records.clear();
        engine.packet(packet, &mut records);
        found.push(packet);
        at += length;
    }
    Ok(found)
}

//! `saker fast`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use saker_fast::generate::Generator;
use saker_fast::json::{JsonWriter, from_json};
use saker_fast::stream::{Framing, Layout, MessageStream};
use saker_fast::{Decoder, DecoderOptions, Encoder, EncoderOptions};

use crate::args::{FastDecodeArgs, FastEncodeArgs, FastFormat, FastGenArgs, LengthPrefix};
use crate::input;

/// Prints one JSON object a line. A unit that does not decode is reported and, where a length
/// prefix tells where the next one begins, skipped; the exit status then says so.
pub fn decode(args: &FastDecodeArgs) -> Result<ExitCode> {
    let templates = input::templates(&args.format.templates, args.format.lenient)?;
    let bytes = input::bytes(&args.file)?;
    let options = DecoderOptions::with_reset(input::reset(args.format.reset));
    let mut decoder = Decoder::new(&templates, options);
    let layout = Layout {
        framing: framing(args.format.length_prefix),
        preamble: usize::from(args.format.preamble),
    };
    let mut stream = MessageStream::new(&bytes, layout);
    let mut json = JsonWriter::default();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut messages = 0u64;
    let mut failures = 0u64;
    loop {
        json.clear();
        match stream.next(&mut decoder, &mut json) {
            Ok(Some(_)) => {
                messages += 1;
                out.write_all(json.text().as_bytes())?;
            }
            Ok(None) => break,
            Err(error) => {
                // What was printed before stays in order with the complaint.
                out.flush()?;
                eprintln!("saker: {}: message {messages}: {error}", args.file.display());
                failures += 1;
                decoder.reset();
            }
        }
    }
    out.flush()?;
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes FAST from JSON lines.
pub fn encode(args: &FastEncodeArgs) -> Result<ExitCode> {
    let templates = input::templates(&args.format.templates, args.format.lenient)?;
    let bytes = input::bytes(&args.file)?;
    let options = EncoderOptions::with_reset(input::reset(args.format.reset));
    let mut encoder = Encoder::new(&templates, options);
    let mut out: BufWriter<Box<dyn Write>> = BufWriter::with_capacity(
        1 << 16,
        match &args.output {
            Some(path) => Box::new(File::create(path).with_context(|| path.display().to_string())?),
            None => Box::new(io::stdout().lock()),
        },
    );
    let mut message = Vec::new();
    let mut number = 0u64;
    for (index, line) in bytes.lines().enumerate() {
        let at = || format!("{}: line {}", args.file.display(), index + 1);
        let line = line.with_context(at)?;
        if line.trim().is_empty() {
            continue;
        }
        let parsed = from_json(&templates, &line).with_context(at)?;
        message.clear();
        encoder.begin_packet();
        encoder.encode(&parsed, &mut message).with_context(at)?;
        number += 1;
        write_unit(&mut out, &args.format, number, &message).with_context(at)?;
    }
    out.flush().with_context(|| output_name(args.output.as_deref()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes typed code for a set of templates.
pub fn generate(args: &FastGenArgs) -> Result<ExitCode> {
    let code = Generator::from_file_with(&args.templates, &input::load_options(args.lenient))
        .and_then(|generator| generator.generate())
        .with_context(|| args.templates.display().to_string())?;
    match &args.output {
        Some(path) => fs::write(path, code).with_context(|| path.display().to_string())?,
        None => io::stdout().lock().write_all(code.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn output_name(path: Option<&Path>) -> String {
    path.map_or_else(|| "standard output".to_owned(), |path| path.display().to_string())
}

/// Length prefix, preamble, message.
fn write_unit(
    out: &mut impl Write,
    format: &FastFormat,
    number: u64,
    message: &[u8],
) -> Result<()> {
    let preamble_len = usize::from(format.preamble);
    let length = preamble_len + message.len();
    let too_long = || anyhow!("a message of {length} bytes does not fit its length prefix");
    match format.length_prefix {
        LengthPrefix::None => {}
        LengthPrefix::U32le => {
            let length = u32::try_from(length).map_err(|_| too_long())?;
            out.write_all(&length.to_le_bytes())?;
        }
        LengthPrefix::U16be => {
            let length = u16::try_from(length).map_err(|_| too_long())?;
            out.write_all(&length.to_be_bytes())?;
        }
    }
    let mut preamble = [0u8; 64];
    if preamble_len > preamble.len() {
        bail!("a preamble is at most {} bytes", preamble.len());
    }
    let filled = preamble_len.min(8);
    preamble[..filled].copy_from_slice(&number.to_le_bytes()[..filled]);
    out.write_all(&preamble[..preamble_len])?;
    out.write_all(message)?;
    Ok(())
}

pub fn framing(prefix: LengthPrefix) -> Framing {
    match prefix {
        LengthPrefix::None => Framing::None,
        LengthPrefix::U32le => Framing::U32Le,
        LengthPrefix::U16be => Framing::U16Be,
    }
}

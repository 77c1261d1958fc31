//! `saker fast`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Write};
use std::net::SocketAddrV4;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use saker_fast::generate::Generator;
use saker_fast::json::{JsonWriter, from_json};
use saker_fast::stream::{Layout, MessageStream};
use saker_fast::{DecodeError, Decoder, DecoderOptions, Encoder, EncoderOptions};
use saker_wire::capture::{LINK_TYPE_ETHERNET, Packet, Reader};
use saker_wire::frame::{self, Body, Checksums};

use crate::args::{FastDecodeArgs, FastEncodeArgs, FastGenArgs};
use crate::fast_args::{FastFormat, FileFraming};
use crate::input;

/// Prints one JSON object a line. A unit that does not decode is reported and, where a length
/// prefix tells where the next one begins, skipped; the exit status then says so.
pub fn decode(args: &FastDecodeArgs) -> Result<ExitCode> {
    let format = &args.format;
    let templates = input::templates(&format.templates, &format.load.load_options())?;
    let bytes = input::bytes(&args.file)?;
    let options = DecoderOptions {
        strict: !args.allow_overlong,
        max_string: args.max_string,
        max_elements: args.max_elements,
        max_sequence: args.max_elements,
        ..DecoderOptions::with_reset(input::reset(format.reset))
    };
    let mut printer = Printer {
        args,
        decoder: Decoder::new(&templates, options),
        json: JsonWriter::default(),
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        messages: 0,
        failures: 0,
    };
    if format.framing == FileFraming::Pcap {
        capture(&bytes, &mut printer)?;
    } else {
        printer.print(&bytes, "")?;
    }
    printer.out.flush()?;
    Ok(if printer.failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Decodes and prints.
struct Printer<'a> {
    args: &'a FastDecodeArgs,
    decoder: Decoder,
    json: JsonWriter,
    out: BufWriter<io::StdoutLock<'a>>,
    messages: u64,
    failures: u64,
}

impl Printer<'_> {
    /// Prints the messages of a file or datagram; `place` says which one it is.
    fn print(&mut self, bytes: &[u8], place: &str) -> Result<()> {
        let format = &self.args.format;
        let (framing, preamble) = (format.framing.of_bytes(), usize::from(format.preamble));
        let mut stream = MessageStream::new(bytes, Layout { framing, preamble });
        loop {
            self.json.clear();
            match stream.next(&mut self.decoder, &mut self.json) {
                Ok(Some(_)) => {
                    self.messages += 1;
                    self.out.write_all(self.json.text().as_bytes())?;
                }
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.complain(&error, place)?;
                    self.decoder.reset();
                }
            }
        }
    }

    /// Reports a unit that does not decode.
    fn complain(&mut self, error: &DecodeError, place: &str) -> Result<()> {
        let messages = self.messages;
        self.failures += 1;
        if self.args.json {
            let code = error.code.to_string();
            let line = serde_json::json!({ "error": {
                "code": code, "offset": error.offset, "after_messages": messages,
                "template": error.site.template.as_deref(), "field": error.site.field.as_deref(),
                "place": place, "text": error.to_string(),
            }});
            writeln!(self.out, "{line}")?;
            return Ok(());
        }
        // What was printed before stays in order with the complaint.
        self.out.flush()?;
        eprintln!("saker: {}: {place}message {messages}: {error}", self.args.file.display());
        Ok(())
    }
}

/// Prints the messages of a capture's datagrams.
fn capture(bytes: &[u8], printer: &mut Printer<'_>) -> Result<()> {
    let args = printer.args;
    let checksums = if args.ignore_checksums { Checksums::Ignore } else { Checksums::Verify };
    let unused = each_datagram(&args.file, bytes, &args.channel, checksums, |number, payload| {
        printer.print(payload, &format!("packet {number}: "))
    })?;
    printer.out.flush()?;
    tell_unused(&args.file, unused);
    Ok(())
}

/// The payloads of a capture's whole UDP datagrams, each behind its length, u32le.
pub(super) fn datagrams(path: &Path, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut found = Vec::with_capacity(bytes.len());
    let unused = each_datagram(path, bytes, &[], Checksums::Verify, |_, payload| {
        // A datagram is shorter than 64 KiB.
        found.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        found.extend_from_slice(payload);
        Ok(())
    })?;
    tell_unused(path, unused);
    Ok(found)
}

/// Calls `each` with number and payload of every packet that is a datagram to one of the channels.
/// Returns how many were not, and of how many.
fn each_datagram(
    path: &Path,
    bytes: &[u8],
    channels: &[SocketAddrV4],
    checksums: Checksums,
    mut each: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<(u64, u64)> {
    let name = || path.display().to_string();
    let mut reader = Reader::new(bytes).with_context(name)?;
    let (mut number, mut unused) = (0, 0);
    while let Some(packet) = reader.next().with_context(name)? {
        number += 1;
        match datagram(&packet, channels, checksums) {
            Some(payload) => each(number, payload)?,
            None => unused += 1,
        }
    }
    Ok((unused, number))
}

/// Tells of a capture's packets that were not used.
fn tell_unused(path: &Path, (unused, packets): (u64, u64)) {
    if unused > 0 {
        eprintln!(
            "saker: {}: {unused} of {packets} packets were not used: not whole UDP datagrams with \
             right checksums, or to another address",
            path.display()
        );
    }
}

/// The payload of a packet that is a UDP datagram to one of the channels; any, if there are none.
fn datagram<'p>(
    packet: &Packet<'p>,
    channels: &[SocketAddrV4],
    checksums: Checksums,
) -> Option<&'p [u8]> {
    let whole = packet.data.len() as u64 >= u64::from(packet.original_len);
    if packet.link_type != LINK_TYPE_ETHERNET || !whole {
        return None;
    }
    let Body::Udp { ip, udp, payload } = frame::parse_with(packet.data, checksums).ok()?.body
    else {
        return None;
    };
    let destination = SocketAddrV4::new(ip.dst, udp.dst_port);
    (channels.is_empty() || channels.contains(&destination)).then_some(payload)
}

/// Writes FAST from JSON lines.
pub fn encode(args: &FastEncodeArgs) -> Result<ExitCode> {
    let format = &args.format;
    let templates = input::templates(&format.templates, &format.load.load_options())?;
    let bytes = input::bytes(&args.file)?;
    let options = EncoderOptions::with_reset(input::reset(format.reset));
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
        write_unit(&mut out, format, number, &message).with_context(at)?;
    }
    out.flush().with_context(|| output_name(args.output.as_deref()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes typed code for a set of templates.
pub fn generate(args: &FastGenArgs) -> Result<ExitCode> {
    let code = Generator::from_file_with(&args.templates, &args.load.load_options())
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
    let mut preamble = [0u8; 64];
    if preamble_len > preamble.len() {
        bail!("a preamble is at most {} bytes", preamble.len());
    }
    let filled = preamble_len.min(8);
    preamble[..filled].copy_from_slice(&number.to_le_bytes()[..filled]);

    let length = preamble_len + message.len();
    let too_long = || anyhow!("a message of {length} bytes does not fit its length prefix");
    let short = || u16::try_from(length).map_err(|_| too_long());
    let long = || u32::try_from(length).map_err(|_| too_long());
    match format.framing {
        FileFraming::None => {}
        FileFraming::U8 => out.write_all(&[u8::try_from(length).map_err(|_| too_long())?])?,
        FileFraming::U16le => out.write_all(&short()?.to_le_bytes())?,
        FileFraming::U16be => out.write_all(&short()?.to_be_bytes())?,
        FileFraming::U32le => out.write_all(&long()?.to_le_bytes())?,
        FileFraming::U32be => out.write_all(&long()?.to_be_bytes())?,
        FileFraming::Block => out.write_all(&stop_bit_encoded(long()?))?,
        FileFraming::Step => write!(out, "95={length}\u{1}96=")?,
        FileFraming::Datagram if number == 1 => {}
        FileFraming::Datagram => bail!("a datagram takes one message; --framing none takes many"),
        FileFraming::Pcap => bail!("captures are read only; --framing none writes the messages"),
    }
    out.write_all(&preamble[..preamble_len])?;
    out.write_all(message)?;
    if format.framing == FileFraming::Step {
        out.write_all(b"\x01")?;
    }
    Ok(())
}

/// The size of a FAST block (§10).
fn stop_bit_encoded(value: u32) -> Vec<u8> {
    let groups = (0..5).rev().map(|group| (value >> (7 * group) & 0x7f) as u8);
    let mut bytes: Vec<u8> = groups.skip_while(|bits| *bits == 0).collect();
    if bytes.is_empty() {
        bytes.push(0);
    }
    if let Some(last) = bytes.last_mut() {
        *last |= 0x80;
    }
    bytes
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use saker_fast::{Ignore, Templates};

    use super::*;
    use crate::args::Reset;
    use crate::fast_args::TemplateOptions;

    /// What `encode` writes in every framing, `decode`'s stream reads.
    #[test]
    fn every_framing_that_is_written_is_read() {
        let templates = Templates::from_xml(
            r#"<template xmlns="http://www.fixprotocol.org/ns/fast/td/1.1" name="T" id="1">
                 <string name="S"/></template>"#,
        )
        .unwrap();
        use FileFraming as F;
        for framing in [F::None, F::U8, F::U16le, F::U16be, F::U32le, F::U32be, F::Block, F::Step] {
            let format = FastFormat {
                templates: "T.xml".into(),
                framing,
                preamble: 3,
                reset: Reset::Message,
                load: TemplateOptions::default(),
            };
            let text = [b'A'; 200];
            let mut bytes = Vec::new();
            for (number, length) in [(1, 1), (2, 20), (3, 200)] {
                let mut message = vec![0xc0, 0x81];
                message.extend_from_slice(&text[..length]);
                *message.last_mut().unwrap() |= 0x80;
                write_unit(&mut bytes, &format, number, &message).unwrap();
            }
            let layout = Layout { framing: framing.of_bytes(), preamble: 3 };
            let mut stream = MessageStream::new(&bytes, layout);
            let mut decoder = Decoder::new(&templates, DecoderOptions::default());
            for (number, length) in [(1, 1), (2, 20), (3, 200)] {
                let framed = stream.next(&mut decoder, &mut Ignore).unwrap().unwrap();
                assert_eq!(framed.preamble, [number, 0, 0], "{framing:?}");
                assert_eq!(framed.bytes.len(), 2 + length, "{framing:?}");
            }
            assert_eq!(stream.next(&mut decoder, &mut Ignore), Ok(None), "{framing:?}");
            let long = vec![0x81; 70_000];
            let fits = write_unit(&mut Vec::new(), &format, 4, &long).is_ok();
            assert_eq!(fits, !matches!(framing, F::U8 | F::U16le | F::U16be), "{framing:?}");
        }
    }

    #[test]
    fn blocks_have_a_stop_bit_encoded_size() {
        assert_eq!(stop_bit_encoded(0), [0x80]);
        assert_eq!(stop_bit_encoded(127), [0xff]);
        assert_eq!(stop_bit_encoded(942_755), [0x39, 0x45, 0xa3]);
        assert_eq!(stop_bit_encoded(u32::MAX), [0x0f, 0x7f, 0x7f, 0x7f, 0xff]);
    }
}

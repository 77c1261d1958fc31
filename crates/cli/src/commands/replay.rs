//! `saker replay`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use saker_cosim::replay::LogicReplayError;
use saker_fast::{LoadOptions, ResetPolicy, Templates};
use saker_lab::replay::{self, Prefix, ReplayOptions, ReplayStop, Selection, StreamFormat};
use saker_strategy::StrategyFile;
use saker_wire::frame::Checksums;

use super::demo::{logic_options, print, print_compared, write_report};
use crate::args::{LengthPrefix, ReplayArgs, Reset};
use crate::input;

/// Replays the capture, prints the report, and says why if it ended early.
pub fn run(args: &ReplayArgs) -> Result<ExitCode> {
    let options = options(args)?;
    let from_stdin = args.file == Path::new("-");
    let length = if from_stdin { 0 } else { length(&args.file)? };
    let passes = if options.stages { 2 } else { 1 };
    let bar = ProgressBar::new(length * passes).with_style(ProgressStyle::with_template(
        "{msg} {wide_bar} {bytes} of {total_bytes} {elapsed}",
    )?);
    bar.set_message(options.file.clone());

    let open = || -> io::Result<Box<dyn Read>> {
        Ok(if from_stdin {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(&args.file)?)
        })
    };
    let zero = Instant::now();
    let clock = || u64::try_from(zero.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let outcome = match logic_options(&args.engine)? {
        None => {
            let outcome = replay::run(open, &options, clock, |bytes| bar.set_position(bytes));
            outcome.map_err(|stop| named(args, stop))?
        }
        Some(logic) => {
            if from_stdin {
                bail!("the logic needs two passes: name a file");
            }
            bar.set_length(2 * length);
            let tell = |bytes| bar.set_position(bytes);
            saker_cosim::replay::run(open, &options, &logic, tell).map_err(|error| match error {
                LogicReplayError::Stop(stop) => named(args, stop),
                error => anyhow!(error).context(args.file.display().to_string()),
            })?
        }
    };
    bar.finish_and_clear();

    if let Some(folder) = &args.out {
        write_report(folder, &outcome.report)?;
    }
    print(&outcome.report, args.json)?;
    print_compared(&outcome.report);
    if let Some(folder) = &args.out {
        eprintln!("wrote report.html and report.json to {}", folder.display());
    }
    match outcome.stop {
        Some(stop) => Err(named(args, stop)),
        None if outcome.report.holds() => Ok(ExitCode::SUCCESS),
        None => Ok(ExitCode::FAILURE),
    }
}

/// The error with the name of the file that it is about.
fn named(args: &ReplayArgs, stop: ReplayStop) -> anyhow::Error {
    let file = match &stop {
        ReplayStop::Strategies(_) => &args.strategy,
        _ => &args.file,
    };
    anyhow!(stop).context(file.display().to_string())
}

fn length(path: &Path) -> Result<u64> {
    let metadata = std::fs::metadata(path).with_context(|| path.display().to_string())?;
    Ok(metadata.len())
}

fn options(args: &ReplayArgs) -> Result<ReplayOptions> {
    let strategies = StrategyFile::from_toml(&input::text(&args.strategy)?)
        .with_context(|| args.strategy.display().to_string())?;
    let xml = args.templates.as_deref().map(input::text).transpose()?;
    // Who names the feed's own templates means the feed, unless channels are to be one stream.
    let is_own = |xml: &String| xml.trim() == saker_feed::TEMPLATES_XML.trim();
    let saker_feed = xml.as_ref().is_none_or(is_own) && args.channel.is_empty();
    let stream = match (&args.templates, xml) {
        (Some(path), Some(xml)) => {
            Some(stream(args, &xml).with_context(|| path.display().to_string())?)
        }
        _ => None,
    };
    Ok(ReplayOptions {
        file: args.file.display().to_string(),
        command: command(),
        stream,
        saker_feed,
        selection: Selection {
            channels: args.channel.clone(),
            interfaces: args.interface.clone(),
            checksums: match args.ignore_checksums {
                true => Checksums::Ignore,
                false => Checksums::Verify,
            },
        },
        strategies,
        stages: !args.single_pass && args.file != Path::new("-"),
    })
}

fn stream(args: &ReplayArgs, xml: &str) -> Result<StreamFormat> {
    let load = if args.lenient { LoadOptions::lenient() } else { LoadOptions::strict() };
    Ok(StreamFormat {
        templates: Templates::from_xml_with(xml, &load)?,
        preamble_len: usize::from(args.preamble),
        prefix: match args.length_prefix {
            LengthPrefix::None => Prefix::None,
            LengthPrefix::U32le => Prefix::U32Le,
            LengthPrefix::U16be => Prefix::U16Be,
        },
        reset: match args.reset {
            Reset::Never => ResetPolicy::Never,
            Reset::Packet => ResetPolicy::Packet,
            Reset::Message => ResetPolicy::Message,
        },
        price_exponent: args.price_exponent,
    })
}

/// The command line as it was typed, but for the program's folder.
fn command() -> String {
    let arguments = std::env::args_os().skip(1);
    let words = arguments.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("saker".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

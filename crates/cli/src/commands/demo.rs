//! `saker demo`.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use saker_cosim::make::LogicOptions;
use saker_lab::demo::{self, DemoOptions, LOGIC_STRATEGIES_TOML, STRATEGIES_TOML, Setup};
use saker_lab::report::Report;
use saker_strategy::StrategyFile;

use crate::args::{DemoArgs, EngineArgs, EngineKind};
use crate::input;

/// Seconds of trading, by default, in software and in simulated logic.
const SECONDS: [u64; 2] = [10, 2];

/// Runs the demo, prints its report and leaves its files.
pub fn run(args: &DemoArgs) -> Result<ExitCode> {
    let strategies = match &args.strategy {
        Some(path) => StrategyFile::from_toml(&input::text(path)?)
            .with_context(|| path.display().to_string())?,
        None => StrategyFile::from_toml(match args.engine.engine {
            EngineKind::Software => STRATEGIES_TOML,
            EngineKind::Rtl => LOGIC_STRATEGIES_TOML,
        })
        .context("the demo's strategies")?,
    };
    let setup = match logic_options(&args.engine)? {
        Some(options) => saker_cosim::machine::setup(options),
        None => Setup::software(),
    };
    let seconds = args.seconds.unwrap_or(SECONDS[args.engine.engine as usize]);
    let mut command = format!("saker demo --seed {} --seconds {seconds}", args.seed);
    if args.engine.engine == EngineKind::Rtl {
        command += " --engine rtl";
        command += if args.engine.speculate { " --speculate" } else { "" };
    }
    if let Some(path) = &args.strategy {
        command += &format!(" --strategy {}", path.display());
    }
    let capture = args.out.as_deref().map(|folder| create(folder, "demo.pcapng")).transpose()?;
    let options = DemoOptions { seed: args.seed, seconds, strategies, command };

    let bar = ProgressBar::new(1_000)
        .with_style(ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {elapsed}")?);
    bar.set_message(format!("{seconds} s of virtual time"));
    let report = demo::run_with(
        options,
        setup,
        capture.map(|file| Box::new(file) as Box<dyn Write>),
        |done| {
            bar.set_position(done);
        },
    )?;
    bar.finish_and_clear();

    if let Some(folder) = &args.out {
        write_report(folder, &report)?;
    }
    print(&report, args.json)?;
    print_compared(&report);
    if let Some(folder) = &args.out {
        eprintln!("wrote report.html, report.json and demo.pcapng to {}", folder.display());
    }
    Ok(if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How the logic is to be run, if it is.
pub fn logic_options(args: &EngineArgs) -> Result<Option<LogicOptions>> {
    if args.engine == EngineKind::Software {
        if args.wave.is_some() || args.speculate {
            bail!("--wave and --speculate are for --engine rtl");
        }
        return Ok(None);
    }
    if let Some(folder) = args.wave.as_ref().and_then(|path| path.parent()) {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let (wave, speculate) = (args.wave.clone(), args.speculate);
    let options = LogicOptions { wave, speculate, ..LogicOptions::default() };
    if let Some(path) = &options.wave {
        let format = saker_cosim::make::wave_format(&options)?;
        eprintln!("writing a waveform to {} ({format})", path.display());
    }
    Ok(Some(options))
}

/// Writes `report.json` and `report.html` to `folder`.
pub fn write_report(folder: &Path, report: &Report) -> Result<()> {
    create(folder, "report.json")?.write_all(report.to_json().as_bytes())?;
    create(folder, "report.html")?.write_all(report.to_html().as_bytes())?;
    Ok(())
}

/// Says what was compared in lockstep, if anything was.
pub fn print_compared(report: &Report) {
    if let Some(logic) = &report.logic {
        eprintln!(
            "logic and model agree: {} messages, {} tops, {} orders compared",
            logic.messages_compared, logic.tops_compared, logic.orders_compared
        );
    }
}

/// Prints a report as a table or as JSON.
pub fn print(report: &Report, json: bool) -> Result<()> {
    let text = if json { report.to_json() } else { report.to_table() };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn create(folder: &Path, name: &str) -> Result<BufWriter<File>> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let path = folder.join(name);
    let file = File::create(&path).with_context(|| path.display().to_string())?;
    Ok(BufWriter::new(file))
}

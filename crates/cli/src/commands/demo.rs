//! `saker demo`.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use saker_lab::demo::{self, DemoOptions, STRATEGIES_TOML};
use saker_lab::report::Report;
use saker_strategy::StrategyFile;

use crate::args::DemoArgs;
use crate::input;

/// Runs the demo, prints its report and leaves its files.
pub fn run(args: &DemoArgs) -> Result<ExitCode> {
    let strategies = match &args.strategy {
        Some(path) => StrategyFile::from_toml(&input::text(path)?)
            .with_context(|| path.display().to_string())?,
        None => StrategyFile::from_toml(STRATEGIES_TOML).context("the demo's strategies")?,
    };
    let mut command = format!("saker demo --seed {} --seconds {}", args.seed, args.seconds);
    if let Some(path) = &args.strategy {
        command += &format!(" --strategy {}", path.display());
    }
    let capture = args.out.as_deref().map(|folder| create(folder, "demo.pcapng")).transpose()?;
    let options = DemoOptions { seed: args.seed, seconds: args.seconds, strategies, command };

    let bar = ProgressBar::new(1_000)
        .with_style(ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % {elapsed}")?);
    bar.set_message(format!("{} s of virtual time", args.seconds));
    let report =
        demo::run(options, capture.map(|file| Box::new(file) as Box<dyn Write>), |done| {
            bar.set_position(done);
        })?;
    bar.finish_and_clear();

    if let Some(folder) = &args.out {
        write_report(folder, &report)?;
    }
    print(&report, args.json)?;
    if let Some(folder) = &args.out {
        eprintln!("wrote report.html, report.json and demo.pcapng to {}", folder.display());
    }
    Ok(if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes `report.json` and `report.html` to `folder`.
pub fn write_report(folder: &Path, report: &Report) -> Result<()> {
    create(folder, "report.json")?.write_all(report.to_json().as_bytes())?;
    create(folder, "report.html")?.write_all(report.to_html().as_bytes())?;
    Ok(())
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

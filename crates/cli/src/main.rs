//! The `saker` program: one subcommand per job.
//!
//! This crate reads arguments and files, shows progress and sets exit codes; the work is in the
//! crates below it. Exit codes: 0 all is well; 1 the input or a run failed, with the reason on
//! standard error; 2 wrong arguments.

mod args;
mod commands;
mod fast_args;
mod input;

use std::io;
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    match commands::run(cli.command) {
        Ok(code) => code,
        // The reader of our output has gone, as in `saker fast decode … | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("saker: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

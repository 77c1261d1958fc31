//! One file per subcommand.

mod demo;
mod engine;
mod fast;
mod replay;

use std::process::ExitCode;

use anyhow::Result;

use crate::args::{Command, FastCommand};

/// Does what the command line asks for.
pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Fast(FastCommand::Decode(args)) => fast::decode(&args),
        Command::Fast(FastCommand::Encode(args)) => fast::encode(&args),
        Command::Fast(FastCommand::Gen(args)) => fast::generate(&args),
        Command::Fast(FastCommand::Compile(args)) => engine::compile(&args),
        Command::Fast(FastCommand::Asm(args)) => engine::assemble(&args),
        Command::Fast(FastCommand::Run(args)) => engine::run(&args),
    }
}

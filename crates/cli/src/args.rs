//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::fast_args::{FastFormat, FileFraming, TemplateOptions};

/// An open tick-to-trade bench: an exchange, the network around it, and a trader that turns a
/// market-data tick into an order.
#[derive(Debug, Parser)]
#[command(name = "saker", version, max_term_width = 100, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run exchange, traders and network in one virtual world and report every nanosecond.
    Demo(DemoArgs),
    /// Run a capture of a FAST feed through decoder, books and strategies to prepared orders.
    Replay(ReplayArgs),
    /// Decode and encode FAST messages.
    #[command(subcommand)]
    Fast(FastCommand),
}

#[derive(Debug, Args)]
#[command(after_help = "The same seed gives the same bytes, in the report and in the captures.\n\
Exit status: 0 if every invariant holds, 1 if one does not or the run failed.\n\n\
With --engine rtl the trader is the logic of rtl/, simulated cycle by cycle (`make rtl-model` builds\n\
it), on one port behind a switch; every message it decodes, every top of its books and every order\n\
frame is compared with the software's, and the first difference ends the run. It has 16 slots and 4\n\
order books, hence its own default strategies, and takes longer: hence 2 seconds by default.\n\n\
Examples:\n  saker demo --seed 7 --seconds 5 --out out/demo\n  \
saker demo --engine rtl --seconds 1 --wave out/demo.vcd")]
pub struct DemoArgs {
    /// Decides everything that happens by chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Seconds of trading, in virtual time [default: 10, with --engine rtl 2].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: Option<u64>,
    /// Write report.json, report.html and the captures (pcapng, for Wireshark) to this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The trader's strategies [default: the demo's own].
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print the report as JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// What decides and sends.
#[derive(Debug, Args)]
pub struct EngineArgs {
    /// The trader in software, or the logic of rtl/ in simulation.
    #[arg(long, value_enum, default_value_t = EngineKind::Software)]
    pub engine: EngineKind,
    /// Write a waveform of every signal of the logic: large, and slow.
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// The logic starts an order before its packet is known to be good, and poisons it if it is not.
    #[arg(long)]
    pub speculate: bool,
}

/// The trader's engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineKind {
    /// The software engine.
    Software,
    /// The logic, simulated.
    Rtl,
}

#[derive(Debug, Args)]
#[command(after_help = "\
FILE is a pcap or pcapng capture, whose UDP payloads are packets (a preamble, then messages), or\n\
raw FAST: length-prefixed packets, or bare messages, each after a preamble. Captures of saker's own\n\
feed need no options: both lines are arbitrated, gaps recovered from snapshots. Of any other feed,\n\
all that is selected is one stream in order, and its instruments are those it names.\n\n\
Latency is service time on this machine: a packet's bytes handed to the trader's engine, to the\n\
order's frame handed back. Nobody answers the orders: each is taken as filled at once. A packet\n\
that does not decode is counted by its error code and skipped; a bare message that does not ends\n\
the replay, as a truncated file does, and what was done before is reported.\n\n\
Exit status: 0 if FILE was replayed to its end and every invariant holds, else 1.\n\n\
Examples:\n  \
saker replay data.dat --templates test.xml --preamble 4 --reset message \\\n      \
--strategy examples/strategies/moex-stops.toml\n  \
saker replay out/demo/demo.pcapng --strategy stops.toml \\\n      \
--interface trader-feed-a-rx --interface trader-feed-b-rx")]
pub struct ReplayArgs {
    /// The capture; `-` is standard input.
    pub file: PathBuf,
    /// The strategies, in TOML.
    #[arg(long, value_name = "FILE")]
    pub strategy: PathBuf,
    /// FAST templates, XML [default: those of saker's own feed].
    #[arg(long, value_name = "T.xml")]
    pub templates: Option<PathBuf>,
    /// Bytes before the messages of each packet, or before each message of a raw file without
    /// lengths, that are not FAST.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "templates",
          value_parser = clap::value_parser!(u16).range(0..=64))]
    pub preamble: u16,
    /// What tells the length of each packet in a raw file; it stands before the preamble and counts
    /// it.
    #[arg(long, value_enum, default_value_t = LengthPrefix::None, requires = "templates")]
    pub length_prefix: LengthPrefix,
    /// When the dictionaries are reset.
    #[arg(long, value_enum, default_value_t = Reset::Never, requires = "templates")]
    pub reset: Reset,
    /// Accept templates that the specification does not: undeclared prefixes and the like.
    #[arg(long, requires = "templates")]
    pub lenient: bool,
    /// Prices are kept in units of 10^E; those with finer digits are dropped and counted. (Saker's
    /// own feed defines each instrument's.)
    #[arg(long, value_name = "E", default_value_t = -6, allow_negative_numbers = true,
          value_parser = clap::value_parser!(i8).range(-9..=0), requires = "templates")]
    pub price_exponent: i8,
    /// Only UDP datagrams to this destination, as one stream. May be repeated.
    #[arg(long, value_name = "ADDRESS:PORT", requires = "templates")]
    pub channel: Vec<std::net::SocketAddrV4>,
    /// Only frames of this interface of a pcapng file. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub interface: Vec<String>,
    /// Use frames whose IPv4 or UDP checksum is wrong: for captures that were scrubbed, or taken
    /// before the network card filled them in.
    #[arg(long)]
    pub ignore_checksums: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Read FILE once only: the report then does not say where the time went.
    #[arg(long)]
    pub single_pass: bool,
    /// Write report.json and report.html to this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the report as JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum FastCommand {
    /// Print each message as one JSON object on a line.
    #[command(
        after_help = "{\"template\":\"…\",\"id\":…,\"fields\":{…}}: decimals exact, byte vectors in \
lower-case hex, absent\nfields left out, groups as objects, sequences as arrays.\n\n\
Exit status: 0 if everything decodes, else 1.\n\n\
Examples:\n  saker fast decode --templates test.xml --preamble 4 --reset message data.dat | head -1\n  \
saker fast decode --templates forts.xml --allow undeclared-prefixes,loose-reset --framing pcap \\\n      \
--preamble 4 --reset packet --channel 239.195.1.1:41001 feed.pcap\n  \
saker fast decode --templates sz.xml --framing step --reset packet session.step"
    )]
    Decode(FastDecodeArgs),
    /// Write FAST messages from the JSON lines that `decode` prints.
    #[command(
        after_help = "Each preamble is filled with the message's number, from 1, little-endian.\n\n\
Example:\n  saker fast encode --templates test.xml --reset message messages.jsonl > data.fast"
    )]
    Encode(FastEncodeArgs),
    /// Compile templates to a program of the FAST engine (crates/fast/MICROCODE.md).
    #[command(after_help = "Example:\n  saker fast compile test.xml --preamble 4 --reset message \
--profile data.dat -o moex.prog --listing")]
    Compile(FastCompileArgs),
    /// Assemble a program of the FAST engine from its assembly language.
    Asm(FastAsmArgs),
    /// Run a program on a cycle-accurate model of the FAST engine and report what each optimisation
    /// does.
    #[command(
        after_help = "Without --templates the program is run as it is, with the engine's own \
optimisations off and on.\nWith --templates they are compiled anew for each optimisation, alone and \
together.\n\nExample:\n  saker fast run moex.prog data.dat --templates test.xml"
    )]
    Run(FastRunArgs),
    /// Write Rust types, a decoder and an encoder for one set of templates.
    #[command(after_help = "Build scripts call saker_fast::generate::Generator instead.\n\n\
Example:\n  saker fast gen saker.xml -o src/saker.rs")]
    Gen(FastGenArgs),
}

#[derive(Debug, Args)]
pub struct FastCompileArgs {
    /// FAST templates, XML.
    pub templates: PathBuf,
    /// Write the program here.
    #[arg(long, short, value_name = "P")]
    pub output: Option<PathBuf>,
    /// Print the program in the assembly language.
    #[arg(long)]
    pub listing: bool,
    /// A capture whose presence maps and string lengths the program is made for.
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Bytes before each packet that are not FAST.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=64))]
    pub preamble: u16,
    /// What tells where each packet of the profile ends.
    #[arg(long, visible_alias = "length-prefix", value_enum, default_value_t = FileFraming::None)]
    pub framing: FileFraming,
    /// When the dictionaries are reset.
    #[arg(long, value_enum, default_value_t = Reset::Never)]
    pub reset: Reset,
    #[command(flatten)]
    pub load: TemplateOptions,
}

#[derive(Debug, Args)]
pub struct FastAsmArgs {
    /// The program in the assembly language; `-` is standard input.
    pub file: PathBuf,
    /// Write the program here.
    #[arg(long, short, value_name = "P")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct FastRunArgs {
    /// The program.
    pub program: PathBuf,
    /// Raw FAST: packets, each with the preamble that the program states.
    pub file: PathBuf,
    /// The templates the program was made from, to compare every optimisation.
    #[arg(long, value_name = "T.xml")]
    pub templates: Option<PathBuf>,
    /// What tells where each packet ends; without that, each message is a packet.
    #[arg(long, visible_alias = "length-prefix", value_enum, default_value_t = FileFraming::None)]
    pub framing: FileFraming,
    #[command(flatten)]
    pub load: TemplateOptions,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct FastGenArgs {
    /// FAST templates, XML.
    pub templates: PathBuf,
    /// Write here instead of to standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub load: TemplateOptions,
}

#[derive(Debug, Args)]
pub struct FastDecodeArgs {
    #[command(flatten)]
    pub format: FastFormat,
    /// Bytes to read; `-` is standard input.
    pub file: PathBuf,
    /// Print what does not decode as JSON lines too, {"error":{"code":…,"offset":…,…}}, in its
    /// place among the messages, instead of on standard error.
    #[arg(long)]
    pub json: bool,
    /// Accept overlong integers, strings and presence maps, and presence bits that no field uses
    /// (R6 to R9), which the specification lets a decoder ignore.
    #[arg(long)]
    pub allow_overlong: bool,
    /// Longest string or byte vector, in bytes; a longer one is an error.
    #[arg(long, value_name = "N", default_value_t = 1 << 16)]
    pub max_string: u32,
    /// Most elements of all sequences of a message; more are an error.
    #[arg(long, value_name = "N", default_value_t = 1 << 16)]
    pub max_elements: u32,
    /// Of a capture, only UDP datagrams to this destination. May be repeated. Feeds with several
    /// channels have dictionaries for each, so that one at a time is decoded.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub channel: Vec<std::net::SocketAddrV4>,
    /// Use a capture's frames whose IPv4 or UDP checksum is wrong, as in captures that were
    /// scrubbed or taken before the network card filled them in.
    #[arg(long)]
    pub ignore_checksums: bool,
}

#[derive(Debug, Args)]
pub struct FastEncodeArgs {
    #[command(flatten)]
    pub format: FastFormat,
    /// JSON lines to read; `-` is standard input.
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// Write here instead of to standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LengthPrefix {
    /// Messages end where their last field ends.
    None,
    /// Four bytes, little-endian.
    U32le,
    /// Two bytes, big-endian.
    U16be,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Reset {
    /// Only by the templates themselves.
    Never,
    /// At the start of each packet; in a raw file each length-prefixed block is a packet.
    Packet,
    /// At the start of each message.
    Message,
}

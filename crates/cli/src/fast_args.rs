//! The arguments that the FAST commands share: how templates are read, and how messages lie in a
//! file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use saker_fast::LoadOptions;
use saker_fast::load::TemplateReset;
use saker_fast::stream::Framing;

use crate::args::Reset;

/// How template definitions are read.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Templates")]
pub struct TemplateOptions {
    /// Accept every deviation of the concrete syntax that published files have: all values of
    /// --allow except implied-initial-values.
    #[arg(long)]
    pub lenient: bool,
    /// Accept one deviation from the specification's template syntax; may be repeated, or a list
    /// with commas. A definition that needs one is refused with the place and the rule.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "DEVIATION")]
    pub allow: Vec<Deviation>,
    /// Which templates reset the dictionaries before a message.
    #[arg(long, value_enum, default_value_t = Declared::Declared, value_name = "WHICH")]
    pub template_reset: Declared,
    /// Templates that reset, besides those that the definition says.
    #[arg(long, value_delimiter = ',', value_name = "ID", conflicts_with = "template_reset")]
    pub also_reset: Vec<u32>,
    /// Templates that reset, and no others, whatever the definition says.
    #[arg(long, value_delimiter = ',', value_name = "ID",
          conflicts_with_all = ["template_reset", "also_reset"])]
    pub only_reset: Vec<u32>,
    /// Add a template of this identifier without fields that resets, unless there is one: some
    /// venues send the reset message of the session control protocol (120) and do not define it.
    #[arg(long, value_name = "ID")]
    pub implicit_reset: Option<u32>,
}

/// Whether the definition's resets hold.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Declared {
    /// Those with the attribute scp:reset="yes".
    #[default]
    Declared,
    /// None.
    Ignored,
}

/// A deviation from the specification's template syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deviation {
    /// Elements in no namespace or in another one than the specification's: <template> without
    /// xmlns.
    AnyNamespace,
    /// A root element of another name around <templates> or <template>.
    AnyRoot,
    /// Prefixes that are not declared: scp:reset without xmlns:scp.
    UndeclaredPrefixes,
    /// Attributes that the specification does not have, or not there: id of an operator.
    UnknownAttributes,
    /// Any spelling of reset's yes (y, true, 1, Yes), and reset without its namespace.
    LooseReset,
    /// Other spellings of values: presence="Optional", charset="UTF-8", value="+1", value="0x10",
    /// value="".
    LooseValues,
    /// <exponent> and <mantissa> without an operator in them.
    EmptyParts,
    /// <length> and <typeRef> behind other elements, a mantissa before the exponent.
    AnyOrder,
    /// Fields, groups and sequences without a name.
    MissingNames,
    /// Several templates of one name: the second is then X#2.
    DuplicateNames,
    /// Text between elements.
    StrayText,
    /// Integers of few bits (FAST 1.2) outside of bit groups, and uInt8, int16 and the like.
    SmallIntegers,
    /// An operator of a mandatory field without initial value has the one of its type (0, ""), so
    /// that a first message without the field is no error (D5, S5). For publishers that do so.
    ImpliedInitialValues,
}

impl TemplateOptions {
    /// The library's options.
    pub fn load_options(&self) -> LoadOptions {
        let mut load = if self.lenient { LoadOptions::lenient() } else { LoadOptions::strict() };
        for deviation in &self.allow {
            let option = match deviation {
                Deviation::AnyNamespace => &mut load.any_namespace,
                Deviation::AnyRoot => &mut load.any_root,
                Deviation::UndeclaredPrefixes => &mut load.undeclared_prefixes,
                Deviation::UnknownAttributes => &mut load.unknown_attributes,
                Deviation::LooseReset => &mut load.loose_reset,
                Deviation::LooseValues => &mut load.loose_values,
                Deviation::EmptyParts => &mut load.empty_parts,
                Deviation::AnyOrder => &mut load.any_order,
                Deviation::MissingNames => &mut load.missing_names,
                Deviation::DuplicateNames => &mut load.duplicate_names,
                Deviation::StrayText => &mut load.stray_text,
                Deviation::SmallIntegers => &mut load.small_integers,
                Deviation::ImpliedInitialValues => &mut load.implied_initial_values,
            };
            *option = true;
        }
        load.template_reset = if !self.only_reset.is_empty() {
            TemplateReset::Only(self.only_reset.clone())
        } else if !self.also_reset.is_empty() {
            TemplateReset::Also(self.also_reset.clone())
        } else if self.template_reset == Declared::Ignored {
            TemplateReset::Ignored
        } else {
            TemplateReset::Declared
        };
        load.implicit_reset = self.implicit_reset;
        load
    }
}

/// How FAST messages lie in a file.
#[derive(Debug, Args)]
pub struct FastFormat {
    /// FAST templates, XML.
    #[arg(long, value_name = "T.xml")]
    pub templates: PathBuf,
    /// What tells where each unit of messages ends. A length stands before the preamble and counts
    /// it.
    #[arg(long, visible_alias = "length-prefix", value_enum, default_value_t = FileFraming::None)]
    pub framing: FileFraming,
    /// Bytes at the start of each unit that are not FAST, such as a sequence number.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=64))]
    pub preamble: u16,
    /// When the dictionaries are reset, besides what the templates say.
    #[arg(long, value_enum, default_value_t = Reset::Never)]
    pub reset: Reset,
    #[command(flatten)]
    pub load: TemplateOptions,
}

/// How messages are framed in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileFraming {
    /// Not at all: each unit is one message, which ends where its last field ends.
    None,
    /// A length of one byte.
    U8,
    /// A length of two bytes, little-endian.
    U16le,
    /// A length of two bytes, big-endian.
    U16be,
    /// A length of four bytes, little-endian.
    U32le,
    /// A length of four bytes, big-endian.
    U32be,
    /// FAST blocks: the length is a stop bit encoded integer (§10).
    Block,
    /// The file is the payload of one datagram: one unit.
    Datagram,
    /// STEP or FIX messages, fields ended by SOH: each RawData (96), as long as RawDataLength (95)
    /// says, is a unit.
    Step,
    /// A pcap or pcapng capture: each UDP payload is a unit.
    Pcap,
}

impl FileFraming {
    /// The framing of the bytes; those of a capture are in its datagrams.
    pub fn of_bytes(self) -> Framing {
        match self {
            Self::None => Framing::None,
            Self::U8 => Framing::U8,
            Self::U16le => Framing::U16Le,
            Self::U16be => Framing::U16Be,
            Self::U32le => Framing::U32Le,
            Self::U32be => Framing::U32Be,
            Self::Block => Framing::Block,
            Self::Datagram | Self::Pcap => Framing::Datagram,
            Self::Step => Framing::Step,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        format: FastFormat,
    }

    fn parse(arguments: &str) -> Result<FastFormat, clap::Error> {
        let words = ["fast", "--templates", "t.xml"].into_iter();
        Command::try_parse_from(words.chain(arguments.split_whitespace()))
            .map(|command| command.format)
    }

    fn load(arguments: &str) -> LoadOptions {
        parse(arguments).unwrap().load.load_options()
    }

    #[test]
    fn every_deviation_is_one_option_of_the_loader() {
        assert_eq!(load(""), LoadOptions::strict());
        assert_eq!(load("--lenient"), LoadOptions::lenient());
        let mut all = Vec::new();
        for deviation in Deviation::value_variants() {
            let name = deviation.to_possible_value().unwrap().get_name().to_owned();
            let options = load(&format!("--allow {name}"));
            assert_ne!(options, LoadOptions::strict(), "{name}");
            assert!(!all.contains(&options), "{name}");
            all.push(options);
        }
        let syntax = Deviation::value_variants().iter().filter_map(|deviation| {
            let name = deviation.to_possible_value()?.get_name().to_owned();
            (*deviation != Deviation::ImpliedInitialValues).then_some(name)
        });
        let list = syntax.collect::<Vec<_>>().join(",");
        assert_eq!(load(&format!("--allow {list}")), LoadOptions::lenient());
        assert!(parse("--allow anything").is_err());
    }

    #[test]
    fn resets_are_those_that_are_named() {
        let reset = |arguments: &str| load(arguments).template_reset;
        assert_eq!(reset("--template-reset ignored"), TemplateReset::Ignored);
        assert_eq!(reset("--also-reset 120,7"), TemplateReset::Also(vec![120, 7]));
        assert_eq!(reset("--only-reset 1"), TemplateReset::Only(vec![1]));
        assert!(parse("--only-reset 1 --also-reset 2").is_err());
        assert_eq!(load("--implicit-reset 120").implicit_reset, Some(120));
    }

    #[test]
    fn framings_have_their_old_name_too() {
        assert_eq!(parse("--length-prefix u16be").unwrap().framing, FileFraming::U16be);
        for framing in FileFraming::value_variants() {
            let name = framing.to_possible_value().unwrap().get_name().to_owned();
            assert_eq!(parse(&format!("--framing {name}")).unwrap().framing, *framing);
        }
    }
}

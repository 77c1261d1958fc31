//! Template files of venues: which deviations each needs, and random messages through the run-time
//! codec and through generated code, which is compiled and run.
//!
//! None of the published files is in the repository: the ones of `SAKER_DATA` are used where they are, and
//! any further ones (`*.xml`) of the folder that `SAKER_VENUES` names. Definitions of our own with
//! the same constructs are in `tests/venues`.
#![allow(clippy::unwrap_used)]

mod common;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use common::fill;
use common::generate::Random;
use common::venues::{files, identified, with_identifier};
use saker_fast::generate::{GenerateError, Generator};
use saker_fast::{Encoder, EncoderOptions, LoadOptions, ResetPolicy, Templates};

type Deviation = (&'static str, fn(&mut LoadOptions) -> &mut bool);

const DEVIATIONS: [Deviation; 12] = [
    ("any-namespace", |options| &mut options.any_namespace),
    ("any-root", |options| &mut options.any_root),
    ("undeclared-prefixes", |options| &mut options.undeclared_prefixes),
    ("unknown-attributes", |options| &mut options.unknown_attributes),
    ("loose-reset", |options| &mut options.loose_reset),
    ("loose-values", |options| &mut options.loose_values),
    ("empty-parts", |options| &mut options.empty_parts),
    ("any-order", |options| &mut options.any_order),
    ("missing-names", |options| &mut options.missing_names),
    ("duplicate-names", |options| &mut options.duplicate_names),
    ("stray-text", |options| &mut options.stray_text),
    ("small-integers", |options| &mut options.small_integers),
];

/// Files, how many templates they have, and the deviations that they need. The first ones are our
/// own, with the constructs of published files.
const KNOWN: [(&str, usize, &str); 16] = [
    ("options.xml", 1, "any-namespace"),
    ("broadcast.xml", 4, "any-namespace"),
    ("depth.xml", 2, ""),
    ("equities.xml", 3, "small-integers"),
    ("securities.xml", 2, ""),
    ("broker.xml", 1, "any-namespace"),
    ("moex-test.xml", 0, ""),
    ("cme.xml", 0, "any-namespace empty-parts"),
    ("eurex-rdd-1.1.xml", 0, ""),
    ("eurex-rdd-1.2.xml", 0, ""),
    ("fast_template_STEP1.20_SZ_1.00.xml", 0, "any-namespace unknown-attributes"),
    ("forts.xml", 0, "any-namespace undeclared-prefixes loose-reset"),
    ("opra.xml", 1, "any-namespace"),
    ("eurex-ebs.xml", 21, "any-namespace"),
    ("eurex-emdi.xml", 2, ""),
    ("b3-umdf.xml", 3, ""),
];

/// The templates, and the names of the deviations without any of which they do not load.
fn load(xml: &str) -> Result<(Templates, String), String> {
    let mut options = LoadOptions::lenient();
    Templates::from_xml_with(xml, &options).map_err(|error| error.to_string())?;
    let mut needed = Vec::new();
    for (name, option) in DEVIATIONS {
        *option(&mut options) = false;
        if Templates::from_xml_with(xml, &options).is_err() {
            *option(&mut options) = true;
            needed.push(name);
        }
    }
    let templates = Templates::from_xml_with(xml, &options).map_err(|error| error.to_string())?;
    Ok((templates, needed.join(" ")))
}

#[test]
fn files_load_with_the_deviations_that_are_named_and_round_trip() {
    for (index, (name, xml)) in files().into_iter().enumerate() {
        let (templates, needed) = match load(&xml) {
            Ok(loaded) => loaded,
            Err(error) => {
                println!("| {name} | refused: {error} |");
                assert!(!KNOWN.iter().any(|(known, ..)| *known == name), "{name}: {error}");
                continue;
            }
        };
        println!("| {name} | {} | {needed} |", templates.all().len());
        if let Some((_, count, deviations)) = KNOWN.iter().find(|(known, ..)| *known == name) {
            assert!(*count == 0 || templates.all().len() == *count, "{name}");
            assert_eq!(needed, *deviations, "{name}");
        }
        let xml = if with_identifier(&templates) { xml } else { identified(&xml) };
        let (templates, _) = load(&xml).unwrap();
        for policy in [ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message] {
            let refused = fill::round_trip(&templates, index as u64, 40, policy);
            assert!(refused < 40, "{name}: no message encodes");
        }
    }
}

/// Messages for the program, each with its length; a length of zero is a reset.
fn messages(templates: &Templates, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut encoder = Encoder::new(templates, EncoderOptions::with_reset(ResetPolicy::Never));
    let mut packed = Vec::new();
    let mut encoded = 0;
    for _ in 0..60 {
        let message = fill::message(&mut random, templates);
        let mut bytes = Vec::new();
        if encoder.encode(&message, &mut bytes).is_err() {
            encoder.reset();
        }
        encoded += usize::from(!bytes.is_empty());
        packed.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        packed.extend_from_slice(&bytes);
    }
    assert!(encoded > 0);
    packed
}

const PROGRAM: &str = r#"
use saker_fast::runtime as rt;

macro_rules! check {
    ($module:ident) => {{
        let bytes = std::fs::read(concat!(stringify!($module), ".bin")).unwrap();
        let mut decoder = $module::Decoder::new(rt::DecoderOptions::default());
        let mut encoder = $module::Encoder::new(rt::EncoderOptions::default());
        let mut rest = &bytes[..];
        let mut count = 0;
        while let Some((length, behind)) = rest.split_first_chunk::<4>() {
            let (message, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
            rest = behind;
            if message.is_empty() {
                decoder.reset();
                encoder.reset();
                continue;
            }
            let (decoded, length) = decoder.decode(message).expect("it decodes");
            assert_eq!(length, message.len());
            let mut again = Vec::new();
            encoder.encode(decoded, &mut again).expect("it encodes");
            assert_eq!(again, message, concat!(stringify!($module), ": other bytes"));
            count += 1;
        }
        println!("{}: {count} messages", stringify!($module));
    }};
}

fn main() {
"#;

/// Writes a package with the code of all files, builds and runs it.
#[test]
fn generated_code_compiles_and_encodes_what_it_has_decoded() {
    if common::data("moex/test.xml").is_none() {
        return;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("venues");
    std::fs::create_dir_all(root.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"venues\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nsaker-fast = {{ path = {:?} }}\n[profile.dev]\ndebug = false\n",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
    // The same versions, without a look at the registry.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    std::fs::copy(lock, root.join("Cargo.lock")).unwrap();
    let mut main = String::new();
    let mut calls = String::new();
    let mut count = 0;
    for (index, (name, xml)) in files().into_iter().enumerate() {
        let Ok((templates, _)) = load(&xml) else { continue };
        let xml = if with_identifier(&templates) { xml } else { identified(&xml) };
        let (templates, _) = load(&xml).unwrap();
        let code = match Generator::new(&templates).source(&name).generate() {
            Ok(code) => code,
            // A mandatory default without a value is an error of each message without the field.
            Err(GenerateError::Unsupported { what, .. }) => {
                println!("{name}: {what}");
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        std::fs::write(root.join(format!("src/set{index}.rs")), code).unwrap();
        let file = root.join(format!("set{index}.bin"));
        std::fs::write(file, messages(&templates, index as u64)).unwrap();
        writeln!(main, "#[allow(dead_code)]\nmod set{index}; // {name}").unwrap();
        writeln!(calls, "    check!(set{index});").unwrap();
        count += 1;
    }
    let program = format!("{main}{PROGRAM}{calls}}}\n");
    std::fs::write(root.join("src/main.rs"), program).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().count(), count, "{text}");
    println!("{text}");
}

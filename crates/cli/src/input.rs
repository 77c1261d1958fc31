//! Reading what the user names, with errors that name it too.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use saker_fast::{LoadOptions, ResetPolicy, Templates};

use crate::args::{FastFormat, Reset};

/// The bytes of `path`, or of standard input for `-`.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| path.display().to_string())
}

/// The text of `path`.
pub fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// The templates that the format names.
pub fn templates(format: &FastFormat) -> Result<Templates> {
    let options = if format.lenient { LoadOptions::lenient() } else { LoadOptions::strict() };
    Templates::from_xml_with(&text(&format.templates)?, &options)
        .with_context(|| format.templates.display().to_string())
}

/// The reset policy that the format names.
pub fn reset(format: &FastFormat) -> ResetPolicy {
    match format.reset {
        Reset::Never => ResetPolicy::Never,
        Reset::Packet => ResetPolicy::Packet,
        Reset::Message => ResetPolicy::Message,
    }
}

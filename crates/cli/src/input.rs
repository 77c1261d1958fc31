//! Reading what the user names, with errors that name it too.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use saker_fast::{LoadOptions, ResetPolicy, Templates};

use crate::args::Reset;

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

/// The templates in `path`.
pub fn templates(path: &Path, options: &LoadOptions) -> Result<Templates> {
    Templates::from_xml_with(&text(path)?, options).with_context(|| path.display().to_string())
}

/// The reset policy that is meant.
pub fn reset(reset: Reset) -> ResetPolicy {
    match reset {
        Reset::Never => ResetPolicy::Never,
        Reset::Packet => ResetPolicy::Packet,
        Reset::Message => ResetPolicy::Message,
    }
}

//! Rust code from templates: types, a decoder and an encoder for one set.
//!
//! What is known when the code is written need not be looked up when it runs: the generated
//! decoder is straight-line code, and a message is a struct with a field for each field of the
//! template. Meaning, error codes and offsets are those of [`Decoder`](crate::Decoder) and
//! [`Encoder`](crate::Encoder); the generated code calls [`runtime`](crate::runtime) for each field.
//!
//! # In a build script
//! ```no_run
//! // build.rs, with saker-fast among the build dependencies
//! # fn main() -> Result<(), saker_fast::generate::GenerateError> {
//! println!("cargo::rerun-if-changed=templates.xml");
//! let out = std::env::var("OUT_DIR").unwrap_or_default();
//! saker_fast::generate::Generator::from_file("templates.xml")?
//!     .write(format!("{out}/templates.rs"))?;
//! # Ok(())
//! # }
//! ```
//! and in the crate, with saker-fast among the dependencies,
//! ```text
//! #[allow(dead_code)] // of what the crate does not use
//! mod templates { include!(concat!(env!("OUT_DIR"), "/templates.rs")); }
//! ```
//!
//! # What is generated
//! For the definition of the crate's example:
//! ```
//! # use saker_fast::Templates;
//! # use saker_fast::generate::Generator;
//! let templates = Templates::from_xml(
//!     r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
//!          <template name="Trade" id="1">
//!            <uInt32 name="SecurityID" id="48"><copy/></uInt32>
//!            <decimal name="Price" id="44"><delta/></decimal>
//!            <uInt32 name="Size" id="32" presence="optional"/>
//!          </template>
//!        </templates>"#,
//! )?;
//! let code = Generator::new(&templates).generate()?;
//! assert!(code.contains("pub security_id: u32,"));
//! assert!(code.contains("pub price: rt::Decimal,"));
//! assert!(code.contains("pub size: Option<u32>,"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! - a struct for each template that has an identifier, and one for each group and sequence
//!   element: `Trade`, `TradeLegs`. Numbers are `u32`, `i64`, …, or an `Option` of it; the rest is
//!   in types that keep their memory when they are absent ([`Optional`](crate::runtime::Optional),
//!   [`Sequence`](crate::runtime::Sequence), [`Ascii`](crate::runtime::Ascii)), so that a decoder
//!   in the steady state allocates nothing. Constants are associated constants, an optional
//!   constant is a `bool`.
//! - `Message`, a reference to a message of any template; `Messages`, which holds one of each, and
//!   stands for a dynamic template reference; `Template`, which tells them apart.
//! - `Dictionaries`, the previous values; `Decoder` and `Encoder`. `Decoder::decode` fills a struct,
//!   `Decoder::visit` shows the fields to a [`FieldVisitor`](crate::runtime::FieldVisitor): of a
//!   template without operators straight from the bytes, by the processor's own instructions for it.
//!
//! # Names
//! `NoMDEntries` becomes `no_md_entries` and `NoMdEntries`; keywords get an underscore, taken
//! names a number. Names depend on the definition alone.

mod decode;
mod encode;
mod front;
mod names;
mod print;
mod shape;
mod stream;
mod types;

use std::path::{Path, PathBuf};

use crate::load::{LoadOptions, TemplateError, Templates};

/// Why there is no code.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The definition cannot be loaded.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// No template has an identifier, so that no message can be decoded.
    #[error("no template has an identifier")]
    NoMessages,
    /// A field for which there is no code.
    #[error("template {template:?}, field {field:?}: {what}")]
    Unsupported {
        /// The template's name.
        template: String,
        /// The field's name.
        field: String,
        /// What cannot be generated.
        what: &'static str,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
}

/// Generates code for a set of templates.
#[derive(Clone, Debug)]
pub struct Generator {
    templates: Templates,
    runtime: String,
    source: String,
}

impl Generator {
    /// A generator for a set that is loaded already.
    pub fn new(templates: &Templates) -> Self {
        Self {
            templates: templates.clone(),
            runtime: "saker_fast::runtime".to_owned(),
            source: "a template definition".to_owned(),
        }
    }

    /// A generator for the definition in a file, by the specification's rules.
    ///
    /// # Errors
    /// Where the file cannot be read or loaded.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, GenerateError> {
        Self::from_file_with(path, &LoadOptions::strict())
    }

    /// A generator for the definition in a file, with the deviations that `options` name.
    ///
    /// # Errors
    /// Where the file cannot be read or loaded.
    pub fn from_file_with(
        path: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Self, GenerateError> {
        let path = path.as_ref();
        let xml = std::fs::read_to_string(path)
            .map_err(|error| GenerateError::File { path: path.to_owned(), error })?;
        let templates = Templates::from_xml_with(&xml, options)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self::new(&templates).source(&name))
    }

    /// What the head of the code says it is generated from, a file's name.
    #[must_use]
    pub fn source(mut self, name: &str) -> Self {
        self.source = name.chars().filter(|letter| !letter.is_control()).collect();
        self
    }

    /// The path of this crate's module `runtime`, where it is not `saker_fast::runtime`.
    #[must_use]
    pub fn runtime(mut self, path: &str) -> Self {
        self.runtime = path.to_owned();
        self
    }

    /// The code of a module, formatted.
    ///
    /// # Errors
    /// Where a template has no equivalent.
    pub fn generate(&self) -> Result<String, GenerateError> {
        let shape = shape::Shape::new(&self.templates)?;
        let mut printer = print::Printer::default();
        front::head(&shape, &self.source, &self.runtime, &mut printer);
        types::structs(&shape, &mut printer);
        front::messages(&shape, &mut printer);
        front::dictionaries(&shape, &mut printer);
        front::codecs(&mut printer);
        decode::functions(&shape, &mut printer);
        stream::functions(&shape, &mut printer);
        encode::functions(&shape, &mut printer);
        Ok(printer.finish())
    }

    /// Writes the code to a file.
    ///
    /// # Errors
    /// As [`Generator::generate`], or where the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), GenerateError> {
        let code = self.generate()?;
        let path = path.as_ref();
        std::fs::write(path, code)
            .map_err(|error| GenerateError::File { path: path.to_owned(), error })
    }
}

//! What the benches that play random cases share: their arguments, and a model's ports by their names.

use std::path::Path;

use saker_cosim::library::{Library, Model};
use saker_cosim::model_path;

/// `[COUNT [FIRST [WAVE]]]`.
pub struct Arguments {
    /// How many cases.
    pub count: u64,
    /// The number of the first one.
    pub first: u64,
    /// Where the signals of all of them go.
    wave: Option<String>,
}

impl Arguments {
    /// Those of this program.
    pub fn parse() -> Result<Self, std::num::ParseIntError> {
        let mut words = std::env::args().skip(1);
        let count = words.next().map_or(Ok(1000), |text| text.parse())?;
        let first = words.next().map_or(Ok(0), |text| text.parse())?;
        Ok(Self { count, first, wave: words.next() })
    }

    /// The cases' numbers.
    pub fn numbers(&self) -> std::ops::Range<u64> {
        self.first..self.first.saturating_add(self.count)
    }

    /// Whether there is something to say behind this one: behind every thousandth, and the last.
    pub fn tells(&self, number: u64) -> bool {
        let played = number - self.first + 1;
        played.is_multiple_of(1000) || played == self.count
    }

    /// The library of a top module, and a model of it.
    pub fn model(&self, top: &str) -> Result<(Library, Model), saker_cosim::library::LoadError> {
        let library = Library::open(&model_path(top), top)?;
        let mut model = library.create()?;
        if let Some(wave) = &self.wave {
            model.wave_to(Path::new(wave))?;
        }
        Ok((library, model))
    }
}

/// A structure `Ports` of the named inputs and outputs, each with its bits.
macro_rules! ports {
    ($($way:ident { $($field:ident: $bits:literal),* $(,)? })*) => {
        /// The model's ports.
        struct Ports { $($($field: ports!(@type $way),)*)* }

        impl Ports {
            fn new(library: &Library) -> Result<Self, saker_cosim::library::LoadError> {
                Ok(Self { $($($field: library.$way(stringify!($field), $bits)?,)*)* })
            }
        }
    };
    (@type input) => { saker_cosim::library::Input };
    (@type output) => { saker_cosim::library::Output };
}
pub(crate) use ports;

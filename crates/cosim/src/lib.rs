//! The trader in logic, simulated cycle by cycle, as a station of the virtual world.
pub mod answers;
pub mod axi;
pub mod decoded;
pub mod library;
pub mod line;
pub mod lockstep;
pub mod logic;
pub mod machine;
pub mod make;
pub mod meter;
pub mod probes;
pub mod program;
pub mod reference;
pub mod registers;
pub mod replay;
pub mod setup;
pub mod stream;
pub mod sync;
pub mod trader;
pub mod watch;
pub mod xgmii;

use std::path::PathBuf;

/// Where `make rtl-model` leaves the model of `top`: under `SAKER_RTL_MODELS`, or `verif/build/model` of
/// the source tree that this program was built from.
pub fn model_path(top: &str) -> PathBuf {
    let root = std::env::var_os("SAKER_RTL_MODELS").map(PathBuf::from).unwrap_or_else(|| {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../verif/build/model"))
    });
    root.join(top).join(format!("libsaker_{top}.so"))
}

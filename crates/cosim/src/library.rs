//! The verilated model behind its C interface (`shim/model.h`): the crate's only `unsafe` code.
//!
//! A model is C++ in a shared library that is looked for at run time, so nothing here can be proved by
//! the compiler. What makes it sound:
//!
//! - A library is only used after its ABI number, which is the first thing asked, equals [`ABI`].
//!   Whoever hands in another library that exports these names with other types breaks this; so does
//!   any shared library.
//! - Every port handle is checked against the library's own list before it crosses the border, and
//!   buffers are as long as that list says.
//! - [`Model`] owns its C++ object alone, keeps its library loaded, and is neither `Send` nor `Sync`.

#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::rc::Rc;

/// The version of `shim/model.h` that this file speaks.
pub const ABI: u32 = 1;
/// Words of the widest port that is supported.
pub const MAX_WORDS: usize = 64;

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no library.
    #[error("no model of {top}: {path} does not exist; `make rtl-model` builds it")]
    Missing {
        /// The top module.
        top: String,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The library cannot be loaded.
    #[error("{path}: {error}; `make rtl-model` builds it anew")]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader says.
        error: libloading::Error,
    },
    /// The library was built for another version of this program.
    #[error("{path}: interface version {found}, this program speaks {ABI}; run `make rtl-model`")]
    Abi {
        /// The library.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The library has another top module.
    #[error("{path}: the model is of {found}, not of {wanted}; run `make rtl-model`")]
    Top {
        /// The library.
        path: PathBuf,
        /// Its top.
        found: String,
        /// The one asked for.
        wanted: String,
    },
    /// The model lacks a port, or has it with another width or direction.
    #[error("{top} has no {way} {name} of {bits} bits ({found}); run `make rtl-model`")]
    Port {
        /// The top module.
        top: String,
        /// `input` or `output`.
        way: &'static str,
        /// The port.
        name: String,
        /// The width asked for.
        bits: u32,
        /// What there is.
        found: String,
    },
    /// The model was built with another parameter.
    #[error("{top} was built with {name}={found}, {wanted} is wanted; run `make rtl-model`")]
    Parameter {
        /// The top module.
        top: String,
        /// The parameter.
        name: String,
        /// Its value, `none` if it has none.
        found: String,
        /// The value asked for.
        wanted: u64,
    },
    /// The model's object could not be made.
    #[error("no memory for a model of {0}")]
    Memory(String),
    /// The waveform cannot be written.
    #[error("{0}: the waveform cannot be written")]
    Wave(PathBuf),
}

#[repr(C)]
struct RawPort {
    name: *const c_char,
    bits: u32,
    is_output: u32,
}

#[repr(C)]
struct RawParameter {
    name: *const c_char,
    value: u64,
}

/// The C++ object; only ever behind a pointer.
#[repr(C)]
struct RawModel {
    _private: [u8; 0],
}

/// The library's functions, copied out of it: valid as long as `Loaded::library` lives.
struct Functions {
    create: unsafe extern "C" fn() -> *mut RawModel,
    destroy: unsafe extern "C" fn(*mut RawModel),
    set: unsafe extern "C" fn(*mut RawModel, u32, *const u32),
    get: unsafe extern "C" fn(*const RawModel, u32, *mut u32),
    settle: unsafe extern "C" fn(*mut RawModel),
    step: unsafe extern "C" fn(*mut RawModel, u64),
    wave_open: unsafe extern "C" fn(*mut RawModel, *const c_char) -> i32,
    wave_close: unsafe extern "C" fn(*mut RawModel),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct PortInfo {
    bits: u32,
    is_output: bool,
}

struct Loaded {
    functions: Functions,
    top: String,
    wave: String,
    names: BTreeMap<String, u32>,
    ports: Vec<PortInfo>,
    parameters: BTreeMap<String, u64>,
    // Last: the functions above are its code.
    _library: libloading::Library,
}

/// A port that the program drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input(u32);

/// A port that the model drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output(u32);

/// A library with a verilated top in it.
#[derive(Clone)]
pub struct Library(Rc<Loaded>);

impl Library {
    /// Loads the library at `path`, which must be of the module `top`.
    ///
    /// # Errors
    /// It is not there, cannot be loaded, or is not what this program speaks to.
    pub fn open(path: &Path, top: &str) -> Result<Self, LoadError> {
        if !path.exists() {
            return Err(LoadError::Missing { top: top.to_owned(), path: path.to_owned() });
        }
        let failed = |error| LoadError::Load { path: path.to_owned(), error };
        // SAFETY: loading runs the library's initialisers. It is one that `make rtl-model` built: C++
        // of Verilator and the shim, whose initialisers touch nothing but their own statics.
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        // SAFETY: the type is that of the function in model.h, in every version of it.
        let found = unsafe {
            let abi = library.get::<unsafe extern "C" fn() -> u32>(b"saker_model_abi\0");
            abi.map_err(failed)?()
        };
        if found != ABI {
            return Err(LoadError::Abi { path: path.to_owned(), found });
        }
        // SAFETY: the ABI number says that the names have the types of model.h, which are those of
        // `Functions`; the strings and lists are statics of the library, which stays loaded.
        let loaded = unsafe {
            let text = |name: &[u8]| -> Result<String, LoadError> {
                let get = library.get::<unsafe extern "C" fn() -> *const c_char>(name);
                Ok(CStr::from_ptr(get.map_err(failed)?()).to_string_lossy().into_owned())
            };
            let ports = {
                let get = library.get::<unsafe extern "C" fn(*mut *const RawPort) -> u32>(
                    b"saker_model_ports\0",
                );
                let mut list = std::ptr::null();
                let count = get.map_err(failed)?(&mut list);
                std::slice::from_raw_parts(list, count as usize)
            };
            let parameters = {
                let get = library.get::<unsafe extern "C" fn(*mut *const RawParameter) -> u32>(
                    b"saker_model_parameters\0",
                );
                let mut list = std::ptr::null();
                let count = get.map_err(failed)?(&mut list);
                std::slice::from_raw_parts(list, count as usize)
            };
            let name = |name: *const c_char| CStr::from_ptr(name).to_string_lossy().into_owned();
            Loaded {
                top: text(b"saker_model_top\0")?,
                wave: text(b"saker_model_wave\0")?,
                names: (0u32..).zip(ports).map(|(at, port)| (name(port.name), at)).collect(),
                ports: ports
                    .iter()
                    .map(|port| PortInfo { bits: port.bits, is_output: port.is_output != 0 })
                    .collect(),
                parameters: parameters.iter().map(|p| (name(p.name), p.value)).collect(),
                functions: Functions {
                    create: *library.get(b"saker_model_create\0").map_err(failed)?,
                    destroy: *library.get(b"saker_model_destroy\0").map_err(failed)?,
                    set: *library.get(b"saker_model_set\0").map_err(failed)?,
                    get: *library.get(b"saker_model_get\0").map_err(failed)?,
                    settle: *library.get(b"saker_model_settle\0").map_err(failed)?,
                    step: *library.get(b"saker_model_step\0").map_err(failed)?,
                    wave_open: *library.get(b"saker_model_wave_open\0").map_err(failed)?,
                    wave_close: *library.get(b"saker_model_wave_close\0").map_err(failed)?,
                },
                _library: library,
            }
        };
        if loaded.top != top {
            let (found, wanted) = (loaded.top, top.to_owned());
            return Err(LoadError::Top { path: path.to_owned(), found, wanted });
        }
        Ok(Self(Rc::new(loaded)))
    }

    /// The value of a parameter of the top, if the model was built with one of this name.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.0.parameters.get(name).copied()
    }

    /// Checks a parameter of the top.
    ///
    /// # Errors
    /// The model was built with another value, or without one.
    pub fn require(&self, name: &str, wanted: u64) -> Result<(), LoadError> {
        let found = self.parameter(name);
        if found == Some(wanted) {
            return Ok(());
        }
        let found = found.map_or_else(|| "none".to_owned(), |value| value.to_string());
        Err(LoadError::Parameter { top: self.0.top.clone(), name: name.to_owned(), found, wanted })
    }

    /// The suffix of the waveforms that the model writes: `fst` or `vcd`.
    pub fn wave_suffix(&self) -> &str {
        &self.0.wave
    }

    /// A model with every input zero and its clock low. Nothing has been reset yet.
    ///
    /// # Errors
    /// [`LoadError::Memory`].
    pub fn create(&self) -> Result<Model, LoadError> {
        // SAFETY: no arguments; null is told apart below.
        let raw = unsafe { (self.0.functions.create)() };
        let raw = NonNull::new(raw).ok_or_else(|| LoadError::Memory(self.0.top.clone()))?;
        Ok(Model { raw, library: Rc::clone(&self.0), steps: 0, _one_thread: PhantomData })
    }

    /// The input `name`, which must have `bits` bits.
    ///
    /// # Errors
    /// [`LoadError::Port`].
    pub fn input(&self, name: &str, bits: u32) -> Result<Input, LoadError> {
        self.port(name, bits, false).map(Input)
    }

    /// The output `name`, which must have `bits` bits.
    ///
    /// # Errors
    /// [`LoadError::Port`].
    pub fn output(&self, name: &str, bits: u32) -> Result<Output, LoadError> {
        self.port(name, bits, true).map(Output)
    }

    /// The bits of a port, if there is one of this name.
    pub fn width(&self, name: &str) -> Option<u32> {
        let index = self.0.names.get(name)?;
        self.0.ports.get(*index as usize).map(|port| port.bits)
    }

    fn port(&self, name: &str, bits: u32, is_output: bool) -> Result<u32, LoadError> {
        let index = self.0.names.get(name).copied();
        let info = index.and_then(|index| self.0.ports.get(index as usize));
        match (index, info) {
            (Some(index), Some(info))
                if *info == (PortInfo { bits, is_output })
                    && bits.div_ceil(32) as usize <= MAX_WORDS =>
            {
                Ok(index)
            }
            _ => Err(LoadError::Port {
                top: self.0.top.clone(),
                way: if is_output { "output" } else { "input" },
                name: name.to_owned(),
                bits,
                found: match info {
                    None => "no such port".to_owned(),
                    Some(PortInfo { bits, is_output: true }) => format!("output of {bits}"),
                    Some(PortInfo { bits, is_output: false }) => format!("input of {bits}"),
                },
            }),
        }
    }
}

/// One simulated instance of the top.
pub struct Model {
    raw: NonNull<RawModel>,
    library: Rc<Loaded>,
    steps: u64,
    _one_thread: PhantomData<*mut ()>,
}

/// The clock's period in picoseconds: 156.25 MHz.
pub const CYCLE_PS: u64 = 6_400;

impl Model {
    /// Writes the low bits of `value` to an input of at most 64 bits, zeros above them.
    #[inline]
    pub fn set(&mut self, port: Input, value: u64) {
        let mut words = [0; MAX_WORDS];
        (words[0], words[1]) = (value as u32, (value >> 32) as u32);
        self.write(port, &words);
    }

    /// Writes an input of any width, the lowest word first; missing words are zero.
    pub fn set_words(&mut self, port: Input, value: &[u32]) {
        let mut words = [0; MAX_WORDS];
        let count = value.len().min(MAX_WORDS);
        words[..count].copy_from_slice(&value[..count]);
        self.write(port, &words);
    }

    #[inline]
    fn write(&mut self, Input(index): Input, words: &[u32; MAX_WORDS]) {
        let Some(info) = self.library.ports.get(index as usize) else { return };
        if info.is_output || info.bits.div_ceil(32) as usize > MAX_WORDS {
            return;
        }
        // SAFETY: the index is one of this library's ports and an input; `words` has as many places
        // as its bits need, as was just checked; the object is alive and ours.
        unsafe { (self.library.functions.set)(self.raw.as_ptr(), index, words.as_ptr()) }
    }

    /// The low 64 bits of an output.
    #[inline]
    pub fn get(&self, port: Output) -> u64 {
        let words = self.get_words(port);
        u64::from(words[0]) | u64::from(words[1]) << 32
    }

    /// Whether an output of one bit is high.
    #[inline]
    pub fn is(&self, port: Output) -> bool {
        self.get(port) == 1
    }

    /// An output, the lowest word first; words beyond it are zero.
    #[inline]
    pub fn get_words(&self, Output(index): Output) -> [u32; MAX_WORDS] {
        let mut words = [0; MAX_WORDS];
        let Some(info) = self.library.ports.get(index as usize) else { return words };
        if info.bits.div_ceil(32) as usize <= MAX_WORDS {
            // SAFETY: as in `write`, with `words` as the place to write to.
            unsafe { (self.library.functions.get)(self.raw.as_ptr(), index, words.as_mut_ptr()) }
        }
        words
    }

    /// Lets combinational outputs follow the inputs.
    pub fn settle(&mut self) {
        // SAFETY: the object is alive and ours.
        unsafe { (self.library.functions.settle)(self.raw.as_ptr()) }
    }

    /// One clock cycle.
    #[inline]
    pub fn step(&mut self) {
        // SAFETY: the object is alive and ours.
        unsafe { (self.library.functions.step)(self.raw.as_ptr(), self.steps * CYCLE_PS) }
        self.steps += 1;
    }

    /// Cycles simulated so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Writes a waveform of all signals to `path` from now on.
    ///
    /// # Errors
    /// [`LoadError::Wave`].
    pub fn wave_to(&mut self, path: &Path) -> Result<(), LoadError> {
        let failed = || LoadError::Wave(path.to_owned());
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| failed())?;
        // SAFETY: the object is alive and ours, the string lives over the call.
        let opened =
            unsafe { (self.library.functions.wave_open)(self.raw.as_ptr(), name.as_ptr()) };
        if opened == 0 { Err(failed()) } else { Ok(()) }
    }

    /// Ends the waveform.
    pub fn end_wave(&mut self) {
        // SAFETY: the object is alive and ours.
        unsafe { (self.library.functions.wave_close)(self.raw.as_ptr()) }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the object is alive, ours, and not used again.
        unsafe { (self.library.functions.destroy)(self.raw.as_ptr()) }
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Model({}, {} steps)", self.library.top, self.steps)
    }
}

//! AXI4-Lite: the host's registers.
//!
//! The caller says what a cycle is: one in which virtual time stands still, as a rule.

use crate::library::{Input, Library, LoadError, Model, Output};

/// What the port is part of: something with a model that can be taken through a cycle.
pub trait Clocked {
    /// The model.
    fn model(&mut self) -> &mut Model;
    /// One cycle.
    fn cycle(&mut self);
}

/// A register access that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AxiError {
    /// The slave answered with an error.
    #[error("register {address:#06x}: response {response}")]
    Response {
        /// The register's address.
        address: u32,
        /// Its BRESP or RRESP.
        response: u8,
    },
    /// The slave did not answer.
    #[error("register {address:#06x}: no answer in {cycles} cycles")]
    Silent {
        /// The register's address.
        address: u32,
        /// How long was waited.
        cycles: u32,
    },
}

/// Cycles after which a slave counts as silent.
const PATIENCE: u32 = 1_000;

/// The master of one AXI4-Lite port with 32-bit data.
#[derive(Debug)]
pub struct AxiLite {
    awvalid: Input,
    awaddr: Input,
    awready: Output,
    wvalid: Input,
    wdata: Input,
    wstrb: Input,
    wready: Output,
    bvalid: Output,
    bresp: Output,
    bready: Input,
    arvalid: Input,
    araddr: Input,
    arready: Output,
    rvalid: Output,
    rdata: Output,
    rresp: Output,
    rready: Input,
}

impl AxiLite {
    /// The ports `<prefix>_awvalid` and so on.
    ///
    /// # Errors
    /// The model lacks one.
    pub fn new(library: &Library, prefix: &str) -> Result<Self, LoadError> {
        let address = library.width(&format!("{prefix}_awaddr")).unwrap_or(32);
        let input = |name: &str, bits| library.input(&format!("{prefix}_{name}"), bits);
        let output = |name: &str, bits| library.output(&format!("{prefix}_{name}"), bits);
        Ok(Self {
            awvalid: input("awvalid", 1)?,
            awaddr: input("awaddr", address)?,
            awready: output("awready", 1)?,
            wvalid: input("wvalid", 1)?,
            wdata: input("wdata", 32)?,
            wstrb: input("wstrb", 4)?,
            wready: output("wready", 1)?,
            bvalid: output("bvalid", 1)?,
            bresp: output("bresp", 2)?,
            bready: input("bready", 1)?,
            arvalid: input("arvalid", 1)?,
            araddr: input("araddr", address)?,
            arready: output("arready", 1)?,
            rvalid: output("rvalid", 1)?,
            rdata: output("rdata", 32)?,
            rresp: output("rresp", 2)?,
            rready: input("rready", 1)?,
        })
    }

    /// Writes a register.
    ///
    /// # Errors
    /// The slave refuses or does not answer.
    pub fn write(&self, on: &mut impl Clocked, address: u32, data: u32) -> Result<(), AxiError> {
        let model = on.model();
        model.set(self.awaddr, address.into());
        model.set(self.wdata, data.into());
        model.set(self.wstrb, 0xf);
        model.set(self.bready, 1);
        let (mut address_left, mut data_left) = (true, true);
        for _ in 0..PATIENCE {
            let model = on.model();
            model.set(self.awvalid, address_left.into());
            model.set(self.wvalid, data_left.into());
            model.settle();
            address_left &= model.get(self.awready) == 0;
            data_left &= model.get(self.wready) == 0;
            let answer = (model.is(self.bvalid)).then(|| model.get(self.bresp) as u8);
            on.cycle();
            if let Some(response) = answer {
                self.rest(on.model());
                return check(address, response);
            }
        }
        self.rest(on.model());
        Err(AxiError::Silent { address, cycles: PATIENCE })
    }

    /// Reads a register.
    ///
    /// # Errors
    /// The slave refuses or does not answer.
    pub fn read(&self, on: &mut impl Clocked, address: u32) -> Result<u32, AxiError> {
        let model = on.model();
        model.set(self.araddr, address.into());
        model.set(self.rready, 1);
        let mut address_left = true;
        for _ in 0..PATIENCE {
            let model = on.model();
            model.set(self.arvalid, address_left.into());
            model.settle();
            address_left &= model.get(self.arready) == 0;
            let answer = (model.is(self.rvalid))
                .then(|| (model.get(self.rresp) as u8, model.get(self.rdata) as u32));
            on.cycle();
            if let Some((response, data)) = answer {
                self.rest(on.model());
                return check(address, response).map(|()| data);
            }
        }
        self.rest(on.model());
        Err(AxiError::Silent { address, cycles: PATIENCE })
    }

    fn rest(&self, model: &mut Model) {
        for valid in [self.awvalid, self.wvalid, self.arvalid] {
            model.set(valid, 0);
        }
    }
}

fn check(address: u32, response: u8) -> Result<(), AxiError> {
    if response == 0 { Ok(()) } else { Err(AxiError::Response { address, response }) }
}

//! Previous values (§6.3.1).

use crate::plan::{Dictionary as DictionaryName, Plan};

/// The previous values of all operators, by slot.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    epoch: u32,
}

impl Dictionary {
    pub fn new(_plan: &Plan) -> Self {
        Self { epoch: 0 }
    }
    pub fn reset(&mut self) {
        self.epoch += 1;
    }
    pub fn reset_named(&mut self, _plan: &Plan, _name: &str) {
        let _ = DictionaryName::Global;
    }
}

use super::{EncoderOptions, Source};
use crate::dictionary::Dictionary;
use crate::error::EncodeError;
use crate::load::Templates;
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {}
#[allow(clippy::too_many_arguments)]
pub(super) fn message<S: Source>(
    _templates: &Templates,
    _options: &EncoderOptions,
    _dictionary: &mut Dictionary,
    _last_entry: &mut Option<u32>,
    _scratch: &mut Scratch,
    _template: u32,
    _source: S,
    _out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    unimplemented!("skeleton")
}

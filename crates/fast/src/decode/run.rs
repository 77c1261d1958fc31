use super::{DecoderOptions, Visitor};
use crate::dictionary::Dictionary;
use crate::error::DecodeError;
use crate::load::Templates;
#[allow(clippy::too_many_arguments)]
pub(super) fn message<V: Visitor>(
    _templates: &Templates,
    _options: &DecoderOptions,
    _dictionary: &mut Dictionary,
    _last_entry: &mut Option<u32>,
    _scratch: &mut Vec<u8>,
    _bytes: &[u8],
    _visitor: &mut V,
) -> Result<usize, DecodeError> {
    unimplemented!("skeleton")
}

use super::{LoadOptions, TemplateError};
use crate::model::Template;
pub(super) fn read(_xml: &str, _options: &LoadOptions) -> Result<Vec<Template>, TemplateError> {
    unimplemented!("skeleton")
}

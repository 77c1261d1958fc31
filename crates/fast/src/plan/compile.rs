use super::Plan;
use crate::load::{LoadOptions, TemplateError};
use crate::model::Template;
pub(crate) fn compile(_model: &[Template], _options: &LoadOptions) -> Result<Plan, TemplateError> {
    unimplemented!("skeleton")
}

//! Where things lie on a drawn site.

/// The page with the form.
pub(crate) const FORM: &str = "/find";
/// Lists.
pub(crate) const LIST: &str = "/list";
/// Pages of records.
pub(crate) const ITEM: &str = "/item/";
/// Names of what leads to further pages.
pub(crate) const PAGE: &str = "page";

//! Where things lie on a drawn site.

/// The page with the form.
pub(crate) const FORM: &str = "/find";
/// Path of lists of results.
pub(crate) const LIST: &str = "/list";
/// Path of pages about single records.
pub(crate) const ITEM: &str = "/item/";
/// Names of what leads to further pages.
pub(crate) const PAGE: &str = "page";

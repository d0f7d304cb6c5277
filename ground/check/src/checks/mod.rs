//! One file per check, each with its rule and with what it does not see.

pub(crate) mod anchors;
pub(crate) mod canonicals;
pub(crate) mod cuts;
pub(crate) mod duplicates;
pub mod external;
pub(crate) mod invalid;
pub mod inventory;
pub(crate) mod languages;
pub(crate) mod mixed;
pub(crate) mod near;
pub mod orphans;
pub(crate) mod phrases;
pub(crate) mod redirects;
pub(crate) mod repeated_texts;
pub(crate) mod sitemaps;
pub(crate) mod soft_not_found;
pub(crate) mod starts;
pub(crate) mod titles;
pub(crate) mod unasked;

//! The task `index`.

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::task::scalar::ticked;

/// Bring the full-text index up to date
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = IndexTask))]
#[serde(default, deny_unknown_fields)]
pub struct Index {
    /// Index everything again, from nothing
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub rebuild: bool,
}

//! The task `index`.

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::task::scalar::ticked;

/// Bring the full-text index up to date
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = IndexTask))]
#[serde(default, deny_unknown_fields)]
pub struct Index {
    /// Make it anew from the survey; the old one answers until the new one is whole
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub rebuild: bool,
}

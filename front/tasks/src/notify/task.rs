//! The task `notify`.

use clap::Args;
use serde::{Deserialize, Serialize};

/// Tell people what is new
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NotifyTask))]
#[serde(default, deny_unknown_fields)]
pub struct Notify {}

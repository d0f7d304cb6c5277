//! The task `check`.

use clap::Args;
use groma_check::{Kind, Options};
use serde::{Deserialize, Serialize};

use crate::bounds::ScopeName;
use crate::rank::task::Top;
use crate::task::scalar::{Choice, Several, Whole};

/// Report what is wrong with the site
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CheckTask))]
#[serde(default, deny_unknown_fields)]
pub struct Check {
    /// Look for these kinds of findings only, with commas between them
    #[arg(long, value_name = "KINDS")]
    pub only: Option<KindNames>,
    /// Bits in which the texts of near-duplicates may differ; 0 looks for none [default: 3]
    #[arg(long, value_name = "BITS")]
    pub near: Option<Bits>,
    /// Findings of a kind listed as text or Markdown; the rest is counted (0: all) [default: 20 by the command, all by a job]
    #[arg(long, value_name = "N")]
    pub list: Option<Top>,
    /// Check the whole survey, or the site that was found last: survey, auto
    #[arg(long, value_name = "SCOPE", default_value_t)]
    pub scope: ScopeName,
}

/// Kinds of findings, by name.
type KindNames = Several<Kind>;
/// Bits of a similarity hash.
type Bits = Whole<0, 64>;

impl Check {
    /// What is looked for.
    pub fn options(&self) -> Options {
        let usual = Options::default();
        Options {
            kinds: self.only.as_ref().map_or(usual.kinds, |only| only.0.iter().copied().collect()),
            near: self.near.map_or(usual.near, |bits| bits.get() as u32),
        }
    }

    /// How many findings of a kind are listed, of `usual` ones unless something is said.
    pub fn listed(&self, usual: usize) -> usize {
        match self.list.map(Whole::get) {
            Some(0) => usize::MAX,
            Some(most) => usize::try_from(most).unwrap_or(usize::MAX),
            None => usual,
        }
    }
}

impl Choice for Kind {
    const SCHEMA: &'static str = "FindingKind";

    fn all() -> &'static [Kind] {
        Kind::ALL
    }

    fn name(self) -> &'static str {
        Kind::name(self)
    }
}

//! What is asked for in the URL of a map.

use serde::Deserialize;

use crate::error::Problem;
use crate::pages::pager::query_number;

/// What was asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    /// The page it starts from.
    pub(super) root: String,
    /// With anything in it: a map is grown from that page, instead of showing its branch of the usual one.
    pub(super) grow: String,
    pub(super) depth: String,
    /// Bookmarks made before it was spelled so still count.
    #[serde(alias = "colour")]
    pub(super) color: String,
    /// Words of a title or a part of a URL.
    pub(super) find: String,
    /// A page: why does it stand where it stands?
    pub(super) why: String,
    /// Children of the root passed over.
    pub(super) skip: String,
    /// `site`: only the logical site that was found last in the survey.
    pub(super) scope: String,
}

impl Asked {
    /// Layers below the root; nothing if none are asked for.
    pub(super) fn depth(&self) -> Result<Option<u32>, Problem> {
        query_number(&self.depth, "depth")
    }
}

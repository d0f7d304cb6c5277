//! How much of a survey a task looks at: all of it, or the site in it that was found last.

use groma_settings::Fault;
use groma_store::Folder;

use super::site::{Inside, scope};
use crate::observer::{Observer, Step};
use crate::task::scalar::{Choice, OneOf};

/// How much of the survey is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookAt {
    /// The whole survey.
    #[default]
    Survey,
    /// The site that was found last; if none was, that of the start page is found first.
    Auto,
}

/// How much is looked at, by name.
pub type ScopeName = OneOf<LookAt>;

impl Choice for LookAt {
    const SCHEMA: &'static str = "LookAt";

    fn all() -> &'static [LookAt] {
        &[LookAt::Survey, LookAt::Auto]
    }

    fn name(self) -> &'static str {
        if self == LookAt::Survey { "survey" } else { "auto" }
    }
}

impl LookAt {
    /// The site to look at, if not the whole survey. A search for it that is stopped is an error.
    pub fn site(self, folder: &Folder, observer: &mut dyn Observer) -> Result<Option<Inside>, Fault> {
        if self == LookAt::Survey {
            return Ok(None);
        }
        let Some(site) = scope(folder, &mut |progress| observer.bounds(progress))? else {
            return Err(Fault::new(
                "the search for the site was stopped",
                "run it again, or look at the whole survey without --scope auto",
            ));
        };
        observer.step(Step::Reading);
        site.notes.iter().for_each(|note| observer.note(note));
        Ok(Some(site))
    }
}

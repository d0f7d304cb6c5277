//! From what was said to a topic: example pages are fetched, or read from files.

use std::path::Path;

use groma_model::ParsedPage;
use groma_settings::meaning::Settings;
use groma_settings::{Fault, address};
use groma_topic::Topic;

use crate::glance::{Asking, looked_at, read_file};
use crate::task::About;

/// Example pages at most.
const EXAMPLES: usize = 50;

/// Who asks for it.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    /// The settings of the network.
    pub(super) settings: &'a Settings,
    /// The sites are the user's own.
    pub(super) owned: bool,
    /// They may not reach into private networks or read files.
    pub(super) guarded: bool,
}

pub(super) fn topic(about: &About, asker: Asker<'_>) -> Result<Topic, Fault> {
    match about {
        About::Words(words) => Ok(Topic::words(words)),
        About::Text { text, .. } => Ok(Topic::text(text)),
        About::Pages(pages) if pages.len() > EXAMPLES => {
            Err(Fault::new("too many example pages", number_up_to(EXAMPLES as u32)))
        }
        About::Pages(pages) => {
            let read = pages.iter().map(|page| example(page, asker));
            Ok(Topic::pages(&read.collect::<Result<Vec<_>, _>>()?))
        }
    }
}

fn example(typed: &str, asker: Asker<'_>) -> Result<ParsedPage, Fault> {
    let Asker { settings, owned, guarded } = asker;
    if !guarded && Path::new(typed).is_file() {
        return Ok(read_file(Path::new(typed), None, settings.limits())?.0);
    }
    let read = address::read(typed)?;
    Ok(looked_at(&read.url, Asking { settings, login: read.login, owned, guarded })?.1)
}

fn number_up_to(most: u32) -> String {
    format!("a whole number from 1 to {most}")
}

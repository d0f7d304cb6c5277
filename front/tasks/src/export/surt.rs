//! SURT: the URLs of a survey in the order of their hierarchy, or the prefixes that hold them, as web archives write them.

use std::io::Write;

use groma_bounds::surt::Surt;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_url::Url;

use super::sorting::Sorter;
use super::{Exported, PagesWanted, walk};

/// Whether URLs are written, or prefixes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// Each URL as it is.
    #[default]
    Pages,
    /// The folders they lie in: what implies them in a list of prefixes.
    Prefixes,
}

/// Writes the survey, sorted, each line once. URLs that have no such form (those that do not parse) are left out.
pub(super) fn write(
    store: &mut dyn Snapshot,
    wanted: &PagesWanted<'_>,
    shape: Shape,
    to: &mut dyn Write,
) -> Result<Exported, Fault> {
    let mut sorter = Sorter::default();
    let done = walk(store, wanted, &mut |_, leaf| {
        let Ok(url) = Url::parse(&leaf.address.url) else { return Ok(()) };
        let line = match shape {
            Shape::Pages => Surt::from_url(&url),
            Shape::Prefixes => Surt::implied(&url[..groma_url::Position::AfterPath]).ok(),
        };
        Ok(line.map_or(Ok(()), |line| sorter.push(line.as_str().to_owned()))?)
    })?;
    if done.stopped {
        return Ok(done);
    }
    let mut pages = 0;
    sorter.finish(&mut |line| {
        pages += 1;
        to.write_all(line.as_bytes())?;
        to.write_all(b"\n")
    })?;
    Ok(Exported { pages, ..done })
}

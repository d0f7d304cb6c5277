//! A survey as a map to be drawn: what stands at its head, which pages a sitemap lists, in which forms it can be had, and
//! why a page stands where it stands.

mod form;
mod grow;
pub(crate) mod job;
mod run;
pub(crate) mod task;
mod why;
pub mod wording;

use groma_settings::clock;
use std::collections::HashSet;

use groma_chart::{Heading, SiteMap};
use groma_graph::Tree;
use groma_model::{PageId, Reason, State};
use groma_store::Snapshot;
use groma_survey_graph::SurveyGraph;

use crate::map::wording::up_to_layer;
use groma_model::wording::counted;
use groma_settings::Fault;

pub use form::{Form, Style, draw, unpainted};
pub use grow::{Grown, grow};
pub use run::{GrownMap, run};
pub use why::{Candidate, Why, why};

/// What stands at the head of a map.
pub fn heading(store: &mut dyn Snapshot, survey_graph: &SurveyGraph, tree: &Tree, root: u32) -> Result<Heading, Fault> {
    let address = survey_graph.standings.names.url(root).to_owned();
    let title = store.page(PageId(root))?.map(|page| page.facts.title).unwrap_or_default();
    let host = groma_url::Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned));
    let site = if title.trim().is_empty() { host.unwrap_or_else(|| address.clone()) } else { title };
    let runs = store.runs()?;
    let surveyed = runs.last().map_or(0, |run| run.ended.unwrap_or(run.started));
    let drawn = clock::now();
    let mut notes: Vec<String> = survey_graph.horizon.map(up_to_layer).into_iter().collect();
    let is_unread = |place: &u32| survey_graph.standings.state(tree.node(*place)) != Some(State::Fetched);
    let unread = (0..tree.len()).filter(is_unread).count() as u64;
    if unread > 0 {
        notes.push(known_only(unread));
    }
    let unasked = !tree.is_empty() && survey_graph.first_root() == Some(root);
    if unasked && survey_graph.standings.reason(root) == Some(Reason::Imported) {
        notes.push(
            "an imported graph has no start page: this map starts from its first node; --root chooses another"
                .to_owned(),
        );
    }
    let generator = concat!("groma ", env!("CARGO_PKG_VERSION")).to_owned();
    Ok(Heading { site, root: address, surveyed, drawn, generator, unreached: survey_graph.unreached(tree), notes })
}

/// The nodes of a sitemap: those on the map first, then all other pages of the site if the `whole` of it is wanted.
pub fn listed<'a>(survey_graph: &'a SurveyGraph, map: &'a SiteMap<'a>, whole: bool) -> impl Iterator<Item = u32> + 'a {
    let on_map: HashSet<u32> = (0..map.tree.len()).map(|place| map.tree.node(place)).collect();
    let others =
        survey_graph.by_rank().filter(move |node| whole && survey_graph.is_in_scope(*node) && !on_map.contains(node));
    let near = |place: &u32| map.depth.is_none_or(|last| map.tree.depth(*place) <= last);
    (0..map.tree.len()).filter(near).map(|place| map.tree.node(place)).chain(others)
}

fn known_only(pages: u64) -> String {
    let (pages, were) = (counted(pages, "page", "pages"), if pages == 1 { "is" } else { "are" });
    format!(
        "{pages} of it {were} known, but not read (waiting, limits, robots.txt, log-in); what lies behind is not on the map"
    )
}

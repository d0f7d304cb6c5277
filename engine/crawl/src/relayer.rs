//! Distances after an update: links have come and gone, so layers are counted anew over the stored links.
//!
//! ```text
//! depth(start) = 0;  depth(q) = min over pages p that lead to q of depth(p) + 1;  an alias and its page are at one distance
//! ```
//!
//! A breadth-first search with redirects as edges of length 0. O(pages + links), reads every stored page once; memory 8 bytes an
//! URL. What no link leads to any more becomes loose.

use std::collections::VecDeque;

use groma_model::{Depth, PageId, Rel};
use groma_store::{Amend, StoreError, codec};

use crate::survey::{LINKS_MOVED, OpenSurvey};

/// Counts all distances anew and writes down those that changed.
pub(crate) fn count_layers(survey: &mut OpenSurvey<'_>) -> Result<(), StoreError> {
    let size = survey.ledger.store.last_ids()?.0 as usize + 1;
    let mut alias = vec![u32::MAX; size];
    survey.each_address(|_, row| {
        alias[row.id.0 as usize] = row.alias_of.map_or(u32::MAX, |page| page.0);
    })?;
    let depth = distances(survey, &alias)?;
    survey.each_address(|survey, row| {
        let now = Depth(depth[row.id.0 as usize]);
        if now != row.depth && !row.queued {
            let same = Amend { alias_of: row.alias_of, ..Amend::to(row.id, row.reason) };
            survey.ledger.batch.amends.push(Amend { depth: Some(now), ..same });
        }
    })?;
    survey.ledger.batch.values.push((LINKS_MOVED.into(), String::new()));
    survey.commit()
}

fn distances(survey: &mut OpenSurvey<'_>, alias: &[u32]) -> Result<Vec<u32>, StoreError> {
    let mut depth = vec![Depth::LOOSE.0; alias.len()];
    let mut queue: VecDeque<(usize, u32)> = survey.starts.seeds.iter().map(|seed| (seed.0 as usize, 0)).collect();
    while let Some((page, distance)) = queue.pop_front() {
        if page >= depth.len() || depth[page] <= distance {
            continue;
        }
        depth[page] = distance;
        if alias[page] != u32::MAX {
            queue.push_front((alias[page] as usize, distance));
        } else {
            // A page that could not be had this time keeps its links, and so its neighbors their distances.
            let followed = followed(survey, PageId(page as u32))?.into_iter().map(|to| to.0 as usize);
            queue.extend(
                followed.filter(|to| depth.get(*to).is_some_and(|d| *d > distance + 1)).map(|to| (to, distance + 1)),
            );
        }
    }
    Ok(depth)
}

/// The pages a stored page leads to by links that are followed.
fn followed(survey: &mut OpenSurvey<'_>, page: PageId) -> Result<Vec<PageId>, StoreError> {
    let targets = survey.ledger.store.targets(page)?;
    let details = survey.ledger.store.details(page)?.and_then(|packed| codec::unpack_details(&packed));
    let (Some(details), false) = (details, targets.is_empty()) else { return Ok(Vec::new()) };
    let author_minds = survey.ledger.store.page(page)?.is_some_and(|p| p.facts.nofollow);
    if author_minds && !survey.settings.follow.nofollow {
        return Ok(Vec::new());
    }
    let minds = |rel: Rel| rel.has(Rel::NOFOLLOW) && !survey.settings.follow.nofollow;
    let links = details.links.iter().zip(targets);
    Ok(links.filter(|(link, _)| link.kind.leads_on() && !minds(link.rel)).map(|(_, to)| to).collect())
}

//! What is a cluster called? By the folder all its pages lie in; where that is a whole host or less, by the title of the page
//! that most others of it are joined to.

use groma_model::PageId;
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_survey_graph::PageWeb;

/// Letters of a title.
const TITLE: usize = 80;

/// The names of some clusters, given by their pages.
pub(super) fn labels(store: &mut dyn Snapshot, web: &PageWeb, clusters: &[Vec<u32>]) -> Result<Vec<String>, Fault> {
    let mut mark = vec![false; web.standings.count() as usize];
    let mut names = Vec::with_capacity(clusters.len());
    for pages in clusters {
        let prefix = common_folder(pages.iter().map(|page| web.address(*page)));
        if prefix.is_some_and(is_below_host) {
            names.push(prefix.unwrap_or_default().to_owned());
            continue;
        }
        pages.iter().for_each(|page| mark[*page as usize] = true);
        let central = central(web, pages, &mark);
        pages.iter().for_each(|page| mark[*page as usize] = false);
        let Some(central) = central else {
            names.push(String::new());
            continue;
        };
        let title = store.page(PageId(central))?.map(|page| page.facts.title).unwrap_or_default();
        let title: String = title.trim().chars().take(TITLE).collect();
        names.push(if title.is_empty() { web.address(central).to_owned() } else { title });
    }
    Ok(names)
}

/// The page that most others of its cluster link to, or that links to most of them.
fn central(web: &PageWeb, pages: &[u32], mark: &[bool]) -> Option<u32> {
    let mut degree: std::collections::HashMap<u32, u64> = std::collections::HashMap::with_capacity(pages.len());
    for &page in pages {
        for &to in web.graph.successors(page).iter().filter(|to| mark[**to as usize]) {
            *degree.entry(page).or_default() += 1;
            *degree.entry(to).or_default() += 1;
        }
    }
    let of = |page: u32| degree.get(&page).copied().unwrap_or(0);
    // Of equals the shorter URL says more, then the smaller one.
    pages.iter().copied().min_by(|&a, &b| {
        let (x, y) = (web.address(a), web.address(b));
        of(b).cmp(&of(a)).then(x.len().cmp(&y.len())).then(x.cmp(y))
    })
}

/// The longest beginning that all URLs share, up to a `/`; nothing if they share none.
pub(super) fn common_folder<'a>(mut addresses: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = addresses.next()?;
    let mut shared = first.len();
    for address in addresses {
        let same = first.bytes().zip(address.bytes()).take(shared).take_while(|(a, b)| a == b).count();
        shared = shared.min(same);
    }
    // A parameter may hold slashes: they part nothing.
    let path = first.find(['?', '#']).unwrap_or(first.len());
    first.as_bytes()[..shared.min(path)].iter().rposition(|byte| *byte == b'/').map(|at| &first[..=at])
}

/// Is it a folder of a host, rather than a whole one or several?
fn is_below_host(prefix: &str) -> bool {
    let rest = prefix.split_once("://").map_or(prefix, |(_, rest)| rest);
    rest.find('/').is_some_and(|slash| slash + 1 < rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_folder_ends_at_a_slash_of_the_path() {
        let of = |list: &[&'static str]| common_folder(list.iter().copied());
        assert_eq!(of(&["http://a/b/c.html", "http://a/b/d.html"]), Some("http://a/b/"));
        assert_eq!(of(&["http://a/b/", "http://a/bb/"]), Some("http://a/"));
        assert_eq!(of(&["http://a/b/?x=1/2", "http://a/b/?x=1/3"]), Some("http://a/b/"));
        assert_eq!(of(&["http://a/", "http://b/"]), Some("http://"));
        assert_eq!(of(&["http://a/b/x"]), Some("http://a/b/"));
        assert_eq!((of(&["17", "18"]), of(&[])), (None, None));
        assert_eq!(of(&["http://a/\u{e9}/1", "http://a/\u{e8}/1"]), Some("http://a/"), "letters of several bytes");
        assert!(is_below_host("http://a/b/") && !is_below_host("http://a/") && !is_below_host("http://"));
    }
}

//! What does the folder of the start pages say? Which clusters are theirs, and whether a larger member of the family fills it.
//!
//! ```text
//! witnesses  of a single start page of whose cluster less than 0.3 lies within its folder: the pages of the folder that it links to, if
//!            there are at least 3 and the folder is more than a host
//! narrowed   a core with fills >= 0.8 and of whose pages on this host less than 0.9 lie within, if nearly all of it (0.9) is on this host:
//!            core and folder. Of a single start page only if it is a home page by its name
//! folder     the tokens that all start pages begin with; of a single one all its tokens if other pages begin so, else all but its last
//! within(X)  |X and folder| / |X|
//! fills(X)   |X and folder| / |folder|
//! instead    if fills(chosen) < 0.8: of the larger members with fills >= 0.8, within >= 0.9 that stand for a fall of the price
//!            to a third (choice.rs), the one that stands longest
//! ```
//!
//! Source: own. A home page is often clustered with its news or its first chapter alone, and such a cluster can stand longer than
//! the whole manual, since nothing joins it at high prices. Whoever starts at a home page means what lies below it. So pandas is found
//! from its home page on debdocs (F1 .04 before), and the Erlang manual from its own (.37 before). And the home pages of manuals that
//! name each other are a cluster of their own at times, which is nobody's site: the pages below say better where a home page belongs
//! (35 modules of OpenJDK from their most linked page: F1 .582 before, .897 now; nothing changes on seven other sets). Manuals that
//! cite each other as much as themselves can be one cluster, as glib and gtk are, from which no cut gets them apart; the folder does
//! (11 books of gtk-doc .866 before, .979 now; nothing changes on debdocs, Qt, Erlang). From any page but a home page it would cost more than it
//! gains (debdocs .941 to .831).
//! Cost: O(nodes + members). Not guaranteed: anything where a site is spread over several hosts; then the choice stays as it was.

use crate::choice::{Plateau, standing, stands};
use crate::{FoundSite, Web};

/// A member fills the folder if it has so much of it.
const FILLS: f64 = 0.8;
/// So much of a member has to lie within the folder.
const WITHIN: f64 = 0.9;
/// A cluster of which less lies within the folder of a start page is not its site.
const ASTRAY: f64 = 0.3;
/// Fewer witnesses say nothing.
const FEW: usize = 3;
/// It has to stand so long: the logarithm of how far the price falls.
const LONG: f64 = 1.0;

/// Goes over to the member that fills the folder of the start pages, if there is one.
pub(crate) fn fill(web: &Web<'_>, seeds: &[u32], found: &mut FoundSite, unit: f64) {
    let folder = folder(web, seeds);
    if folder.is_empty() || found.family.is_empty() {
        return;
    }
    let (mut pages, mut held) = (0u32, vec![0u32; found.family.len()]);
    for page in web.pages().filter(|&page| web.tokens.url_tokens(page).starts_with(folder)) {
        pages += 1;
        if let Some(held) = held.get_mut(found.since[page as usize] as usize) {
            *held += 1;
        }
    }
    for member in 1..held.len() {
        held[member] += held[member - 1];
    }
    let enough = FILLS * f64::from(pages);
    if f64::from(held[found.chosen]) >= enough {
        return;
    }
    let fills = |&(stood, Plateau { first, last }): &(f64, Plateau)| {
        let lies_within = f64::from(held[last]) >= WITHIN * f64::from(found.family[last].size);
        first > found.chosen && stood >= LONG && lies_within && f64::from(held[last]) >= enough
    };
    let larger = standing(&found.family, unit).into_iter().filter(fills);
    if let Some((_, plateau)) = larger.max_by(|a, b| a.0.total_cmp(&b.0)) {
        found.chosen = plateau.last;
        found.epsilon = found.family[plateau.last].epsilon;
        found.why = stands(&found.family, plateau);
    }
}

/// The pages that say better than a single start page which clusters are its own: those it links to in its folder. None if its own
/// cluster lies there too, or if that says nothing: the folder is a whole host, or there are hardly any.
pub(crate) fn witnesses(web: &Web<'_>, seeds: &[u32], clusters: &[u32]) -> Option<Vec<u32>> {
    let &[seed] = seeds else { return None };
    let folder = folder(web, seeds);
    if folder.len() <= web.tokens.of_host(seed) {
        return None;
    }
    let lies_within = |page: &u32| web.is_page(*page) && web.tokens.url_tokens(*page).starts_with(folder);
    let own = clusters.get(seed as usize)?;
    let fellows: Vec<u32> = (0u32..).zip(clusters).filter(|(_, of)| *of == own).map(|(page, _)| page).collect();
    let at_home = fellows.iter().filter(|page| lies_within(page)).count();
    if at_home as f64 >= ASTRAY * fellows.len() as f64 {
        return None;
    }
    let linked = web.graph.successors(seed).iter().copied();
    let witnesses: Vec<u32> = linked.filter(|page| *page != seed && lies_within(page)).collect();
    (witnesses.len() >= FEW).then_some(witnesses)
}

/// Of clusters that hold the folder of the start pages and others of the same host besides, those pages that lie in the folder. A single
/// start page has to be a home page: any other page says little about folders.
pub(crate) fn narrow(web: &Web<'_>, seeds: &[u32], core: &mut Vec<u32>) {
    let Some(&first) = seeds.first() else { return };
    let (folder, of_host) = (folder(web, seeds), web.tokens.of_host(first));
    if folder.len() <= of_host || (seeds.len() == 1 && !web.tokens.is_home(first)) {
        return;
    }
    let begins = |page: u32, with: &[u32]| web.tokens.url_tokens(page).starts_with(with);
    let pages = web.pages().filter(|&page| begins(page, folder)).count() as f64;
    let held = core.iter().filter(|&&page| begins(page, folder)).count() as f64;
    let near = core.iter().filter(|&&page| begins(page, &folder[..of_host])).count() as f64;
    if held >= FILLS * pages && held < WITHIN * near && near >= WITHIN * core.len() as f64 {
        core.retain(|&page| begins(page, folder));
    }
}

/// What the URLs of all start pages begin with.
fn folder<'w>(web: &Web<'w>, seeds: &[u32]) -> &'w [u32] {
    let Some((&first, rest)) = seeds.split_first() else { return &[] };
    let whole = web.tokens.url_tokens(first);
    if rest.is_empty() {
        let is_folder = web.pages().any(|page| page != first && web.tokens.url_tokens(page).starts_with(whole));
        return &whole[..whole.len().saturating_sub(usize::from(!is_folder))];
    }
    let shared = |&seed: &u32| whole.iter().zip(web.tokens.url_tokens(seed)).take_while(|(a, b)| a == b).count();
    &whole[..rest.iter().map(shared).min().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use groma_graph::Csr;

    use super::*;
    use crate::{FamilyStep, Method, Tokens, Why};

    /// A manual: its home page first, 9 pages of news, 40 others; then 50 pages of another on the same host.
    fn addresses() -> Vec<String> {
        let mut all = vec!["http://h/manual/index.html".to_owned()];
        all.extend((0..9).map(|n| format!("http://h/manual/news/{n}")));
        all.extend((0..40).map(|n| format!("http://h/manual/part/{n}")));
        all.extend((0..50).map(|n| format!("http://h/other/{n}")));
        all
    }

    /// The home page with its news at 11 prices, the `second` pages at 6, then everything.
    fn found(second: u32) -> FoundSite {
        let sizes = [vec![10; 11], vec![second; 6], vec![100; 9]].concat();
        let prices = (0i32..).map(|power| 10.0 * 0.7f64.powi(power));
        let step = |(epsilon, size)| FamilyStep { epsilon, size, boundary: 1.0, inside: 9.0 };
        let since = |node: u32| if node < 10 { 0 } else { 11 + 6 * u32::from(node >= second) };
        FoundSite {
            method: Method::MclFlow,
            sigma: 1.0,
            epsilon: 0.28,
            family: prices.zip(sizes).map(step).collect(),
            chosen: 10,
            since: (0..100).map(since).collect(),
            why: Why::Nothing,
            warnings: Vec::new(),
            core: Vec::new(),
        }
    }

    fn filled(seeds: &[u32], second: u32) -> FoundSite {
        let (mut tokens, graph) = (Tokens::new(), Csr::of_arcs(100, []));
        for address in addresses() {
            tokens.push(&address);
        }
        let mut found = found(second);
        fill(
            &Web { graph: &graph, tokens: &tokens, pages: &[true; 100], content_similarity: None },
            seeds,
            &mut found,
            1.0,
        );
        found
    }

    #[test]
    fn pages_below_a_home_page_bear_witness_but_not_those_of_a_whole_host() {
        let mut tokens = Tokens::new();
        let pages = [
            "http://h:1/",
            "http://h:1/m/",
            "http://h:1/m/a",
            "http://h:1/m/b",
            "http://h:1/m/c",
            "http://h:1/n/",
            "http://h:1/o/",
        ];
        for page in pages {
            tokens.push(page);
        }
        let graph = Csr::of_arcs(7, (0..7).flat_map(|from| (0..7).map(move |to| (from, to))));
        let web = Web { graph: &graph, tokens: &tokens, pages: &[true; 7], content_similarity: None };
        // The home pages are a cluster, and so are the others.
        let astray = [0, 0, 1, 1, 1, 0, 0];
        assert_eq!(witnesses(&web, &[1], &astray), Some(vec![2, 3, 4]));
        for nothing in [&[0][..], &[1, 2], &[]] {
            assert_eq!(witnesses(&web, nothing, &astray), None, "{nothing:?}");
        }
        assert_eq!(witnesses(&web, &[1], &[1, 0, 0, 0, 0, 1, 1]), None, "it is where its folder is");
        let few = Web { pages: &[true, true, true, true, false, true, true], ..web };
        assert_eq!(witnesses(&few, &[1], &astray), None);
    }

    #[test]
    fn a_cluster_of_two_manuals_is_narrowed_to_the_folder_of_the_home_page() {
        let mut tokens = Tokens::new();
        let pages = [
            "http://h/m/index.html",
            "http://h/m/a",
            "http://h/m/b",
            "http://h/n/",
            "http://h/n/a",
            "http://g/m/a",
            "http://g/m/b",
        ];
        for page in pages {
            tokens.push(page);
        }
        let graph = Csr::of_arcs(7, []);
        let web = Web { graph: &graph, tokens: &tokens, pages: &[true; 7], content_similarity: None };
        let narrowed = |seeds: &[u32], core: &[u32]| {
            let mut core = core.to_vec();
            narrow(&web, seeds, &mut core);
            core
        };
        assert_eq!(narrowed(&[0], &[0, 1, 2, 3, 4]), [0, 1, 2]);
        assert_eq!(narrowed(&[1, 2], &[0, 1, 2, 3, 4]), [0, 1, 2]);
        assert_eq!(narrowed(&[1], &[0, 1, 2, 3, 4]), [0, 1, 2, 3, 4], "not a home page");
        assert_eq!(narrowed(&[0], &[0, 3, 4]), [0, 3, 4], "most of the folder is elsewhere");
        assert_eq!(narrowed(&[0], &[0, 1, 2, 5, 6]), [0, 1, 2, 5, 6], "a site on two hosts");
    }

    #[test]
    fn the_member_that_fills_the_folder_of_the_home_page_is_taken() {
        let found = filled(&[0], 50);
        assert_eq!((found.chosen, found.inside().count()), (16, 50));
        assert_eq!(found.epsilon, found.family[16].epsilon);
        assert!(matches!(found.why, Why::Stands { next: Some(100), .. }), "{:?}", found.why);
        // Pages from all over the manual say the same.
        assert_eq!(filled(&[3, 20, 30], 50).chosen, 16);
    }

    #[test]
    fn otherwise_the_choice_stays() {
        assert_eq!(filled(&[3, 5], 50).chosen, 10, "of pages of the news, the news are the folder, and it is full");
        assert_eq!(filled(&[0], 60).chosen, 10, "a sixth of the larger one lies elsewhere");
        assert_eq!(filled(&[0], 30).chosen, 10, "the larger one has a part of the folder only");
        assert_eq!(filled(&[], 50).chosen, 10);
    }

    #[test]
    fn an_address_that_others_begin_with_is_a_folder() {
        let mut tokens = Tokens::new();
        for address in ["http://h/a/", "http://h/a/x", "http://h/b"] {
            tokens.push(address);
        }
        let graph = Csr::of_arcs(3, []);
        let web = Web { graph: &graph, tokens: &tokens, pages: &[true; 3], content_similarity: None };
        assert_eq!(folder(&web, &[0]), tokens.url_tokens(0));
        assert_eq!(folder(&web, &[2]), &tokens.url_tokens(2)[..2]);
        assert_eq!(folder(&web, &[1, 2]), &tokens.url_tokens(2)[..2]);
        assert_eq!(folder(&web, &[9]), tokens.url_tokens(9));
    }
}

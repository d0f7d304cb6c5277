//! Does a larger member of the family fill the folder of the start pages?
//!
//! ```text
//! folder     the tokens that all start pages begin with; of a single one all its tokens if other pages begin so, else all but its last
//! within(X)  |X and folder| / |X|
//! fills(X)   |X and folder| / |folder|
//! instead    if fills(chosen) < 0.8: of the larger members with fills >= 0.8, within >= 0.9 that stand for a fall of the price
//!            to a third (choice.rs), the one that stands longest
//! ```
//!
//! Source: own. A home page is often clustered with its news or its first chapter alone, and such a cluster can stand longer than
//! the whole manual, since nothing joins it at high prices. Whoever starts at a home page means what lies below it. So pandas is found
//! from its home page on debdocs (F1 .04 before), and the Erlang manual from its own (.37 before).
//! Cost: O(nodes + members). Not guaranteed: anything where a site is spread over several hosts; then the choice stays as it was.

use crate::choice::{Plateau, standing, stands};
use crate::{Found, Web};

/// A member fills the folder if it has so much of it.
const FILLS: f64 = 0.8;
/// So much of a member has to lie within the folder.
const WITHIN: f64 = 0.9;
/// It has to stand so long: the logarithm of how far the price falls.
const LONG: f64 = 1.0;

/// Goes over to the member that fills the folder of the start pages, if there is one.
pub(crate) fn fill(web: &Web<'_>, seeds: &[u32], found: &mut Found, unit: f64) {
    let folder = folder(web, seeds);
    if folder.is_empty() || found.family.is_empty() {
        return;
    }
    let (mut pages, mut held) = (0u32, vec![0u32; found.family.len()]);
    for page in web.pages().filter(|&page| web.tokens.of(page).starts_with(folder)) {
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

/// What the addresses of all start pages begin with.
fn folder<'w>(web: &Web<'w>, seeds: &[u32]) -> &'w [u32] {
    let Some((&first, rest)) = seeds.split_first() else { return &[] };
    let whole = web.tokens.of(first);
    if rest.is_empty() {
        let is_folder = web.pages().any(|page| page != first && web.tokens.of(page).starts_with(whole));
        return &whole[..whole.len().saturating_sub(usize::from(!is_folder))];
    }
    let shared = |&seed: &u32| whole.iter().zip(web.tokens.of(seed)).take_while(|(a, b)| a == b).count();
    &whole[..rest.iter().map(shared).min().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use groma_graph::Csr;

    use super::*;
    use crate::{Method, Step, Tokens, Why};

    /// A manual: its home page first, 9 pages of news, 40 others; then 50 pages of another on the same host.
    fn addresses() -> Vec<String> {
        let mut all = vec!["http://h/manual/index.html".to_owned()];
        all.extend((0..9).map(|n| format!("http://h/manual/news/{n}")));
        all.extend((0..40).map(|n| format!("http://h/manual/part/{n}")));
        all.extend((0..50).map(|n| format!("http://h/other/{n}")));
        all
    }

    /// The home page with its news at 11 prices, the `second` pages at 6, then everything.
    fn found(second: u32) -> Found {
        let sizes = [vec![10; 11], vec![second; 6], vec![100; 9]].concat();
        let prices = (0i32..).map(|power| 10.0 * 0.7f64.powi(power));
        let step = |(epsilon, size)| Step { epsilon, size, boundary: 1.0, inside: 9.0 };
        let since = |node: u32| if node < 10 { 0 } else { 11 + 6 * u32::from(node >= second) };
        Found {
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

    fn filled(seeds: &[u32], second: u32) -> Found {
        let (mut tokens, graph) = (Tokens::new(), Csr::of_arcs(100, []));
        for address in addresses() {
            tokens.push(&address);
        }
        let mut found = found(second);
        fill(&Web { graph: &graph, tokens: &tokens, pages: &[true; 100], likeness: None }, seeds, &mut found, 1.0);
        found
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
        let web = Web { graph: &graph, tokens: &tokens, pages: &[true; 3], likeness: None };
        assert_eq!(folder(&web, &[0]), tokens.of(0));
        assert_eq!(folder(&web, &[2]), &tokens.of(2)[..2]);
        assert_eq!(folder(&web, &[1, 2]), &tokens.of(2)[..2]);
        assert_eq!(folder(&web, &[9]), tokens.of(9));
    }
}

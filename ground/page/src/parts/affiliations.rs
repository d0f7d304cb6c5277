//! Where the authors work, from the body alone.
//!
//! Found by footnote marks that authors carry, by words of institutions, by labels and hints, in tooltips of the names, and beside a
//! name in the same block. A line that holds an institution is one affiliation, address and country with it; marks and
//! semicolons cut it. Cost: linear in the text looked at, which is that of the masthead and of [`NOTES`] blocks after it.
//!
//! Not guaranteed: institutions that are called by their own names alone ("CERN"), without a mark, a label or a like beside them.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::authors::MOST;
use super::hints::Hints;
use super::items::{self, Cut, Item};
use super::names::names;
use super::outline::NONE;
use super::sections::Sections;
use super::spot::Spot;
use super::title::{begins, letters};
use super::view::View;
use super::wording::{self, Label};
use super::{cards, people, places};

/// Blocks after the authors in which footnotes are looked for.
const NOTES: usize = 400;
/// Bytes of a block that may hold affiliations.
const BLOCK: usize = 6000;

/// Looks in the blocks near the title and in footnotes.
pub(crate) fn find_affiliations(
    view: &View<'_>,
    sections: &Sections,
    near: &[usize],
    authors: &[Spot],
    marks: &[String],
    title: Option<&Spot>,
) -> Vec<Spot> {
    let mut author_blocks: Vec<u32> = authors.iter().flat_map(|author| author.blocks.iter().copied()).collect();
    author_blocks.sort_unstable();
    author_blocks.dedup();
    let people: HashSet<String> = authors.iter().map(|author| letters(&author.text)).collect();
    let mut found = Found { people: &people, known: HashSet::new(), spots: Vec::new() };
    in_tooltips(view, authors, &author_blocks, &mut found);
    let cards = cards::places_of(view, sections, &people);
    let last_author = author_blocks.last().copied().unwrap_or(0) as usize;
    let masthead = Masthead {
        view,
        sections,
        near,
        authors,
        marks,
        author_blocks: &author_blocks,
        last_author,
        cards: &cards,
        title_blocks: title.map_or(&[][..], |spot| spot.blocks.as_slice()),
        title: title.map(|spot| letters(&spot.text)).unwrap_or_default(),
    };
    let candidates = masthead.candidates();
    let mut alike: HashMap<u32, usize> = HashMap::new();
    candidates.iter().for_each(|block| *alike.entry(view.path(*block)).or_default() += 1);
    let mut taken: Vec<(u32, u32)> = Vec::new();
    for block in candidates {
        masthead.read_block(block, &alike, &mut taken, &mut found);
    }
    found.spots
}

/// The affiliations so far.
struct Found<'a> {
    /// The authors, who are no places.
    people: &'a HashSet<String>,
    /// The [`letters`] of those that were found.
    known: HashSet<String>,
    spots: Vec<Spot>,
}

impl Found<'_> {
    fn add(&mut self, text: &str, block: usize, node: u32, confidence: u8) {
        let text = text.trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | ';' | '；' | '.' | ':' | '（' | '）' | '*' | '†' | '‡' | '•' | '·')
        });
        let text = without_bracket(text);
        let plain = letters(text);
        if plain.len() < 3 || text.len() > 600 || self.spots.len() >= MOST || self.people.contains(&plain) {
            return;
        }
        if self.known.insert(plain) {
            let (text, blocks) = (text.to_owned(), vec![block as u32]);
            self.spots.push(Spot { text, blocks, nodes: vec![node], links: Vec::new(), confidence });
        }
    }
}

/// In tooltips of names, and of what stands in their box.
fn in_tooltips(view: &View<'_>, authors: &[Spot], author_blocks: &[u32], found: &mut Found<'_>) {
    let boxes: Vec<(u32, u32)> = authors
        .iter()
        .filter_map(|author| author.nodes.first())
        .filter_map(|node| view.outline.nodes.get(*node as usize).map(|found| (*node, found.end)))
        .collect();
    for (node, tip) in &view.outline.tips {
        let inside = boxes.iter().take(200).any(|(from, to)| from <= node && node < to)
            || view.runs_block(*node).is_some_and(|block| author_blocks.binary_search(&block).is_ok());
        if inside
            && (places::is_institution(tip) || view.outline.nodes[*node as usize].hints.any(Hints::AFFILIATION))
            && !people::is_name(tip)
        {
            for part in tip.split([';', '；', '|']) {
                found.add(part, author_blocks.first().copied().unwrap_or(0) as usize, *node, 70);
            }
        }
    }
}

/// The head of an article, its authors known: where their institutions are looked for.
struct Masthead<'a> {
    view: &'a View<'a>,
    sections: &'a Sections,
    /// Blocks near the title, in order.
    near: &'a [usize],
    authors: &'a [Spot],
    /// Footnote marks that authors carry, in order.
    marks: &'a [String],
    author_blocks: &'a [u32],
    last_author: usize,
    /// Blocks that stand in one box with a name, in order.
    cards: &'a [usize],
    title_blocks: &'a [u32],
    /// The [`letters`] of the title.
    title: String,
}

/// A block that may hold affiliations.
struct Candidate {
    block: usize,
    node: u32,
    path: u32,
    /// Its element, or one around it, is called so.
    hinted: bool,
    /// It, or its section, is labelled so.
    labelled: bool,
    carded: bool,
    near: bool,
}

impl Masthead<'_> {
    fn candidates(&self) -> Vec<usize> {
        let mut candidates: Vec<usize> = self.near.to_vec();
        // Footnotes may stand anywhere after the authors.
        if !self.marks.is_empty() {
            let after = (self.last_author..self.view.blocks.len()).filter(|block| self.view.is_body(*block));
            candidates.extend(after.take(NOTES));
        }
        candidates.extend(self.cards);
        candidates.sort_unstable();
        candidates.dedup();
        candidates
    }

    fn is_heading(&self, block: usize, text: &str) -> bool {
        self.sections.is_heading(block)
            && (wording::label(text).is_some()
                || block < self.last_author
                || text.len() < 600 && !places::is_institution(text) && !places::ends_in_country(text))
    }

    fn read_block(
        &self,
        block: usize,
        alike: &HashMap<u32, usize>,
        taken: &mut Vec<(u32, u32)>,
        found: &mut Found<'_>,
    ) {
        let (view, sections) = (self.view, self.sections);
        let text = view.block_text(block);
        if self.title_blocks.contains(&(block as u32)) || self.is_heading(block, text) || text.len() > BLOCK {
            return;
        }
        let node = view.blocks[block].node;
        let first = view.runs(block).first().map_or(node, |run| run.node);
        let hinted =
            view.outline.up(first).take(4).any(|node| view.outline.nodes[node as usize].hints.any(Hints::AFFILIATION));
        let section =
            sections.over(block).filter(|section| section.heading as usize != block).and_then(|section| section.label);
        let inline = wording::inline(text, 0);
        if inline.is_some_and(|(label, _)| !matches!(label, Label::Affiliation | Label::Authors))
            || matches!(section, Some(Label::Keywords | Label::Subjects | Label::Abstract | Label::References))
        {
            return;
        }
        let inline = inline.filter(|(label, _)| *label == Label::Affiliation);
        let carded = self.cards.binary_search(&block).is_ok();
        if self.author_blocks.binary_search(&(block as u32)).is_ok() && !carded {
            beside_names(view, block, self.authors, found);
            return;
        }
        let candidate = Candidate {
            block,
            node,
            path: view.path(block),
            hinted,
            labelled: section == Some(Label::Affiliation) || inline.is_some(),
            carded,
            near: self.near.binary_search(&block).is_ok(),
        };
        let from = inline.map_or(0, |(_, at)| at);
        for (mark, place) in split_long(marked_items(view, block, from), carded) {
            self.read_item(&candidate, mark.as_deref(), &place, alike, taken, found);
        }
    }

    /// `taken` are the looks (path and parent) of blocks that surely held affiliations: others that look like them may.
    fn read_item(
        &self,
        candidate: &Candidate,
        mark: Option<&str>,
        place: &str,
        alike: &HashMap<u32, usize>,
        taken: &mut Vec<(u32, u32)>,
        found: &mut Found<'_>,
    ) {
        let Candidate { block, node, path, hinted, labelled, carded, near } = *candidate;
        let tied = mark.is_some_and(|mark| {
            self.marks.binary_search_by(|known| known.as_str().cmp(mark)).is_ok()
                && (mark.chars().all(char::is_alphanumeric) || places::is_institution(place))
        });
        // Asked for when the rest does not tell: each looks at all of the text.
        let told = LazyCell::new(|| is_sentence(place));
        let called = LazyCell::new(|| !*told && (places::is_institution(place) || places::ends_in_country(place)));
        let fits = LazyCell::new(|| !*told && places::may_be_institution(place) && !places::is_notice(place));
        let parent = self.view.outline.nodes.get(node as usize).map_or(NONE, |node| node.parent);
        let is_after = near && block > self.last_author && self.view.link_share(block) < 50;
        // The title stands in citations too.
        let cited = !self.title.is_empty() && begins(place, &self.title);
        if cited || names_only(place, found.people) {
            return;
        }
        let confidence = match () {
            () if tied && *called => 90,
            () if tied && *fits => 78,
            () if labelled && *called => 85,
            () if (labelled || hinted) && *fits && !people::is_name(place) => 72,
            () if hinted && *called => 80,
            () if carded => 74,
            () if is_after && *called && *fits => 65,
            () if is_after && taken.contains(&(path, parent)) && *fits => 55,
            () => return,
        };
        let parts: Vec<&str> = place.split([';', '；']).filter(|part| !part.trim().is_empty()).collect();
        // What has a mark, a name or a line of its own among others is one, semicolons and all.
        let several = !tied
            && !carded
            && alike.get(&path) == Some(&1)
            && parts.len() > 1
            && parts.iter().all(|part| places::may_be_institution(part.trim()));
        if several {
            parts.iter().for_each(|part| found.add(part, block, node, confidence));
        } else {
            found.add(place, block, node, confidence);
        }
        if confidence >= 65 && !taken.contains(&(path, parent)) && taken.len() < 8 {
            taken.push((path, parent));
        }
    }
}

/// A text without brackets around it, or one that is not closed or opened.
fn without_bracket(text: &str) -> &str {
    let (opened, closed) = (text.matches('(').count(), text.matches(')').count());
    match (text.strip_prefix('('), text.strip_suffix(')')) {
        (Some(inner), Some(_)) if opened == 1 && closed == 1 => inner.trim_end_matches(')'),
        (Some(inner), _) if opened > closed => inner,
        (_, Some(inner)) if closed > opened => inner,
        _ => text,
    }
}

/// A long line holds several, with semicolons between them.
fn split_long(items: Vec<(Option<String>, String)>, carded: bool) -> Vec<(Option<String>, String)> {
    let mut out = Vec::with_capacity(items.len());
    for (mark, place) in items {
        if mark.is_none() && !carded && place.len() > 200 && place.contains([';', '；']) {
            out.extend(place.split([';', '；']).map(|part| (mark.clone(), part.trim().to_owned())));
        } else {
            out.push((mark, place));
        }
    }
    out
}

/// Nothing but names of the authors.
fn names_only(text: &str, people: &HashSet<String>) -> bool {
    if people.is_empty() {
        return false;
    }
    let parts: Vec<String> = text.split([',', ';', '&']).map(letters).filter(|part| !part.is_empty()).collect();
    let known = parts.iter().filter(|part| people.contains(*part)).count();
    known > 0 && known * 2 >= parts.len()
}

/// Most of its words are small: it says something.
fn is_sentence(text: &str) -> bool {
    let small = text.split_whitespace().filter(|word| word.chars().next().is_some_and(char::is_lowercase)).count();
    let words = text.split_whitespace().count();
    words >= 8 && small * 20 > words * 11
}

/// What stands beside the names of a block: in brackets, after a comma, in elements of its own.
fn beside_names(view: &View<'_>, block: usize, authors: &[Spot], found: &mut Found<'_>) {
    let node = view.blocks[block].node;
    let text = view.block_text(block);
    let (_, beside, _) = names(view, block, 0, true);
    if !beside.is_empty() {
        beside.iter().for_each(|spot| found.add(&spot.text, block, node, 75));
        return;
    }
    // One author and more text: the rest is where he works.
    let here: Vec<&Spot> = authors.iter().filter(|author| author.blocks.contains(&(block as u32))).collect();
    if let [author] = here[..]
        && let Some(at) = text.find(author.text.as_str())
    {
        let rest =
            text[at + author.text.len()..].trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '(' | ')'));
        if places::is_institution(rest) && rest.len() > 5 && !places::has_fact(rest) {
            found.add(rest.trim_matches(['(', ')']), block, node, 70);
            return;
        }
    }
    // Elements of their own between names.
    for run in view.runs(block) {
        let hinted = view
            .outline
            .up(run.node)
            .take(2)
            .any(|node| view.outline.nodes[node as usize].hints.any(Hints::AFFILIATION));
        let text = view.run_text(run).trim();
        if text.len() > 5
            && (hinted || places::is_institution(text))
            && !people::is_name(text)
            && !places::has_fact(text)
        {
            found.add(text, block, run.node, 68);
        }
    }
}

/// "1. University of X 2. Institut Y": cut where the numbers go on.
fn by_numbers(item: Item) -> Vec<Item> {
    let mut out = Vec::new();
    let mut rest = item.text.as_str();
    let mut number = 1;
    while rest.starts_with(&format!("{number}.")) && number < MOST {
        number += 1;
        let next = format!("{number}.");
        let cut = rest
            .match_indices(&next)
            .map(|(at, _)| at)
            .find(|at| rest[..*at].ends_with(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '；')));
        let Some(at) = cut else { break };
        out.push(Item { text: rest[..at].trim_end().to_owned(), ..item.clone() });
        rest = &rest[at..];
    }
    if out.is_empty() {
        return vec![item];
    }
    out.push(Item { text: rest.to_owned(), ..item.clone() });
    out
}

/// A block cut at its footnote marks: each with the text after it.
fn marked_items(view: &View<'_>, block: usize, from: usize) -> Vec<(Option<String>, String)> {
    // All of them may stand in one pair of brackets.
    let text = view.block_text(block).get(from..).unwrap_or_default();
    let bracket =
        if text.ends_with([')', '）']) { text.len() - text.trim_start_matches(['(', '（']).len() } else { 0 };
    let items = items::split_items(view, block, from + bracket, Cut::Marks);
    let mut out = Vec::new();
    for item in items.into_iter().flat_map(by_numbers) {
        let raised: String = item.before.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        if !raised.is_empty() {
            out.push((Some(raised), item.text));
            continue;
        }
        let text = item.text.trim_start();
        let mark = text
            .split(|c: char| c.is_whitespace() || matches!(c, '.' | ')' | ':' | ']'))
            .next()
            .unwrap_or_default()
            .trim_start_matches(['[', '(']);
        let is_mark = !mark.is_empty()
            && mark.chars().count() <= 2
            && (mark.chars().all(|c| c.is_ascii_digit())
                || mark.chars().all(|c| !c.is_alphanumeric())
                || (mark.len() == 1 && mark.chars().all(|c| c.is_ascii_lowercase())));
        if is_mark {
            let rest = text.trim_start_matches(['[', '(']).get(mark.len()..).unwrap_or_default();
            out.push((
                Some(mark.to_owned()),
                rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ')' | ':' | ']')).to_owned(),
            ));
            continue;
        }
        // A digit or mark glued to the first letter: "1University of X".
        let glued: String = text
            .chars()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§' | '¶'))
            .take(3)
            .collect();
        // More digits are the number of a house.
        if (1..3).contains(&glued.chars().count()) {
            out.push((Some(glued.clone()), text[glued.len()..].trim_start().to_owned()));
        } else {
            out.push((None, item.text));
        }
    }
    out
}

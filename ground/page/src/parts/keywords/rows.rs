//! Keywords without a word that says so: a row of short items set alike.
//!
//! A row is a line of at least [`FEW`] short items in elements of their own or with signs of lists between them, or as many lines of one item set
//! alike, one below the other. It is taken for keywords if most of its items lead to searches, if it is [about](super::about) the work, if the
//! head loosely calls the same words keywords, or if it stands right after the abstract; the row with the most of that wins. Rows of
//! names, of places, facts or labels, and lines of the abstract are none. Cost: linear in lines and links.
//!
//! Not guaranteed: menus of subjects that stand in the text look the same.

use groma_model::Target;

use super::super::hints::Hints;
use super::super::items::{self, Cut};
use super::super::outline::NONE;
use super::super::sections::{self, Sections};
use super::super::spot::Spot;
use super::super::view::View;
use super::super::wording::{self, Label};
use super::super::{people, places};
use super::About;
use super::words::bare;

/// Items of a row, at least and at most, words of an item, bytes of an item and of a row.
const FEW: usize = 3;
const MANY: usize = 25;
const WORDS: usize = 5;
const ITEM: usize = 60;
const ROW: usize = 1200;
/// Boxes looked at around a link.
const CLIMB: usize = 4;
/// How sure we are: by links or place, by what it is about, and if the head has the same.
const SURE: u8 = 58;
const ABOUT: u8 = 62;
const LISTED: u8 = 80;

struct KeywordRow {
    words: Vec<Spot>,
    /// Each item in an element of its own.
    apart: bool,
    /// Signs that stand in lists only are between the items.
    signed: bool,
}

pub(super) fn row_keywords(view: &View<'_>, sections: &Sections, about: &About<'_>, summary: &[u32]) -> Vec<Spot> {
    let after = summary.last().map(|last| *last as usize);
    let next = after.and_then(|last| (last + 1..view.blocks.len()).find(|block| view.is_body(*block)));
    let mut best: Option<(usize, KeywordRow)> = None;
    let mut block = 0;
    while block < view.blocks.len() {
        let from = block;
        let row = match lines(view, sections, block) {
            Some((row, past)) => {
                block = past;
                Some(row)
            }
            None => {
                block += 1;
                line(view, sections, from, next == Some(from))
            }
        };
        let Some(mut row) = row.filter(|row| is_plain(row) && summary.binary_search(&(from as u32)).is_err()) else {
            continue;
        };
        let searches =
            row.words.iter().filter(|word| word.links.iter().any(|link| leads_to_search(view, *link))).count();
        let told = about.told(&row.words);
        let by_links = searches >= 2 && searches * 2 >= row.words.len() && row.apart;
        let listed = about.lists(&row.words);
        let tells = about.tells(&row.words) && (row.apart || row.signed || told * 2 >= row.words.len());
        let placed = next == Some(from) && row.apart;
        if !(by_links || listed || tells || placed) {
            continue;
        }
        let sure = if listed {
            LISTED
        } else if tells {
            ABOUT
        } else {
            SURE
        };
        row.words.iter_mut().for_each(|word| word.confidence = sure);
        let weight = searches + 2 * told + 3 * usize::from(next == Some(from)) + 20 * usize::from(listed);
        if best.as_ref().is_none_or(|(known, _)| weight > *known) {
            best = Some((weight, row));
        }
    }
    best.map(|(_, row)| row.words).unwrap_or_default()
}

/// The row a link stands in, as wide as it can be without holding more than short items, and its words.
pub(super) fn around(view: &View<'_>, sections: &Sections, link: u32) -> Option<(u32, Vec<Spot>)> {
    let is_row = |node: &u32| {
        let text = view.node_text(*node) as usize;
        let (from, to) = view.outline.nodes.get(*node as usize).map_or((0, 0), |node| node.runs);
        text < ROW && to > from && text / ((to - from) as usize) < ITEM
    };
    let row_node = view.boxes(link).take(CLIMB).take_while(is_row).last()?;
    let (from, to) = view.node_blocks(row_node);
    let mut words = Vec::new();
    for block in from as usize..to as usize {
        let row = line_items(view, block).filter(|_| may_stand(view, sections, block))?;
        words.extend(row.words);
    }
    let row = KeywordRow { words, apart: true, signed: false };
    is_plain(&row).then_some(()).map(|()| (row_node, row.words))
}

/// Lines of one item each, set alike: the row, and the block after it.
fn lines(view: &View<'_>, sections: &Sections, from: usize) -> Option<(KeywordRow, usize)> {
    let path = view.path(from);
    let mut words: Vec<Spot> = Vec::new();
    let mut block = from;
    while block < view.blocks.len() {
        let text = view.block_text(block);
        if !view.is_body(block)
            || view.path(block) != path
            || text.len() > ITEM
            || sections.is_heading(block)
            || !may_stand(view, sections, block)
        {
            break;
        }
        let first = view.runs(block).first()?;
        if words.len() <= MANY {
            words.push(word(bare(text), block, first.node, first.link));
        }
        block += 1;
    }
    (words.len() >= FEW).then_some((KeywordRow { words, apart: true, signed: false }, block))
}

/// A line of many items. Text in one piece has to have signs of lists in it, or to stand where keywords are expected.
fn line(view: &View<'_>, sections: &Sections, block: usize, expected: bool) -> Option<KeywordRow> {
    let text = view.block_text(block);
    let runs = view.runs(block).len();
    let signed = || text.contains([';', '；', '#', '·', '•', '|', '●', '‧', '∙', '｜', '▪', '■']);
    if text.len() > ROW
        || !view.is_body(block)
        || sections.is_heading(block)
        || !may_stand(view, sections, block)
        || !(expected || runs >= FEW || signed())
    {
        return None;
    }
    line_items(view, block).filter(|row| row.words.len() >= FEW)
}

/// The items of a line that are all short.
fn line_items(view: &View<'_>, block: usize) -> Option<KeywordRow> {
    let text = view.block_text(block);
    if text.len() > ROW || text.is_empty() {
        return None;
    }
    let cut = items::cut_of(text);
    let found = items::split_items(view, block, 0, cut);
    if !found.iter().all(|item| is_short(bare(&item.text))) {
        return None;
    }
    let mut nodes: Vec<u32> = found.iter().map(|item| item.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    // The same element for all of them: they are text.
    let apart = nodes.len() == found.len();
    let signed = matches!(cut, Cut::Bullets | Cut::Tags | Cut::Semicolons);
    let words = found.iter().map(|item| word(bare(&item.text), block, item.node, item.link)).collect();
    Some(KeywordRow { words, apart, signed })
}

fn word(text: &str, block: usize, node: u32, link: u32) -> Spot {
    let links = if link == NONE { Vec::new() } else { vec![link] };
    Spot { text: text.to_owned(), blocks: vec![block as u32], nodes: vec![node], links, confidence: SURE }
}

/// Short items, each once, that are neither names nor places nor facts nor labels.
fn is_plain(row: &KeywordRow) -> bool {
    let words = &row.words;
    let other = |word: &Spot| {
        wording::label(&word.text).is_some()
            || wording::is_home(&word.text)
            || wording::is_small_print(&word.text)
            || wording::shelf_of(&word.text).is_some()
            || places::has_fact(&word.text)
            || places::is_institution(&word.text)
            || is_format(&word.text)
    };
    // Keywords may look like names ("Computer Science"), but not all of them.
    (FEW..=MANY).contains(&words.len())
        && words.iter().all(|word| is_short(&word.text))
        && words.iter().filter(|word| other(word)).count() * 4 < words.len()
        && words.iter().filter(|word| people::is_name(&word.text)).count() < words.len()
}

fn is_short(word: &str) -> bool {
    (2..=ITEM).contains(&word.len())
        && word.split_whitespace().count() <= WORDS
        && word.chars().any(char::is_alphabetic)
}

/// What a work can be had as.
fn is_format(text: &str) -> bool {
    matches!(
        text.to_ascii_lowercase().as_str(),
        "pdf" | "html" | "xml" | "epub" | "bibtex" | "ris" | "endnote" | "print" | "full text" | "download" | "email"
    )
}

/// Where keywords may stand without being announced.
fn may_stand(view: &View<'_>, sections: &Sections, block: usize) -> bool {
    let outside = Hints::OUTSIDE.with(Hints::HEADER).with(Hints::FORM).with(Hints::REFERENCE).with(Hints::AUTHOR);
    let label = sections.label(block);
    let over = sections.over(block).and_then(|over| over.label);
    let other = |label: Option<Label>| {
        matches!(label, Some(Label::Contents | Label::Authors | Label::Affiliation | Label::Blurb | Label::Title))
    };
    !view.blocks[block].within.any(outside) && !sections::is_aside(label) && !other(label) && !other(over)
}

/// An address that is a search, or all of a tag or subject.
fn leads_to_search(view: &View<'_>, link: u32) -> bool {
    let Some(Target::Web(url)) = view.page.links.get(link as usize).map(|link| &link.target) else { return false };
    let path = url.path().to_ascii_lowercase();
    let named = path.split('/').any(|part| {
        matches!(
            part,
            "search"
                | "keyword"
                | "keywords"
                | "tag"
                | "tags"
                | "topic"
                | "topics"
                | "subject"
                | "subjects"
                | "s"
                | "suche"
                | "recherche"
                | "buscar"
                | "busca"
                | "browse"
                | "find"
                | "results"
        )
    });
    let asked = url.query().is_some_and(|query| {
        query.split('&').any(|pair| {
            let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
            matches!(
                name.as_str(),
                "q" | "query"
                    | "s"
                    | "search"
                    | "keyword"
                    | "keywords"
                    | "kw"
                    | "term"
                    | "tag"
                    | "text"
                    | "wd"
                    | "field"
                    | "subject"
                    | "topic"
                    | "value"
                    | "terms"
            )
        })
    });
    named || asked
}

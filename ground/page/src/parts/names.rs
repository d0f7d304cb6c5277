//! The names of people in a line, and the places that stand among them.
//!
//! A line is cut at links, elements and signs; what looks like a name is one, and so is the odd one among links that are names and set alike. What
//! stands around an institution in its line is its address, and no name. Cost: linear in the line.
//!
//! Not guaranteed: a street named after somebody reads as somebody.

use std::borrow::Cow;
use std::collections::HashSet;

use super::hints::Hints;
use super::items::{self, Cut, Item};
use super::outline::{NONE, Run};
use super::phrases::Phrases;
use super::spot::Spot;
use super::view::View;
use super::{people, places};

/// Words that are looked at to tell prose from names.
const PROSE: usize = 40;

/// Mostly names, and more than one or called so.
pub(crate) fn byline(view: &View<'_>, block: usize) -> bool {
    let text = view.block_text(block);
    if text.len() > 3000 || is_prose(text) {
        return false;
    }
    let items = items::split_items(view, block, 0, Cut::Names);
    let names = items.iter().filter(|item| is_named(item)).count();
    names > 0 && names * 3 >= items.len() * 2
}

/// Long, and most of its words begin with a small letter: no line of names is.
pub(crate) fn is_prose(text: &str) -> bool {
    let (mut small, mut all) = (0, 0);
    for word in text.split_ascii_whitespace().take(PROSE) {
        small += usize::from(word.starts_with(char::is_lowercase));
        all += 1;
    }
    all >= PROSE && small * 3 > all * 2
}

/// Looks like a name, perhaps with a place after it; what stands in brackets is something else: "(Miller, 2019)".
fn is_named(item: &Item) -> bool {
    !is_bracketed(item) && Reading::parse(&item.text).is_name
}

fn is_bracketed(item: &Item) -> bool {
    item.text.starts_with(['(', '（', '['])
}

/// An item taken for a person, perhaps with a place.
struct Reading<'a> {
    name: Cow<'a, str>,
    place: Option<&'a str>,
    /// The name looks like one.
    is_name: bool,
}

impl Reading<'_> {
    fn parse(text: &str) -> Reading<'_> {
        let (name, place) = apart_from_place(text);
        let name = people::clean(name);
        let is_name = people::is_name(&name);
        Reading { name, place, is_name }
    }
}

/// The names of a block, institutions beside them, and how many items it has; nothing at all without names where none are expected.
pub(crate) fn names(
    view: &View<'_>,
    block: usize,
    from: usize,
    expected: bool,
) -> (Vec<(String, Item)>, Vec<Spot>, usize) {
    let rest = view.block_text(block).get(from..).unwrap_or_default();
    let cut = if rest.contains([';', '；']) { Cut::Semicolons } else { Cut::Names };
    let mut items = items::split_items(view, block, from, cut);
    before_year(&mut items);
    // "Smith, J., Lee, K.": initials alone belong to what stands before them.
    if cut == Cut::Names {
        items = join_initials(items);
    }
    let read: Vec<Reading<'_>> = items.iter().map(|item| Reading::parse(&item.text)).collect();
    // What follows takes more for names only beside some that look like them.
    if !expected && !read.iter().any(|read| read.is_name) {
        return (Vec::new(), Vec::new(), items.len());
    }
    let line = Line::new(view, block, cut, &items, &read);
    // A line that begins with an institution's or anything else's name, and has one, is an address.
    if !line.named_first && line.linked == 0 && from == 0 && items.iter().any(is_place) {
        return (Vec::new(), Vec::new(), items.len());
    }
    let mut found = Found::default();
    for at in 0..items.len() {
        line.read_item(at, expected, &mut found);
    }
    // A link is one person at most: the title of a work with commas in it is no list of names.
    if let [(_, first), (_, second), ..] = &found.names[..]
        && first.link != NONE
        && first.link == second.link
    {
        found.names.clear();
    }
    (found.names, found.beside, found.count)
}

fn is_place(item: &Item) -> bool {
    places::is_institution(&item.text)
}

/// The items of a block that has names, and how the names among them are set.
struct Line<'a> {
    view: &'a View<'a>,
    block: usize,
    cut: Cut,
    items: &'a [Item],
    read: &'a [Reading<'a>],
    /// Names that are links.
    linked: usize,
    /// The paths of these.
    set_alike: HashSet<u32>,
    /// Most items look like names.
    mostly: bool,
    named_first: bool,
}

/// What was found in a line so far.
#[derive(Default)]
struct Found {
    names: Vec<(String, Item)>,
    beside: Vec<Spot>,
    count: usize,
    /// The element of the last institution.
    institution: Option<u32>,
}

impl<'a> Line<'a> {
    fn new(view: &'a View<'a>, block: usize, cut: Cut, items: &'a [Item], read: &'a [Reading<'a>]) -> Line<'a> {
        let is_sure = |(item, read): &(&Item, &Reading<'_>)| read.is_name && !is_bracketed(item);
        let sure = || items.iter().zip(read).filter(is_sure).map(|(item, _)| item);
        let linked = || sure().filter(|item| item.link != NONE);
        let plain = sure().count();
        Line {
            linked: linked().count(),
            set_alike: linked().map(|item| path(view, item.node)).collect(),
            mostly: plain >= 2 && plain * 3 >= items.len() * 2,
            named_first: items.iter().zip(read).next().is_some_and(|first| is_sure(&first)),
            view,
            block,
            cut,
            items,
            read,
        }
    }

    fn read_item(&self, at: usize, expected: bool, found: &mut Found) {
        let (item, read) = (&self.items[at], &self.read[at]);
        // What calls itself an affiliation is one, whatever it looks like.
        if let Some(node) = self.affiliation(item.node) {
            // Whole: commas and words that mean "and" belong to it.
            if found.beside.last().is_none_or(|last| last.nodes != [node]) {
                self.add_beside(text_inside(self.view, self.block, node), node, found);
            }
            return;
        }
        // "Jane Doe" as a link, and "(University of X)" after it.
        if let (Some(inner), false) = (item.text.strip_prefix(['(', '（']), found.names.is_empty()) {
            let place = inner.trim_end_matches([')', '）', ' ']);
            if place.len() > 6 && places::may_be_institution(place) {
                self.add_beside(place.to_owned(), item.node, found);
            }
            return;
        }
        // With two or more names that are links, what is no link is no name.
        if self.linked >= 2 && item.link == NONE {
            return;
        }
        if let Some(place) = read.place {
            self.add_beside(place.to_owned(), item.node, found);
        }
        let name = &*read.name;
        // "University of X, Rosa Blum Street, Czech Republic": what follows an institution in the same element is its address,
        // unless names and institutions stand in turns: "Ana Smith, University of X, Bo Lee, Institut Y".
        let in_turns = || self.named_first && self.items.get(at + 1).is_some_and(is_place);
        let is_address =
            found.institution == Some(item.node) && item.link == NONE && self.cut == Cut::Names && !in_turns();
        let is_institution = places::is_institution(name);
        if is_institution {
            found.institution = Some(item.node);
        }
        if is_address || places::is_place(name) {
            return;
        }
        if read.is_name || self.is_alike(item, name) || (expected && people::is_single_name(name)) {
            found.names.push((name.to_owned(), item.clone()));
            found.count += 1;
        } else if !is_institution && name.chars().filter(|c| c.is_alphabetic()).count() > 1 && !is_tool(name) {
            found.count += 1;
        }
    }

    /// The element near this one that calls itself an affiliation.
    fn affiliation(&self, node: u32) -> Option<u32> {
        let nodes = &self.view.outline.nodes;
        let hinted = |node: &u32| nodes[*node as usize].hints.any(Hints::AFFILIATION);
        if node == NONE { None } else { self.view.outline.up(node).take(2).find(hinted) }
    }

    fn add_beside(&self, text: String, node: u32, found: &mut Found) {
        found.beside.push(Spot { text, blocks: vec![self.block as u32], nodes: vec![node], ..Spot::default() });
    }

    /// Among links that are names, set alike, the odd one is a name too.
    fn is_alike(&self, item: &Item, name: &str) -> bool {
        let linked = self.linked >= 1 && item.link != NONE && self.set_alike.contains(&path(self.view, item.node));
        (linked || self.mostly && name.contains(' ')) && people::may_be_name(name)
    }
}

fn path(view: &View<'_>, node: u32) -> u32 {
    view.outline.nodes.get(node as usize).map_or(0, |node| node.path)
}

/// "Doe, J. and Roe, R. (1996) Title": what follows the year of a citation is no name.
fn before_year(items: &mut Vec<Item>) {
    let year = |text: &str| {
        let at = text.find('(')?;
        let inner = text[at + 1..].split(')').next()?;
        (inner.len() == 4 && inner.bytes().all(|b| b.is_ascii_digit())).then_some(at)
    };
    let found = items.iter().enumerate().find_map(|(number, item)| Some((number, year(&item.text)?)));
    if let Some((number, at)) = found {
        items[number].text.truncate(at);
        items.truncate(number + 1);
        items.retain(|item| item.text.chars().any(char::is_alphanumeric));
    }
}

fn is_tool(text: &str) -> bool {
    #[rustfmt::skip]
    static TOOLS: Phrases<14> = Phrases::new(&[(1, &[
        "orcid", "view", "show", "search", "e-mail", "email", "author", "envelope", "…", "...", "others", "et al", "contact", "profile",
    ])]);
    text.contains('+') || TOOLS.any(&text.to_lowercase())
}

fn join_initials(items: Vec<Item>) -> Vec<Item> {
    let initials = |text: &str| {
        !text.is_empty()
            && text.len() <= 12
            && text.split(['.', ' ', '-']).all(|part| part.chars().count() <= 1)
            && text.chars().any(|c| c.is_uppercase())
    };
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        match out.last_mut() {
            Some(last) if initials(&item.text) && !last.text.contains(' ') && last.link == item.link => {
                last.text = format!("{} {}", item.text, last.text);
                last.marks.push_str(&item.marks);
            }
            _ => out.push(item),
        }
    }
    out
}

/// The text of a block that stands in an element, raised marks left out.
pub(crate) fn text_inside(view: &View<'_>, block: usize, node: u32) -> String {
    let raised = |run: &Run| view.outline.up(run.node).take(3).any(|node| view.outline.nodes[node as usize].raised);
    let runs = view.runs(block).iter().filter(|run| view.is_inside(run.node, node) && !raised(run));
    runs.map(|run| view.run_text(run)).collect::<String>().trim().to_owned()
}

/// "Jane Doe (University of X)" and "Jane Doe, University of X" are a name and an institution.
fn apart_from_place(text: &str) -> (&str, Option<&str>) {
    if let Some((name, rest)) = text.split_once(['(', '（']) {
        // "Doe, J. (1996) Title": a year is no place.
        let dated = rest.starts_with(|c: char| c.is_ascii_digit());
        let place = rest.trim_end_matches([')', '）', ' ']);
        let closed = place.len() < rest.len();
        if !dated
            && (places::is_institution(place) || closed && people::is_name(&people::clean(name)) && place.len() > 6)
        {
            return (name.trim(), Some(place));
        }
    }
    if text.contains(',')
        && let Some((name, place)) = text.split_once(", ")
        && places::is_institution(place)
        && people::is_name(&people::clean(name))
    {
        return (name, Some(place));
    }
    (text, None)
}

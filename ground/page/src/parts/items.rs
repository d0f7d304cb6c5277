//! A block cut into items: the names of a byline, the keywords of a line.
//!
//! Cut is where a link begins or ends, where a sibling element of the same path begins or one without a space before it, and at the separators of lists, outside of brackets. Text
//! that is raised (`sup`) is no text of the item but its marks. Cost: linear in the block.

use super::hints::Hints;
use super::outline::NONE;
use super::people;
use super::view::View;

/// One of the things a block lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its text, marks left out.
    pub(crate) text: String,
    /// Raised marks after it ("1,2*"), in a row.
    pub(crate) marks: String,
    /// Raised marks before it.
    pub(crate) before: String,
    /// The link it is, or [`NONE`].
    pub(crate) link: u32,
    /// Element in which it begins.
    pub(crate) node: u32,
}

/// Where to cut besides elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// At commas, semicolons and words that mean "and".
    Names,
    /// At commas.
    Words,
    /// At bullets and upright strokes.
    Bullets,
    /// At slashes and dashes with spaces around them.
    Strokes,
    Slashes,
    /// Where a word begins with `#`.
    Tags,
    /// At full stops with a space after them.
    Stops,
    /// At semicolons only.
    Semicolons,
    /// At raised marks only.
    Marks,
}

/// Splits a block into items, from a byte of its text on.
pub(crate) fn split_items(view: &View<'_>, block: usize, from: usize, cut: Cut) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut open = Item { link: NONE, node: NONE, ..Item::default() };
    let nodes = &view.outline.nodes;
    for run in view.runs(block) {
        if (run.to as usize) <= from {
            continue;
        }
        let start = (run.from as usize).max(from);
        let text = view.block_text(block).get(start..run.to as usize).unwrap_or_default();
        let raised = view.outline.up(run.node).take(4).any(|node| nodes[node as usize].raised);
        if raised {
            if open.text.trim().is_empty() {
                // The comma stands before the mark, or the mark before its text.
                match items.last_mut() {
                    Some(last)
                        if cut != Cut::Marks
                            && last.marks.is_empty()
                            && !text.starts_with(' ')
                            && cut == Cut::Names =>
                    {
                        last.marks.push_str(text.trim())
                    }
                    _ => open.before.push_str(text.trim()),
                }
            } else if cut == Cut::Marks {
                close(&mut items, &mut open);
                open.before.push_str(text.trim());
            } else {
                open.marks.push_str(text.trim());
            }
            continue;
        }
        // "Show all authors" hangs on the last name.
        if matches!(cut, Cut::Names | Cut::Semicolons) && open.node != run.node && people::is_page_words(text) {
            continue;
        }
        let sibling = open.node != run.node
            && match (nodes.get(open.node as usize), nodes.get(run.node as usize)) {
                (Some(a), Some(b)) => a.path == b.path,
                _ => false,
            };
        if matches!(cut, Cut::Names | Cut::Semicolons) && is_apart(view, &open, run.node, text) {
            close(&mut items, &mut open);
        }
        if cut != Cut::Marks
            && (open.link != run.link && (run.link != NONE || open.link != NONE) || sibling)
            && (cut != Cut::Semicolons || sibling)
        {
            close(&mut items, &mut open);
        }
        if open.text.trim().is_empty() {
            (open.link, open.node) = (run.link, run.node);
        }
        pieces(text, cut, run.link, run.node, &mut items, &mut open);
    }
    close(&mut items, &mut open);
    items
}

/// Does an element begin that stands beside the one of the open item, with no space between them, or with another thing in it?
fn is_apart(view: &View<'_>, open: &Item, node: u32, text: &str) -> bool {
    if open.node == NONE || node == NONE || view.is_inside(node, open.node) || view.is_inside(open.node, node) {
        return false;
    }
    let is_place = |node: u32| {
        view.outline.up(node).take(2).any(|node| view.outline.nodes[node as usize].hints.any(Hints::AFFILIATION))
    };
    let glued = open.text.ends_with(char::is_alphanumeric) && text.starts_with(char::is_alphanumeric);
    glued || is_place(open.node) != is_place(node)
}

fn pieces(text: &str, cut: Cut, link: u32, node: u32, items: &mut Vec<Item>, open: &mut Item) {
    let mut rest = text;
    let closed = text.rfind([')', '）']).unwrap_or(0);
    while !rest.is_empty() {
        // Nothing is cut within brackets that are closed.
        let (mut inside, before) = (0, text.len() - rest.len());
        let found = rest.char_indices().find_map(|(at, c)| {
            match c {
                '(' | '（' if before + at < closed => inside += 1,
                ')' | '）' if inside > 0 => inside -= 1,
                _ => {}
            }
            if inside > 0 { None } else { separator(&rest[at..], c, cut).map(|length| (at, length)) }
        });
        let Some((at, length)) = found else {
            open.text.push_str(rest);
            return;
        };
        open.text.push_str(&rest[..at]);
        close(items, open);
        (open.link, open.node) = (link, node);
        rest = &rest[at + length..];
    }
}

/// The length of the separator that stands here.
fn separator(rest: &str, c: char, cut: Cut) -> Option<usize> {
    let listed = match cut {
        Cut::Marks => false,
        Cut::Semicolons => matches!(c, ';' | '；' | '؛'),
        Cut::Names => matches!(c, ',' | ';' | '；' | '，' | '、' | '·' | '•' | '|' | '&' | '●' | '‧'),
        Cut::Words => matches!(c, ',' | '，' | '、' | '،' | '\n'),
        Cut::Bullets => BULLETS.contains(&c),
        Cut::Slashes => matches!(c, '/' | '／'),
        Cut::Tags => c == '#',
        Cut::Strokes => false,
        Cut::Stops => c == '.' && rest[1..].starts_with(' '),
    };
    if listed {
        return Some(c.len_utf8());
    }
    const AND: [&str; 9] = [" and ", " und ", " et ", " och ", " og ", " — ", " – ", " / ", " - "];
    let words = match cut {
        Cut::Names => &AND[..],
        Cut::Strokes => &AND[5..],
        _ => return None,
    };
    // The sign or letter after the space tells most words from these.
    let begins = |next: &u8| matches!(next, b'a' | b'u' | b'e' | b'o' | b'/' | b'-' | 0xe2);
    if c != ' ' || !rest.as_bytes().get(1).is_some_and(begins) {
        return None;
    }
    words.iter().find(|word| rest.starts_with(**word)).map(|word| word.len())
}

const BULLETS: [char; 9] = ['·', '•', '|', '●', '‧', '∙', '｜', '▪', '■'];

/// How the words of a line are kept apart: by the sign least likely to stand within one of them.
pub(crate) fn cut_of(text: &str) -> Cut {
    let spaced = |signs: [&str; 4]| signs.iter().map(|sign| text.matches(sign).count()).sum::<usize>();
    if text.contains([';', '；', '؛']) {
        Cut::Semicolons
    } else if text.starts_with('#') {
        Cut::Tags
    } else if text.contains(BULLETS) {
        Cut::Bullets
    } else if text.contains([',', '，', '、', '،']) {
        Cut::Words
    } else if spaced([" / ", " – ", " — ", " - "]) > 0 {
        Cut::Strokes
    } else if text.matches(['/', '／']).count() > 1 {
        Cut::Slashes
    } else if text.trim_end().trim_end_matches('.').contains(". ") {
        Cut::Stops
    } else {
        Cut::Words
    }
}

fn close(items: &mut Vec<Item>, open: &mut Item) {
    let text = open.text.trim();
    if text.chars().any(char::is_alphanumeric) {
        let item = Item {
            text: text.to_owned(),
            marks: std::mem::take(&mut open.marks),
            before: std::mem::take(&mut open.before),
            link: open.link,
            node: open.node,
        };
        items.push(item);
    } else if let (false, Some(last)) = (open.marks.is_empty(), items.last_mut()) {
        last.marks.push_str(&open.marks);
    }
    let before = std::mem::take(&mut open.before);
    *open = Item { link: NONE, node: NONE, before, ..Item::default() };
}

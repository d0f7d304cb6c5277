//! A site as URL prefixes: the shortest list of folders and single pages that gives every page its verdict.
//!
//! ```text
//! verdict(page)  that of its own line, else of the longest listed folder above it, else out
//! body(v, i)     lines needed below folder v if v has the verdict i
//!                = pages in v that are not i + sum over its folders w of lines(w, i)
//! lines(v, i)    lines needed at and below v if i comes down from above
//!                = min(body(v, i), 1 + min over j of body(v, j))
//! ```
//!
//! Folders are those of the path, `https://host/` the topmost; a query belongs to the last segment. The list is exact: it gives
//! back every verdict; and no list of folders and pages that does so is shorter (minimum description length, each line costing
//! one). Among the shortest lists, the one with the fewest single pages is taken, except that no folder is judged by one page
//! that is not its index: a page known of a large host says little about that host. Then the deepest folders, then the more careful
//! verdict (out, undecided, in).
//!
//! Cost: linear in the length of all addresses, and the lines are sorted. An address that is no path of a host (`mailto:`) is a
//! line of its own. Of a URL that is given twice the first holds. Not guaranteed: that a page nobody has seen is judged
//! well by the folder it lies in.

mod apply;
mod as_surt;

use std::collections::{HashMap, HashSet};

pub use apply::{Matcher, apply};
pub use as_surt::{SurtRules, surt_rules};

/// Where a page stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// It belongs to the site.
    In,
    /// It may belong to the site.
    Undecided,
    /// It does not belong to the site.
    Out,
}

impl Standing {
    /// The most careful first.
    const CAREFUL: [Standing; 3] = [Standing::Out, Standing::Undecided, Standing::In];

    /// As it is written: `in`, `undecided`, `out`.
    pub fn name(self) -> &'static str {
        match self {
            Standing::In => "in",
            Standing::Undecided => "undecided",
            Standing::Out => "out",
        }
    }
}

/// A page and what was found about it.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// URL in canonical form.
    pub address: &'a str,
    pub standing: Standing,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
}

/// A line of the list: a folder with all below it, or a single page.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefix {
    /// What URLs begin with, up to and with a slash; of a single page its URL.
    pub text: String,
    /// Is it a single page?
    pub single: bool,
    /// What holds for the pages that no longer line speaks of.
    pub verdict: Standing,
    /// Known pages below it, those of longer lines among them.
    pub pages: u32,
    /// How many of these are in.
    pub inside: u32,
    /// How many of these are undecided.
    pub undecided: u32,
    /// Pages that have their verdict from this line.
    pub decides: u32,
    /// How sure these verdicts are, on average.
    pub confidence: f32,
}

impl Prefix {
    /// How many of the known pages below it are out.
    pub fn outside(&self) -> u32 {
        self.pages.saturating_sub(self.inside).saturating_sub(self.undecided)
    }

    /// The share of the known pages below it that have its verdict.
    pub fn share(&self) -> f64 {
        let same = match self.verdict {
            Standing::In => self.inside,
            Standing::Undecided => self.undecided,
            Standing::Out => self.outside(),
        };
        f64::from(same) / f64::from(self.pages.max(1))
    }
}

/// The list for these pages, in the order of texts, a folder before its index page. What it does not speak of is out.
pub fn list<'a>(pages: impl IntoIterator<Item = Page<'a>>) -> Vec<Prefix> {
    let mut tree = Tree::new();
    for page in pages {
        tree.push(page);
    }
    tree.weigh();
    let mut lines = tree.lines();
    lines.sort_by(|a, b| (&a.text, a.single).cmp(&(&b.text, b.single)));
    lines
}

/// Where the path begins (behind its first slash) and ends; nothing if the URL is no path of a host.
fn path(address: &str) -> Option<(usize, usize)> {
    let host = address.find("://")? + "://".len();
    let slash = host + address[host..].find(['/', '?', '#'])?;
    let end = slash + address[slash..].find(['?', '#']).unwrap_or(address.len() - slash);
    (address.as_bytes()[slash] == b'/').then_some((slash + 1, end))
}

/// Lines count first; what makes a list of as many lines less welcome comes below them.
const LINE: u64 = 1 << 32;

/// A page on a line of its own.
const SINGLE: u64 = 1;

/// A folder that is judged by one page.
const GUESS: u64 = 2;

/// The whole number that stands for a confidence of one; what is no number counts as zero.
const SURE: f64 = (1u64 << 24) as f64;

/// The folders of all pages. A folder's number is greater than that of the folder it lies in; number 0 is nowhere and holds
/// the hosts, and the URLs that have none.
struct Tree<'a> {
    numbers: HashMap<(u32, &'a str), u32>,
    folders: Vec<Folder<'a>>,
    pages: Vec<(u32, Page<'a>)>,
    seen: HashSet<&'a str>,
}

struct Folder<'a> {
    text: &'a str,
    parent: u32,
    /// Pages below it, by standing.
    tally: [u32; 3],
    /// The standing of the page that has the folder's own address.
    index: Option<Standing>,
    /// Costs of all below it, by the verdict it has.
    body: [u64; 3],
}

impl<'a> Folder<'a> {
    fn new(text: &'a str, parent: u32) -> Folder<'a> {
        Folder { text, parent, tally: [0; 3], index: None, body: [0; 3] }
    }

    /// The cheapest line for this folder if `above` comes down; nothing if none is better than going without.
    fn choose(&self, above: Standing) -> (Option<Standing>, u64) {
        let mut best = (None, self.body[above as usize]);
        for verdict in Standing::CAREFUL.into_iter().filter(|&verdict| verdict != above) {
            let known = self.tally[verdict as usize] > 1 || self.index == Some(verdict);
            let cost = self.body[verdict as usize] + LINE + if known { 0 } else { GUESS };
            if cost < best.1 {
                best = (Some(verdict), cost);
            }
        }
        best
    }
}

impl<'a> Tree<'a> {
    fn new() -> Tree<'a> {
        let folders = vec![Folder::new("", 0)];
        Tree { numbers: HashMap::new(), folders, pages: Vec::new(), seen: HashSet::new() }
    }

    fn push(&mut self, page: Page<'a>) {
        let address = page.address;
        if !self.seen.insert(address) {
            return;
        }
        let mut folder = 0;
        if let Some((start, end)) = path(address) {
            folder = self.folder(0, &address[..start], &address[..start]);
            let mut at = start;
            while let Some(slash) = address[at..end].find('/') {
                let next = at + slash + 1;
                folder = self.folder(folder, &address[at..next], &address[..next]);
                at = next;
            }
        }
        self.pages.push((folder, page));
    }

    fn folder(&mut self, parent: u32, name: &'a str, text: &'a str) -> u32 {
        let new = self.folders.len() as u32;
        let number = *self.numbers.entry((parent, name)).or_insert(new);
        if number == new {
            self.folders.push(Folder::new(text, parent));
        }
        number
    }

    /// Works out the costs, from the deepest folders up.
    fn weigh(&mut self) {
        for &(number, page) in &self.pages {
            let folder = &mut self.folders[number as usize];
            folder.tally[page.standing as usize] += 1;
            for verdict in Standing::CAREFUL.into_iter().filter(|&verdict| verdict != page.standing) {
                folder.body[verdict as usize] += LINE + SINGLE;
            }
            if folder.text == page.address {
                folder.index = Some(page.standing);
            }
        }
        for number in (1..self.folders.len()).rev() {
            let (above, below) = self.folders.split_at_mut(number);
            let (folder, parent) = (&below[0], &mut above[below[0].parent as usize]);
            for standing in Standing::CAREFUL {
                parent.tally[standing as usize] += folder.tally[standing as usize];
                parent.body[standing as usize] += folder.choose(standing).1;
            }
        }
    }

    /// Takes the cheapest lines, from the hosts down.
    fn lines(&self) -> Vec<Prefix> {
        let mut lines: Vec<Prefix> = Vec::new();
        // The verdict of each folder, and the line it has it from.
        let mut verdicts: Vec<(Standing, Option<usize>)> = vec![(Standing::Out, None)];
        for folder in &self.folders[1..] {
            let above = verdicts[folder.parent as usize];
            verdicts.push(match folder.choose(above.0).0 {
                None => above,
                Some(verdict) => {
                    lines.push(line(folder.text, false, verdict, folder.tally));
                    (verdict, Some(lines.len() - 1))
                }
            });
        }
        // Sums of whole numbers, so that they do not hang on the order of pages.
        let mut sums = vec![0u64; lines.len()];
        for &(folder, page) in &self.pages {
            let (verdict, from) = verdicts[folder as usize];
            let from = if verdict == page.standing {
                from
            } else {
                let mut tally = [0; 3];
                tally[page.standing as usize] = 1;
                lines.push(line(page.address, true, page.standing, tally));
                sums.push(0);
                Some(lines.len() - 1)
            };
            if let Some(from) = from {
                lines[from].decides += 1;
                sums[from] += (f64::from(page.confidence).clamp(0.0, 1.0) * SURE) as u64;
            }
        }
        for (line, sum) in lines.iter_mut().zip(sums) {
            line.confidence = (sum as f64 / SURE / f64::from(line.decides.max(1))) as f32;
        }
        lines
    }
}

fn line(text: &str, single: bool, verdict: Standing, tally: [u32; 3]) -> Prefix {
    let [inside, undecided, outside] = tally;
    let pages = inside + undecided + outside;
    Prefix { text: text.to_owned(), single, verdict, pages, inside, undecided, decides: 0, confidence: 0.0 }
}

#[cfg(test)]
mod tests;

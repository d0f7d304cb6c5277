//! The report: what a survey came to, as one HTML page to hand to somebody.
//!
//! The page needs nothing else and has no script: it is read, folded, searched and printed with what every browser has.
//! Nothing is loaded, nothing is sent, no text of a stranger becomes markup; the policy of the page forbids what the
//! escaping already prevents. Bars are small pictures in the page, since the policy allows no styles on elements. The
//! same survey gives the same bytes.
//!
//! Lists are cut and say by how much: causes of a kind by [`Findings::keeping`], the map by [`Options::rows`], others at
//! fixed numbers. Cost: linear in what is shown, whatever the size of the survey; memory: one section. Not
//! guaranteed: that words another room wrote in English (reasons, next steps) are in the language of the page; a
//! translation may bring them along.
//!
//! Markup is written by a dozen functions (`pen.rs`) and not by templates: whatever a stranger wrote has to go through them anyway (one
//! line, cut, isolated, a link only if it leads to the web), and a section is written as its rows come, so that one is held at a time.

mod balance;
mod branches;
mod closing;
mod findings;
mod head;
mod pen;
mod phrases;
mod tables;

use std::collections::BTreeMap;
use std::io::{self, Write};

use groma_check::external::ExternalSite;
use groma_check::inventory::Inventory;
use groma_model::{Reason, State};

pub use self::findings::Findings;
pub use self::phrases::ENGLISH;
use self::phrases::Phrases;
use crate::html::Words;
use crate::{Labels, SiteMap};

/// What the report is made of. All texts come from strangers.
#[derive(Clone, Copy, Debug)]
pub struct ReportPage<'a> {
    /// The map; its heading is the heading of the report.
    pub map: &'a SiteMap<'a>,
    /// URLs by reason: the balance.
    pub tally: &'a BTreeMap<Reason, u64>,
    /// Requests made.
    pub fetches: u64,
    /// Bytes received for them.
    pub bytes: u64,
    /// What the checks found.
    pub findings: &'a Findings,
    /// The first pages by rank, as nodes.
    pub first: &'a [u32],
    /// How many pages have a rank.
    pub ranked: u64,
    /// What the pages are: types, sizes, depths.
    pub inventory: &'a Inventory,
    /// Other sites that are linked to, the most important first.
    pub sites: &'a [ExternalSite],
    /// Limits that were met, and how often.
    pub limits: &'a BTreeMap<String, u64>,
    /// What the crawl noticed: traps, rules it learned.
    pub remarks: &'a [String],
    /// The files beside the page, if it is the first page of a folder.
    pub files: &'a [ReportFile],
}

/// A file beside the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Its name: letters, digits, `-` and `.`.
    pub name: String,
    /// In bytes.
    pub bytes: u64,
}

impl ReportPage<'_> {
    fn state(&self, state: State) -> u64 {
        let of_state = self.tally.iter().filter(|(reason, _)| reason.state() == state);
        of_state.fold(0, |sum, (_, n)| sum.saturating_add(*n))
    }
}

/// How the report is written.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Pages of the map that are shown; the others are counted where they are.
    pub rows: u32,
    /// The words people see ([`ENGLISH`] has all the keys).
    pub words: Words<'a>,
}

impl Default for Options<'static> {
    fn default() -> Self {
        Options { rows: 200, words: ENGLISH }
    }
}

const STYLE: &str = concat!(include_str!("../../assets/colors.css"), include_str!("../../assets/report/report.css"));

/// Writes the report in English.
pub fn render(page: &ReportPage<'_>, labels: &mut dyn Labels, out: &mut dyn Write) -> io::Result<()> {
    render_with(&Options::default(), page, labels, out)
}

/// Writes the report as one HTML page.
pub fn render_with(
    options: &Options<'_>,
    page: &ReportPage<'_>,
    labels: &mut dyn Labels,
    out: &mut dyn Write,
) -> io::Result<()> {
    let phrases = &Phrases::new(&options.words);
    let mut to = String::new();
    head::document(&mut to, page, phrases, STYLE);
    head::header(&mut to, page, phrases);
    head::contents(&mut to, &sections(page), phrases);
    to.push_str("<main>\n");
    head::figures(&mut to, page, phrases);
    balance::section(&mut to, page, phrases);
    findings::overview(&mut to, page, phrases);
    flush(&mut to, out)?;
    for causes in &page.findings.kinds {
        findings::of_kind(&mut to, causes, page, phrases);
        flush(&mut to, out)?;
    }
    to.push_str("</section>\n");
    flush(&mut to, out)?;
    tables::first(page, labels, phrases, out)?;
    tables::inventory(&mut to, page, phrases);
    tables::sites(&mut to, page, phrases);
    flush(&mut to, out)?;
    branches::section(page, options.rows, labels, phrases, out)?;
    if !page.limits.is_empty() {
        closing::limits(&mut to, page, phrases);
    }
    if !page.remarks.is_empty() {
        closing::remarks(&mut to, page, phrases);
    }
    if !page.files.is_empty() {
        closing::files(&mut to, page, phrases);
    }
    closing::reading(&mut to, phrases);
    to.push_str("</main>\n</body>\n</html>\n");
    flush(&mut to, out)
}

fn flush(to: &mut String, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(to.as_bytes())?;
    to.clear();
    Ok(())
}

/// The sections that are there, in their order.
fn sections(page: &ReportPage<'_>) -> Vec<&'static str> {
    let mut sections = vec!["figures", "balance", "findings", "first", "inventory", "sites", "map"];
    let optional =
        [("limits", page.limits.is_empty()), ("remarks", page.remarks.is_empty()), ("files", page.files.is_empty())];
    sections.extend(optional.into_iter().filter(|(_, empty)| !empty).map(|(section, _)| section));
    sections.push("reading");
    sections
}

/// The name of a file of the report, if it is there.
fn file<'a>(page: &ReportPage<'a>, name: &str) -> Option<&'a str> {
    page.files.iter().map(|file| file.name.as_str()).find(|file| *file == name)
}

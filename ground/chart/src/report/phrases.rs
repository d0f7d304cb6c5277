//! All words a reader of the report sees, in one table, so that another language can be put in its place.
//!
//! Rules as in the table of the HTML map: a key that a translation lacks is taken from English, `{n}` and the like are
//! filled in, the key with `.one` is used where a number asks for a singular. Besides the keys of [`ENGLISH`] a
//! translation may have `kind.*`, `next.*` and `reason.*` with the names of [`Kind`] and [`Reason`].

use groma_check::{Kind, Severity};
use groma_model::wording::grouped;
use groma_model::{Reason, State};

use crate::html::Words;

/// The words of English, and all the keys there are.
pub const ENGLISH: Words<'static> = Words {
    language: "en",
    table: &[
        ("report", "Report on {site}"),
        ("surveyed", "surveyed {date}"),
        ("written", "written {date} by {generator}"),
        ("contents", "Contents"),
        ("notes", "Please note"),
        ("figures", "At a glance"),
        ("figure.pages", "pages read"),
        ("figure.pages.one", "page read"),
        ("figure.links", "links on them"),
        ("figure.links.one", "link on them"),
        ("figure.depth", "clicks to the deepest page"),
        ("figure.depth.one", "click to the deepest page"),
        ("figure.bytes", "received in {n} requests"),
        ("figure.bytes.one", "received in 1 request"),
        ("figure.sites", "other sites linked to"),
        ("figure.sites.one", "other site linked to"),
        ("figure.error", "errors"),
        ("figure.error.one", "error"),
        ("figure.warning", "warnings"),
        ("figure.warning.one", "warning"),
        ("figure.note", "notes"),
        ("figure.note.one", "note"),
        ("balance", "Every URL, and what became of it"),
        ("balance.all", "{n} URLs were discovered, and each is in exactly one of these states:"),
        ("balance.all.one", "1 URL was discovered, and it is in exactly one of these states:"),
        ("balance.aliases", "Besides, {n} other names of these pages are known: redirects and other spellings."),
        ("balance.aliases.one", "Besides, 1 other name of these pages is known: a redirect or another spelling."),
        ("state.fetched", "read, with their links"),
        ("state.skipped", "known, but not fetched or not shown to us"),
        ("state.excluded", "left out by a rule or by the settings"),
        ("state.broken", "malformed, gone, or unreachable"),
        ("state.queued", "waiting to be fetched"),
        ("column.state", "State"),
        ("column.reason", "Reason"),
        ("column.addresses", "URLs"),
        ("column.kind", "Finding"),
        ("column.severity", "Severity"),
        ("column.count", "Count"),
        ("column.page", "Page"),
        ("column.rank", "Rank"),
        ("column.in", "Pages linking to it"),
        ("column.type", "Type"),
        ("column.pages", "Pages"),
        ("column.share", "Share"),
        ("column.together", "Together"),
        ("column.largest", "Largest"),
        ("column.size", "Size"),
        ("column.layer", "Depth"),
        ("column.time", "Time"),
        ("column.site", "Site"),
        ("column.links", "Links"),
        ("column.embedded", "Embedded"),
        ("column.example", "For example"),
        ("column.limit", "Limit"),
        ("column.times", "Times"),
        ("column.file", "File"),
        ("column.holds", "What it holds"),
        ("findings", "Findings"),
        ("findings.none", "Nothing was found in {n} pages."),
        ("findings.none.one", "Nothing was found in 1 page."),
        ("findings.some", "{n} findings, the worst first."),
        ("findings.some.one", "1 finding."),
        ("next", "What to do: {next}."),
        ("since", "since {date}"),
        ("place", "{link} in {block}"),
        ("more.check", "and {n} more: `groma check -f csv` lists them one by one"),
        ("more.findings", "and {n} more: see"),
        ("pages", "{n} pages"),
        ("pages.one", "1 page"),
        ("example", "for example"),
        ("and", "and"),
        ("on", "on"),
        ("elsewhere", "Elsewhere in"),
        ("server", "The server"),
        ("same", "The same as"),
        ("severity.error", "error"),
        ("severity.warning", "warning"),
        ("severity.note", "note"),
        ("orphans", "About pages that no page links to"),
        ("first", "First pages by rank"),
        (
            "first.says",
            "Rank is PageRank over the links of the survey: pages that many well-linked pages link to come first.",
        ),
        ("more.rank", "and {n} more: `groma rank` lists them"),
        ("more.ranks", "and {n} more: see"),
        ("inventory", "What is there"),
        ("types", "By type"),
        ("more.types", "and {n} more types"),
        ("more.types.one", "and 1 more type"),
        ("sizes", "By size"),
        ("size.below", "below {size}"),
        ("size.between", "{from} to {size}"),
        ("size.above", "{size} and more"),
        ("depths", "By distance from the start page"),
        ("more.depths", "{n} more depths"),
        ("more.depths.one", "1 more depth"),
        ("loose", "not reached by links"),
        ("largest", "Largest"),
        ("slowest", "Slowest"),
        ("sites", "Other sites it links to"),
        (
            "sites.says",
            "{n} links lead to other sites, told apart by registrable domain. Embedded are images, scripts, styles and frames.",
        ),
        (
            "sites.says.one",
            "1 link leads to another site, told apart by registrable domain. Embedded are images, scripts, styles and frames.",
        ),
        ("sites.none", "No links lead to other sites."),
        ("more.sites", "and {n} more sites: `groma links --external` lists them"),
        ("more.sites.one", "and 1 more site: `groma links --external` lists it"),
        ("more.external", "and {n} more sites: see"),
        ("more.external.one", "and 1 more site: see"),
        ("map", "Map"),
        (
            "map.says",
            "Each page stands below the page that links to it and ranks highest among those one click nearer to the start. Numbers count the pages at and below.",
        ),
        ("map.whole", "The whole map, to be folded and searched:"),
        ("map.empty", "There is nothing on this map."),
        ("map.more", "and {n} more pages"),
        ("map.more.one", "and 1 more page"),
        (
            "map.unreached",
            "{n} pages of the survey cannot be reached from the start page by links and are not on the map.",
        ),
        (
            "map.unreached.one",
            "1 page of the survey cannot be reached from the start page by links and is not on the map.",
        ),
        ("untitled", "no title"),
        ("unfetched", "not fetched"),
        ("limits", "Limits that were met"),
        (
            "limits.says",
            "Where a limit was met, something was left out. The crawl can be repeated with a higher one: -s limits.NAME=N.",
        ),
        ("remarks", "What the crawl noticed"),
        ("more.remarks", "and {n} more: `groma status -f json` has them all"),
        ("files", "Files of this report"),
        ("file.map.html", "the map for any browser: tree, areas, search"),
        ("file.map.svg", "the map as a picture"),
        ("file.map.pdf", "the map to print"),
        ("file.map.xml", "the map for programs"),
        ("file.site-map.xsd", "the schema of map.xml"),
        ("file.site-map-xhtml.xsl", "turns map.xml into XHTML"),
        ("file.site-map-fo.xsl", "turns map.xml into XSL-FO, and so into PDF"),
        ("file.sitemap.xml", "a sitemap for search engines"),
        ("file.findings.csv", "all findings, for spreadsheets"),
        ("file.findings.jsonl", "all findings, for programs; a later check can take it as --baseline"),
        ("file.pages.csv", "every URL with its state and reason"),
        ("file.links-external.csv", "every link to another site"),
        ("file.ranks.csv", "all pages by rank"),
        ("reading", "How to read this"),
        (
            "reading.indexed",
            "Fetched is a page that was fetched and read; skipped is one that is known, but was not fetched, for the reason given; broken is one that is gone, unreachable, or whose URL is malformed.",
        ),
        (
            "reading.unknown",
            "A page that asked us to wait, to log in or to keep out is skipped, not broken: nothing is known of it.",
        ),
        ("reading.severity", "Visitors run into errors; somebody should look at warnings; notes are worth knowing."),
        ("reading.since", "The date at a finding is when this survey first saw it so, not when it broke."),
        ("reading.scripts", "Pages were read as the server sends them. What scripts make in the browser is not seen."),
        (
            "reading.moment",
            "This is how the site was when it was surveyed. Nothing in this file is loaded from anywhere.",
        ),
    ],
};

/// Says what is shown for a key: in the language asked for, or else in English.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phrases<'a> {
    words: &'a Words<'a>,
}

impl<'a> Phrases<'a> {
    pub(crate) fn new(words: &'a Words<'a>) -> Phrases<'a> {
        Phrases { words }
    }

    pub(crate) fn language(&self) -> &'a str {
        self.words.language
    }

    fn find(&self, key: &str) -> Option<&'a str> {
        let tables = [self.words.table, ENGLISH.table];
        tables.into_iter().find_map(|table| table.iter().find(|(name, _)| *name == key).map(|(_, words)| *words))
    }

    /// What is shown for a key.
    pub(crate) fn say(&self, key: &str) -> &'a str {
        self.find(key).unwrap_or_default()
    }

    /// What is shown for a key and a number, which is filled in for `{n}`.
    pub(crate) fn count(&self, key: &str, number: u64) -> String {
        let single = self.find(&format!("{key}.one")).filter(|_| number == 1);
        single.unwrap_or_else(|| self.say(key)).replace("{n}", &grouped(number))
    }

    /// What such findings are.
    pub(crate) fn kind(&self, kind: Kind) -> String {
        let words = self.find(&format!("kind.{}", kind.name())).unwrap_or_else(|| kind.says());
        let mut letters = words.chars();
        // It stands as a heading.
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    /// What to do about them.
    pub(crate) fn next(&self, kind: Kind) -> &'a str {
        self.find(&format!("next.{}", kind.name())).unwrap_or_else(|| kind.next_step())
    }

    /// How bad they are.
    pub(crate) fn severity(&self, severity: Severity) -> &'a str {
        self.say(&format!("severity.{}", severity.name()))
    }

    /// Why a URL is in its state.
    pub(crate) fn reason(&self, reason: Reason) -> &'a str {
        self.find(&format!("reason.{}", reason.name())).unwrap_or_else(|| reason.says())
    }

    /// What a state means.
    pub(crate) fn state(&self, state: State) -> &'a str {
        self.say(&format!("state.{}", state.name()))
    }

    /// What a file holds; the parts of a sitemap hold what the first one does.
    pub(crate) fn file(&self, name: &str) -> &'a str {
        let own = self.find(&format!("file.{name}"));
        own.or_else(|| self.find("file.sitemap.xml").filter(|_| name.starts_with("sitemap"))).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources that speak.
    const SOURCES: [&str; 7] = [
        include_str!("mod.rs"),
        include_str!("head.rs"),
        include_str!("balance.rs"),
        include_str!("findings.rs"),
        include_str!("tables.rs"),
        include_str!("branches.rs"),
        include_str!("closing.rs"),
    ];

    #[test]
    fn every_key_that_is_asked_for_is_in_the_table_and_every_one_is_used() {
        let phrases = Phrases::new(&ENGLISH);
        let asked = |mark: &'static str| {
            let after = SOURCES.iter().flat_map(move |source| source.split(mark).skip(1));
            after.filter_map(|rest| rest.split('"').next())
        };
        let keys: Vec<&str> = ["say(\"", "count(\"", "heading(to, phrases, \"", "more(to, phrases, \""]
            .into_iter()
            .flat_map(asked)
            .collect();
        assert!(keys.len() > 40, "{}", keys.len());
        for key in keys {
            assert!(!phrases.say(key).is_empty(), "{key} has no words");
        }
        let all: String = SOURCES.concat();
        for (key, words) in ENGLISH.table {
            let stem = key.strip_suffix(".one").unwrap_or(key);
            let family = stem.split('.').next().unwrap_or(stem);
            let by_name = ["state", "severity", "file", "column", "figure", "reading"].contains(&family);
            assert!(by_name || all.contains(&format!("\"{stem}\"")), "{key} is never said");
            assert!(!words.is_empty());
        }
    }

    #[test]
    fn every_state_and_severity_has_words() {
        let phrases = Phrases::new(&ENGLISH);
        for state in State::ALL.into_iter().filter(|state| *state != State::Alias) {
            assert!(!phrases.state(state).is_empty(), "{state}");
        }
        for severity in Severity::ALL {
            assert!(!phrases.severity(severity).is_empty());
            assert!(!phrases.say(&format!("figure.{severity}")).is_empty());
        }
    }

    #[test]
    fn a_translation_is_used_and_english_fills_its_gaps() {
        let table = [("findings", "Befunde"), ("kind.orphan", "Seiten ohne Links"), ("reason.robots", "robots.txt")];
        let german = Words { language: "de", table: &table };
        let phrases = Phrases::new(&german);
        assert_eq!([phrases.say("findings"), phrases.say("map")], ["Befunde", "Map"]);
        assert_eq!(phrases.kind(Kind::Orphan), "Seiten ohne Links");
        assert!(phrases.kind(Kind::Cut).starts_with("Pages that were not read"));
        assert_eq!(phrases.reason(Reason::Robots), "robots.txt");
        assert_eq!(phrases.count("findings.some", 1_200), "1,200 findings, the worst first.");
    }
}

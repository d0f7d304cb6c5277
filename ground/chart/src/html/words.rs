//! All words a reader of the page sees, in one table, so that another language can be put in its place.
//!
//! The script of the page is given the same table; a key that a translation lacks is taken from English. `{n}` and the
//! like are filled in. Where a number asks for a singular, the key with `.one` is used if there is one.

use groma_model::Reason;
use groma_model::escape::Json;

use crate::{Field, Sort};

/// The words of a language.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The language, as in the `lang` attribute of HTML; numbers are grouped by its custom.
    pub language: &'a str,
    /// Keys (those of [`ENGLISH`]) and what is shown for them.
    pub table: &'a [(&'a str, &'a str)],
}

/// The words of English, and all the keys there are. Besides them a translation may have `says.*`, `sort.*` and
/// `reason.*` with the names of [`Field`], [`Sort`] and [`Reason`].
pub const ENGLISH: Words<'static> = Words {
    language: "en",
    table: &[
        ("map", "Map of {site}"),
        ("pages", "{n} pages"),
        ("pages.one", "1 page"),
        ("depth", "depth {n}"),
        ("surveyed", "surveyed {date}"),
        ("drawn", "drawn {date} by {generator}"),
        ("unreached", "{n} pages of the survey cannot be reached from here by links and are not on this map."),
        ("unreached.one", "1 page of the survey cannot be reached from here by links and is not on this map."),
        ("partial", "The map is too large to show every page: it shows {n} of {all}, and says where the others are."),
        ("shallow", "Shown to depth {n}; what is below is counted."),
        (
            "plain",
            "This is the plain list. With JavaScript this file is a map to be folded, searched and drawn as areas.",
        ),
        ("order", "After each title: {fields}."),
        ("more", "… {n} more pages in {branches} branches"),
        ("more.one", "… 1 more page"),
        ("search", "Search titles and URLs"),
        ("found", "{n} pages found"),
        ("found.one", "1 page found"),
        ("found.none", "No page has all these words in its title or URL."),
        ("tree", "Tree"),
        ("areas", "Areas"),
        ("view", "View"),
        ("expand", "Expand all"),
        ("collapse", "Collapse all"),
        ("page", "Page"),
        ("untitled", "no title"),
        ("unfetched", "not fetched"),
        ("unknown", "not shown to us"),
        ("details", "About this page"),
        ("close", "Close"),
        ("open", "Open page"),
        ("show.tree", "Show in tree"),
        ("show.areas", "Show as area"),
        ("way", "Way from the root"),
        ("links.to", "What it links to"),
        ("files", "{n} files"),
        ("files.one", "1 file"),
        ("size.unknown", "size not known"),
        ("share", "{percent} of the pages below {parent}"),
        ("area", "Area"),
        ("area.pages", "pages"),
        ("area.bytes", "bytes"),
        ("color", "Color"),
        ("color.sort", "type"),
        ("color.depth", "depth"),
        ("color.broken", "broken links"),
        ("broken.0", "none"),
        ("broken.1", "below 1 in 10 pages"),
        ("broken.2", "below 1 a page"),
        ("broken.3", "1 a page or more"),
        ("itself", "this page itself"),
        ("nothing", "Nothing here has a known size."),
        ("bars", "The pages bar is the share of the parent; the rank bar is logarithmic."),
        ("keys", "Arrow keys move, → opens and ← closes a branch, Enter opens the page, * opens its siblings."),
        ("keys.more", "/ searches, Esc leaves. Values for which there is no column stand at the side."),
        ("keys.name", "Keys"),
        ("field.title", "Title"),
        ("field.url", "URL"),
        ("field.rank", "Rank"),
        ("field.depth", "Depth"),
        ("field.pages", "Pages"),
        ("field.state", "State"),
        ("field.reason", "Reason"),
        ("field.status", "Status"),
        ("field.type", "Type"),
        ("field.size", "Size"),
        ("field.language", "Language"),
        ("field.words", "Words"),
        ("field.modified", "Modified"),
        ("field.changed", "Changed"),
        ("field.fetched", "Fetched"),
        ("field.in", "In"),
        ("field.out", "Out"),
        ("field.broken", "Broken"),
        ("field.cluster", "Cluster"),
        ("field.database", "Database"),
        ("field.parts", "Links to"),
    ],
};

impl Words<'_> {
    /// What is shown for a key.
    pub(crate) fn get<'b>(&'b self, key: &'b str) -> &'b str {
        let find =
            |table: &'b [(&'b str, &'b str)]| table.iter().find(|(name, _)| *name == key).map(|(_, words)| *words);
        find(self.table).or_else(|| find(ENGLISH.table)).unwrap_or(key)
    }

    /// What is shown for a key and a number, which is filled in for `{n}`.
    pub(crate) fn count(&self, key: &str, number: u64) -> String {
        let single = format!("{key}.one");
        let words = if number == 1 && self.get(&single) != single { self.get(&single) } else { self.get(key) };
        words.replace("{n}", &groma_model::wording::grouped(number))
    }

    /// Appends the table as an object of JavaScript, fit to stand in a `script` element.
    pub(crate) fn push_object(&self, to: &mut String) {
        to.push('{');
        for (key, _) in ENGLISH.table {
            push_pair(to, key, self.get(key));
        }
        let own = |prefix: &str, name: &str, words: &'static str| {
            let key = format!("{prefix}.{name}");
            let found =
                self.table.iter().find(|(other, _)| *other == key).map_or(words, |(_, words)| *words).to_owned();
            (key, found)
        };
        let fields = Field::ALL.iter().map(|field| own("says", field.name(), field.says()));
        let sorts = Sort::ALL.iter().map(|sort| own("sort", sort.name(), sort.name()));
        let reasons = Reason::ALL.iter().map(|reason| own("reason", reason.name(), reason.says()));
        for (key, words) in fields.chain(sorts).chain(reasons) {
            push_pair(to, &key, &words);
        }
        to.push('}');
    }
}

fn push_pair(to: &mut String, key: &str, words: &str) {
    // A string of JSON is one of JavaScript, and can end neither itself nor the script element around it.
    to.push_str(&format!("{}:{},", Json(key), Json(words)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translation_is_used_and_english_fills_its_gaps() {
        let table = [("tree", "Baum"), ("sort.image", "Bild"), ("pages", "{n} Seiten")];
        let german = Words { language: "de", table: &table };
        assert_eq!([german.get("tree"), german.get("areas"), german.get("?")], ["Baum", "Areas", "?"]);
        assert_eq!(german.count("pages", 1_234), "1,234 Seiten");
        let mut object = String::new();
        german.push_object(&mut object);
        assert!(object.contains(r#""tree":"Baum","#) && object.contains(r#""sort.image":"Bild","#), "{object}");
        assert!(object.contains(r#""reason.robots":"robots.txt asks us not to fetch it","#));
    }

    #[test]
    fn words_cannot_leave_the_script() {
        let mut object = String::new();
        push_pair(&mut object, "a", "</script>\"\\\n");
        assert_eq!(object, r#""a":"\u003c/script>\"\\\n","#);
    }

    #[test]
    fn every_field_has_a_heading() {
        for field in Field::ALL {
            let key = format!("field.{}", field.name());
            assert_ne!(ENGLISH.get(&key), key);
        }
    }
}

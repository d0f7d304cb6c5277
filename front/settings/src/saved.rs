//! What a survey was begun with, kept in its store, so that it can be gone on with by a bare command.
//!
//! Never kept: passwords and header fields (a store is copied and sent around). Their keys are, so that somebody can be asked
//! for them again.

use std::collections::HashSet;

use groma_archive::Compression;
use groma_model::url::Rule;
use groma_store::Snapshot;
use serde::{Deserialize, Serialize};

use crate::table::NOT_KEPT;
use crate::value::Kind;
use crate::{Book, Entry, Fault, Given, Origin, Raw};

/// The key under which it is kept.
pub const KEY: &str = "settings";

/// The settings of the archive.
const ARCHIVE: [&str; 3] = ["warc", "warc_compression", "warc_level"];

/// What a survey was begun with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    /// The start pages.
    pub seeds: Vec<String>,
    /// Start pages of long lists besides: how many, and in how many pieces the store has them.
    pub listed: u64,
    /// See `listed`.
    pub pieces: u32,
    /// A list was being put into the store, and is not whole there.
    pub half_listed: bool,
    /// The user said that these sites are theirs.
    pub owned: bool,
    /// They were named by somebody who may not reach into private networks (over the web interface).
    pub guarded: bool,
    /// Settings that are not the default.
    pub settings: Vec<SavedSetting>,
    /// The written rules.
    pub rules: Vec<Rule>,
    /// Settings that were used but are secret.
    pub not_kept: Vec<String>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSetting {
    key: String,
    value: serde_json::Value,
    /// It was typed, not read from a file or the environment.
    typed: bool,
}

impl Saved {
    /// What is worth keeping of a book.
    pub fn from_book(book: &Book, seeds: &[groma_url::Url], owned: bool) -> Saved {
        let mut saved = Saved {
            seeds: seeds.iter().map(|url| url.to_string()).collect(),
            owned,
            rules: book.rules.iter().map(|(rule, _)| rule.clone()).collect(),
            ..Saved::default()
        };
        // Who is told is said by files and the environment of whoever tells, never by a survey: surveys are sent around.
        let kept = |entry: &&Entry| entry.origin != Origin::Default && !entry.row.key.starts_with("notice.");
        for entry in book.entries.iter().filter(kept) {
            let key = entry.row.key.clone();
            if entry.row.kind.masked(&entry.value) != entry.value
                || matches!(entry.row.kind, Kind::Login | Kind::Secrets)
                || NOT_KEPT.contains(&key.as_str())
            {
                saved.not_kept.push(key);
                continue;
            }
            let typed = matches!(entry.origin, Origin::CommandLine(_) | Origin::SavedTyped);
            saved.settings.push(SavedSetting { key, value: entry.value.json(), typed });
        }
        let personal = [("login", book.personal.login.is_some()), ("header", !book.personal.headers.is_empty())];
        saved.not_kept.extend(personal.into_iter().filter(|(_, used)| *used).map(|(key, _)| key.to_owned()));
        saved
    }

    /// A survey grows by start pages it did not have: those from before stay. Gives the new ones.
    pub fn join(&mut self, before: &Saved) -> Vec<String> {
        let had: HashSet<&str> = before.seeds.iter().map(String::as_str).collect();
        let all = self.seeds.len();
        let new: Vec<String> = self.seeds.drain(..).filter(|seed| !had.contains(seed.as_str())).collect();
        // Whose site this one is says nothing about the others.
        self.owned &= before.owned || all - new.len() >= before.seeds.len();
        self.guarded |= before.guarded;
        (self.listed, self.pieces, self.half_listed) = (before.listed, before.pieces, before.half_listed);
        self.seeds = [before.seeds.as_slice(), &new].concat();
        new
    }

    /// As a store keeps it; nothing if it keeps none, or none that can be read.
    pub fn load(store: &mut dyn Snapshot) -> Result<Option<Saved>, Fault> {
        Ok(store.value(KEY)?.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Without what says how far one run goes, which is the limit of pages and the search for a border (`scope = auto`, also left by
    /// `groma bounds --online`): that says nothing about the next run that is asked for by its start pages.
    pub fn for_another_run(&self) -> Saved {
        let of_one_run = |setting: &SavedSetting| match setting.key.as_str() {
            "limit" => true,
            "scope" => setting.value == "auto",
            _ => false,
        };
        let mut saved = self.clone();
        saved.settings.retain(|setting| !of_one_run(setting));
        saved
    }

    /// A setting that is a text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|setting| setting.key == key)?.value.as_str()
    }

    /// Of a survey of which nothing is known yet but that it is archived.
    pub fn archived_in(dir: &std::path::Path, compression: Compression) -> Saved {
        let (name, level) = match compression {
            Compression::Gzip(level) => ("gzip", i64::from(level)),
            Compression::Zstd(level) => ("zstd", i64::from(level)),
        };
        let values = [dir.display().to_string().into(), name.into(), level.into()];
        let setting =
            |(key, value): (&str, serde_json::Value)| SavedSetting { key: key.to_owned(), value, typed: true };
        Saved { settings: ARCHIVE.into_iter().zip(values).map(setting).collect(), ..Saved::default() }
    }

    /// Where and how the survey is archived. A survey that was archived once goes on being archived, whatever else is typed.
    pub fn archive(&self) -> Vec<Given> {
        self.given().into_iter().filter(|given| ARCHIVE.contains(&given.key.as_str())).collect()
    }

    /// The settings as given. What this program no longer knows is passed over.
    pub fn given(&self) -> Vec<Given> {
        let known = self.settings.iter().filter(|setting| crate::table::row(&setting.key).is_some());
        let given = known.map(|setting| {
            let origin = if setting.typed { Origin::SavedTyped } else { Origin::Saved };
            Given { key: setting.key.clone(), raw: raw(&setting.value), origin }
        });
        given.collect()
    }
}

fn raw(value: &serde_json::Value) -> Raw {
    match value {
        serde_json::Value::Array(items) => {
            Raw::Many(items.iter().filter_map(|i| i.as_str().map(str::to_owned)).collect())
        }
        serde_json::Value::String(text) => Raw::One(text.clone()),
        // Empty is nothing for every kind that takes nothing; `none` would be a name for some.
        serde_json::Value::Null => Raw::One(String::new()),
        other => Raw::One(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn start_pages_add_up_and_a_claim_to_one_is_none_to_another() {
        let saved = |seeds: &[&str], owned| Saved {
            seeds: seeds.iter().map(|seed| (*seed).to_owned()).collect(),
            owned,
            ..Saved::default()
        };
        for (before, now, new, owned) in [
            (saved(&[], false), saved(&["a", "b"], true), &["a", "b"][..], true),
            (saved(&["a"], false), saved(&["a"], true), &[], true),
            (saved(&["a"], false), saved(&["b"], true), &["b"], false),
            (saved(&["a", "b"], false), saved(&["b"], true), &[], false),
            (saved(&["a"], true), saved(&["b"], true), &["b"], true),
            (saved(&["a"], true), saved(&["b"], false), &["b"], false),
        ] {
            let mut both = now.clone();
            assert_eq!(both.join(&before), new, "{before:?} {now:?}");
            assert_eq!(both.owned, owned, "{before:?} {now:?}");
            assert!(before.seeds.iter().chain(&now.seeds).all(|seed| both.seeds.contains(seed)));
        }
    }

    #[test]
    fn an_archive_is_remembered_until_somebody_says_otherwise() {
        let book = |typed: &[(&str, &str)], file: &str, saved: Option<&Saved>| {
            let typed: Vec<Given> = typed.iter().map(|(key, value)| Given::flag(key, "-s", *value)).collect();
            let file = crate::file::parse(file, "f").unwrap();
            let mut book = Book::assemble(&typed, &[], file, None).unwrap();
            saved.map(|saved| book.remember_archive(saved).unwrap());
            (book.entry("warc").value.clone(), book.entry("warc_compression").value.clone(), book)
        };
        let text = |text: &str| Value::Text(text.to_owned());
        let (_, _, first) = book(&[("warc", "w"), ("warc_compression", "zstd"), ("depth", "3")], "", None);
        let saved = Saved::from_book(&first, &[], false);
        let (warc, compression, again) = book(&[], "", Some(&saved));
        assert_eq!((warc, compression), (text("w"), text("zstd")));
        assert_eq!(again.entry("depth").value, Value::Nothing, "nothing else is remembered by this");
        assert_eq!(book(&[("warc", "x")], "", Some(&saved)).0, text("x"));
        assert_eq!(book(&[], "warc = 'y'", Some(&saved)).0, text("w"), "what was typed outranks the file");
        let (warc, _, stopped) = book(&[("warc", "")], "", Some(&saved));
        assert_eq!(warc, Value::Nothing);
        let saved = Saved::from_book(&stopped, &[], false);
        assert_eq!(book(&[], "warc = 'y'", Some(&saved)).0, Value::Nothing, "--no-warc is remembered too");
        assert_eq!(book(&[("warc", "z")], "", Some(&saved)).0, text("z"));
    }

    #[test]
    fn what_was_saved_comes_back_without_secrets() {
        let typed = [
            Given::flag("scope", "--scope", "domain"),
            Given::flag("delay", "--delay", "0.25"),
            Given::flag("user", "-u", "me:secret"),
            Given::flag("headers", "-H", "X-Key: secret"),
            Given::flag("proxy", "-x", "http://me:secret@proxy:80"),
        ];
        let book =
            Book::assemble(&typed, &[], crate::file::parse("exclude = ['/a', '/b']", "f").unwrap(), None).unwrap();
        let saved = Saved::from_book(&book, &[groma_url::Url::parse("http://a.example/").unwrap()], true);
        let text = serde_json::to_string(&saved).unwrap();
        assert!(!text.contains("secret"), "{text}");
        assert_eq!(saved.not_kept, ["headers", "user", "proxy"]);
        let back: Saved = serde_json::from_str(&text).unwrap();
        assert_eq!(back, saved);
        let again =
            Book::assemble(&[], &[], crate::file::parse("scope = 'any'\nexclude = '/c'", "f").unwrap(), Some(&back))
                .unwrap();
        assert_eq!(again.entry("scope").value, Value::Text("domain".into()), "what was typed outranks the file");
        assert_eq!(again.entry("delay").value, Value::Millis(250));
        assert_eq!(again.entry("exclude").value, Value::List(vec!["/c".into()]), "the file outranks what was in it");
    }
}

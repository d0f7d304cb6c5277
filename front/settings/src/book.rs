//! Where each setting comes from: command line, environment, groma.toml, what the survey was begun with, default.
//!
//! Strongest first: command line > environment > what was typed when the survey was begun > groma.toml > what else the survey
//! was begun with > default. The two middle ones exist only where a survey is gone on with without being told anew
//! (`groma update`, `groma crawl` without a URL).

use std::path::Path;

use groma_model::url::Rule;

use crate::personal::Personal;
use crate::saved::Saved;
use crate::table::{SettingRow, nearest, row};
use crate::value::Value;
use crate::wording::{SEE_HELP, help_of, key_hint, no_such_key};
use crate::{Fault, Given, Origin, Overrides, Raw, file, table};

/// One setting with its value and origin.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which.
    pub row: &'static SettingRow,
    pub value: Value,
    /// Where that comes from.
    pub origin: Origin,
}

/// All settings of one command.
#[derive(Clone, Debug)]
pub struct Book {
    /// Every row of the table.
    pub entries: Vec<Entry>,
    /// The written rules with the places they stand at.
    pub rules: Vec<(Rule, Origin)>,
    /// A login, and header fields for single hosts.
    pub personal: Personal,
    /// What the user should know about how they were read.
    pub notes: Vec<String>,
}

/// Variables that are no settings of a survey: which surveys a worker or the web interface is about.
const ELSEWHERE: [&str; 2] = ["GROMA_STORE", "GROMA_HOME"];

impl Book {
    /// Gathers all sources.
    pub fn gather(typed: &[Given], config: Option<&Path>, saved: Option<&Saved>) -> Result<Book, Fault> {
        let from_file = file::read(config)?;
        let variables: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("GROMA_") && !ELSEWHERE.contains(&name.as_str()))
            .collect();
        Book::assemble(typed, &variables, from_file, saved)
    }

    /// All sources for a task; its exclusions come on top of those that hold anyway.
    pub fn of_task(
        settings: &Overrides,
        also_exclude: &[String],
        config: Option<&Path>,
        saved: Option<&Saved>,
    ) -> Result<Book, Fault> {
        let book = Book::gather(&settings.given(), config, saved)?;
        if also_exclude.is_empty() {
            return Ok(book);
        }
        let mut all = match &book.entry("exclude").value {
            Value::List(known) => known.clone(),
            _ => Vec::new(),
        };
        for pattern in also_exclude {
            if !all.contains(pattern) {
                all.push(pattern.clone());
            }
        }
        let mut settings = settings.clone();
        settings.set("exclude", "--also-exclude", Raw::Many(all))?;
        Book::gather(&settings.given(), config, saved)
    }

    /// Only what flags say, whatever the environment and files do.
    pub fn of_flags(typed: &[Given]) -> Result<Book, Fault> {
        Book::assemble(typed, &[], file::Contents::default(), None)
    }

    /// Only what a file says.
    pub fn from_file(contents: file::Contents) -> Result<Book, Fault> {
        Book::assemble(&[], &[], contents, None)
    }

    pub(crate) fn assemble(
        typed: &[Given],
        variables: &[(String, String)],
        from_file: file::Contents,
        saved: Option<&Saved>,
    ) -> Result<Book, Fault> {
        let mut given: Vec<Given> = saved.map(Saved::given).unwrap_or_default();
        given.extend(from_file.given);
        let mut notes = Vec::new();
        for (name, value) in variables {
            match table::table().iter().find(|row| row.variable() == *name) {
                Some(row) => {
                    let origin = Origin::Environment(name.clone());
                    given.push(Given { key: row.key.clone(), raw: Raw::One(value.clone()), origin });
                }
                None if table::SECRETS.contains(&name.as_str()) => {}
                None if from_file.personal.variables().any(|secret| secret == name) => {}
                None => notes.push(unknown_variable(name)),
            }
        }
        given.extend(typed.iter().cloned());
        let (rules, personal) = (from_file.rules, from_file.personal);
        let mut book = Book { entries: defaults()?, rules, personal, notes };
        for one in &given {
            book.take(one)?;
        }
        if let Some(saved) = saved.filter(|_| book.rules.is_empty()) {
            book.rules = saved.rules.iter().map(|rule| (rule.clone(), Origin::Saved)).collect();
        }
        book.join("timeout", "limits.total_ms");
        book.join("retries", "limits.retries");
        Ok(book)
    }

    fn take(&mut self, given: &Given) -> Result<(), Fault> {
        let Some(row) = row(&given.key) else {
            let says = format!("{}: {}", given.origin, no_such_key(&given.key));
            return Err(Fault::new(says, key_hint(nearest(&given.key))));
        };
        let read = match &given.raw {
            Raw::One(text) => row.kind.read(text),
            Raw::Many(items) => row.kind.of_list(items.clone()),
        };
        let value = read.map_err(|expected| {
            let says = format!("{}: {}: {expected}", given.origin, given.key);
            Fault::new(says, help_of(&given.key, row.help))
        })?;
        let entry = self.entries.iter_mut().find(|entry| entry.row.key == given.key);
        if let Some(entry) = entry.filter(|entry| given.origin.rank() >= entry.origin.rank()) {
            (entry.value, entry.origin) = (value, given.origin.clone());
        }
        Ok(())
    }

    /// A survey that was archived goes on being archived, unless something stronger says otherwise. Gives whether that is news to
    /// this book: the folder is set now, and was not.
    pub fn remember_archive(&mut self, saved: &Saved) -> Result<bool, Fault> {
        let before = self.entry("warc").value.clone();
        saved.archive().iter().try_for_each(|given| self.take(given))?;
        let now = &self.entry("warc").value;
        Ok(*now != Value::Nothing && *now != before)
    }

    /// Two keys of one thing: the stronger one counts for both.
    fn join(&mut self, key: &str, limit: &str) {
        let (one, other) = (self.entry(key).clone(), self.entry(limit).clone());
        let number = |value: &Value| match value {
            Value::Count(n) | Value::Millis(n) => *n,
            _ => 0,
        };
        let (weak, value, origin) = if one.origin.rank() >= other.origin.rank() {
            (limit, Value::Count(number(&one.value)), one.origin)
        } else if matches!(one.value, Value::Millis(_)) {
            (key, Value::Millis(number(&other.value)), other.origin)
        } else {
            (key, other.value, other.origin)
        };
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.row.key == weak) {
            (entry.value, entry.origin) = (value, origin);
        }
    }

    /// One setting.
    pub fn entry(&self, key: &str) -> &Entry {
        self.entries.iter().find(|entry| entry.row.key == key).expect("every key asked for stands in the table")
    }

    /// Which of these, once used and not kept with the survey, are not here now?
    pub fn lacks(&self, not_kept: &[String]) -> Vec<String> {
        let unset = |key: &&String| match key.as_str() {
            "login" => self.personal.login.is_none(),
            "header" => self.personal.headers.is_empty(),
            key => self.entries.iter().any(|entry| entry.row.key == key && entry.origin == Origin::Default),
        };
        not_kept.iter().filter(unset).cloned().collect()
    }

    /// Sets what follows from other settings, where nobody said anything.
    pub fn fill_in(&mut self, key: &str, value: Value) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.row.key == key) {
            entry.value = value;
        }
    }
}

fn defaults() -> Result<Vec<Entry>, Fault> {
    let entry = |row: &'static SettingRow| {
        let value = row.kind.read(&row.default).map_err(|why| Fault::new(why, SEE_HELP))?;
        Ok(Entry { row, value, origin: Origin::Default })
    };
    table::table().iter().map(entry).collect()
}

fn unknown_variable(name: &str) -> String {
    format!("the variable {name} sets nothing: there is no such setting")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(typed: &[(&str, &str)], variables: &[(&str, &str)], toml: &str) -> Result<Book, Fault> {
        let typed: Vec<Given> = typed.iter().map(|(key, value)| Given::flag(key, "-s", *value)).collect();
        let variables: Vec<(String, String)> = variables.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
        Book::assemble(&typed, &variables, file::parse(toml, "groma.toml")?, None)
    }

    #[test]
    fn the_stronger_source_wins() {
        let all = book(
            &[("depth", "1")],
            &[("GROMA_DEPTH", "2"), ("GROMA_PER_HOST", "3")],
            "depth = 4\nper_host = 1\nlimit = 9",
        )
        .unwrap();
        let shown = |key: &str| format!("{} {}", all.entry(key).value.shown(), all.entry(key).origin);
        assert_eq!(shown("depth"), "1 command line -s");
        assert_eq!(shown("per_host"), "3 environment GROMA_PER_HOST");
        assert_eq!(shown("limit"), "9 groma.toml:3");
        assert_eq!(shown("scope"), "host default");
    }

    #[test]
    fn two_keys_of_one_thing_agree() {
        let by_limit = book(&[], &[("GROMA_LIMITS__TOTAL_MS", "1500")], "timeout = 9").unwrap();
        assert_eq!(by_limit.entry("timeout").value, Value::Millis(1500));
        let by_key = book(&[("timeout", "2")], &[], "[limits]\ntotal_ms = 5").unwrap();
        assert_eq!(by_key.entry("limits.total_ms").value, Value::Count(2000));
        assert_eq!(by_key.entry("limits.retries").value, Value::Count(5));
    }

    #[test]
    fn mistakes_are_told_with_their_origin() {
        let says = |typed: &[(&str, &str)], variables: &[(&str, &str)]| book(typed, variables, "").unwrap_err().says;
        assert!(says(&[("dept", "1")], &[]).contains("command line -s: there is no setting `dept`"));
        assert!(says(&[], &[("GROMA_DELAY", "soon")]).starts_with("environment GROMA_DELAY: delay:"));
        assert_eq!(book(&[], &[("GROMA_BIN", "x")], "").unwrap().notes.len(), 1);
    }
}

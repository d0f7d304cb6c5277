//! Settings that a task brings along, beyond what groma.toml and the survey say. They come in as flags ([`crate::flags`]), as
//! `-s KEY=VALUE`, or as a JSON object; every one is read by the table of settings at once, so that a task holds none that is wrong.

use std::collections::BTreeMap;
use std::fmt;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::flags::{FLAGS, Flag, Takes};
use crate::table::{Door, is_about_pages, nearest, row};
use crate::value::{Kind, Value};
use crate::wording::{help_of, key_hint, no_such_key};
use crate::{Fault, Given, Origin, Raw};

/// Settings of a task, by their keys.
#[derive(Clone, Debug, Default)]
pub struct Overrides(BTreeMap<String, Override>);

#[derive(Clone, Debug)]
struct Override {
    raw: Raw,
    /// By which flag, for messages; empty: by none.
    flag: String,
}

/// Where they were written does not matter.
impl PartialEq for Overrides {
    fn eq(&self, other: &Overrides) -> bool {
        self.0.len() == other.0.len()
            && self
                .0
                .iter()
                .zip(&other.0)
                .all(|((key, one), (other_key, other))| key == other_key && one.raw == other.raw)
    }
}

impl Overrides {
    /// Sets one; an error says what is wrong with it.
    pub fn set(&mut self, key: &str, flag: &str, raw: Raw) -> Result<(), Fault> {
        let origin = match flag {
            "" => String::new(),
            flag => format!("{}: ", Origin::CommandLine(flag.to_owned())),
        };
        let Some(row) = row(key) else {
            let says = format!("{origin}{}", no_such_key(key));
            return Err(Fault::new(says, key_hint(nearest(key))));
        };
        let read = match &raw {
            Raw::One(text) => row.kind.read(text),
            Raw::Many(items) => row.kind.of_list(items.clone()),
        };
        let raw = match read {
            Ok(Value::List(items)) => Raw::Many(items),
            Ok(_) => raw,
            Err(expected) => {
                return Err(Fault::new(format!("{origin}{key}: {expected}"), help_of(key, row.help)));
            }
        };
        self.0.insert(key.to_owned(), Override { raw, flag: flag.to_owned() });
        Ok(())
    }

    /// As the settings of a command take them.
    pub fn given(&self) -> Vec<Given> {
        let given = |(key, one): (&String, &Override)| Given {
            key: key.clone(),
            raw: one.raw.clone(),
            origin: Origin::CommandLine(if one.flag.is_empty() { "-s".to_owned() } else { one.flag.clone() }),
        };
        self.0.iter().map(given).collect()
    }

    /// Is there one of this key?
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Takes one out.
    pub fn take(&mut self, key: &str) -> Option<Raw> {
        self.0.remove(key).map(|one| one.raw)
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys and values, as people read them.
    pub fn shown(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(key, one)| (key.as_str(), one.raw.items().join(", ")))
    }

    /// Those that anybody may set.
    pub fn for_everybody(&self) -> Overrides {
        let is_open = |key: &str| row(key).is_some_and(|row| row.door == Door::Any);
        Overrides(self.0.iter().filter(|(key, _)| is_open(key)).map(|(key, one)| (key.clone(), one.clone())).collect())
    }

    /// The first that may not be set over the web.
    pub fn first_local(&self) -> Option<&str> {
        let is_local = |key: &&str| row(key).is_none_or(|row| row.door == Door::Local);
        self.0.keys().map(String::as_str).find(is_local)
    }

    /// The first whose value is a secret, which no job may keep.
    pub fn first_secret(&self) -> Option<&str> {
        let is_secret = |(key, one): &(&String, &Override)| {
            row(key).is_some_and(|row| match (row.kind, &one.raw) {
                (Kind::Login | Kind::Secrets | Kind::Hidden, _) => true,
                // Only a proxy with a login is one.
                (Kind::Proxy, Raw::One(text)) => text.contains('@'),
                _ => false,
            })
        };
        self.0.iter().find(is_secret).map(|(key, _)| key.as_str())
    }
}

impl Serialize for Overrides {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, one)| (key, &one.raw)))
    }
}

impl<'de> Deserialize<'de> for Overrides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Overrides, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Overrides;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("settings by their keys")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Overrides, M::Error> {
                let mut all = Overrides::default();
                while let Some((key, raw)) = map.next_entry::<String, Raw>()? {
                    all.set(&key, "", raw).map_err(|fault| M::Error::custom(fault.says))?;
                }
                Ok(all)
            }
        }

        deserializer.deserialize_map(Object)
    }
}

const SET: &str = "set";

fn set_arg() -> Arg {
    let set = Arg::new(SET).short('s').long("set").value_name("KEY=VALUE").help_heading("Settings");
    set.action(ArgAction::Append).help("Set any setting of `groma config`")
}

impl clap::Args for Overrides {
    fn augment_args(command: Command) -> Command {
        command.arg(set_arg()).args(FLAGS.iter().map(Flag::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Overrides::augment_args(command)
    }
}

impl clap::FromArgMatches for Overrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Overrides, clap::Error> {
        let mut all = Overrides::default();
        all.update_from_arg_matches(matches)?;
        Ok(all)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.take_flags(matches, FLAGS.iter())
    }
}

impl Overrides {
    /// `-s` first: a flag of its own outranks it.
    fn take_flags<'f>(
        &mut self,
        matches: &ArgMatches,
        flags: impl Iterator<Item = &'f Flag>,
    ) -> Result<(), clap::Error> {
        let texts = |id: &str| matches.get_many::<String>(id).into_iter().flatten().cloned().collect::<Vec<_>>();
        let wrong = |fault: Fault| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("{}\n\nhint: {}\n", fault.says, fault.hint))
        };
        for text in texts(SET) {
            let given = Given::set(&text).map_err(wrong)?;
            self.set(&given.key, "-s", given.raw).map_err(wrong)?;
        }
        for flag in flags {
            let name = format!("--{}", flag.long);
            let raw = match flag.takes {
                Takes::Nothing(value) => matches.get_flag(flag.long).then(|| Raw::One(value.to_owned())),
                Takes::Value(_) => texts(flag.long).pop().map(Raw::One),
                Takes::Values(_) => Some(texts(flag.long)).filter(|all| !all.is_empty()).map(Raw::Many),
                Takes::PerSecond => {
                    texts(flag.long).pop().map(|text| seconds_between(&text)).transpose().map_err(wrong)?
                }
            };
            if let Some(raw) = raw {
                self.set(flag.key, &name, raw).map_err(wrong)?;
            }
        }
        Ok(())
    }
}

/// Settings of a task that asks single questions. What chooses pages has no flag here; what came in otherwise is named by
/// [`RequestOverrides::first_about_pages`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestOverrides(Overrides);

impl RequestOverrides {
    /// The first that means nothing to who asks single questions.
    pub fn first_about_pages(&self) -> Option<&str> {
        self.0.0.keys().map(String::as_str).find(|key| is_about_pages(key))
    }

    /// As [`Overrides::for_everybody`].
    pub fn for_everybody(&self) -> RequestOverrides {
        RequestOverrides(self.0.for_everybody())
    }

    fn flags() -> impl Iterator<Item = &'static Flag> {
        FLAGS.iter().filter(|flag| !is_about_pages(flag.key))
    }
}

/// What chooses pages is left out: tasks of version 0.1.0 may have it.
impl From<Overrides> for RequestOverrides {
    fn from(mut all: Overrides) -> RequestOverrides {
        all.0.retain(|key, _| !is_about_pages(key));
        RequestOverrides(all)
    }
}

impl std::ops::Deref for RequestOverrides {
    type Target = Overrides;

    fn deref(&self) -> &Overrides {
        &self.0
    }
}

impl clap::Args for RequestOverrides {
    fn augment_args(command: Command) -> Command {
        command.arg(set_arg()).args(RequestOverrides::flags().map(Flag::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        RequestOverrides::augment_args(command)
    }
}

impl clap::FromArgMatches for RequestOverrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RequestOverrides, clap::Error> {
        let mut all = RequestOverrides::default();
        all.update_from_arg_matches(matches)?;
        Ok(all)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.take_flags(matches, RequestOverrides::flags())
    }
}

fn seconds_between(per_second: &str) -> Result<Raw, Fault> {
    let rate = per_second.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
    let rate = rate.ok_or_else(|| {
        Fault::new(bad_rate(per_second), "--rate 2 means two fetches a second; for no pause at all say --delay 0")
    })?;
    Ok(Raw::One((1.0 / rate).to_string()))
}

fn bad_rate(rate: &str) -> String {
    format!("--rate {rate}: a number of fetches a second above 0 is expected")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        settings: Overrides,
    }

    fn typed(words: &[&str]) -> Overrides {
        Line::try_parse_from([&["groma"], words].concat()).unwrap().settings
    }

    #[test]
    fn flags_and_objects_say_the_same() {
        let flags = typed(&[
            "-s",
            "js_pages=3",
            "--depth",
            "2",
            "--no-sitemaps",
            "--rate",
            "4",
            "--exclude",
            "a*",
            "--exclude",
            "b*",
        ]);
        let object = r#"{"js_pages":3,"depth":"2","sitemaps":false,"delay":0.25,"exclude":["a*","b*"]}"#;
        assert_eq!(flags, serde_json::from_str::<Overrides>(object).unwrap());
        let text = serde_json::to_string(&flags).unwrap();
        assert_eq!(flags, serde_json::from_str::<Overrides>(&text).unwrap(), "{text}");
        assert_eq!(
            typed(&["-s", "depth=9", "--depth", "2"]),
            typed(&["--depth", "2"]),
            "a flag of its own outranks -s"
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_at_once() {
        for words in [
            &["-s", "dept=1"][..],
            &["--depth", "deep"],
            &["--rate", "0"],
            &["-s", "depth"],
            &["--rate", "1", "--delay", "1"],
        ] {
            assert!(Line::try_parse_from([&["groma"], words].concat()).is_err(), "{words:?}");
        }
        for object in [r#"{"dept":1}"#, r#"{"depth":"deep"}"#, r#"{"depth":{}}"#, "[]"] {
            assert!(serde_json::from_str::<Overrides>(object).is_err(), "{object}");
        }
    }

    #[test]
    fn what_reaches_further_is_known() {
        for key in [
            "proxy",
            "headers",
            "user",
            "resolve",
            "own",
            "robots",
            "insecure",
            "cookies",
            "cookie_file",
            "logout",
            "user_agent",
            "js",
            "warc",
        ] {
            let row = row(key).unwrap();
            assert_eq!(row.door, Door::Local, "{key}");
        }
        assert_eq!(typed(&["--depth", "2", "--proxy", "http://p/"]).first_local(), Some("proxy"));
        assert_eq!(typed(&["--user", "a:b"]).first_secret(), Some("user"));
        assert_eq!(typed(&["--depth", "2"]).first_local(), None);
    }

    #[test]
    fn what_chooses_pages_means_nothing_to_who_asks_single_questions() {
        #[derive(Debug, Parser)]
        struct Asking {
            #[command(flatten)]
            settings: RequestOverrides,
        }
        let read = |words: &[&str]| Asking::try_parse_from([&["groma"], words].concat());
        assert!(read(&["--depth", "2"]).is_err() && read(&["--js", "auto"]).is_ok());
        let fine = read(&["--delay", "1", "--own", "a.test"]).unwrap().settings;
        assert!(fine.has("delay") && fine.has("own") && fine.first_about_pages().is_none());
        assert_eq!(read(&["-s", "depth=2"]).unwrap().settings.first_about_pages(), Some("depth"));
        // As version 0.1.0 kept it, without a word.
        let old = RequestOverrides::from(typed(&["--depth", "2", "--delay", "1"]));
        assert!(old.has("delay") && old.first_about_pages().is_none());
        assert_eq!(serde_json::to_string(&old).unwrap(), r#"{"delay":"1"}"#);
    }
}

//! The sites by name, for the command line: `lattice pages=5000 links=10`.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use crate::sites::{
    Babble, Calendar, Changing, EndlessPath, Facets, IdIn, Lattice, Library, Meaning, Redirects, Scripted, Sessions,
    Sitemaps, Slowed, Statuses, Variants, Wide,
};
use crate::{Faults, Web};

/// Every name, with its keys and what they are unless told otherwise.
pub const NAMES: &[(&str, &str)] = &[
    ("lattice", "pages=2000 links=10 words=60 dead_every=0"),
    ("variants", "pages=2000 values=3 meaning=none|all|K id=query|path param=src"),
    ("calendar", "real=50 query=0"),
    ("facets", "items=60"),
    ("endless-path", "real=10"),
    ("sessions", "pages=200 param=sess"),
    ("babble", "real=20"),
    ("redirects", "other=http://elsewhere.invalid"),
    ("statuses", "retry_after=0"),
    ("sitemaps", "linked=10 loose=30"),
    ("scripted", "shells=100 texts=50"),
    ("changing", "pages=100 epoch=0"),
    ("wide", "pages=10000 links=100"),
    ("library", "pages=2000 words=200 edition=0"),
];

/// The keys that every site has.
pub const KEYS_OF_ALL: &str = "delay_ms=0 reset_percent=0 unavailable_percent=0 seed=0";

/// What was asked for: a web, and how its server fails.
pub struct Choice {
    pub web: Box<dyn Web>,
    pub faults: Faults,
}

/// `key=value` pairs; each must be taken by somebody.
struct Settings(Vec<(String, String)>);

impl Settings {
    fn word(&mut self, key: &str, default: &str) -> String {
        match self.0.iter().position(|(k, _)| k == key) {
            Some(at) => self.0.remove(at).1,
            None => default.to_owned(),
        }
    }

    fn number<N: std::str::FromStr>(&mut self, key: &str, default: N) -> Result<N, String> {
        match self.0.iter().position(|(k, _)| k == key) {
            Some(at) => {
                let (_, value) = self.0.remove(at);
                value.parse().map_err(|_| format!("{key}={value}: a number is wanted here"))
            }
            None => Ok(default),
        }
    }
}

/// Finds a site by its name and `key=value` settings; says what is wrong if there is none.
pub fn choose(name: &str, settings: &[String]) -> Result<Choice, String> {
    let pair = |text: &String| text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut pairs = Vec::new();
    for text in settings {
        pairs.push(pair(text).ok_or_else(|| format!("{text}: key=value is wanted here"))?);
    }
    let mut settings = Settings(pairs);
    let web = site(name, &mut settings)?;
    let delay = Duration::from_millis(settings.number("delay_ms", 0)?);
    let faults = Faults {
        reset_percent: settings.number("reset_percent", 0)?,
        unavailable_percent: settings.number("unavailable_percent", 0)?,
        seed: settings.number("seed", 0)?,
        robots_too: false,
    };
    if let Some((key, _)) = settings.0.first() {
        return Err(format!("{key}: {name} has no such setting, or it was given twice"));
    }
    let web: Box<dyn Web> = if delay.is_zero() { web } else { Box::new(Slowed { web, delay }) };
    Ok(Choice { web, faults })
}

fn site(name: &str, s: &mut Settings) -> Result<Box<dyn Web>, String> {
    Ok(match name {
        "lattice" => Box::new(Lattice {
            words: s.number("words", 60)?,
            dead_every: s.number("dead_every", 0)?,
            ..Lattice::new(s.number("pages", 2000)?, s.number("links", 10)?)
        }),
        "variants" => {
            let site = Variants::new(s.number("pages", 2000)?, s.number("values", 3)?);
            let meaning = match s.word("meaning", "none").as_str() {
                "none" => Meaning::None,
                "all" => Meaning::All,
                k => Meaning::Every(k.parse().map_err(|_| format!("meaning={k}: none, all or a number"))?),
            };
            let id_in = match s.word("id", "query").as_str() {
                "query" => IdIn::Query,
                "path" => IdIn::Path,
                other => return Err(format!("id={other}: query or path")),
            };
            Box::new(site.meaning(meaning).id_in(id_in).param(&s.word("param", "src")))
        }
        "calendar" => Box::new(Calendar { real: s.number("real", 50)?, in_query: s.number("query", 0_u8)? != 0 }),
        "facets" => Box::new(Facets { items: s.number("items", 60)? }),
        "endless-path" => Box::new(EndlessPath { real: s.number("real", 10)? }),
        "sessions" => Box::new(Sessions { pages: s.number("pages", 200)?, param: s.word("param", "sess") }),
        "babble" => Box::new(Babble { real: s.number("real", 20)? }),
        "redirects" => Box::new(Redirects { other: s.word("other", "http://elsewhere.invalid") }),
        "statuses" => Box::new(Statuses { retry_after: s.number("retry_after", 0)? }),
        "sitemaps" => Box::new(Sitemaps { linked: s.number("linked", 10)?, loose: s.number("loose", 30)? }),
        "changing" => Box::new(Changing::new(s.number("pages", 100)?, Arc::new(AtomicU64::new(s.number("epoch", 0)?)))),
        "scripted" => Box::new(Scripted { shells: s.number("shells", 100)?, texts: s.number("texts", 50)? }),
        "wide" => Box::new(Wide { pages: s.number("pages", 10_000)?, links_each: s.number("links", 100)? }),
        "library" => Box::new(Library {
            words: s.number("words", 200)?,
            edition: Arc::new(AtomicU64::new(s.number("edition", 0)?)),
            ..Library::new(s.number("pages", 2000)?)
        }),
        _ => return Err(format!("{name}: there is no such site")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ask;

    fn given(settings: &[&str]) -> Vec<String> {
        settings.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn every_name_is_a_site_with_a_home_page() {
        for (name, _) in NAMES {
            let choice = choose(name, &[]).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(choice.web.answer(&Ask::get("/")).status, 200, "{name}");
        }
    }

    #[test]
    fn every_key_that_is_told_of_is_taken() {
        for (name, keys) in NAMES {
            let settings: Vec<&str> = keys.split(' ').chain(KEYS_OF_ALL.split(' ')).collect();
            let first_choice: Vec<String> =
                settings.iter().map(|s| s.split('|').next().unwrap_or_default().to_owned()).collect();
            assert!(choose(name, &first_choice).is_ok(), "{name} {keys}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |name: &str, settings: &[&str]| choose(name, &given(settings)).err().unwrap_or_default();
        assert_eq!(error("nowhere", &[]), "nowhere: there is no such site");
        assert_eq!(error("facets", &["items=many"]), "items=many: a number is wanted here");
        assert_eq!(error("facets", &["items"]), "items: key=value is wanted here");
        assert!(error("facets", &["pages=3"]).starts_with("pages: facets has no such setting"));
    }

    #[test]
    fn settings_reach_the_site() {
        let choice = choose("lattice", &given(&["pages=3", "reset_percent=5", "seed=9"])).ok().unwrap();
        assert_eq!(choice.web.answer(&Ask::get("/p/3.html")).status, 404);
        assert_eq!((choice.faults.reset_percent, choice.faults.seed), (5, 9));
    }
}

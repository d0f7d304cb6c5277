//! `groma jobs add`: asks for one thing, or for several that go one after the other.

use std::collections::BTreeMap;
use std::path::Path;

use groma_desk::order::Order;
use groma_desk::settings::Raw;
use groma_desk::worker::ask;
use groma_desk::{Fault, place, words};
use groma_store::jobs::JobKind;

use crate::Exit;
use crate::args::JobsAddArgs;
use crate::command::crawl::read_seeds;
use crate::output::{Out, tell};

pub(super) fn run(args: &JobsAddArgs, store: Option<&Path>) -> Result<Exit, Fault> {
    // Kinds may stand apart, too, as long as no URL has come.
    let further =
        args.urls.iter().take_while(|word| word.split(',').all(|word| JobKind::named(word).is_some())).count();
    let (further, urls) = args.urls.split_at(further);
    let kinds = kinds(&[std::slice::from_ref(&args.kinds), further].concat().join(","))?;
    let (seeds, login) = read_seeds(urls, false)?;
    if login.is_some() {
        return Err(Fault::new(words::NO_LOGIN_IN_JOBS, words::NO_LOGIN_IN_JOBS_HINT));
    }
    let folder = match (store, seeds.first()) {
        (store, Some(seed)) => place::of_seed(store, seed)?,
        (Some(path), None) if kinds.contains(&JobKind::Crawl) && !place::find(Some(path))?.exists() => {
            return Err(Fault::new(words::CRAWL_NEEDS_URL, words::NO_URL_HINT));
        }
        (store, None) => place::find_asked(store)?,
    };
    let order = Order {
        seeds: seeds.iter().map(url::Url::to_string).collect(),
        settings: settings(args)?,
        owned: args.settings.i_own_this_site,
        fresh: args.fresh,
        keep: args.keep,
        rebuild: args.rebuild,
        format: args.form.clone().unwrap_or_default(),
        ..Order::default()
    };
    let ids = ask(&folder, &kinds, &order, args.priority)?;
    let mut out = Out::open(None)?;
    out.line(&words::asked_for(&ids.iter().map(|id| id.0).collect::<Vec<_>>()))?;
    out.finish()?;
    tell(&format!("hint: {}", words::WORK_HINT));
    Ok(Exit::Fine)
}

/// Reads kinds with commas between them.
pub(crate) fn kinds(text: &str) -> Result<Vec<JobKind>, Fault> {
    let read = |word: &str| {
        let word = word.trim();
        JobKind::named(word).ok_or_else(|| Fault::new(words::no_such_job_kind(word), words::KINDS_HINT))
    };
    text.split(',').map(read).collect()
}

/// The settings typed, as a job keeps them. Secrets are not kept.
fn settings(args: &JobsAddArgs) -> Result<BTreeMap<String, String>, Fault> {
    let mut settings = BTreeMap::new();
    for given in args.settings.given()? {
        if matches!(given.key.as_str(), "user" | "headers") {
            return Err(Fault::new(words::NO_LOGIN_IN_JOBS, words::NO_LOGIN_IN_JOBS_HINT));
        }
        let text = match given.raw {
            Raw::One(text) => text,
            Raw::Many(items) => serde_json::to_string(&items).unwrap_or_default(),
        };
        settings.insert(given.key, text);
    }
    Ok(settings)
}

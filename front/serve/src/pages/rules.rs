//! `/sites/{site}/rules`: which URL rules hold, what was learned and on what evidence, which traps were seen; and a box to try an
//! URL.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use groma_model::url::Rule;
use groma_model::wording::{grouped, plain};
use groma_store::Snapshot;
use groma_tasks::rules::{InForce, Tried, try_out};
use groma_tasks::standing::LearnedRule;
use serde::Deserialize;

use super::layout::{Frame, Tab, short, show};
use super::shown::{Shown, day};
use crate::app::App;
use crate::door::Query;
use crate::error::Problem;
use crate::sites::Site;

/// Letters of a URL that is shown whole.
const ADDRESS: usize = 400;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/sites/{site}/rules", get(rules))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    /// A URL to be tried.
    url: String,
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage {
    frame: Frame,
    site: String,
    typed: String,
    tried: Option<TriedView>,
    refused: Option<(String, String)>,
    written: Vec<WrittenView>,
    noise: Vec<String>,
    learned: Vec<LearnedView>,
    traps: Vec<TrapView>,
}

struct TriedView {
    steps: Vec<(String, String)>,
    canonical: Shown,
    reason: Option<String>,
}

struct WrittenView {
    about: String,
    origin: String,
    parts: Vec<(&'static str, String)>,
}

struct LearnedView {
    pattern: String,
    parameter: String,
    standing: &'static str,
    class: &'static str,
    says: String,
    equal: u32,
    differ: u32,
    folded: String,
    samples: u32,
    /// How much of the evidence says that the parameter does not matter, of 100.
    share: u32,
    examples: Vec<Shown>,
}

struct TrapView {
    pattern: String,
    detail: String,
    since: String,
}

async fn rules(
    State(app): State<Arc<App>>,
    frame: Frame,
    Path(site): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let site = app.site(&site)?;
    let frame = frame.on(&site, Tab::Rules);
    let page = app.work(move |app| read(frame, app, &site, &asked)).await?;
    Ok(show(&page))
}

fn read(frame: Frame, app: &App, site: &Site, asked: &Asked) -> Result<RulesPage, Problem> {
    let mut store = site.read()?;
    let in_force = InForce::read(Some(&mut *store), &[], app.options.config.as_deref())?;
    let typed = asked.url.trim();
    let (mut tried, mut refused) = (None, None);
    if !typed.is_empty() {
        match try_out(&in_force.settings.canonizer(), typed) {
            Ok(done) => tried = Some(tried_view(&site.name, &done)),
            Err(fault) => refused = Some((short(&fault.says, 300), fault.hint)),
        }
    }
    let traps = store.findings()?.into_iter().filter(|finding| finding.kind == "trap").map(|trap| TrapView {
        pattern: short(&trap.subject, ADDRESS),
        detail: short(&trap.detail, ADDRESS),
        since: day(trap.since),
    });
    Ok(RulesPage {
        site: site.name.clone(),
        typed: typed.chars().take(4_000).collect(),
        tried,
        refused,
        written: in_force.book.rules.iter().map(|(rule, origin)| written(rule, &origin.to_string())).collect(),
        noise: in_force.settings.noise.iter().map(|name| short(name, 60)).collect(),
        learned: in_force.learned.iter().map(|rule| learned(&site.name, rule)).collect(),
        traps: traps.collect(),
        frame,
    })
}

fn tried_view(site: &str, tried: &Tried) -> TriedView {
    TriedView {
        steps: tried.steps.iter().map(|step| (plain(&step.what), short(&step.url_after, ADDRESS))).collect(),
        canonical: Shown::address(site, &tried.canonical),
        reason: tried.reason.map(str::to_owned),
    }
}

fn written(rule: &Rule, origin: &str) -> WrittenView {
    let list = |names: &[String]| names.join(", ");
    let pairs = |(name, value): (&String, &String)| format!("{name} = {value}");
    let choices = |(name, values): (&String, &Vec<String>)| format!("{name} = {}", values.join(" | "));
    let mut parts = Vec::new();
    if rule.ignore {
        parts.push(("excluded", "every URL of this script".to_owned()));
    }
    for (name, text) in [
        ("must be there", list(&rule.required)),
        ("must be one of", rule.one_of.iter().map(choices).collect::<Vec<_>>().join("; ")),
        ("may be there", list(&rule.optional)),
        ("filled in", rule.default.iter().map(pairs).collect::<Vec<_>>().join("; ")),
        ("dropped", list(&rule.drop)),
    ] {
        if !text.is_empty() {
            parts.push((name, short(&text, ADDRESS)));
        }
    }
    WrittenView { about: short(&rule.to_string(), ADDRESS), origin: short(origin, 120), parts }
}

fn learned(site: &str, rule: &LearnedRule) -> LearnedView {
    let witnesses = (rule.equal + rule.differ).max(1);
    LearnedView {
        pattern: short(&rule.pattern, ADDRESS),
        parameter: short(&rule.parameter, 60),
        standing: rule.standing,
        class: match rule.standing {
            "strong" => "good",
            "refuted" => "warn",
            _ => "",
        },
        says: short(&rule.says(), ADDRESS),
        equal: rule.equal,
        differ: rule.differ,
        folded: grouped(rule.folded),
        samples: rule.samples,
        share: rule.equal * 100 / witnesses,
        examples: examples(&rule.example).map(|address| Shown::address(site, address)).collect(),
    }
}

/// The two URLs of an example: `URL = URL` where their contents were the same, `URL != URL` where they differed.
fn examples(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter(|word| !matches!(*word, "=" | "!=")).take(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_two_urls_and_no_sign() {
        for text in ["http://a.test/?x=1 = http://a.test/?x=2", "http://a.test/?x=1 != http://a.test/?x=2"] {
            assert_eq!(examples(text).collect::<Vec<_>>(), ["http://a.test/?x=1", "http://a.test/?x=2"]);
        }
        assert_eq!(examples("").count(), 0);
    }
}

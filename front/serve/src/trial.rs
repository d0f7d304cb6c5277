//! A rule of the extraction language, tried on HTML that somebody gives or on a page of a survey whose copy is kept; for pages and
//! programs alike. Nothing is fetched. Cost: that of reading one page and of one rule, both bounded ([`groma_hel::bounds`]).

use groma_hel::{Bounds, Fault, Rule, Tree, Value};
use groma_page::charset;
use groma_store::Snapshot;
use groma_tasks::lookup;

use crate::app::App;
use crate::error::Problem;
use crate::words;

/// Bytes of text that a rule may give: more nobody reads on a screen.
const RESULT_BYTES: usize = 1 << 20;

/// What is to be tried.
pub(crate) struct TrialRequest<'w> {
    pub(crate) rule: &'w str,
    /// A page; empty: one of a survey.
    pub(crate) html: &'w str,
    /// Name of the survey.
    pub(crate) site: &'w str,
    /// The URL of its page.
    pub(crate) url: &'w str,
}

/// What came of it.
pub(crate) enum Tried {
    /// The rule gives this; a bound has cut the page, if one has.
    Value { value: Value, cut: Option<&'static str> },
    /// The rule cannot be read.
    Fault(Fault),
}

/// Applies a rule to a page, or says where the rule cannot be read.
pub(crate) fn try_out(app: &App, wanted: &TrialRequest<'_>) -> Result<Tried, Problem> {
    if wanted.rule.trim().is_empty() {
        return Err(Problem::refused("no rule is given", words::RULE_HINT));
    }
    let rule = match Rule::parse(wanted.rule) {
        Ok(rule) => rule,
        Err(fault) => return Ok(Tried::Fault(fault)),
    };
    let stored = !wanted.url.trim().is_empty();
    let page = match (wanted.html.is_empty(), stored) {
        (false, true) => {
            return Err(Problem::refused(
                "two pages are given at once",
                "give HTML, or the URL of a page, and not both",
            ));
        }
        (true, false) => {
            return Err(Problem::refused(
                "no page is given to try the rule on",
                "give HTML, or the name of a site and the URL of a page of its survey",
            ));
        }
        (false, false) => wanted.html.to_owned(),
        (true, true) => copy(app, wanted.site, wanted.url)?,
    };
    let bounds = Bounds { result_bytes: RESULT_BYTES, ..Bounds::default() };
    let tree = Tree::parse(&page, &bounds);
    let value = rule.extract(&tree, &bounds);
    let value = value.map_err(|exceeded| Problem::refused(exceeded.to_string(), words::RULE_HINT))?;
    Ok(Tried::Value { value, cut: tree.cut() })
}

/// The copy of a page that a survey keeps.
fn copy(app: &App, site: &str, url: &str) -> Result<String, Problem> {
    let site = app.site(site)?;
    let mut store = site.read()?;
    let id = lookup::page(&mut *store, url)?;
    let body = groma_tasks::archive::copy(&mut *store, id)?.ok_or_else(|| {
        Problem::refused("no copy of this page is kept", "copies are kept where the survey is made with bodies = keep")
    })?;
    let named = store.page(id)?.map(|page| page.facts.charset).unwrap_or_default();
    let label = Some(named.as_str()).filter(|name| !name.is_empty());
    Ok(charset::decode(&body, label).0.into_owned())
}

//! `/hel`: what does a rule give? A rule of the extraction language tried on HTML that was pasted, or on a page of a survey whose copy is
//! kept. Nothing is fetched, and all of it is bounded.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use groma_hel::Value;

use super::layout::{Frame, show_as};
use crate::app::App;
use crate::door::{Form, Query};
use crate::error::Problem;
use crate::trial::{self, TrialRequest, Tried};
use crate::words::is_trick;

/// Strings that are shown, and letters of each.
const SHOWN: usize = 1_000;
const LETTERS: usize = 2_000;

/// Route of the page on which rules are tried.
pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/hel", get(page).post(try_out))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Typed {
    rule: String,
    html: String,
    site: String,
    url: String,
}

#[derive(Template)]
#[template(path = "hel.html")]
struct HelPage {
    frame: Frame,
    typed: Typed,
    sites: Vec<(String, bool)>,
    most_rule: usize,
    result: Option<ResultView>,
    fault: Option<FaultView>,
    problem: Option<Problem>,
}

/// What came out, as a list within lists.
struct ResultView {
    steps: Vec<ValueStep>,
    count: usize,
    cut: bool,
    page_cut: Option<&'static str>,
}

/// A step through a list within lists, in reading order.
enum ValueStep {
    Text(String),
    Nothing,
    Enter,
    /// A list ends.
    Leave,
}

/// A mistake in the rule: what stands before it, the letter, what stands behind it.
struct FaultView {
    before: String,
    letter: String,
    after: String,
    says: String,
}

async fn page(State(app): State<Arc<App>>, frame: Frame, Query(typed): Query<Typed>) -> Result<Response, Problem> {
    shown(&app, frame, typed).await
}

async fn try_out(State(app): State<Arc<App>>, frame: Frame, Form(typed): Form<Typed>) -> Result<Response, Problem> {
    shown(&app, frame, typed).await
}

async fn shown(app: &Arc<App>, frame: Frame, typed: Typed) -> Result<Response, Problem> {
    let page = app.work(move |app| Ok(read(app, frame, typed))).await?;
    let wrong = page.problem.as_ref().map(|problem| problem.status);
    let status = wrong.or(page.fault.as_ref().map(|_| StatusCode::UNPROCESSABLE_ENTITY)).unwrap_or(StatusCode::OK);
    Ok(show_as(status, &page))
}

fn read(app: &App, frame: Frame, typed: Typed) -> HelPage {
    let sites = app.sites.all().iter().map(|site| (site.name.clone(), site.name == typed.site)).collect();
    let mut page = HelPage {
        frame,
        sites,
        most_rule: groma_hel::bounds::RULE_BYTES,
        result: None,
        fault: None,
        problem: None,
        typed,
    };
    let typed = &page.typed;
    if typed.rule.trim().is_empty() && typed.html.is_empty() && typed.url.is_empty() {
        return page;
    }
    let wanted = TrialRequest { rule: &typed.rule, html: &typed.html, site: &typed.site, url: &typed.url };
    match trial::try_out(app, &wanted) {
        Ok(Tried::Value { value, cut }) => page.result = Some(ResultView::show(&value, cut)),
        Ok(Tried::Fault(fault)) => page.fault = Some(FaultView::show(&typed.rule, &fault)),
        Err(problem) => page.problem = Some(problem),
    }
    page
}

impl ResultView {
    fn show(value: &Value, page_cut: Option<&'static str>) -> ResultView {
        let mut view = ResultView { steps: Vec::new(), count: 0, cut: false, page_cut };
        view.take(value);
        view
    }

    fn take(&mut self, value: &Value) {
        if self.count >= SHOWN {
            self.cut = true;
            return;
        }
        self.count += 1;
        match value {
            Value::Null => self.steps.push(ValueStep::Nothing),
            Value::Text(text) => {
                let mut shown: String = text.chars().filter(|c| !is_trick(*c)).take(LETTERS).collect();
                if text.chars().nth(LETTERS).is_some() {
                    shown.push('…');
                }
                self.steps.push(ValueStep::Text(shown));
            }
            Value::List(list) => {
                self.steps.push(ValueStep::Enter);
                list.iter().for_each(|one| self.take(one));
                self.steps.push(ValueStep::Leave);
            }
        }
    }
}

impl FaultView {
    fn show(rule: &str, fault: &groma_hel::Fault) -> FaultView {
        let plain = |text: String| text.chars().map(|c| if is_trick(c) { ' ' } else { c }).collect::<String>();
        let at = fault.letter - 1;
        let letter: String = rule.chars().skip(at).take(1).collect();
        FaultView {
            before: plain(rule.chars().take(at).collect()),
            letter: if letter.is_empty() { "⏎".to_owned() } else { plain(letter) },
            after: plain(rule.chars().skip(at + 1).collect()),
            says: fault.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_told_in_order_and_bounded() {
        let value = Value::List(vec![Value::Text("a\u{202e}".into()), Value::Null, Value::List(Vec::new())]);
        let view = ResultView::show(&value, None);
        let told: String = view
            .steps
            .iter()
            .map(|step| match step {
                ValueStep::Text(text) => text.as_str(),
                ValueStep::Nothing => "0",
                ValueStep::Enter => "(",
                ValueStep::Leave => ")",
            })
            .collect();
        assert_eq!(told, "(a0())");
        let many = Value::List(vec![Value::Text("x".repeat(9_999)); 5_000]);
        let view = ResultView::show(&many, None);
        assert!(view.cut && view.steps.len() <= SHOWN + 2);
    }

    #[test]
    fn the_mark_stands_at_the_mistake() {
        let rule = "html.böd[y";
        let fault = groma_hel::Rule::parse(rule).unwrap_err();
        let view = FaultView::show(rule, &fault);
        assert_eq!(format!("{}{}{}", view.before, view.letter, view.after).replace('⏎', ""), rule);
    }
}

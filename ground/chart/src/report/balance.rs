//! The balance of all URLs: in words, as a bar, and reason by reason.

use std::fmt::Write as _;

use groma_model::wording::grouped;
use groma_model::{Reason, State};

use super::ReportPage;
use super::pen::{bar_cell, end_table, heading, number, own, share, table};
use super::phrases::Phrases;

/// The states of the balance, the best first.
const STATES: [State; 5] = [State::Fetched, State::Skipped, State::Excluded, State::Broken, State::Queued];

pub(crate) fn section(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let all: u64 = STATES.iter().map(|state| page.state(*state)).sum();
    heading(to, phrases, "balance");
    to.push_str("<p>");
    own(to, &phrases.count("balance.all", all));
    to.push_str("</p>\n");
    rail(to, page, all);
    to.push_str("<ul class=legend>\n");
    for state in STATES {
        let _ = write!(to, "<li><svg class=dot viewBox=\"0 0 10 10\" aria-hidden=true><rect class={state} width=10 ");
        to.push_str("height=10 rx=2 /></svg><b>");
        own(to, &format!("{} {state}", grouped(page.state(state))));
        to.push_str("</b> ");
        own(to, phrases.state(state));
        to.push_str("</li>\n");
    }
    to.push_str("</ul>\n");
    let reasons = |state: State| page.tally.iter().filter(move |(reason, n)| reason.state() == state && **n > 0);
    table(to, phrases, "", &["state", "reason", "#addresses", "|share"]);
    for state in STATES {
        let mut found: Vec<(&Reason, &u64)> = reasons(state).collect();
        found.sort_by_key(|(reason, n)| (std::cmp::Reverse(**n), **reason));
        for (reason, n) in found {
            row(to, state, phrases.reason(*reason), *n, all);
        }
    }
    end_table(to);
    let aliases = page.state(State::Alias);
    if aliases > 0 {
        to.push_str("<p class=faint>");
        own(to, &phrases.count("balance.aliases", aliases));
        to.push_str("</p>\n");
    }
    to.push_str("</section>\n");
}

/// All URLs as one bar, as wide as each state is large. The legend below says the same in words.
fn rail(to: &mut String, page: &ReportPage<'_>, all: u64) {
    to.push_str("<svg class=balance viewBox=\"0 0 1000 20\" preserveAspectRatio=none aria-hidden=true>");
    let mut from = 0.0;
    for state in STATES {
        let wide = 1_000.0 * share(page.state(state), all);
        if wide > 0.0 {
            let _ = write!(to, "<rect class={state} x={from:.2} width={wide:.2} height=20 />");
            from += wide;
        }
    }
    to.push_str("</svg>\n");
}

fn row(to: &mut String, state: State, says: &str, n: u64, all: u64) {
    to.push_str("<tr><td class=s>");
    own(to, state.name());
    to.push_str("</td><td>");
    own(to, says);
    to.push_str("</td>");
    number(to, &grouped(n));
    bar_cell(to, share(n, all), state.name());
    to.push_str("</tr>\n");
}

//! What people read about the databases behind forms.

use super::counted;
use crate::gather::Closing;

pub const NO_DATABASE: &str = "no database";
pub const NO_DATABASE_HINT: &str = "name the page of its form, or its DBContent document: groma gather URL";
pub const GATHERED_ELSEWHERE: &str = "somebody else is gathering into this survey at this moment";
pub const NO_GATHER: &str = "nothing has been gathered into this survey yet";
pub const NO_GATHER_HINT: &str = "groma gather URL begins";
pub const NO_SUCH_GATHER_HINT: &str = "`groma gather list` shows those of the survey";
pub const GATHER_FORMS: &str = "one of: json, jsonl, csv, soif";

pub fn no_such_gather(id: u64) -> String {
    format!("there is no gathering {id}")
}

/// How a gathering ended, in a sentence.
pub fn gather_ended(closing: &Closing) -> String {
    let found = if closing.rows > 0 {
        counted(closing.rows, "record", "records")
    } else {
        counted(closing.values, "value", "values")
    };
    let cost = format!(
        "{}, {}",
        counted(closing.queries, "question", "questions"),
        counted(closing.requests, "request", "requests")
    );
    match closing.end {
        "certified" if closing.degree == Some("cooperative") => {
            let news = if closing.unchanged { "; nothing is new" } else { "" };
            format!("complete, by the word of the summarizer: {found}; {cost}{news}")
        }
        "certified" => format!("certified complete: {found}; {cost}"),
        "planned" => format!("planned, not gathered: {found} so far; {cost}"),
        "interrupted" => format!("interrupted: {found} so far; the same command goes on where it stopped"),
        "budget" => format!("the budget is spent: {found}{}; {cost}; a larger --budget goes on", share(closing)),
        "estimated" => format!("not certified: {found}{}; {cost}", share(closing)),
        _ => format!("not certified, and nothing says how much is missing: {found}; {cost}"),
    }
}

fn share(closing: &Closing) -> String {
    closing.estimated.map_or(String::new(), |share| {
        format!(", about {:.0} % of all ({:.0} to {:.0} %, by {})", share.percent, share.low, share.high, share.method)
    })
}

/// A plan in a sentence: "about 240 questions, 600 pages, 10 minutes".
pub fn planned(questions: Option<(u64, u64)>, pages: Option<(u64, u64)>, seconds: Option<(u64, u64)>) -> String {
    let about = |(least, most): (u64, u64)| {
        if least == most { least.to_string() } else { format!("{least} to {most}") }
    };
    let questions = questions.map(|range| format!("about {} questions", about(range)));
    let pages = pages.map(|range| format!("about {} pages", about(range)));
    let time = seconds.map(|(least, most)| match most {
        0..=90 => format!("{} s", about((least, most))),
        _ => format!("{} min", about((least.div_ceil(60), most.div_ceil(60)))),
    });
    let said: Vec<String> = [questions, pages, time].into_iter().flatten().collect();
    if said.is_empty() { "nobody can say before the first answers".to_owned() } else { said.join(", ") }
}

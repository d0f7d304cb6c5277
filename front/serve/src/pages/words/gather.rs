//! The sentences about databases.

use groma_model::wording::counted;

use crate::results::databases::Statement;

/// How a form can be asked: name, in a word, in a sentence. The first is the usual one.
pub(crate) const HOWS: &[(&str, &str, &str)] = &[
    ("whole", "until it is whole (usual)", "Questions whose answers are cut are split until every answer is whole."),
    ("paper", "each value once", "All combinations of the described values, as they are, and nothing else."),
];

/// How an end is called in a list, by its code: a word, and its look.
pub(crate) fn gather_end(code: &str) -> (&'static str, &'static str) {
    match code {
        "certified" => ("certified complete", "good"),
        "estimated" => ("estimated", "warn"),
        "unknown" => ("not certified", "warn"),
        "budget" => ("budget spent", ""),
        "planned" => ("planned only", ""),
        "interrupted" => ("interrupted", ""),
        "failed" => ("came to nothing", "bad"),
        _ => ("not ended", ""),
    }
}

/// The statement in one line.
pub(crate) fn statement_head(said: &Statement) -> String {
    let found = match (said.rows, said.values) {
        (0, values) => counted(values, "value", "values"),
        (rows, _) => counted(rows, "record", "records"),
    };
    match (said.end.as_str(), &said.estimated) {
        ("certified", _) if said.degree.as_deref() == Some("cooperative") => {
            format!("Complete by the word of its keeper: {found}")
        }
        ("certified", _) => format!("Certified complete: {found}"),
        ("planned", _) => format!("Planned, not gathered yet: {found} so far"),
        ("failed", _) => "It came to nothing".to_owned(),
        (_, Some(share)) => format!("About {:.0} % of the database: {found}", share.percent),
        ("estimated" | "unknown", None) => format!("{found}; nothing says how many are missing"),
        _ => format!("Not ended: {found} so far"),
    }
}

/// What the statement means, in a sentence or two.
pub(crate) fn statement_says(said: &Statement) -> String {
    let share = said.estimated.as_ref().map(|share| {
        format!(
            "Between {:.0} and {:.0} % of all are here in 19 of 20 cases, estimated by {}. ",
            share.low, share.high, share.method
        )
    });
    let share = share.unwrap_or_default();
    match said.end.as_str() {
        "certified" if said.degree.as_deref() == Some("cooperative") => {
            let news = if said.unchanged { " Nothing is new since the last time." } else { "" };
            format!("The summarizer beside the database says that these are all its values.{news}")
        }
        "certified" => {
            "Every question was answered whole, or was split until it was: the form can show no other record."
                .to_owned()
        }
        "planned" => "Only what it takes to say what it would cost was asked.".to_owned(),
        "failed" => format!("{}.", said.says),
        "budget" => format!("{share}The requests it was allowed are used up; with more it goes on where it stopped."),
        "interrupted" => format!("{share}It was interrupted; it goes on where it stopped."),
        _ if share.is_empty() => "It is not certified that these are all.".to_owned(),
        _ => format!("{share}It is not certified that these are all."),
    }
}

/// What it cost, and beside it what it would cost at least.
pub(crate) fn gather_cost(said: &Statement) -> String {
    let mut text = format!(
        "{}, {}, {} in all",
        counted(said.queries, "question", "questions"),
        counted(said.pages, "answer page", "answer pages"),
        counted(said.requests, "request", "requests")
    );
    let mut least = Vec::new();
    for (bound, had, one, many) in
        [(said.least_queries, said.queries, "question", "questions"), (said.least_pages, said.pages, "page", "pages")]
    {
        if let Some(bound) = bound.filter(|bound| *bound > 0) {
            least.push(format!("{} ({:.2} times that)", counted(bound, one, many), had as f64 / bound as f64));
        }
    }
    if !least.is_empty() {
        text += &format!("; no method needs fewer than {}", least.join(" and "));
    }
    text
}

#[cfg(test)]
mod tests {
    use groma_tasks::gather::How;

    use super::*;

    #[test]
    fn every_end_is_said_and_none_promises_too_much() {
        for end in ["certified", "estimated", "unknown", "budget", "interrupted", "planned", "failed", "", "odd"] {
            let said = Statement { end: end.into(), rows: 7, ..Statement::default() };
            let all = format!("{} {} {}", statement_head(&said), statement_says(&said), gather_end(end).0);
            let promises = all.to_lowercase().contains("complete");
            assert_eq!(promises, end == "certified", "{all}");
        }
    }

    #[test]
    fn the_cost_stands_beside_its_lower_bound() {
        let said = Statement {
            queries: 233,
            pages: 565,
            requests: 570,
            least_pages: Some(411),
            least_queries: Some(0),
            ..Statement::default()
        };
        let text = gather_cost(&said);
        assert!(text.contains("565 answer pages") && text.contains("411 pages (1.37 times that)"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }

    #[test]
    fn the_usual_way_is_the_first() {
        let names: Vec<&str> = HOWS.iter().map(|one| one.0).collect();
        assert_eq!(names, How::ALL.map(How::name));
        assert_eq!(names[0], How::default().name());
    }
}

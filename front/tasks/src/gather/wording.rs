//! Sentences that more than one place says.

use groma_model::wording::counted;

pub const NO_DATABASE: &str = "no database";
pub const NO_DATABASE_HINT: &str = "name the page of its form, or its DBContent document: groma gather URL";
pub const ALL_WITH_URL: &str = "--all takes no URL, description, form, --vary or --post";
pub const ALL_HINT: &str = "gather that database by itself first: `groma gather --all` repeats it as it was asked then";
pub const ONLY_JSON_OF_ALL: &str = "--all says in text or json what was done with each database";
pub const ONLY_JSON_OF_ALL_HINT: &str =
    "`groma gather export` writes what one of them has, `groma export soif` all of them";
pub const DESCRIPTION_HINT: &str =
    "a line is a name and a value, such as `DB.QueryElement: region`; `groma hel` tries a rule on a page";
pub const PAGES_HINT: &str =
    "settings of that kind are for `groma crawl`; `groma gather --help` lists those for gathering";
pub const POSTS_HINT: &str = "if you know that it only searches, say --post";
pub const SECRET_HINT: &str = "name another form of the page with --form, or describe this one with --describe FILE";
pub const NO_SEARCH_HINT: &str = "name one with --form NUMBER, describe it with --describe FILE, or, if scripts read the search box, gather it with --js auto";
pub const NO_FORM_HINT: &str = "if scripts make the search box, gather it with --js auto; `groma status` lists the forms that a crawl of the site found";
pub const NO_CONTROL_HINT: &str = "name it by its name or its label; --form NUMBER names another form of the page";
pub const OTHER_SITE_HINT: &str = "gather it by the page of that site that has the form";
pub const UNREACHABLE_HINT: &str = "look at the page in a browser, and try again later";
pub const GATHERED_ELSEWHERE: &str = "somebody else is gathering into this survey at this moment";
pub const NO_SUCH_GATHER_HINT: &str = "`groma gather list` shows those of the survey";

pub fn means_nothing(key: &str) -> String {
    format!("the setting {key} is about pages and means nothing to gather")
}

/// `line` counts from 1; nothing where the fault is of several lines.
pub fn wrong_description(line: Option<usize>, what: &str) -> String {
    match line {
        Some(line) => format!("the description, line {line}: {what}"),
        None => format!("the description: {what}"),
    }
}

pub fn no_such_gather(id: u64) -> String {
    format!("there is no gathering {id}")
}

pub fn stops_after(requests: u64) -> String {
    format!("it stops by itself after {}", counted(requests, "request", "requests"))
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

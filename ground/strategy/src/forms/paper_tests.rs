//! The paper's own form: a text with `[A-Z]%`, a script beside the form, URLs of further pages, and a site that tells cases apart.

use super::*;

/// Names of so many records, more under some letters than under others.
fn towns(count: usize) -> Vec<String> {
    let endings = ["anow", "ellin", "orst", "ugard", "inz", "rerow"];
    let letter = |nth: usize| char::from(b'A' + ((nth * nth / 3 + nth) % 26) as u8);
    let mut all: Vec<String> =
        (0..count).map(|nth| format!("{}{}-{}{nth}", letter(nth), endings[nth % 6], letter(nth * 5))).collect();
    all.sort();
    all
}

/// Answers are lists of ten a page, cut after `limit`, with or without their total; `shown`: what a row calls the name.
fn asked_by_the_paper(limit: usize, counts: bool, shown: &str) -> (Closing, usize, usize) {
    let form = format!(
        "<html><head><meta name=DB.QueryScript content='/ask, GET'><meta name=DB.QueryElement content=town>\
         <meta name=DB.QueryElement.town content='/[A-Z]%/'><meta name=DB.NavigationURL content='/ask?*'>\
         <meta name=DB.Result.{shown} content='html->li[*].txt'></head>\
         <body><form action=/elsewhere><label>Town <input name=town></label><input type=submit></form></body></html>"
    );
    let all = towns(260);
    let site = |asked: &Asked| {
        let Some((_, pattern)) = asked.0.iter().find(|(name, _)| name == "town") else { return form.clone() };
        let begins = pattern.trim_end_matches('%');
        let found: Vec<String> = all.iter().filter(|name| name.starts_with(begins)).cloned().collect();
        let page = listed(&found, asked, limit, "").replace("href=\"?", "href=\"/ask?");
        if counts { page } else { page.replace("records found", "") }
    };
    let (closing, names, asked) = gather(&site);
    (closing, names.len(), asked.len())
}

#[test]
fn the_form_of_the_paper_comes_out_whole_where_case_counts() {
    for shown in ["town", "place"] {
        for counts in [true, false] {
            let (closing, found, asked) = asked_by_the_paper(usize::MAX, counts, shown);
            assert!(found == 260 && asked <= 188, "{shown} {counts}: {found} in {asked} {closing:?}");
            let (closing, found, asked) = asked_by_the_paper(12, counts, shown);
            assert!(!closing.certified || found == 260, "{shown} {counts}, cut: {found} in {asked} {closing:?}");
            assert!(found >= 255, "{shown} {counts}, cut: {found} in {asked} {closing:?}");
        }
    }
}

/// A form whose token ends when the form is fetched again: the list that was begun with it is read again from its first page on.
#[test]
fn a_list_whose_token_is_gone_is_read_again() {
    let all = named(57);
    let given = std::cell::Cell::new(0_usize);
    let site = |asked: &Asked| {
        let token = asked.0.iter().find(|(name, _)| name == "ticket").and_then(|(_, value)| value.parse().ok());
        let Some(token): Option<usize> = token else {
            given.set(given.get() + 1);
            return format!(
                "<form><input type=hidden name=ticket value={}><label><input type=checkbox name=old>Old ones, too</label>\
                 <select name=kind><option value=''>any<option value=0>zero<option value=1>one</select><input type=submit></form>",
                given.get()
            );
        };
        if token != given.get() {
            return "<h1>Error</h1><p>Your session has expired.</p>".to_owned();
        }
        let is_shown = |nth: usize| !nth.is_multiple_of(4) || asked.0.iter().any(|(name, _)| name == "old");
        let fits = |(nth, _): &(usize, &String)| asked.one("kind").is_none_or(|kind| nth % 2 == kind) && is_shown(*nth);
        let found: Vec<String> = all.iter().enumerate().filter(fits).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, usize::MAX, "")
    };
    let (closing, names, asked) = gather_keyed(&site);
    assert!(closing.certified && names.len() == 57, "{} in {} {closing:?}", names.len(), asked.len());
}

//! What is a gathering called, how did it end, and how far is it? In a few words, here and on other pages.

use std::collections::HashMap;

use groma_model::wording::{counted, grouped};
use groma_store::gathers::GatherRow;

use crate::error::Problem;
use crate::pages::layout::{outward, short};
use crate::pages::words;
use crate::results::ResultKind;
use crate::results::databases::{Databases, Statement, gathered_at};
use crate::sites::Site;

/// Letters of a title, and of a URL.
pub(super) const TITLE: usize = 160;
pub(super) const ADDRESS: usize = 300;

/// What a database is called, fit for a line.
pub(super) fn title(row: &GatherRow) -> String {
    let known = [&row.title, &row.form, &row.address].into_iter().map(|text| short(text, TITLE));
    known.into_iter().find(|text| !text.is_empty()).unwrap_or_else(|| "(no title)".to_owned())
}

/// A link out, where a browser may be led there.
pub(super) fn out(address: &str) -> Option<String> {
    outward(address).map(str::to_owned)
}

/// How far a gathering is.
pub(super) fn so_far(row: &GatherRow) -> String {
    format!("{}, {} requests", counted(row.records.into(), "record", "records"), grouped(row.requests.into()))
}

/// How a gathering ended: in a word or two, and its look.
pub(super) fn end_of(row: &GatherRow, said: &Statement) -> (String, &'static str) {
    let (end, badge) = words::gather_end(if row.end.is_empty() { &said.end } else { &row.end });
    let share = said.estimated.as_ref().filter(|_| !said.certified);
    (format!("{end}{}", share.map(|share| format!(" {:.0} %", share.percent)).unwrap_or_default()), badge)
}

/// A gathering as a page names it that its form or document stands on.
pub(crate) struct DatabaseMention {
    pub(crate) id: u64,
    pub(crate) title: String,
    pub(crate) end: String,
    pub(crate) badge: &'static str,
    /// Its statement in one line.
    pub(crate) head: String,
}

/// What was gathered at a URL, the one that was last at work first, up to `most`.
pub(crate) fn mentions(site: &Site, address: &str, most: usize) -> Result<Vec<DatabaseMention>, Problem> {
    let mention = |row: &GatherRow| {
        let said = Statement::shown(row).unwrap_or_default();
        let (end, badge) = end_of(row, &said);
        DatabaseMention { id: row.id.0, title: title(row), end, badge, head: words::statement_head(&said) }
    };
    Ok(gathered_at(site, address)?.iter().take(most).map(mention).collect())
}

/// What was gathered, by the URLs of forms and documents: the number of the gathering that was last at work, and how much it found.
pub(crate) fn marks(site: &Site) -> Result<HashMap<String, (u64, String)>, Problem> {
    let mut marks = HashMap::new();
    for row in Databases::list(site)? {
        let values = Statement::shown(&row).map_or(0, |said| said.values);
        let says = match row.records {
            0 => counted(values, "value", "values"),
            records => counted(records.into(), "record", "records"),
        };
        for address in [row.form, row.address].into_iter().filter(|address| !address.is_empty()) {
            marks.entry(address).or_insert_with(|| (row.id.0, says.clone()));
        }
    }
    Ok(marks)
}

//! Where a record leads: to itself, if it has a page of its own; else to the answer that brought it, where that can be asked for by
//! a URL; else to the form.

use std::collections::HashMap;

use groma_model::Reason;
use groma_store::StoreError;
use groma_store::gathers::{Gathers, RecordRow};

use crate::key;

/// How keys of questions begin that are asked by a URL alone.
const GET: &str = "GET ";

/// Finds where records lead, and remembers the answers of questions: many records have come by the same one.
#[derive(Debug, Default)]
pub(crate) struct Leads {
    answers: HashMap<(u32, String), Option<String>>,
}

impl Leads {
    /// The URL for a record of a database with this form.
    pub(crate) fn record_url(
        &mut self,
        gathers: &mut Gathers,
        gather: u32,
        record: &RecordRow,
        form: &str,
    ) -> Result<String, StoreError> {
        if is_web(&record.link) {
            return Ok(record.link.clone());
        }
        let question = (gather, record.question.clone());
        if let Some(known) = self.answers.get(&question) {
            return Ok(known.clone().unwrap_or_else(|| form.to_owned()));
        }
        let answer = gathers.answer_about(key::long(gather), &record.question)?;
        let can_be_had = |address: &String| is_web(address);
        let by_address = answer.filter(|row| row.key.starts_with(GET) && row.reason == Reason::Fetched);
        let address = by_address.map(|row| row.address).filter(can_be_had);
        self.answers.insert(question, address.clone());
        Ok(address.unwrap_or_else(|| form.to_owned()))
    }
}

/// Can a browser be sent there without harm?
pub(crate) fn is_web(address: &str) -> bool {
    let begins = |scheme: &str| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    begins("http://") || begins("https://")
}

#[cfg(test)]
mod tests {
    use super::is_web;

    #[test]
    fn only_web_addresses_are_followed() {
        assert!(is_web("HTTPS://a.test/") && is_web("http://a.test/?q=1"));
        assert!(!is_web("javascript:alert(1)") && !is_web("") && !is_web("/a") && !is_web("httž"));
    }
}

//! What a notice says, as it is kept and as webhooks get it.

use std::collections::BTreeMap;

use groma_check::{Finding, Kind};
use groma_model::moment::rfc3339;
use groma_notify::fingerprint;
use groma_store::jobs::NoticeRow;
use serde::{Deserialize, Serialize};

use super::words;

/// Findings that a notice names one by one.
pub(super) const NAMED: usize = 200;

/// What is new, and what else happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// What makes it the same as another: 32 hexadecimal digits.
    pub id: String,
    /// Host of the site, with its port if that is unusual.
    pub site: String,
    /// Its first start page.
    pub home: String,
    /// The run that found it.
    pub run: u32,
    /// When it was written (RFC 3339).
    pub at: String,
    /// How many findings are new.
    pub total: u64,
    /// The same by kind.
    pub counts: BTreeMap<String, u64>,
    /// The first of them, as `groma check -f json` tells them.
    pub findings: Vec<Told>,
    /// Findings that are no more.
    pub fixed: u64,
    /// Pages that were added, gone, changed, moved and so on in the run.
    pub changes: BTreeMap<String, u64>,
}

/// A finding as notices list it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    pub kind: String,
    /// error, warning or note.
    pub severity: String,
    /// The page it is about.
    pub from: String,
    /// Where the link leads.
    pub to: Option<String>,
    /// The text of the link.
    pub anchor: Option<String>,
    /// Why it is broken, by its name.
    pub reason: Option<String>,
    /// Since when (RFC 3339).
    pub since: Option<String>,
    /// What else there is to know.
    pub detail: Option<String>,
    /// What to do about it.
    pub next: String,
}

impl Told {
    fn from_finding(finding: &Finding) -> Told {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Told {
            kind: finding.kind.name().to_owned(),
            severity: finding.kind.severity().name().to_owned(),
            from: finding.from.clone(),
            to: finding.to.clone(),
            anchor: some(&finding.anchor),
            reason: finding.reason.map(|reason| reason.name().to_owned()),
            since: (finding.since > 0).then(|| rfc3339(finding.since)),
            detail: some(&finding.detail),
            next: finding.next.to_owned(),
        }
    }
}

/// Collects what is new while a look lasts.
#[derive(Default)]
pub(super) struct News {
    body: Body,
    keys: Vec<String>,
}

impl News {
    /// Adds a new finding.
    pub(super) fn add(&mut self, finding: &Finding) {
        self.body.total += 1;
        *self.body.counts.entry(finding.kind.name().to_owned()).or_default() += 1;
        self.keys.push(finding.key().hex());
        if self.body.findings.len() < NAMED {
            self.body.findings.push(Told::from_finding(finding));
        }
    }

    /// Whether there is nothing new.
    pub(super) fn is_empty(&self) -> bool {
        self.body.total == 0
    }

    /// The notice about it. Its number depends on the site, the run and the findings.
    pub(super) fn notice(self, about: Body, began: i64, at: i64) -> (NoticeRow, Body) {
        let News { body, mut keys } = self;
        keys.sort_unstable();
        let (run, began) = (about.run.to_string(), began.to_string());
        let mut parts = vec![about.home.as_str(), &run, &began];
        parts.extend(keys.iter().map(String::as_str));
        let id = fingerprint(&parts);
        let body =
            Body { id, at: rfc3339(at), total: body.total, counts: body.counts, findings: body.findings, ..about };
        let title = words::title(body.total, body.count(Kind::InvalidLink), &body.site);
        let text = serde_json::to_string(&body).unwrap_or_default();
        (NoticeRow { id: 0, at, run: body.run, title, body: text, delivery: "{}".to_owned() }, body)
    }
}

impl Body {
    /// As it is kept in a row; what cannot be read is empty.
    pub fn from_row(row: &NoticeRow) -> Body {
        serde_json::from_str(&row.body).unwrap_or_default()
    }

    /// How many of a kind are new.
    pub fn count(&self, kind: Kind) -> u64 {
        self.counts.get(kind.name()).copied().unwrap_or(0)
    }
}

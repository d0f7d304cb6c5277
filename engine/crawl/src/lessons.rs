//! Learned rules at work: hearing witnesses, folding variants when a rule becomes strong, unfolding them when it is refuted.

use std::collections::{HashMap, HashSet};

use url::Url;

use groma_fetch::Fetcher;
use groma_model::url::learn::{Standing, Turn, parameters, without};
use groma_model::url::shape::{Shape, shape, shape_text, text_shape};
use groma_model::{Fp, PageId, Reason};
use groma_store::{AddressRow, Amend, Finding, LearnedRow, StoreError};

use crate::engine::Engine;
use crate::ledger::epoch;
use crate::ticket::Ticket;

/// A rule whose standing changed while a batch was open; carried out when it is committed.
pub(crate) struct Turned {
    pub(crate) shape: Shape,
    pub(crate) param: String,
    pub(crate) turn: Turn,
}

impl<F: Fetcher> Engine<'_, F> {
    /// Hears what a fetched page says about each of its parameters. If a strong rule says that it is a variant of a page fetched
    /// before, and it is, that page is returned.
    pub(crate) fn witness(&mut self, ticket: &Ticket, text: Fp) -> Result<Option<PageId>, StoreError> {
        let mut same_as = None;
        if ticket.url.query().is_none() {
            return Ok(None);
        }
        let kind_text = shape_text(&ticket.url);
        let kind = text_shape(&kind_text);
        for param in parameters(&ticket.url) {
            let Some(key) = without(&ticket.url, &param) else { continue };
            let earlier = match self.ledger.batch.variants.iter().find(|(k, _, _)| *k == key) {
                Some((_, page, text)) => Some((*page, *text)),
                None => self.text_now(key)?,
            };
            let Some((page, first)) = earlier else {
                self.ledger.batch.variants.push((key, ticket.id, text));
                continue;
            };
            // In an update the same page comes by again: no witness about itself, and its fellows may be older than it.
            if page == ticket.id || ticket.before != Reason::Waiting {
                continue;
            }
            let turn = self.learner.witness(&kind_text, &param, first, text);
            if turn != Turn::None {
                self.turned.push(Turned { shape: kind, param: param.clone(), turn });
            }
            let strong = self.learner.evidence(kind, &param).is_some_and(|e| e.standing == Standing::Strong);
            if strong && first == text {
                same_as = Some(page);
                self.learner.folded(kind, &param, 1);
            }
            let other = self.ledger.store.address(page)?.map(|row| row.url).unwrap_or_default();
            self.note_learned(
                &ticket.url,
                &param,
                &format!("{other} {} {}", if first == text { "=" } else { "!=" }, ticket.url),
            );
        }
        Ok(same_as)
    }

    /// The page fetched first for a key, with the text it has now.
    fn text_now(&mut self, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError> {
        let Some((page, first)) = self.ledger.store.variant(key)? else { return Ok(None) };
        let now = self.ledger.store.page(page)?.and_then(|p| p.facts.text_fp);
        Ok(Some((page, now.unwrap_or(first))))
    }

    /// Puts what is known of a pair into the batch.
    pub(crate) fn note_learned(&mut self, url: &Url, param: &str, example: &str) {
        let kind = shape(url);
        let Some(evidence) = self.learner.evidence(kind, param) else { return };
        let text = shape_text(url);
        let rows = &mut self.ledger.batch.learned;
        let at = rows.iter().position(|r| r.shape == text && r.param == param);
        let kept = self.examples.entry((kind, param.to_string())).or_default();
        if !example.is_empty() {
            *kept = example.to_string();
        }
        let row = LearnedRow {
            shape: text,
            param: param.to_string(),
            equal: evidence.equal,
            differ: evidence.differ,
            standing: evidence.standing as u8,
            folded: evidence.folded,
            samples: evidence.samples,
            example: kept.clone(),
        };
        match at {
            Some(at) => rows[at] = row,
            None => rows.push(row),
        }
    }

    /// Carries out what witnesses of the last batch turned.
    pub(crate) fn after_commit(&mut self) -> Result<(), StoreError> {
        for turned in std::mem::take(&mut self.turned) {
            match turned.turn {
                Turn::None => {}
                Turn::BecameStrong => self.fold(turned.shape, &turned.param)?,
                Turn::BecameRefuted => self.unfold(turned.shape, &turned.param)?,
            }
        }
        Ok(())
    }

    /// Every variant that waits becomes another name of the one that was fetched, or known, first.
    fn fold(&mut self, kind: Shape, param: &str) -> Result<(), StoreError> {
        let mut groups: HashMap<Fp, Vec<AddressRow>> = HashMap::new();
        self.each_of(kind, param, |row, key| {
            if matches!(row.reason, Reason::Fetched | Reason::Waiting) {
                groups.entry(key).or_default().push(row);
            }
        })?;
        let mut folded = HashSet::new();
        let mut example = None;
        let waiting = self.frontier.waiting_ids();
        for (key, mut rows) in groups {
            // Fetched ones first, then those already in memory, then the oldest.
            rows.sort_by_key(|r| (r.reason != Reason::Fetched, !self.loaded.contains(&r.id), r.id));
            let Some(first) = rows.first().cloned() else { continue };
            self.ledger.batch.folds.push((key, Some(first.id)));
            for row in &rows[1..] {
                let under_way = self.loaded.contains(&row.id) && !waiting.contains(&row.id);
                if under_way || (row.reason == Reason::Waiting && self.learner.sample(kind, param)) {
                    continue;
                }
                if row.reason == Reason::Fetched {
                    if !self.same_text(first.id, row.id)? {
                        continue;
                    }
                    self.learner.folded(kind, param, 1);
                    self.progress.indexed = self.progress.indexed.saturating_sub(1);
                } else {
                    self.progress.queued = self.progress.queued.saturating_sub(1);
                }
                folded.insert(row.id);
                self.ledger.batch.amends.push(alias(row.id, first.id));
            }
            example = example.or(Url::parse(&first.url).ok());
        }
        self.withdraw(&folded);
        if let Some(url) = example {
            self.note_learned(&url, param, "");
            let subject = format!("{}?{param}", shape_text(&url));
            let detail =
                format!("the parameter {param} does not change the page: its variants are folded into one address");
            self.watch.notice(&format!("learned: {detail} ({subject})"));
            self.ledger.batch.findings.push(Finding { kind: "learned-rule".into(), subject, detail, since: epoch() });
        }
        self.ledger.commit()
    }

    /// The rule was wrong: what it folded is fetched after all.
    fn unfold(&mut self, kind: Shape, param: &str) -> Result<(), StoreError> {
        let mut back = Vec::new();
        self.each_of(kind, param, |row, key| {
            if row.reason == Reason::Folded {
                back.push((row.id, row.host, key));
            }
        })?;
        self.progress.queued += back.len() as u64;
        self.watch.notice(&format!(
            "unlearned: the parameter {param} does change some pages; {} addresses are taken up again",
            back.len()
        ));
        for (id, host, key) in back {
            let queue = Some((self.round, 0));
            self.ledger.batch.amends.push(Amend {
                id,
                reason: Reason::Waiting,
                queue,
                depth: None,
                alias_of: None,
                forget: false,
            });
            self.ledger.batch.folds.push((key, None));
            self.hosts.feed(host);
        }
        self.ledger.commit()
    }

    /// Every address of this shape that has the parameter, with its key.
    fn each_of(&mut self, kind: Shape, param: &str, mut call: impl FnMut(AddressRow, Fp)) -> Result<(), StoreError> {
        self.each_address(|_, row| {
            if row.url.contains('?')
                && let Ok(url) = Url::parse(&row.url)
                && shape(&url) == kind
                && let Some(key) = without(&url, param)
            {
                call(row.clone(), key);
            }
        })
    }

    fn same_text(&mut self, one: PageId, other: PageId) -> Result<bool, StoreError> {
        let one = self.ledger.store.page(one)?.and_then(|p| p.facts.text_fp);
        let other = self.ledger.store.page(other)?.and_then(|p| p.facts.text_fp);
        Ok(one.is_some() && one == other)
    }

    /// Takes tickets of folded addresses out of the frontier.
    fn withdraw(&mut self, folded: &HashSet<PageId>) {
        for ticket in self.frontier.withdraw(|t| folded.contains(&t.id)) {
            self.loaded.remove(&ticket.id);
            if let Some(host) = self.hosts.get(ticket.host) {
                host.loaded -= 1;
                if host.more && !host.listed {
                    self.hosts.feed(ticket.host);
                }
            }
        }
    }
}

fn alias(id: PageId, of: PageId) -> Amend {
    Amend { id, reason: Reason::Folded, queue: None, depth: None, alias_of: Some(of), forget: true }
}

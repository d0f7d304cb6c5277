//! Learned rules at work: hearing witnesses, folding variants when a rule becomes strong, unfolding them when it is refuted.
//!
//! A rule turns in the batch that holds its witness; folding and unfolding touch addresses all over the survey and follow in
//! batches of their own. What is still to be done is a value of the survey meanwhile, so a kill in between is made up for.

use std::collections::{HashMap, HashSet};

use url::Url;

use groma_model::url::learn::{Standing, Turn, is_of, kinds, parameters, without};
use groma_model::url::shape::quarter;
use groma_model::{Fp, PageId, Reason};
use groma_store::{AddressRow, Amend, ChangeKind, Finding, LearnedRow, StoreError};
use groma_strategy::Plan;

use crate::engine::Engine;
use crate::ledger::epoch;
use crate::ticket::Ticket;

/// The value of the survey that holds what is still to be done.
const TURNS: &str = "turns";

/// A rule whose standing changed.
pub(crate) struct Turned {
    kind: String,
    param: String,
    turn: Turn,
}

impl Engine<'_> {
    /// Hears what a fetched page says about each of its parameters. If a strong rule says that it is a variant of a page fetched
    /// before, and it is, that page is returned.
    pub(crate) fn witness(&mut self, ticket: &Ticket, text: Fp) -> Result<Option<PageId>, StoreError> {
        let mut same_as = None;
        if ticket.url.query().is_none() {
            return Ok(None);
        }
        for param in parameters(&ticket.url) {
            let Some(key) = without(&ticket.url, &param) else { continue };
            let Some((page, first)) = self.living_first(key)? else {
                self.ledger.first(key, ticket.id, text);
                continue;
            };
            // In an update the same page comes by again: no witness about itself, and its fellows may be older than it.
            if page == ticket.id || ticket.before != Reason::Waiting {
                continue;
            }
            let other = self.ledger.store.address(page)?.map(|row| row.url).unwrap_or_default();
            let example = format!("{other} {} {}", if first == text { "=" } else { "!=" }, ticket.url);
            self.hear(&ticket.url, &param, first, text, &example);
            let strong = self.learner.meaningless(&ticket.url).filter(|(_, name)| *name == param);
            if let Some((kind, _)) = strong.filter(|_| first == text) {
                same_as = Some(page);
                self.learner.folded(&kind, &param, 1);
                self.note_learned(&kind, &param, "");
            }
        }
        Ok(same_as)
    }

    /// A witness speaks for its shape, and for its host unless the shape is settled already.
    fn hear(&mut self, url: &Url, param: &str, first: Fp, second: Fp, example: &str) {
        for kind in kinds(url) {
            let turn = self.learner.witness(&kind, param, first, second);
            if turn != Turn::None {
                self.turned.push(Turned { kind: kind.clone(), param: param.to_string(), turn });
            }
            self.note_learned(&kind, param, example);
            let strong = self.learner.evidence(&kind, param).is_some_and(|e| e.standing == Standing::Strong);
            if strong && first == second {
                break;
            }
        }
    }

    /// The page fetched first for a key, with the text it has now, if it still is a page.
    fn living_first(&mut self, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError> {
        let Some((page, text, committed)) = self.ledger.first_of(key)? else { return Ok(None) };
        if !committed {
            return Ok(Some((page, text)));
        }
        let lives = self.ledger.store.address(page)?.is_some_and(|row| row.reason == Reason::Fetched);
        let now = self.ledger.store.page(page)?.and_then(|p| p.facts.text_fp);
        Ok(lives.then(|| (page, now.unwrap_or(text))))
    }

    /// Puts what is known of a pair into the batch.
    pub(crate) fn note_learned(&mut self, kind: &str, param: &str, example: &str) {
        let Some(evidence) = self.learner.evidence(kind, param) else { return };
        let kept = self.examples.entry((kind.to_string(), param.to_string())).or_default();
        // What refuted a rule stays its example.
        let refuted = evidence.standing == Standing::Refuted && kept.contains(" != ");
        if !example.is_empty() && !refuted {
            *kept = example.to_string();
        }
        let row = LearnedRow {
            shape: kind.to_string(),
            param: param.to_string(),
            equal: evidence.equal,
            differ: evidence.differ,
            standing: evidence.standing as u8,
            folded: evidence.folded,
            samples: evidence.samples,
            example: kept.clone(),
        };
        let rows = &mut self.ledger.batch.learned;
        match rows.iter().position(|r| r.shape == kind && r.param == param) {
            Some(at) => rows[at] = row,
            None => rows.push(row),
        }
    }

    /// Writes down, in the open batch, which rules turned.
    pub(crate) fn remember_turns(&mut self) {
        if !self.turned.is_empty() {
            let line = |t: &Turned| format!("{}\t{}\t{}", t.turn.name(), t.kind, t.param);
            let lines: Vec<String> = self.turned.iter().map(line).collect();
            self.ledger.batch.values.push((TURNS.into(), lines.join("\n")));
        }
    }

    /// Takes up what was still to be done when the crawl was killed.
    pub(crate) fn recall_turns(&mut self) -> Result<(), StoreError> {
        let lines = self.ledger.store.value(TURNS)?.unwrap_or_default();
        for line in lines.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(turn), Some(kind), Some(param)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let unknown = || StoreError::Damaged(format!("a rule has turned to {turn:?}, which nobody knows"));
            let turn = Turn::named(turn).ok_or_else(unknown)?;
            self.turned.push(Turned { kind: kind.into(), param: param.into(), turn });
        }
        self.after_commit()
    }

    /// Carries out what the last batch turned, and lets others stand in for pages that fell.
    pub(crate) fn after_commit(&mut self) -> Result<(), StoreError> {
        if !self.turned.is_empty() {
            for turned in std::mem::take(&mut self.turned) {
                match turned.turn {
                    Turn::None => {}
                    Turn::BecameStrong => self.fold(&turned.kind, &turned.param)?,
                    Turn::BecameRefuted => self.unfold(&turned.kind, &turned.param)?,
                }
            }
            self.ledger.batch.values.push((TURNS.into(), String::new()));
            self.commit()?;
        }
        for page in std::mem::take(&mut self.fallen) {
            self.replace_fallen(page)?;
        }
        Ok(())
    }

    /// Every variant that waits becomes another name of the one that was fetched, or known, first.
    fn fold(&mut self, kind: &str, param: &str) -> Result<(), StoreError> {
        let mut groups: HashMap<Fp, Vec<AddressRow>> = HashMap::new();
        self.each_of(kind, param, |row, key| {
            if matches!(row.reason, Reason::Fetched | Reason::Waiting) {
                groups.entry(key).or_default().push(row);
            }
        })?;
        let mut folded = HashSet::new();
        let waiting = self.frontier.waiting_ids();
        for (key, mut rows) in groups {
            // Fetched ones first, then those already in memory, then the oldest.
            rows.sort_by_key(|r| (r.reason != Reason::Fetched, !self.loaded.contains(&r.id), r.id));
            let Some(first) = rows.first().map(|r| r.id) else { continue };
            self.ledger.fold(key, Some(first));
            for row in &rows[1..] {
                let under_way = self.loaded.contains(&row.id) && !waiting.contains(&row.id);
                if under_way || !self.folds_into(row, first, kind, param)? {
                    continue;
                }
                folded.insert(row.id);
                self.ledger.batch.amends.push(alias(row.id, first, row.reason == Reason::Fetched));
            }
        }
        drop(self.withdraw(&folded));
        self.renamed |= !folded.is_empty();
        self.note_learned(kind, param, "");
        let subject = format!("{kind}?{param}");
        let detail =
            format!("the parameter {param} does not change the page: its variants are folded into one address");
        self.watch.notice(&format!("learned: {detail} ({subject})"));
        self.ledger.batch.findings.push(Finding { kind: "learned-rule".into(), subject, detail, since: epoch() });
        self.commit()
    }

    /// Is this address to become another name of `first`? Some that wait are kept as samples.
    fn folds_into(&mut self, row: &AddressRow, first: PageId, kind: &str, param: &str) -> Result<bool, StoreError> {
        if row.reason == Reason::Fetched {
            if !self.same_text(first, row.id)? {
                return Ok(false);
            }
            self.learner.folded(kind, param, 1);
            self.progress.indexed = self.progress.indexed.saturating_sub(1);
            self.log(row.id, ChangeKind::Moved, 0, Some(first));
            return Ok(true);
        }
        let part = Url::parse(&row.url).map(|url| quarter(&url));
        let kept = part.is_ok_and(|part| self.learner.sample(kind, param, part));
        if !kept {
            self.progress.queued = self.progress.queued.saturating_sub(1);
        }
        Ok(!kept)
    }

    /// The rule was wrong: what it folded is judged, and fetched, after all.
    fn unfold(&mut self, kind: &str, param: &str) -> Result<(), StoreError> {
        let mut back = Vec::new();
        self.each_of(kind, param, |row, key| {
            if row.reason == Reason::Folded {
                back.push((row, key));
            }
        })?;
        let count = back.len();
        self.watch.notice(&format!(
            "unlearned: the parameter {param} does change some pages; {count} addresses are taken up again"
        ));
        self.note_learned(kind, param, "");
        let subject = format!("{kind}?{param}");
        let detail = format!("the parameter {param} does change some pages: nothing is folded any more");
        self.ledger.batch.findings.push(Finding { kind: "learned-rule".into(), subject, detail, since: epoch() });
        let mut plan = Plan::default();
        let mut depths = HashMap::new();
        for (row, key) in back {
            self.judge_again(row.id, row.depth, row.via_kind, &mut plan);
            depths.insert(row.id, row.depth);
            self.ledger.fold(key, None);
            self.to_feed.push(row.host);
        }
        self.renamed |= count > 0;
        self.progress.queued += if self.strategy.remembers() { 0 } else { count as u64 };
        self.progress.discovered += count as u64;
        self.stop_said |= self.ledger.obey(plan, |id| depths.get(&id).copied().unwrap_or(groma_model::Depth::LOOSE));
        self.commit()
    }

    /// A page that stood for its variants is none (any more): the newest of them takes its place and is fetched.
    fn replace_fallen(&mut self, page: PageId) -> Result<(), StoreError> {
        let mut rows = self.ledger.store.aliases(page)?;
        rows.retain(|row| row.reason == Reason::Folded);
        rows.sort_by_key(|row| std::cmp::Reverse(row.id));
        let Some(next) = rows.first().cloned() else { return Ok(()) };
        let mut plan = Plan::default();
        self.judge_again(next.id, next.depth, next.via_kind, &mut plan);
        self.renamed = true;
        self.progress.queued += u64::from(!self.strategy.remembers());
        self.stop_said |= self.ledger.obey(plan, |_| next.depth);
        self.to_feed.push(next.host);
        if let Ok(url) = Url::parse(&next.url) {
            for key in parameters(&url).iter().filter_map(|param| without(&url, param)) {
                if self.ledger.stands_for(key)? == Some(page) {
                    self.ledger.fold(key, Some(next.id));
                }
            }
        }
        for row in &rows[1..] {
            self.ledger.batch.amends.push(alias(row.id, next.id, false));
        }
        self.commit()
    }

    /// Every address of this kind that has the parameter, with its key.
    fn each_of(&mut self, kind: &str, param: &str, mut call: impl FnMut(AddressRow, Fp)) -> Result<(), StoreError> {
        self.each_address(|_, row| {
            if row.url.contains('?')
                && let Ok(url) = Url::parse(&row.url)
                && is_of(&url, kind)
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

    /// Takes tickets of addresses that are no longer wanted out of the frontier.
    pub(crate) fn withdraw(&mut self, unwanted: &HashSet<PageId>) -> Vec<Ticket> {
        let tickets = self.frontier.withdraw(|t| unwanted.contains(&t.id));
        for ticket in &tickets {
            self.loaded.remove(&ticket.id);
            self.new_loaded -= u64::from(ticket.before == Reason::Waiting);
            if let Some(host) = self.hosts.get(ticket.host) {
                host.loaded -= 1;
                if host.more {
                    self.hosts.feed(ticket.host);
                }
            }
        }
        tickets
    }
}

fn alias(id: PageId, of: PageId, forget: bool) -> Amend {
    Amend { alias_of: Some(of), forget, ..Amend::to(id, Reason::Folded) }
}

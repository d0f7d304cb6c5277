//! Learned rules at work: hearing witnesses, folding variants when a rule becomes strong, unfolding them when it is refuted.
//!
//! A rule turns in the batch that holds its witness; folding and unfolding touch URLs all over the survey and follow in
//! batches of their own. What is still to be done is a value of the survey meanwhile, so a kill in between is made up for.

use std::collections::{HashMap, HashSet};

use groma_url::Url;

use groma_model::url::learn::{Evidence, Learner, Standing, Turn, is_of, kinds, parameters, without};
use groma_model::url::shape::{Shape, quarter};
use groma_model::{Depth, Fp, Limits, PageId, Reason};
use groma_store::{AddressRow, Amend, ChangeKind, Finding, LearnedRow, Snapshot, StoreError, WriteBatch};
use groma_strategy::Plan;

use crate::epoch::epoch;
use crate::queue::waiting_pages;
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// The value of the survey that holds what is still to be done.
const TURNS: &str = "turns";

/// A rule whose standing changed.
struct Turned {
    kind: String,
    param: String,
    turn: Turn,
}

/// What is learned about parameters, and what follows from it.
pub(crate) struct Learning {
    learner: Learner,
    /// Rules whose standing changed while the batch was open.
    turned: Vec<Turned>,
    /// The latest two URLs that spoke for or against a rule.
    examples: HashMap<(String, String), String>,
    /// Pages that stood for variants and turned out to be none.
    fallen: Vec<PageId>,
}

impl Learning {
    /// Begins with what the store knows.
    pub(crate) fn load(store: &mut dyn Snapshot, limits: &Limits) -> Result<Learning, StoreError> {
        let (turned, examples, fallen) = (Vec::new(), HashMap::new(), Vec::new());
        let mut learning = Learning { learner: Learner::new(limits), turned, examples, fallen };
        for row in store.learned()? {
            learning.examples.insert((row.shape.clone(), row.param.clone()), row.example.clone());
            learning.remember(row);
        }
        Ok(learning)
    }

    /// Takes over what somebody else has learned.
    pub(crate) fn remember(&mut self, row: LearnedRow) {
        let standing = Standing::from_code(row.standing);
        let evidence = Evidence::restored(row.equal, row.differ, standing, row.folded, row.samples);
        self.learner.remember(row.shape, row.param, evidence);
    }

    /// The parameter of a URL that does not change the page, with the kind of URL for which that holds.
    pub(crate) fn meaningless(&self, url: &Url) -> Option<(String, String)> {
        self.learner.meaningless(url)
    }

    /// Is this variant fetched all the same, to see whether the rule still holds?
    pub(crate) fn samples(&mut self, kind: &str, param: &str, part: Shape) -> bool {
        self.learner.sample(kind, param, part)
    }

    /// A page that could not be had: if variants may have been folded into it, another has to stand in for it.
    pub(crate) fn may_have_fallen(&mut self, slot: &Slot) {
        if self.learner.meaningless(&slot.url).is_some() {
            self.fallen.push(slot.id);
        }
    }

    /// Hears what a fetched page says about each of its parameters. If a strong rule says that it is a variant of a page fetched
    /// before, and it is, that page is returned.
    pub(crate) fn witness(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        slot: &Slot,
        text: Fp,
    ) -> Result<Option<PageId>, StoreError> {
        let mut same_as = None;
        if slot.url.query().is_none() {
            return Ok(None);
        }
        for param in parameters(&slot.url) {
            let Some(key) = without(&slot.url, &param) else { continue };
            let Some((page, first)) = living_first(survey, key)? else {
                survey.ledger.first(key, slot.id, text);
                continue;
            };
            // In an update the same page comes by again: no witness about itself, and its fellows may be older than it.
            if page == slot.id || slot.before != Reason::Waiting {
                continue;
            }
            let other = survey.ledger.store.address(page)?.map(|row| row.url).unwrap_or_default();
            let example = format!("{other} {} {}", if first == text { "=" } else { "!=" }, slot.url);
            self.hear(&mut survey.ledger.batch, &slot.url, &param, first, text, &example);
            let strong = self.learner.meaningless(&slot.url).filter(|(_, name)| *name == param);
            if let Some((kind, _)) = strong.filter(|_| first == text) {
                same_as = Some(page);
                self.learner.folded(&kind, &param, 1);
                self.note(&mut survey.ledger.batch, &kind, &param, "");
            }
        }
        Ok(same_as)
    }

    /// A witness speaks for its shape, and for its host unless the shape is settled already.
    fn hear(&mut self, batch: &mut WriteBatch, url: &Url, param: &str, first: Fp, second: Fp, example: &str) {
        for kind in kinds(url) {
            let turn = self.learner.witness(&kind, param, first, second);
            if turn != Turn::None {
                self.turned.push(Turned { kind: kind.clone(), param: param.to_string(), turn });
            }
            self.note(batch, &kind, param, example);
            let strong = self.learner.evidence(&kind, param).is_some_and(|e| e.standing == Standing::Strong);
            if strong && first == second {
                break;
            }
        }
    }

    /// Puts what is known of a pair into the batch.
    pub(crate) fn note(&mut self, batch: &mut WriteBatch, kind: &str, param: &str, example: &str) {
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
        let rows = &mut batch.evidence.learned;
        match rows.iter().position(|r| r.shape == kind && r.param == param) {
            Some(at) => rows[at] = row,
            None => rows.push(row),
        }
    }

    /// Writes down, in the open batch, which rules turned.
    pub(crate) fn remember_turns(&self, batch: &mut WriteBatch) {
        if !self.turned.is_empty() {
            let line = |t: &Turned| format!("{}\t{}\t{}", t.turn.name(), t.kind, t.param);
            let lines: Vec<String> = self.turned.iter().map(line).collect();
            batch.values.push((TURNS.into(), lines.join("\n")));
        }
    }

    /// Takes up what was still to be done when the crawl was killed.
    pub(crate) fn recall_turns(&mut self, survey: &mut OpenSurvey<'_>) -> Result<bool, StoreError> {
        let lines = survey.ledger.store.value(TURNS)?.unwrap_or_default();
        for line in lines.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(turn), Some(kind), Some(param)) = (parts.next(), parts.next(), parts.next()) else { continue };
            let unknown = || StoreError::Damaged(format!("a rule has turned to {turn:?}, which nobody knows"));
            let turn = Turn::named(turn).ok_or_else(unknown)?;
            self.turned.push(Turned { kind: kind.into(), param: param.into(), turn });
        }
        self.after_commit(survey)
    }

    /// Carries out what the last batch turned, and lets others stand in for pages that fell. True: pages were found to be other names of
    /// others, or no longer to be.
    pub(crate) fn after_commit(&mut self, survey: &mut OpenSurvey<'_>) -> Result<bool, StoreError> {
        let mut renamed = false;
        if !self.turned.is_empty() {
            for turned in std::mem::take(&mut self.turned) {
                renamed |= match turned.turn {
                    Turn::None => false,
                    Turn::BecameStrong => self.fold(survey, &turned.kind, &turned.param)?,
                    Turn::BecameRefuted => self.unfold(survey, &turned.kind, &turned.param)?,
                };
            }
            survey.ledger.batch.values.push((TURNS.into(), String::new()));
            survey.commit()?;
        }
        for page in std::mem::take(&mut self.fallen) {
            renamed |= replace_fallen(survey, page)?;
        }
        Ok(renamed)
    }

    /// Every variant that waits becomes another name of the one that was fetched, or known, first.
    fn fold(&mut self, survey: &mut OpenSurvey<'_>, kind: &str, param: &str) -> Result<bool, StoreError> {
        let mut groups: HashMap<Fp, Vec<AddressRow>> = HashMap::new();
        each_of(survey, kind, param, |row, key| {
            if matches!(row.reason, Reason::Fetched | Reason::Waiting) {
                groups.entry(key).or_default().push(row);
            }
        })?;
        let mut folded = HashSet::new();
        let waiting = waiting_pages(&survey.kernel);
        for (key, mut rows) in groups {
            // Fetched ones first, then those already in memory, then the oldest.
            rows.sort_by_key(|r| (r.reason != Reason::Fetched, !survey.queue.has(r.id), r.id));
            let Some(first) = rows.first().map(|r| r.id) else { continue };
            survey.ledger.fold(key, Some(first));
            for row in &rows[1..] {
                let under_way = survey.queue.has(row.id) && !waiting.contains(&row.id);
                if under_way || !self.folds_into(survey, row, first, kind, param)? {
                    continue;
                }
                folded.insert(row.id);
                survey.ledger.batch.amends.push(alias(row.id, first, row.reason == Reason::Fetched));
            }
        }
        drop(survey.queue.withdraw(&mut survey.kernel, &folded));
        self.note(&mut survey.ledger.batch, kind, param, "");
        let subject = format!("{kind}?{param}");
        let detail = format!("the parameter {param} does not change the page: its variants are folded into one URL");
        survey.watch.notice(&format!("learned: {detail} ({subject})"));
        survey.ledger.batch.findings.push(Finding { kind: "learned-rule".into(), subject, detail, since: epoch() });
        survey.commit()?;
        Ok(!folded.is_empty())
    }

    /// Is this URL to become another name of `first`? Some that wait are kept as samples.
    fn folds_into(
        &mut self,
        survey: &mut OpenSurvey<'_>,
        row: &AddressRow,
        first: PageId,
        kind: &str,
        param: &str,
    ) -> Result<bool, StoreError> {
        if row.reason == Reason::Fetched {
            if !same_text(survey, first, row.id)? {
                return Ok(false);
            }
            self.learner.folded(kind, param, 1);
            survey.progress.fetched = survey.progress.fetched.saturating_sub(1);
            survey.log(row.id, ChangeKind::Moved, 0, Some(first));
            return Ok(true);
        }
        let part = Url::parse(&row.url).map(|url| quarter(&url));
        let kept = part.is_ok_and(|part| self.learner.sample(kind, param, part));
        if !kept {
            survey.leaves_queue();
        }
        Ok(!kept)
    }

    /// The rule was wrong: what it folded is judged, and fetched, after all.
    fn unfold(&mut self, survey: &mut OpenSurvey<'_>, kind: &str, param: &str) -> Result<bool, StoreError> {
        let mut back = Vec::new();
        each_of(survey, kind, param, |row, key| {
            if row.reason == Reason::Folded {
                back.push((row, key));
            }
        })?;
        let count = back.len();
        survey.watch.notice(&format!(
            "unlearned: the parameter {param} does change some pages; {count} URLs are taken up again"
        ));
        self.note(&mut survey.ledger.batch, kind, param, "");
        let subject = format!("{kind}?{param}");
        let detail = format!("the parameter {param} does change some pages: nothing is folded any more");
        survey.ledger.batch.findings.push(Finding { kind: "learned-rule".into(), subject, detail, since: epoch() });
        let mut plan = Plan::default();
        let mut depths = HashMap::new();
        for (row, key) in back {
            survey.judge_again(row.id, row.depth, row.via_kind, &mut plan);
            depths.insert(row.id, row.depth);
            survey.ledger.fold(key, None);
            survey.queue.to_feed.push(row.host);
        }
        survey.progress.queued += if survey.settings.remembers { 0 } else { count as u64 };
        survey.progress.discovered += count as u64;
        survey.obey_uncounted(plan, |id| depths.get(&id).copied().unwrap_or(Depth::LOOSE));
        survey.commit()?;
        Ok(count > 0)
    }
}

/// The page fetched first for a key, with the text it has now, if it still is a page.
fn living_first(survey: &mut OpenSurvey<'_>, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError> {
    let Some((page, text, committed)) = survey.ledger.first_of(key)? else { return Ok(None) };
    if !committed {
        return Ok(Some((page, text)));
    }
    let lives = survey.ledger.store.address(page)?.is_some_and(|row| row.reason == Reason::Fetched);
    let now = survey.ledger.store.page(page)?.and_then(|p| p.facts.text_fp);
    Ok(lives.then(|| (page, now.unwrap_or(text))))
}

/// A page that stood for its variants is none (any more): the newest of them takes its place and is fetched.
fn replace_fallen(survey: &mut OpenSurvey<'_>, page: PageId) -> Result<bool, StoreError> {
    let mut rows = survey.ledger.store.aliases(page)?;
    rows.retain(|row| row.reason == Reason::Folded);
    rows.sort_by_key(|row| std::cmp::Reverse(row.id));
    let Some(next) = rows.first().cloned() else { return Ok(false) };
    let mut plan = Plan::default();
    survey.judge_again(next.id, next.depth, next.via_kind, &mut plan);
    survey.progress.queued += u64::from(!survey.settings.remembers);
    survey.obey_uncounted(plan, |_| next.depth);
    survey.queue.to_feed.push(next.host);
    if let Ok(url) = Url::parse(&next.url) {
        for key in parameters(&url).iter().filter_map(|param| without(&url, param)) {
            if survey.ledger.stands_for(key)? == Some(page) {
                survey.ledger.fold(key, Some(next.id));
            }
        }
    }
    for row in &rows[1..] {
        survey.ledger.batch.amends.push(alias(row.id, next.id, false));
    }
    survey.commit()?;
    Ok(true)
}

/// Every URL of this kind that has the parameter, with its key.
fn each_of(
    survey: &mut OpenSurvey<'_>,
    kind: &str,
    param: &str,
    mut call: impl FnMut(AddressRow, Fp),
) -> Result<(), StoreError> {
    survey.each_address(|_, row| {
        if row.url.contains('?')
            && let Ok(url) = Url::parse(&row.url)
            && is_of(&url, kind)
            && let Some(key) = without(&url, param)
        {
            call(row.clone(), key);
        }
    })
}

fn same_text(survey: &mut OpenSurvey<'_>, one: PageId, other: PageId) -> Result<bool, StoreError> {
    let one = survey.ledger.store.page(one)?.and_then(|p| p.facts.text_fp);
    let other = survey.ledger.store.page(other)?.and_then(|p| p.facts.text_fp);
    Ok(one.is_some() && one == other)
}

fn alias(id: PageId, of: PageId, forget: bool) -> Amend {
    Amend { alias_of: Some(of), forget, ..Amend::to(id, Reason::Folded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{find, url, with_layers};
    use groma_store::SqliteStore;

    fn learning(limits: &Limits) -> Learning {
        let mut store = SqliteStore::open(std::path::Path::new(":memory:")).unwrap();
        Learning::load(&mut store, limits).unwrap()
    }

    fn reason(survey: &mut OpenSurvey<'_>, page: PageId) -> Reason {
        survey.ledger.store.address(page).unwrap().unwrap().reason
    }

    /// Two pairs of pages, of different texts, that are the same but for the parameter `s`.
    fn convince(learning: &mut Learning, batch: &mut WriteBatch) {
        for text in [b"one", b"two"] {
            learning.hear(batch, &url("/p?s=1"), "s", Fp::hash_bytes(text), Fp::hash_bytes(text), "a = b");
        }
    }

    #[test]
    fn a_strong_rule_folds_what_waits_and_a_refuted_one_gives_it_back() {
        with_layers(|survey| {
            let mut learning = learning(&survey.settings.limits);
            let pages = ["/p?s=1", "/p?s=2", "/p?s=3"].map(|path| find(survey, &mut learning, path));
            survey.commit().unwrap();
            assert_eq!(survey.progress.queued, 3);
            convince(&mut learning, &mut survey.ledger.batch);
            survey.commit().unwrap();
            assert!(learning.after_commit(survey).unwrap(), "pages have other names now");
            let reasons = pages.map(|page| reason(survey, page));
            assert_eq!(reasons, [Reason::Waiting, Reason::Folded, Reason::Folded]);
            assert_eq!(survey.progress.queued, 1);
            let new = find(survey, &mut learning, "/p?s=4");
            survey.commit().unwrap();
            assert_eq!(reason(survey, new), Reason::Folded, "a variant that turns up later");
            let (one, other) = (Fp::hash_bytes(b"one"), Fp::hash_bytes(b"other"));
            learning.hear(&mut survey.ledger.batch, &url("/p?s=1"), "s", one, other, "a != b");
            assert!(learning.after_commit(survey).unwrap());
            assert!(pages.iter().all(|page| reason(survey, *page) == Reason::Waiting));
            assert!(!learning.after_commit(survey).unwrap(), "that is done once");
        });
    }

    #[test]
    fn what_a_kill_left_undone_is_taken_up() {
        with_layers(|survey| {
            let mut first = learning(&survey.settings.limits);
            let page = ["/p?s=1", "/p?s=2"].map(|path| find(survey, &mut first, path))[1];
            convince(&mut first, &mut survey.ledger.batch);
            first.remember_turns(&mut survey.ledger.batch);
            survey.commit().unwrap();
            drop(first);
            let mut second = Learning::load(survey.ledger.store, &survey.settings.limits).unwrap();
            assert!(second.recall_turns(survey).unwrap());
            assert_eq!(reason(survey, page), Reason::Folded);
            assert!(!second.recall_turns(survey).unwrap());
        });
    }

    #[test]
    fn an_example_that_refutes_stays() {
        let (mut learning, mut batch) = (learning(&Limits::default()), WriteBatch::default());
        let (one, other) = (Fp::hash_bytes(b"one"), Fp::hash_bytes(b"other"));
        learning.hear(&mut batch, &url("/p?s=1"), "s", one, other, "a != b");
        learning.hear(&mut batch, &url("/p?s=1"), "s", one, one, "a = c");
        assert!(!batch.evidence.learned.is_empty() && batch.evidence.learned.iter().all(|row| row.example == "a != b"));
    }
}

//! A question goes out and its answer is taken in: forms with fresh tokens, pages, and what stands on them.

use std::collections::BTreeSet;

use groma_url::Url;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use groma_gather::Description;
use groma_gather::answer::{self, Answer as Page, AnswerKind, NoAnswerWhy};
use groma_gather::cover::{AnswerRecord, Cut, Verdict};
use groma_gather::form::{self, Form};
use groma_hel::{Bounds, Tree};
use groma_model::{Reason, Request};

use super::fragment::{Fragment, Record};
use super::questions::{Course, Questions};
use super::reading::{Pending, Purpose, Reading, Seen};
use super::start::text_of;
use crate::{Answer, Ask, AskPlan};

/// Pages that are kept for questions to come.
const KEPT: usize = 400;
/// Bytes of a value by which a record may be known in another dress, at least.
const FACE: usize = 4;

impl Questions {
    /// Asks the first page of a question; where there are tokens, for a fresh form first.
    pub(super) fn ask(&mut self, number: u32, plan: &mut AskPlan) {
        let Some(request) = self.request(number, &self.form) else {
            self.note("the form leads nowhere".to_owned());
            self.close(number, true);
            return;
        };
        let key = form::key(&request, &self.tokens);
        let suffix = self.traffic.readings.get(&number).map_or("", suffix);
        if suffix.is_empty()
            && let Some((page, whole)) = self.traffic.kept.get(&key)
        {
            if let Some(reading) = self.traffic.readings.get_mut(&number) {
                reading.begin(&request, &self.tokens);
            }
            return self.traffic.ready.push_back((number, page.clone(), *whole));
        }
        let is_retried = self.traffic.readings.get(&number).is_some_and(|reading| reading.tried_again);
        if self.tokens.is_empty() && !is_retried {
            return self.send(number, format!("{key}{suffix}"), request, plan);
        }
        let key = format!("form{suffix} for {key}");
        self.traffic.pending.entry(key.clone()).or_default().push_back(Pending::Fresh(number));
        let request = Request::get(self.found.page().clone());
        plan.ask(Ask { key, request, about: "a fresh form".to_owned() });
    }

    fn request(&self, number: u32, form: &Form) -> Option<Request> {
        let reading = self.traffic.readings.get(&number)?;
        let filled: Vec<(&str, &str)> =
            reading.filled.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.found.asking()?.request(form, &filled)
    }

    fn send(&mut self, number: u32, key: String, request: Request, plan: &mut AskPlan) {
        let Some(reading) = self.traffic.readings.get_mut(&number) else { return };
        let is_first = reading.pages() == 0;
        if is_first {
            reading.begin(&request, &self.tokens);
        }
        let nth = reading.next_number();
        let about = if nth > 1 { format!("{}, page {nth}", reading.about) } else { reading.about.clone() };
        let digest = xxh3_128(key.as_bytes());
        self.traffic.pages.insert(digest);
        if is_first {
            self.traffic.questions.insert(digest);
        }
        self.traffic.pending.entry(key.clone()).or_default().push_back(Pending::Page(number));
        plan.ask(Ask { key, request, about });
    }

    /// An answer has come.
    pub(super) fn hear(&mut self, answer: &Answer<'_>, fragment: &mut Fragment, plan: &mut AskPlan) {
        let Some(waiting) = self.traffic.pending.get_mut(answer.key) else { return };
        let whose = waiting.pop_front();
        if waiting.is_empty() {
            self.traffic.pending.remove(answer.key);
        }
        match whose {
            Some(Pending::Fresh(number)) => self.hear_fresh(number, answer, plan),
            Some(Pending::Page(number)) => self.hear_page(number, answer, fragment, plan),
            None => {}
        }
        self.refill(fragment, plan);
    }

    fn hear_fresh(&mut self, number: u32, answer: &Answer<'_>, plan: &mut AskPlan) {
        match self.found.fresh(answer).and_then(|fresh| self.request(number, &fresh)) {
            Some(request) => {
                let suffix = self.traffic.readings.get(&number).map_or("", suffix);
                let key = format!("{}{suffix}", form::key(&request, &self.tokens));
                self.send(number, key, request, plan);
            }
            None => self.close(number, true),
        }
    }

    fn hear_page(&mut self, number: u32, answer: &Answer<'_>, fragment: &mut Fragment, plan: &mut AskPlan) {
        let Some(reading) = self.traffic.readings.get(&number) else { return };
        if answer.reason != Reason::Fetched {
            // A token may be of a session that is over.
            let is_refused = matches!(answer.status, 400..=499) && !self.tokens.is_empty();
            let what = answer.reason.says().to_owned();
            return self.try_again(number, is_refused, &what, plan);
        }
        let filled = reading.filled.clone();
        let filled: Vec<(&str, &str)> = filled.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let Some(page) = self.read(answer, &filled) else { return self.close(number, true) };
        match self.pages.take(&page) {
            AnswerKind::Records | AnswerKind::Empty => {}
            AnswerKind::NoAnswer(why) => {
                // A fresh form does not help against a question that is not accepted.
                return self.try_again(number, why != NoAnswerWhy::Refused, &why.to_string(), plan);
            }
        }
        let is_first = self.traffic.readings.get(&number).is_some_and(|reading| reading.pages() == 0);
        let is_kept = self.traffic.readings.get(&number).is_some_and(|reading| {
            matches!(reading.purpose, Purpose::Base | Purpose::Early(_)) && !reading.tried_again
        });
        // A token that is gone by then does not lead to further pages.
        let is_kept = is_kept && (self.tokens.is_empty() || page.next.is_empty());
        if is_first
            && is_kept
            && self.traffic.kept.len() < KEPT
            && let Some(request) = self.request(number, &self.form)
        {
            let key = form::key(&request, &self.tokens);
            self.traffic.kept.insert(key, (page.clone(), !answer.cut));
        }
        self.take_page(number, &page, !answer.cut, fragment, plan);
    }

    /// A page that was asked for before.
    pub(super) fn hear_kept(
        &mut self,
        number: u32,
        page: &Page,
        whole: bool,
        fragment: &mut Fragment,
        plan: &mut AskPlan,
    ) {
        self.take_page(number, page, whole, fragment, plan);
    }

    /// Asks once more with a fresh form, if that may help and was not done before; else the question has no answer.
    fn try_again(&mut self, number: u32, may: bool, what: &str, plan: &mut AskPlan) {
        let Some(reading) = self.traffic.readings.get_mut(&number) else { return };
        if may && !reading.tried_again && reading.pages() == 0 {
            reading.tried_again = true;
            return self.ask(number, plan);
        }
        let about = reading.about.clone();
        self.note(format!("{about}: {what}"));
        self.close(number, true);
    }

    fn take_page(&mut self, number: u32, page: &Page, whole: bool, fragment: &mut Fragment, plan: &mut AskPlan) {
        let Some(mut reading) = self.traffic.readings.remove(&number) else { return };
        let rows = self.rows(page);
        let is_own = matches!(reading.purpose, Purpose::Cover(_) | Purpose::Product);
        if is_own {
            let before = self.known.len();
            for (nth, (row, faces)) in rows.iter().enumerate() {
                if self.known.insert(row.key, faces)
                    && let Some(record) = page.records.get(nth)
                {
                    self.words.learn(row.key, &record.values);
                }
            }
            reading.new += (self.known.len() - before) as usize;
            self.keep(page, &reading.about, fragment);
            self.traffic.heard += 1;
        } else if reading.purpose == Purpose::Base {
            self.words.learn_values(page);
        }
        reading.take(page, rows, whole);
        self.stated = self.stated.or(reading.stated());
        let limit = match &self.course {
            Some(Course::Cover(cover)) => cover.limit(),
            _ => None,
        };
        let read_on = match (&self.course, &reading.purpose) {
            (Some(Course::Cover(cover)), Purpose::Cover(id)) => {
                cover.peek(*id, &reading.heard(limit)) == Verdict::ReadOn
            }
            (_, Purpose::Product) => true,
            // Without a total only the end of a list says that it is all.
            (_, Purpose::Late(_)) => self.reads_to_the_end(&reading),
            _ => false,
        };
        let next = if read_on { reading.next() } else { None };
        self.traffic.readings.insert(number, reading);
        match next {
            Some(request) => {
                let key = form::key(&request, &self.tokens);
                self.send(number, key, request, plan);
            }
            None => self.close(number, false),
        }
    }

    /// Reads an answer page.
    fn read(&mut self, answer: &Answer<'_>, filled: &[(&str, &str)]) -> Option<Page> {
        let place = Url::parse(answer.address).ok()?;
        let (text, charset) = text_of(answer);
        let tree = Tree::parse(&text, &Bounds::default());
        let mut page = answer::read(&tree, &place, charset, &self.description, filled);
        // A page that counts or goes on is a list, also where it is what the page of the form shows.
        let is_list = page.total.is_some_and(|total| total.number > 0) || !page.next.is_empty();
        if !self.description.has_rules()
            && let Some(rules) = self.found.propose(&tree, is_list || self.axes.fills.is_empty())
        {
            self.note("nobody says where the records stand: they were told by their shape".to_owned());
            let tags = rules.into_iter().map(|(attribute, rule)| (format!("DB.Result.{attribute}"), rule));
            self.description = self.description.or(&Description::from_tags(tags));
            page = answer::read(&tree, &place, charset, &self.description, filled);
        }
        for complaint in &page.complaints {
            self.note(complaint.clone());
        }
        Some(page)
    }

    /// Records; where rules give lists that do not belong together, the longest list stands for them.
    fn rows(&self, page: &Page) -> Vec<Seen> {
        if !page.records.is_empty() {
            let names: BTreeSet<&str> =
                page.records.iter().flat_map(|record| &record.values).map(|(name, _)| name.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            let row = |record: &answer::Record| {
                let own = Record { values: record.values.clone(), ..Record::default() };
                let row = AnswerRecord { key: own.digest(), values: self.axes.shown(&record.values, &names) };
                (row, faces(record))
            };
            return page.records.iter().map(row).collect();
        }
        let longest = page.values.iter().max_by_key(|(name, values)| (values.len(), std::cmp::Reverse(*name)));
        let row = |name: &str, value: &str| {
            let key = xxh3_128(format!("{name}\0{value}").as_bytes());
            (AnswerRecord { key, values: Vec::new() }, Vec::new())
        };
        longest.map(|(name, values)| values.iter().map(|value| row(name, value)).collect()).unwrap_or_default()
    }

    /// Keeps what a page says in the fragment.
    fn keep(&self, page: &Page, about: &str, fragment: &mut Fragment) {
        for record in &page.records {
            fragment.add(Record {
                values: record.values.clone(),
                link: record.link.clone(),
                question: about.to_owned(),
            });
        }
        for (attribute, values) in &page.values {
            for value in values {
                fragment.value(attribute, value);
            }
        }
    }

    /// A question has been answered as far as it will be, or not at all.
    pub(super) fn close(&mut self, number: u32, failed: bool) {
        let Some(reading) = self.traffic.readings.remove(&number) else { return };
        self.traffic.failed += u64::from(failed);
        let limit = match &self.course {
            Some(Course::Cover(cover)) => cover.limit(),
            _ => None,
        };
        match (&mut self.course, reading.purpose.clone()) {
            (Some(Course::Cover(cover)), Purpose::Cover(id)) if failed => cover.failed(id),
            (Some(Course::Cover(cover)), Purpose::Cover(id)) => {
                let heard = reading.heard(limit);
                cover.hear(id, &heard);
                let word = reading.word.as_ref().filter(|_| self.text.axis.is_some());
                if let Some(word) = word {
                    let rows: Vec<u128> = heard.pages.iter().flatten().map(|row| row.key).collect();
                    let whole = !heard.more
                        && heard.cut != Cut::Yes
                        && cover.limit().is_none_or(|most| (rows.len() as u64) < most);
                    self.text.hear(word, &rows, reading.new, whole);
                }
                self.sent.extend(reading.filled.iter().cloned());
                self.keep_middle(&reading);
            }
            (Some(Course::Product { pages, .. }), _) => *pages += reading.pages(),
            (_, Purpose::Base) => self.take_base(&reading),
            (_, Purpose::Early(trial)) if !failed => self.account.take_early(trial, reading.sight()),
            (_, Purpose::Late((nth, _))) if failed => self.account.fail(nth),
            (_, Purpose::Late(trial)) => self.take_late(trial, &reading),
            (_, Purpose::Again(nth)) => self.compare_again(nth, &reading, failed),
            _ => {}
        }
    }

    fn take_late(&mut self, trial: super::account::TrialOf, reading: &Reading) {
        self.account.take_late(trial, &reading.sight(), &self.known);
    }

    /// Does nothing but its end say what an answer to a trial holds? It is read as long as it shows known records only.
    fn reads_to_the_end(&self, reading: &Reading) -> bool {
        let sight = reading.sight();
        let is_told = self.account.counts && sight.said.is_some();
        let enough = sight.rows.len() as u64 > self.known.len();
        !is_told && self.account.is_proved && !enough && self.known.has_all(&sight)
    }

    fn compare_again(&mut self, nth: usize, reading: &Reading, failed: bool) {
        let checked = if nth == 0 { &self.checks.first } else { &self.checks.middle };
        let Some((_, before)) = checked else { return };
        let now = reading.sight();
        let same = now.said == before.said && now.rows.len() == before.rows.len() && self.known.has_all(&now);
        self.checks.changed |= failed || !same;
    }
}

/// What parts a question from one that was asked before.
fn suffix(reading: &Reading) -> &'static str {
    match (&reading.purpose, reading.tried_again) {
        (Purpose::Again(_), false) => " at the end",
        (Purpose::Again(_), true) => " at the end once more",
        (_, true) => " once more",
        (_, false) => "",
    }
}

/// What a record may be known by in another dress: where it leads, and its longer values.
fn faces(record: &answer::Record) -> Vec<u64> {
    let values = record.values.iter().map(|(_, value)| value.as_str()).filter(|value| value.len() >= FACE);
    record.link.as_deref().into_iter().chain(values).map(|text| xxh3_64(text.as_bytes())).collect()
}

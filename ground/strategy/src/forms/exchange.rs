//! A question goes out and its answer is taken in: forms with fresh tokens, pages, and what stands on them.

use std::collections::{BTreeSet, HashMap};

use groma_url::Url;
use xxhash_rust::xxh3::xxh3_128;

use groma_gather::Description;
use groma_gather::answer::{self, Answer as Page, AnswerKind, NoAnswerWhy};
use groma_gather::cover::{self, AnswerRecord, Cut, Question, Verdict};
use groma_gather::form::{self, Form};
use groma_hel::{Bounds, Tree};
use groma_model::{Method, Reason, Request};

use super::account::TrialOf;
use super::controls::says;
use super::elsewhere::{Beside, ROOTS};
use super::fragment::{Fragment, Record};
use super::known::{Sight, faces};
use super::questions::{Course, Questions, Session};
use super::reading::{Pending, Purpose, Reading, Seen};
use super::start::{text_of, title_of};
use super::typed::overlay;
use crate::{Answer, Ask, AskPlan};

/// Pages that are kept for questions to come.
const KEPT: usize = 400;

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
        plan.ask(Ask { key, request, about: "a fresh form".to_owned(), operate: self.found.is_built() });
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
            self.traffic.latest = number;
        }
        reading.current = Some((request.clone(), false));
        let nth = reading.next_number();
        let about = if nth > 1 { format!("{}, page {nth}", reading.about) } else { reading.about.clone() };
        let digest = xxh3_128(key.as_bytes());
        self.traffic.pages.insert(digest);
        if is_first {
            self.traffic.questions.insert(digest);
        }
        self.traffic.pending.entry(key.clone()).or_default().push_back(Pending::Page(number));
        plan.ask(Ask { key, request, about, operate: false });
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
        if page.records.len() <= 1
            && page.total.is_none_or(|total| total.number <= 1)
            && let Some((page, rows)) = self.hear_item(number, answer, &page)
        {
            return self.take_page(number, (&page, rows), !answer.cut, fragment, plan);
        }
        match self.identity.pages.take(&page) {
            AnswerKind::Records | AnswerKind::Empty => {}
            AnswerKind::NoAnswer(why) => {
                let purpose = self.traffic.readings.get(&number).map(|reading| &reading.purpose);
                if let (NoAnswerWhy::FormAgain, Some(Purpose::Late((nth, _)))) = (why, purpose) {
                    self.account.take_form_again(*nth);
                }
                // A fresh form does not help against a question that is not accepted.
                return self.try_again(number, why != NoAnswerWhy::Refused, &why.to_string(), plan);
            }
        }
        let is_first = self.traffic.readings.get(&number).is_some_and(|reading| reading.pages() == 0);
        if is_first {
            self.look_for_session(number, &page);
        }
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
        self.identity.learn(&page);
        if let Some(reading) = self.traffic.readings.get(&number).filter(|one| matches!(one.purpose, Purpose::Cover(_)))
        {
            self.axes.learn_beginnings(&reading.filled, &page.records);
        }
        let rows = self.rows(&page);
        for (record, (row, _)) in page.records.iter().zip(&rows) {
            self.identity.remember(record, row.key);
        }
        self.take_page(number, (&page, rows), !answer.cut, fragment, plan);
    }

    /// The page of a record, to which a question leads that only this record satisfies.
    fn hear_item(&mut self, number: u32, answer: &Answer<'_>, page: &Page) -> Option<(Page, Vec<Seen>)> {
        let reading = self.traffic.readings.get(&number).filter(|reading| reading.pages() == 0)?;
        let (asked, _) = reading.current.as_ref()?;
        let place = Url::parse(answer.address).ok().filter(|place| place.path() != asked.url.path())?;
        let key = self.identity.met(&place)?;
        let title = || {
            let (text, _) = text_of(answer);
            vec![("title".to_owned(), title_of(&Tree::parse(&text, &Bounds::default())))]
        };
        let values = page.records.first().map_or_else(title, |record| record.values.clone());
        let record = answer::Record { values, link: Some(place.to_string()) };
        let seen = (AnswerRecord { key, values: Vec::new() }, faces(&record));
        Some((Page { records: vec![record], ..Page::default() }, vec![seen]))
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
        let rows = self.rows(page);
        self.take_page(number, (page, rows), whole, fragment, plan);
    }

    /// Asks once more with a fresh form, if that may help and was not done before; else the question has no answer.
    fn try_again(&mut self, number: u32, may: bool, what: &str, plan: &mut AskPlan) {
        let Some(reading) = self.traffic.readings.get_mut(&number) else { return };
        if may && !reading.tried_again && reading.pages() == 0 {
            reading.tried_again = true;
            return self.ask(number, plan);
        }
        // A later page: the same once more.
        if may
            && reading.pages() > 0
            && let Some((request, again @ false)) = &mut reading.current
        {
            *again = true;
            let about = format!("{}, once more", reading.about);
            let key = format!("{} once more", form::key(request, &self.tokens));
            let key = if self.traffic.session == Session::Keeps { format!("{key} of {about}") } else { key };
            let request = request.clone();
            self.traffic.pages.insert(xxh3_128(key.as_bytes()));
            self.traffic.pending.entry(key.clone()).or_default().push_back(Pending::Page(number));
            return plan.ask(Ask { key, request, about, operate: false });
        }
        // Its token may be gone, because a form was fetched since: all of it with a fresh one.
        if may && reading.pages() > 0 && !reading.anew && !self.tokens.is_empty() {
            reading.restart();
            return self.ask(number, plan);
        }
        let about = reading.about.clone();
        self.note(format!("{about}: {what}"));
        self.close(number, true);
    }

    /// Asks for a further page of an answer. Where the site keeps the question and another came between, for all of it again, in its turn.
    fn go_on(&mut self, number: u32, request: Request, plan: &mut AskPlan) {
        let key = form::key(&request, &self.tokens);
        if self.traffic.session != Session::Keeps {
            // A page of a list that is asked for again is another one: the token in it is.
            let suffix = self.traffic.readings.get(&number).map_or("", suffix);
            return self.send(number, format!("{key}{suffix}"), request, plan);
        }
        if self.traffic.latest != number {
            return self.traffic.parked.push_back(number);
        }
        let about = self.traffic.readings.get(&number).map_or("", |reading| reading.about.as_str());
        // The same URL leads to other pages for other questions.
        let key = format!("{key} of {about}{}", self.traffic.readings.get(&number).map_or("", suffix));
        self.send(number, key, request, plan);
    }

    /// Looks whether the ways to further pages say what was asked.
    fn look_for_session(&mut self, number: u32, page: &Page) {
        let Some(first) = self.request(number, &self.form).filter(|_| self.traffic.session != Session::Unneeded) else {
            return;
        };
        let asked = pairs(&first);
        let says = |next: &Request| {
            let theirs = pairs(next);
            asked.iter().any(|(name, value)| theirs.iter().any(|(own, said)| own == name && said == value))
        };
        if asked.is_empty() || page.next.is_empty() {
            return;
        }
        self.traffic.session = if page.next.iter().any(says) { Session::Unneeded } else { Session::Keeps };
    }

    fn take_page(
        &mut self,
        number: u32,
        (page, rows): (&Page, Vec<Seen>),
        whole: bool,
        fragment: &mut Fragment,
        plan: &mut AskPlan,
    ) {
        let Some(mut reading) = self.traffic.readings.remove(&number) else { return };
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
            self.keep(page, &rows, &reading.about, fragment);
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
            (_, Purpose::Late(_) | Purpose::Elsewhere(_)) => self.reads_to_the_end(&reading),
            _ => false,
        };
        let is_trial = matches!(reading.purpose, Purpose::Late(_) | Purpose::Elsewhere(_));
        let is_told = is_trial && self.account.proof.counts && reading.is_told();
        let next = match read_on {
            true if is_told => reading.leap(),
            true => reading.next(),
            false => None,
        };
        self.traffic.readings.insert(number, reading);
        match next {
            Some(request) => self.go_on(number, request, plan),
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
                let key = self.identity.key(record);
                let row = AnswerRecord { key, values: self.axes.shown(&record.values, &names) };
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
    fn keep(&mut self, page: &Page, rows: &[Seen], about: &str, fragment: &mut Fragment) {
        let mut here: HashMap<u128, u128> = HashMap::new();
        for (record, (row, _)) in page.records.iter().zip(rows) {
            // Two on one page that differ are two, whatever they are known by.
            let own = Record { values: record.values.clone(), ..Record::default() }.digest();
            let is_other = *here.entry(row.key).or_insert(own) != own;
            let digest = if is_other { row.key ^ own } else { row.key };
            let (values, link, question) = (record.values.clone(), record.link.clone(), about.to_owned());
            fragment.add(Record { values, link, question }, digest);
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
        let is_own = matches!(reading.purpose, Purpose::Cover(_));
        self.checks.flaws.extend(reading.flaw().filter(|_| is_own && !failed));
        self.checks.flaws.extend(self.outgrown(&reading).filter(|_| is_own && !failed));
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
            (_, Purpose::Base) => {
                self.account.is_refused = failed;
                self.take_base(&reading);
            }
            // What has no answer is tried once more after the questions.
            (_, Purpose::Early(trial)) => {
                self.account.take_early(trial, if failed { Sight::default() } else { reading.sight() });
            }
            (_, Purpose::Late((nth, _))) if failed => self.account.fail(nth),
            (_, Purpose::Late(trial)) => self.take_late(trial, &reading),
            (_, Purpose::Elsewhere(nth)) => self.compare_elsewhere(nth, &reading, failed),
            (_, Purpose::Again(nth)) => self.compare_again(nth, &reading, failed),
            _ => {}
        }
    }

    fn take_late(&mut self, trial: TrialOf, reading: &Reading) {
        self.account.take_late(trial, &reading.sight(), &self.known);
    }

    /// Is an answer to a trial read further? Where nothing but its end says what it holds, as long as it shows known records only; where
    /// its total counts, the farthest page is looked at beside the first, which may show the same few records whatever is asked.
    fn reads_to_the_end(&self, reading: &Reading) -> bool {
        let sight = reading.sight();
        let is_told = self.account.proof.counts && sight.said.is_some();
        let enough = if is_told { reading.pages() > 1 } else { sight.rows.len() as u64 > self.known.len() };
        self.account.proof.is_proved && !enough && self.known.has_all(&sight)
    }

    fn compare_again(&mut self, nth: usize, reading: &Reading, failed: bool) {
        let checked = if nth == 0 { &self.checks.first } else { &self.checks.middle };
        let Some((_, before)) = checked else { return };
        let now = reading.sight();
        let same = now.said == before.said && now.rows.len() == before.rows.len() && self.known.has_all(&now);
        // What had no answer the first time may have none again.
        let was_answered = !before.rows.is_empty() || before.said.is_some();
        self.checks.changed |= if failed { was_answered } else { !same };
    }
}

/// What a request says in its query or its body.
fn pairs(request: &Request) -> Vec<(String, String)> {
    let body = match &request.method {
        Method::Post { media_type, body } if media_type == "application/x-www-form-urlencoded" => body.as_slice(),
        _ => &[],
    };
    let query = request.url.query().unwrap_or_default().as_bytes();
    let read = |bytes| groma_url::form_urlencoded::parse(bytes).into_owned().take(400);
    read(query).chain(read(body)).collect()
}

/// What parts a question from one that was asked before.
fn suffix(reading: &Reading) -> &'static str {
    match (&reading.purpose, reading.anew, reading.tried_again) {
        (Purpose::Again(_), false, false) => " at the end",
        (Purpose::Again(_), false, true) => " at the end once more",
        (Purpose::Again(_), true, false) => " at the end anew",
        (Purpose::Again(_), true, true) => " at the end anew once more",
        (_, true, false) => " anew",
        (_, true, true) => " anew once more",
        (_, false, true) => " once more",
        (_, false, false) => "",
    }
}

impl Questions {
    /// Makes the trials, once for each base. False: there are none.
    pub(super) fn begin_elsewhere(&mut self) -> bool {
        if std::mem::replace(&mut self.checks.elsewhere.is_begun, true) || !self.account.proof.is_proved {
            return false;
        }
        // Whoever describes a form says what is chosen.
        if self.found.asking().is_some_and(|asking| asking.elements.iter().any(|element| !element.values.is_empty())) {
            return false;
        }
        let Some(Course::Cover(cover)) = &self.course else { return false };
        let must_choose = |axis: &cover::Axis| matches!(axis, cover::Axis::Choice { any: false, exhaustive: true, .. });
        let forced: Vec<usize> =
            (0..self.axes.space.fields.len()).filter(|nth| must_choose(&self.axes.space.fields[*nth])).collect();
        let names: Vec<&str> = forced.iter().flat_map(|axis| self.axes.fills[*axis].names()).collect();
        let mut roots = cover.roots(&forced);
        let base = self.base();
        let is_base =
            |root: &Question| self.filled(root).iter().all(|(name, value)| self.form_sends(&base, name, value));
        roots.retain(|(root, _)| !is_base(root));
        roots.sort_by_key(|(_, records)| std::cmp::Reverse(*records));
        roots.truncate(ROOTS);
        let is_own = |trial: &&TrialOf| !trial.1.iter().any(|(name, _)| names.contains(&name.as_str()));
        let trials: Vec<TrialOf> = self.account.accounted().iter().filter(is_own).cloned().collect();
        for (root, records) in roots {
            let own = trials.iter().map(|trial| Beside { trial: trial.clone(), root: root.clone(), records });
            self.checks.elsewhere.waiting.extend(own);
        }
        !self.checks.elsewhere.waiting.is_empty()
    }

    /// Does the form send this as it stands?
    fn form_sends(&self, base: &[(String, String)], name: &str, value: &str) -> bool {
        let is_said = base.iter().any(|(own, _)| own == name);
        let chosen = || {
            let field = self.form.field(name)?;
            let chosen = field.domain().find(|choice| choice.chosen).or_else(|| field.domain().next())?;
            Some(chosen.value == value)
        };
        base.iter().any(|(own, sent)| own == name && sent == value) || (!is_said && chosen() == Some(true))
    }

    /// The next trial beside another value.
    pub(super) fn next_elsewhere(&mut self) -> Option<Reading> {
        if self.is_spent() {
            self.checks.untried |= !self.checks.elsewhere.waiting.is_empty();
            self.checks.elsewhere.waiting.clear();
        }
        // What cannot be certified any more need not be tried.
        if !self.account.reasons().is_empty() {
            self.checks.elsewhere.waiting.clear();
        }
        let beside = self.checks.elsewhere.waiting.pop_front()?;
        let filled = overlay(self.filled(&beside.root), &beside.trial.1);
        let about = format!("{}, trying {}", self.axes.says(&beside.root), says(&beside.trial.1));
        self.checks.elsewhere.asked.push(beside);
        Some(Reading::new(Purpose::Elsewhere(self.checks.elsewhere.asked.len() - 1), about, filled))
    }

    pub(super) fn compare_elsewhere(&mut self, nth: usize, reading: &Reading, failed: bool) {
        let Some(Beside { trial: (control, _), records, .. }) = self.checks.elsewhere.asked.get(nth) else { return };
        let sight = reading.sight();
        let holds = match sight.said {
            _ if failed => return self.account.fail(*control),
            Some(said) if self.account.proof.counts => said <= *records,
            _ => sight.whole && sight.rows.len() as u64 <= *records,
        };
        if !holds || !(self.known.has_all(&sight) || self.known.are_dressed(&sight)) {
            self.account.refute(*control);
        }
    }
}

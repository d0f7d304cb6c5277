//! The questions to a form: which, in which order, and what their answers say.
//!
//! [`How::Whole`] follows a [`Cover`]; [`How::Paper`] asks the product of the essential elements' values, reads all pages of each
//! answer, and splits nothing.

use std::collections::{BTreeSet, HashMap, VecDeque};

use url::Url;
use xxhash_rust::xxh3::xxh3_128;

use groma_gather::Description;
use groma_gather::answer::{self, Answer as Page};
use groma_gather::cover::probe::Joined;
use groma_gather::cover::{self, Cover, Part, Question, Row, Statement, Verdict};
use groma_gather::form::{self, Field, Form, Kind};
use groma_hel::{Bounds, Tree};
use groma_model::{Reason, Request};

use super::axes::{Axes, is_called};
use super::fragment::{Fragment, Record};
use super::outline::Outline;
use super::reading::Reading;
use super::settings::{How, Settings};
use super::start::{Found, text_of};
use super::unvaried::{Tried, unvaried};
use crate::{Answer, Ask, AskPlan};

/// Questions under way at once.
const AT_ONCE: usize = 8;
/// Questions of the paper's product.
const PRODUCT: u64 = 100_000;
/// What is odd is told so often.
const NOTES: usize = 50;

/// Parts of names of fields that choose how answers are shown, not which.
const SHOWN_AS: [&str; 18] = [
    "sort",
    "order",
    "orderby",
    "sortierung",
    "reihenfolge",
    "tri",
    "view",
    "ansicht",
    "layout",
    "format",
    "lang",
    "language",
    "sprache",
    "locale",
    "dir",
    "direction",
    "theme",
    "currency",
];
/// Parts of names of fields that say how many rows a page has.
const PAGE_SIZE: [&str; 10] = [
    "perpage",
    "pagesize",
    "limit",
    "rows",
    "numresults",
    "resultsperpage",
    "hitsperpage",
    "proseite",
    "anzahl",
    "pagelength",
];

/// Whose turn an answer is.
#[derive(Debug)]
enum Pending {
    /// A page of the answer to this question.
    Page(u32),
    /// A fresh form for this question.
    Fresh(u32),
    /// The form as it stands, to learn how its values are written.
    Probe,
}

#[derive(Debug)]
enum Course {
    Cover(Box<Cover>),
    Product { next: u64, all: u64, pages: u64 },
}

/// The questions of a gathering.
#[derive(Debug)]
pub(super) struct Questions {
    found: Found,
    form: Form,
    tokens: Vec<String>,
    axes: Axes,
    /// What is filled in in any case.
    fixed: Vec<(String, String)>,
    course: Option<Course>,
    how: How,
    budget: Option<u64>,
    readings: HashMap<u32, Reading>,
    numbers: u32,
    pending: HashMap<String, VecDeque<Pending>>,
    description: Description,
    heard: u64,
    failed: u64,
    first_total: Option<u64>,
    /// What was sent for lists and boxes in questions that were answered.
    tried: Tried,
    notes: Vec<String>,
}

impl Questions {
    /// Before the first question.
    pub(super) fn begin(found: Found, tokens: Vec<String>, settings: &Settings) -> Option<Questions> {
        let form = found.form()?.clone();
        let description = found.description.clone();
        let mut questions = Questions {
            fixed: page_size(&form),
            axes: axes_of(&found, &form, settings.how, &HashMap::new()),
            found,
            form,
            tokens,
            course: None,
            how: settings.how,
            budget: settings.budget,
            readings: HashMap::new(),
            numbers: 0,
            pending: HashMap::new(),
            description,
            heard: 0,
            failed: 0,
            first_total: None,
            tried: Tried::new(),
            notes: Vec::new(),
        };
        if !questions.needs_probe() {
            questions.set_course();
        }
        Some(questions)
    }

    /// Must an answer be seen before the axes are known? Where bounds are numbers and nobody says how many digits they have.
    fn needs_probe(&self) -> bool {
        let unsaid = |range: &form::Range| range.step.as_deref().is_none_or(|step| step.eq_ignore_ascii_case("any"));
        self.how == How::Whole && self.form.ranges().iter().any(unsaid)
    }

    fn set_course(&mut self) {
        let asking = self.found.asking();
        self.course = Some(match self.how {
            How::Paper => {
                let all = asking.map_or(1, |asking| asking.requests()).min(PRODUCT);
                Course::Product { next: 0, all, pages: 0 }
            }
            How::Whole => {
                let settings = cover::Settings { pages: self.budget, ..cover::Settings::default() };
                Course::Cover(Box::new(Cover::new(self.axes.space.clone(), settings)))
            }
        });
    }

    /// Asks as much as may be under way at once.
    pub(super) fn refill(&mut self, plan: &mut AskPlan) {
        if self.course.is_none() {
            if self.pending.is_empty() {
                let everything = Question { parts: vec![Part::Open; self.axes.fills.len()] };
                let filled = self.filled(&everything);
                let reading = Reading::new(None, "everything".to_owned(), filled);
                let number = self.enter(reading);
                self.ask(number, Pending::Probe, plan);
            }
            return;
        }
        while self.readings.len() < AT_ONCE {
            let Some(reading) = self.next_question() else { break };
            let number = self.enter(reading);
            self.ask(number, Pending::Page(number), plan);
        }
    }

    fn enter(&mut self, reading: Reading) -> u32 {
        self.numbers += 1;
        self.readings.insert(self.numbers, reading);
        self.numbers
    }

    fn next_question(&mut self) -> Option<Reading> {
        match self.course.as_mut()? {
            Course::Cover(cover) => {
                let (id, question) = cover.next(1).pop()?;
                let about = self.axes.says(&question);
                Some(Reading::new(Some(id), about, self.filled(&question)))
            }
            Course::Product { next, all, .. } => {
                if next >= all {
                    return None;
                }
                let asking = self.found.asking()?;
                let filled = asking.questions(PRODUCT).nth(*next as usize)?;
                *next += 1;
                let said: Vec<String> = filled.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let about = if said.is_empty() { "everything".to_owned() } else { said.join(", ") };
                let filled = filled.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
                Some(Reading::new(None, about, filled.chain(self.fixed.clone()).collect()))
            }
        }
    }

    fn filled(&self, question: &Question) -> Vec<(String, String)> {
        self.axes.filled(question).into_iter().chain(self.fixed.clone()).collect()
    }

    /// Asks the first page of a question; where there are tokens, for a fresh form first.
    fn ask(&mut self, number: u32, whose: Pending, plan: &mut AskPlan) {
        let Some(request) = self.request(number, &self.form) else {
            self.notes.push("the form leads nowhere".to_owned());
            self.close(number, false);
            return;
        };
        let key = form::key(&request, &self.tokens);
        if self.tokens.is_empty() {
            return self.send(number, key, request, whose, plan);
        }
        let again = self.readings.get(&number).is_some_and(|reading| reading.tried_again);
        let key = format!("form {}for {key}", if again { "once more " } else { "" });
        self.pending.entry(key.clone()).or_default().push_back(Pending::Fresh(number));
        let request = Request::get(self.found.page().clone());
        plan.ask(Ask { key, request, about: "a fresh form".to_owned() });
    }

    fn request(&self, number: u32, form: &Form) -> Option<Request> {
        let reading = self.readings.get(&number)?;
        let filled: Vec<(&str, &str)> =
            reading.filled.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.found.asking()?.request(form, &filled)
    }

    fn send(&mut self, number: u32, key: String, request: Request, whose: Pending, plan: &mut AskPlan) {
        let Some(reading) = self.readings.get_mut(&number) else { return };
        let nth = reading.pages() + 1;
        if nth == 1 {
            reading.begin(&request, &self.tokens);
        }
        let about = if nth > 1 { format!("{}, page {nth}", reading.about) } else { reading.about.clone() };
        self.pending.entry(key.clone()).or_default().push_back(whose);
        plan.ask(Ask { key, request, about });
    }

    /// An answer has come.
    pub(super) fn hear(&mut self, answer: &Answer<'_>, fragment: &mut Fragment, plan: &mut AskPlan) {
        let Some(waiting) = self.pending.get_mut(answer.key) else { return };
        let whose = waiting.pop_front();
        if waiting.is_empty() {
            self.pending.remove(answer.key);
        }
        match whose {
            Some(Pending::Fresh(number)) => self.hear_fresh(number, answer, plan),
            Some(Pending::Page(number)) => self.hear_page(number, answer, fragment, plan),
            Some(Pending::Probe) => self.hear_probe(answer),
            None => {}
        }
        self.refill(plan);
    }

    fn hear_fresh(&mut self, number: u32, answer: &Answer<'_>, plan: &mut AskPlan) {
        let request = self.found.fresh(answer).and_then(|fresh| self.request(number, &fresh));
        let whose = if self.course.is_none() { Pending::Probe } else { Pending::Page(number) };
        let again = self.readings.get(&number).is_some_and(|reading| reading.tried_again);
        match request {
            Some(request) => {
                let key = form::key(&request, &self.tokens);
                let key = if again { format!("{key} once more") } else { key };
                self.send(number, key, request, whose, plan);
            }
            None => self.close(number, false),
        }
    }

    /// The form as it stands has been answered: now it is known how values are written.
    fn hear_probe(&mut self, answer: &Answer<'_>) {
        self.readings.clear();
        let mut seen: HashMap<String, Vec<String>> = HashMap::new();
        if let Some((page, ..)) = self.read(answer, &[]) {
            for (attribute, value) in page.records.iter().flat_map(|record| &record.values) {
                seen.entry(attribute.clone()).or_default().push(value.clone());
            }
            for (attribute, values) in page.values {
                seen.entry(attribute).or_default().extend(values);
            }
        }
        self.axes = axes_of(&self.found, &self.form, self.how, &seen);
        self.set_course();
    }

    fn hear_page(&mut self, number: u32, answer: &Answer<'_>, fragment: &mut Fragment, plan: &mut AskPlan) {
        let Some(mut reading) = self.readings.remove(&number) else { return };
        if answer.reason != Reason::Fetched {
            // A token may be of a session that is over.
            let refused = matches!(answer.status, 400..=499) && !self.tokens.is_empty() && !reading.tried_again;
            if refused {
                reading.tried_again = true;
                self.readings.insert(number, reading);
                return self.ask(number, Pending::Page(number), plan);
            }
            self.note(format!("{}: {}", reading.about, answer.reason.says()));
            self.readings.insert(number, reading);
            return self.close(number, true);
        }
        let filled: Vec<(&str, &str)> =
            reading.filled.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let Some((page, rows)) = self.read(answer, &filled) else {
            self.readings.insert(number, reading);
            return self.close(number, true);
        };
        self.keep(&page, &reading.about, fragment);
        reading.take(&page, rows, !answer.cut);
        self.heard += 1;
        self.first_total = self.first_total.or(reading.said());
        let read_on = match (&mut self.course, reading.id) {
            (Some(Course::Cover(cover)), Some(id)) => cover.peek(id, &reading.heard()) == Verdict::ReadOn,
            _ => true,
        };
        let next = if read_on { reading.next() } else { None };
        self.readings.insert(number, reading);
        match next {
            Some(request) => {
                let key = form::key(&request, &self.tokens);
                self.send(number, key, request, Pending::Page(number), plan);
            }
            None => self.close(number, false),
        }
    }

    /// Reads an answer page; its rows as the cover sees them.
    fn read(&mut self, answer: &Answer<'_>, filled: &[(&str, &str)]) -> Option<(Page, Vec<Row>)> {
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
        let rows = self.rows(&page);
        Some((page, rows))
    }

    /// Records; where rules give lists that do not belong together, the longest list stands for them.
    fn rows(&self, page: &Page) -> Vec<Row> {
        if !page.records.is_empty() {
            let names: BTreeSet<&str> =
                page.records.iter().flat_map(|record| &record.values).map(|(name, _)| name.as_str()).collect();
            let names: Vec<&str> = names.into_iter().collect();
            let row = |record: &answer::Record| {
                let own = Record { values: record.values.clone(), ..Record::default() };
                Row { key: own.digest(), values: self.axes.shown(&record.values, &names) }
            };
            return page.records.iter().map(row).collect();
        }
        let longest = page.values.iter().max_by_key(|(name, values)| (values.len(), std::cmp::Reverse(*name)));
        let row =
            |name: &str, value: &str| Row { key: xxh3_128(format!("{name}\0{value}").as_bytes()), values: Vec::new() };
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
    fn close(&mut self, number: u32, failed: bool) {
        let Some(reading) = self.readings.remove(&number) else { return };
        self.failed += u64::from(failed);
        if !failed {
            let is_chosen = |name: &str| self.form.field(name).is_some_and(|field| field.kind.is_chosen());
            for (name, value) in reading.filled.iter().filter(|(name, _)| is_chosen(name)) {
                if !self.tried.get(name).is_some_and(|sent| sent.contains(value)) {
                    self.tried.entry(name.clone()).or_default().insert(value.clone());
                }
            }
        }
        match (&mut self.course, reading.id) {
            (Some(Course::Cover(cover)), Some(id)) if failed => cover.failed(id),
            (Some(Course::Cover(cover)), Some(id)) => cover.hear(id, &reading.heard()),
            (Some(Course::Product { pages, .. }), _) => *pages += reading.pages(),
            _ => {}
        }
    }

    /// Leaves all answers as far as they were read.
    pub(super) fn break_off(&mut self) {
        let read: Vec<u32> =
            self.readings.iter().filter(|(_, reading)| reading.pages() > 0).map(|(number, _)| *number).collect();
        read.into_iter().for_each(|number| self.close(number, false));
    }

    /// Is there nothing left to ask?
    pub(super) fn is_over(&self) -> bool {
        self.course.is_some() && self.pending.is_empty() && self.readings.is_empty()
    }

    /// Has an answer been heard?
    pub(super) fn heard_any(&self) -> bool {
        self.heard > 0
    }

    /// What has been reached.
    pub(super) fn statement(&self) -> Statement {
        match &self.course {
            Some(Course::Cover(cover)) => cover.statement(),
            course => {
                let (questions, pages) = match course {
                    Some(Course::Product { next, pages, .. }) => (*next, *pages),
                    _ => (0, 0),
                };
                Statement {
                    certified: false,
                    rows: 0,
                    estimate: None,
                    questions,
                    pages,
                    least_questions: None,
                    least_pages: None,
                    open: 0,
                    reasons: Vec::new(),
                }
            }
        }
    }

    /// Why there is no certificate, in words.
    pub(super) fn reasons(&self) -> Vec<String> {
        use cover::Reason::{Ignored, Lacks, MayLack, Mismatch};
        if self.how == How::Paper {
            return vec![
                "the paper's method asks a fixed list of questions and does not look whether answers are cut"
                    .to_owned(),
            ];
        }
        let name = |axis: usize| self.axes.name(axis);
        let says = |reason: &cover::Reason| match reason {
            MayLack(axis) => format!("records without a value in the field {} may exist", name(*axis)),
            Lacks(axis) => format!("records without a value in the field {} exist", name(*axis)),
            Ignored(axis) => format!("the form takes no notice of the field {}", name(*axis)),
            Mismatch(axis) => format!("rows came that do not match what was asked in the field {}", name(*axis)),
            other => other.to_string(),
        };
        let left = unvaried(&self.form, &self.axes, &is_page_size, &self.tried);
        self.statement().reasons.iter().map(says).chain(left).collect()
    }

    /// What is odd, and what was found out.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if let Some(Course::Cover(cover)) = &self.course {
            for axis in 0..self.axes.fills.len() {
                let said = match cover.joined(axis) {
                    Some(Joined::And) => "records must have all of them (AND)",
                    Some(Joined::Or) => "records must have one of them (OR)",
                    Some(Joined::First) => "only the first counts",
                    Some(Joined::Last) => "only the last counts",
                    Some(Joined::Unknown) | None => continue,
                };
                notes.push(format!("several values of the field {} at once: {said}", self.axes.name(axis)));
            }
        }
        notes
    }

    fn note(&mut self, what: String) {
        if self.notes.len() < NOTES && !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }

    /// What would be asked, and what it would cost.
    pub(super) fn outline(&self) -> Outline {
        let forecast = match &self.course {
            Some(Course::Cover(cover)) => Some(cover.forecast()),
            _ => None,
        };
        let product = self.found.asking().map_or(1, |asking| asking.requests());
        Outline::of(&self.form, &self.axes, self.how, forecast, product, self.first_total, self.tokens.len())
    }

    /// How answers are read, as somebody would write it down: a description that can be kept and mended.
    pub(super) fn description(&self) -> String {
        self.description.to_string()
    }
}

/// The axes of a form: essential elements first, then lists, ranges, and texts that somebody gave values.
fn axes_of(found: &Found, form: &Form, how: How, seen: &HashMap<String, Vec<String>>) -> Axes {
    let mut axes = Axes::default();
    let mut used: Vec<String> = Vec::new();
    for element in found.asking().into_iter().flat_map(|asking| &asking.elements) {
        let Some(field) = form.field(&element.name).filter(|_| !element.values.is_empty()) else { continue };
        used.push(field.name.clone());
        if field.kind.is_typed() {
            axes.text(field, element.values.clone());
        } else {
            axes.choice(field, Some(element.values.clone()), true);
        }
    }
    if how == How::Paper {
        return axes;
    }
    let ranges = form.ranges();
    let ends: Vec<usize> = ranges.iter().flat_map(|range| [range.low, range.high]).collect();
    let free = |nth: usize, field: &Field| {
        field.is_variable() && !ends.contains(&nth) && !used.contains(&field.name) && !chooses_show(field)
    };
    let lists = form.fields.iter().enumerate().filter(|(nth, field)| free(*nth, field));
    for (_, field) in lists.clone().filter(|(_, field)| matches!(field.kind, Kind::Select | Kind::Radio)) {
        if field.domain().nth(1).is_some() {
            axes.choice(field, None, false);
        }
    }
    for range in &ranges {
        let known: Vec<String> = Axes::names_of(range)
            .iter()
            .flat_map(|name| seen.iter().filter(|(attribute, _)| is_called(attribute, name)))
            .flat_map(|(_, values)| values.iter().cloned())
            .collect();
        axes.range(range, form, &known);
    }
    for (_, field) in lists.clone().filter(|(_, field)| field.kind.is_typed()) {
        if let Some(Ok(values)) = found.description.metadata().domain(&field.name, true) {
            axes.text(field, values);
        }
    }
    // Boxes, of which several may be ticked: where nothing else is left to split, and never a proof.
    for (_, field) in lists.clone().filter(|(_, field)| matches!(field.kind, Kind::CheckBox | Kind::MultiSelect)) {
        if field.domain().nth(1).is_some() {
            axes.choice(field, None, false);
        }
    }
    if axes.fills.is_empty() {
        // Words: better than nothing.
        if let Some((_, field)) = lists.clone().find(|(_, field)| matches!(field.kind, Kind::Text | Kind::Search)) {
            axes.words(field, found.words.clone());
        }
    }
    axes
}

/// Does a field choose how answers are shown, and not which?
fn chooses_show(field: &Field) -> bool {
    let plain: String = field.name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect::<Vec<_>>();
    let is_show = |word: &String| SHOWN_AS.contains(&word.as_str());
    words(&field.name).iter().any(is_show) || SHOWN_AS.contains(&plain.as_str()) || is_page_size(field)
}

fn is_page_size(field: &Field) -> bool {
    let plain: String = field.name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let numbers = field.domain().filter(|choice| choice.value.parse::<u32>().is_ok()).count();
    PAGE_SIZE.iter().any(|known| plain == *known || plain.ends_with(known))
        && numbers > 0
        && numbers == field.domain().count()
}

/// Where a person may say how many rows a page has, the most: fewer requests for the same answer.
fn page_size(form: &Form) -> Vec<(String, String)> {
    let largest = |field: &Field| {
        let most = field.domain().max_by_key(|choice| choice.value.parse::<u32>().unwrap_or(0))?;
        Some((field.name.clone(), most.value.clone()))
    };
    form.fields.iter().filter(|field| field.kind == Kind::Select && is_page_size(field)).filter_map(largest).collect()
}

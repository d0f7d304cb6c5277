//! A gathering from what was asked to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use groma_crawl::{End, GatherSettings};
use groma_fetch::{Fetcher, HttpFetcher};
use groma_model::Reason;
use groma_model::wording::counted;
use groma_settings::Fault;
use groma_settings::clock::now;
use groma_settings::meaning::Access;
use groma_settings::saved::{self, Saved};
use groma_store::gathers::{AnswerRow, GatherId, Gathers, Harvest, NewGather, RecordRow};
use groma_store::{Store, StoreError, WriteBatch};
use groma_strategy::forms::{self, Degree, Forms, Js, News, Obstacle, is_same_site};
use groma_strategy::{Answer, AskPlan, Asker};
use groma_url::Url;
use serde::Serialize;
use serde_json::json;

use super::{About, Planned, Request};
use crate::crawl::wording::limit_hit;
use crate::gather::wording::{
    GATHERED_ELSEWHERE, NO_CONTROL_HINT, NO_DATABASE_HINT, NO_FORM_HINT, NO_SEARCH_HINT, OTHER_SITE_HINT, POSTS_HINT,
    SECRET_HINT, UNREACHABLE_HINT,
};
use crate::glance::Asking;
use crate::task::Gather;
use crate::task::scalar::Whole;

/// Bytes of a description that a gathering takes ([`Gather::description`]).
const MOST_DESCRIPTION: usize = 1 << 18;

/// Somebody who watches a gathering.
pub trait Watch: groma_crawl::Watch {
    /// There are so many records and values now.
    fn found(&mut self, records: u64, values: u64);
}

/// What is to be said at the end: the statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Closing {
    /// The number of the gathering.
    pub id: u64,
    /// "cooperative", "described" or "unaided"; nothing if it never got so far.
    pub degree: Option<&'static str>,
    /// Everything the form can show has been seen, and that is proved.
    pub certified: bool,
    /// Distinct records.
    pub rows: u64,
    /// Distinct values over all attributes.
    pub values: u64,
    /// Where it is not certified: how much of the whole it is, as far as that can be said, in per cent.
    pub estimated: Option<Estimated>,
    /// Questions asked.
    pub queries: u64,
    /// Answer pages read.
    pub pages: u64,
    /// Requests in all: forms, answers, redirects, retries.
    pub requests: u64,
    /// No method needs fewer questions.
    pub least_queries: Option<u64>,
    /// No method needs fewer pages.
    pub least_pages: Option<u64>,
    /// Why it is not certified.
    pub reasons: Vec<String>,
    /// What the user should know besides.
    pub notes: Vec<String>,
    /// "certified", "estimated", "unknown", "budget", "interrupted", "planned" or "failed".
    pub end: &'static str,
    /// The same in a sentence.
    pub says: String,
    /// A summarizer said that nothing is new.
    pub unchanged: bool,
}

/// A share of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimated {
    /// Per cent of the whole.
    pub percent: f64,
    /// Not less, in 19 of 20 cases.
    pub low: f64,
    /// Not more, in 19 of 20 cases.
    pub high: f64,
    /// How it was estimated.
    pub method: &'static str,
}

/// A gathering that came to its end, was planned, or was interrupted.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// What is to be said.
    pub closing: Closing,
    /// What it would cost, if that is known.
    pub planned: Option<Planned>,
    /// How it is asked and read, as a description that can be kept.
    pub description: Option<String>,
    /// Why it came to nothing, if it did.
    pub fault: Option<String>,
    /// What can be done about that.
    pub hint: &'static str,
    /// What its provider says of it.
    about: About,
    /// Lists and boxes whose values no question varied; `--vary NAME` does.
    left_out: Vec<forms::LeftOut>,
}

impl Gathered {
    /// All of it as JSON, for those who ask later.
    fn report(&self) -> String {
        let Gathered { closing, planned, fault, about, left_out, .. } = self;
        // A longer one could not be given back.
        let description = self.description.as_ref().filter(|text| text.len() <= MOST_DESCRIPTION);
        let left: Vec<_> = left_out.iter().map(|one| json!({ "name": one.name, "label": one.label })).collect();
        json!({
            "closing": closing, "planned": planned, "description": description, "fault": fault, "about": about,
            "left_out": left,
        })
        .to_string()
    }
}

/// Gathers a database into a survey, or goes on with it. A survey that is not there is begun.
pub fn gather(request: &Request, watch: &mut dyn Watch, interrupt: Arc<AtomicBool>) -> Result<Gathered, Fault> {
    let (Request { folder, task, .. }, asking) = (request, &request.asking());
    let start = Url::parse(task.url()).map_err(|error| Fault::new(error.to_string(), NO_DATABASE_HINT))?;
    let mut fetcher = fetcher(&start, asking)?;
    let archive = crate::archive::warc_store(asking.settings, std::slice::from_ref(&start))?;
    if let Some(archive) = &archive {
        fetcher = fetcher.recorded_by(archive.clone());
    }
    if !folder.exists() {
        let (mut store, _lock) = folder.open()?;
        if let Some(warc) = &asking.settings.warc {
            let saved = Saved::archived_in(&warc.path, warc.compression);
            let values = vec![(saved::KEY.to_owned(), serde_json::to_string(&saved).unwrap_or_default())];
            store.commit(&WriteBatch { now: now(), values, ..WriteBatch::default() })?;
        }
    }
    let (mut answers, mut keeper) = (folder.gathers()?, folder.gathers()?);
    let new =
        NewGather { key: key_of(&mut keeper, task)?, address: start.to_string(), asked: task.stored(), at: now() };
    let _lock = folder
        .gathering()?
        .ok_or_else(|| Fault::new(GATHERED_ELSEWHERE, "wait for it, or gather into another folder with --store"))?;
    let row = keeper.begin(&new)?;
    let settings = forms::Settings {
        spent: u64::from(row.requests),
        known: document_before(&mut answers, row.id)?,
        ..forms_settings(&start, task, asking)
    };
    let counts = Arc::new(Counts::default());
    let forms = Forms::new(settings);
    let mut traced = Traced { forms, keeper, id: row.id, requests: 0, failed: None, counts: Arc::clone(&counts) };
    let mut listener = Listener { watch, counts };
    let fetcher: Arc<dyn Fetcher> = Arc::new(fetcher);
    let summary = groma_crawl::gather(
        &mut answers,
        row.id,
        gather_settings(&start, task, asking),
        Arc::clone(&fetcher),
        &mut traced,
        &mut listener,
        interrupt,
    );
    for (key, times) in fetcher.limits_hit() {
        listener.watch.notice(&limit_reached(key, times));
    }
    // Also after a failure: what is kept is kept as whole files.
    let finished = archive.map_or(Ok(()), |archive| archive.finish());
    let summary = summary?;
    finished?;
    traced.write()?;
    if let Some(error) = traced.failed.take() {
        return Err(error.into());
    }
    listener.tell();
    let requests = answers.gather(row.id)?.map_or(0, |row| row.requests);
    let forms = &traced.forms;
    let closing = closing(row.id, forms, summary.end, task, u64::from(requests));
    let pause = asking.settings.manners.delay.max(asking.settings.stranger_delay(asking.owned)).as_millis() as u64;
    let gathered = Gathered {
        planned: forms.outline().map(|outline| Planned::from_outline(outline, pause)),
        description: forms.description(),
        fault: forms.closing().fault,
        hint: hint(forms.closing().obstacle),
        left_out: forms.left_out(),
        about: About::of_answers(
            &mut answers,
            row.id,
            &[DOCUMENT, "summarizer", "start", "start in a browser", "config"],
        )?,
        closing,
    };
    answers.tell(row.id, &gathered.report())?;
    // One that was interrupted, planned, or out of budget goes on when it is asked for again.
    if matches!(gathered.closing.end, "certified" | "estimated" | "unknown") {
        let statement = serde_json::to_string(&gathered.closing).unwrap_or_default();
        answers.end(row.id, gathered.closing.end, &statement, now())?;
    }
    Ok(gathered)
}

/// What can be done about an obstacle.
fn hint(obstacle: Option<Obstacle>) -> &'static str {
    match obstacle {
        Some(Obstacle::Posts) => POSTS_HINT,
        Some(Obstacle::Secret) => SECRET_HINT,
        Some(Obstacle::NoSearch) => NO_SEARCH_HINT,
        Some(Obstacle::NoForm) => NO_FORM_HINT,
        Some(Obstacle::OtherSite) => OTHER_SITE_HINT,
        Some(Obstacle::NoControl) => NO_CONTROL_HINT,
        Some(Obstacle::Unreachable) => UNREACHABLE_HINT,
        None => NO_DATABASE_HINT,
    }
}

/// The key of this gathering, as whichever version began it wrote it.
fn key_of(keeper: &mut Gathers, task: &Gather) -> Result<String, StoreError> {
    let same = |asked: &str| Gather::read_stored(asked).is_ok_and(|other| other.is_same(task));
    let known = keeper.gathers()?.into_iter().find(|row| same(&row.asked));
    Ok(known.map_or_else(|| task.key(), |row| row.key))
}

fn fetcher(start: &Url, asking: &Asking<'_>) -> Result<HttpFetcher, Fault> {
    let seeds = std::slice::from_ref(start);
    asking.settings.check_manners(seeds, asking.owned)?;
    let access = Access { owned: asking.owned, guarded: asking.guarded };
    let (mut config, _) = asking.settings.personal_config(seeds, asking.login.clone(), access)?;
    // Forms with tokens mostly tie them to a session.
    config.cookies = true;
    Ok(HttpFetcher::new(config)?)
}

/// How the form is asked, by somebody who has asked nothing yet.
fn forms_settings(start: &Url, task: &Gather, asking: &Asking<'_>) -> forms::Settings {
    let settings = &asking.settings;
    forms::Settings {
        described: forms::described(task.description()),
        form: task.form().to_owned(),
        how: task.how.0,
        post: task.post,
        // Without a budget that is named each run has one of its own.
        budget: task.budget.map(Whole::get),
        usual_budget: settings.manners.limits.gather_requests,
        vary: task.vary.clone(),
        js: match settings.rendered.js {
            groma_crawl::Js::Never => Js::Never,
            groma_crawl::Js::Auto => Js::Auto,
            groma_crawl::Js::Always => Js::Always,
        },
        plan: task.plan,
        ..forms::Settings::new(start.clone())
    }
}

fn gather_settings(start: &Url, task: &Gather, asking: &Asking<'_>) -> GatherSettings {
    let home = start.clone();
    GatherSettings {
        manners: asking.settings.manners(asking.owned),
        most_requests: task.budget.map(Whole::get),
        may_ask: Box::new(move |url| is_same_site(&home, url)),
    }
}

/// The key of the document that led to a summarizer, handed on from generation to generation.
const DOCUMENT: &str = "document";

/// The document of the last time, if that led to a summarizer.
fn document_before(answers: &mut Gathers, id: GatherId) -> Result<Option<Vec<u8>>, StoreError> {
    if answers.answer_before(id, "summarizer")?.is_none_or(|row| row.reason != Reason::Fetched) {
        return Ok(None);
    }
    // Whoever had to read it anew has the newer one.
    let row = match answers.answer_before(id, "start")? {
        Some(row) => Some(row),
        None => answers.answer_before(id, DOCUMENT)?,
    };
    let Some(row) = row else { return Ok(None) };
    let kept =
        AnswerRow { key: DOCUMENT.to_owned(), about: "the document of the last time".to_owned(), requests: 0, ..row };
    answers.keep(id, &kept)?;
    Ok(Some(kept.body))
}

fn closing(id: GatherId, forms: &Forms, end: End, task: &Gather, requests: u64) -> Closing {
    let said = forms.closing();
    let percent = |share: f64| (share * 1000.0).round() / 10.0;
    let estimated = said.share.map(|share| Estimated {
        percent: percent(share.share),
        low: percent(share.low),
        high: percent(share.high),
        method: share.method,
    });
    let end = match () {
        () if said.fault.is_some() => "failed",
        () if task.plan && end != End::Interrupted => "planned",
        () if end == End::Interrupted => "interrupted",
        () if end == End::PageLimit || said.paused || (!said.over && task.budget.is_some()) => "budget",
        () if said.certified => "certified",
        () if estimated.is_some() => "estimated",
        () => "unknown",
    };
    let degree = said.degree.map(Degree::name);
    let mut closing = Closing {
        id: id.0,
        degree,
        certified: said.certified,
        rows: said.records,
        values: said.values,
        estimated,
        queries: said.questions,
        pages: said.pages,
        requests,
        least_queries: said.least_questions,
        least_pages: said.least_pages,
        reasons: said.reasons,
        notes: said.notes,
        end,
        says: String::new(),
        unchanged: said.unchanged,
    };
    closing.says = said.fault.unwrap_or_else(|| gather_ended(&closing, task.budget.is_some()));
    closing
}

/// The strategy, and what it finds written down as it comes.
struct Traced {
    forms: Forms,
    keeper: Gathers,
    id: GatherId,
    requests: u32,
    failed: Option<StoreError>,
    counts: Arc<Counts>,
}

/// Records and values so far, for whoever watches.
#[derive(Default)]
struct Counts {
    records: AtomicU64,
    values: AtomicU64,
}

impl Traced {
    fn write(&mut self) -> Result<(), StoreError> {
        let News { form, title, records, values } = self.forms.news();
        if records.is_empty() && values.is_empty() && form.is_none() && title.is_none() {
            return Ok(());
        }
        self.counts.records.fetch_add(records.len() as u64, Ordering::Relaxed);
        self.counts.values.fetch_add(values.len() as u64, Ordering::Relaxed);
        let record = |record: groma_strategy::forms::Record| RecordRow {
            place: 0,
            values: serde_json::to_string(&record.values).unwrap_or_default(),
            link: record.link.unwrap_or_default(),
            question: record.question,
        };
        let records = records.into_iter().map(record).collect();
        let found = Harvest { form, title, records, values, requests: self.requests, at: now() };
        self.keeper.add(self.id, &found)?;
        Ok(())
    }
}

impl Asker for Traced {
    fn begin(&mut self, plan: &mut AskPlan) {
        self.forms.begin(plan);
    }

    fn answer(&mut self, answer: &Answer<'_>, plan: &mut AskPlan) {
        self.requests += 1;
        self.forms.answer(answer, plan);
        if let Err(error) = self.write() {
            self.failed.get_or_insert(error);
            plan.stop();
        }
    }
}

/// Passes on what happens.
struct Listener<'w> {
    watch: &'w mut dyn Watch,
    counts: Arc<Counts>,
}

impl Listener<'_> {
    fn tell(&mut self) {
        let (records, values) = (&self.counts.records, &self.counts.values);
        self.watch.found(records.load(Ordering::Relaxed), values.load(Ordering::Relaxed));
    }
}

impl groma_crawl::Watch for Listener<'_> {
    fn page(&mut self, page: &groma_crawl::PageSeen<'_>) {
        self.watch.page(page);
    }

    fn tick(&mut self, progress: &groma_crawl::Progress) {
        self.tell();
        self.watch.tick(progress);
    }

    fn notice(&mut self, line: &str) {
        self.watch.notice(line);
    }
}

fn limit_reached(key: &str, times: u64) -> String {
    format!("limit reached: {}", limit_hit(key, times))
}

/// How a gathering ended, in a sentence.
fn gather_ended(closing: &Closing, has_budget: bool) -> String {
    let found = if closing.rows > 0 {
        counted(closing.rows, "record", "records")
    } else {
        counted(closing.values, "value", "values")
    };
    let cost = format!(
        "{}, {}",
        counted(closing.queries, "question", "questions"),
        counted(closing.requests, "request", "requests")
    );
    match closing.end {
        "certified" if closing.degree == Some("cooperative") => {
            let news = if closing.unchanged { "; nothing is new" } else { "" };
            format!("complete, by the word of the summarizer: {found}; {cost}{news}")
        }
        "certified" => format!("certified complete: {found}; {cost}"),
        "planned" => format!("planned, not gathered: {found} so far; {cost}"),
        "interrupted" => format!("interrupted: {found} so far; the same command goes on where it stopped"),
        "budget" => {
            let next = if has_budget { "a larger --budget" } else { "the same command" };
            format!("the budget is spent: {found}{}; {cost}; {next} goes on", share(closing))
        }
        "estimated" => format!("not certified: {found}{}; {cost}", share(closing)),
        _ => format!("not certified, and nothing says how much is missing: {found}; {cost}"),
    }
}

fn share(closing: &Closing) -> String {
    closing.estimated.map_or(String::new(), |share| {
        format!(", about {:.0} % of all ({:.0} to {:.0} %, by {})", share.percent, share.low, share.high, share.method)
    })
}

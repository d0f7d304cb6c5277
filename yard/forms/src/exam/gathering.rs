//! A gathering of one site: the strategy asks, the client fetches, until there is no question left or the budget is spent.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use groma_model::outcome::Method;
use groma_model::{Reason, Request};
use groma_strategy::forms::{Closing, Forms, Record, Settings};
use groma_strategy::{Answer, Ask, AskPlan, Asker};
use groma_url::Url;

use super::client::{Client, Reply};
use crate::drawn::design::Design;

/// What a site may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    requests: u64,
    lists: u64,
}

impl Budget {
    pub(super) fn for_design(design: &Design, words: bool) -> Budget {
        let pages = design.rows.cells.len().div_ceil(design.habits.page) as u64;
        if words {
            return Budget { requests: u64::MAX, lists: 3 * pages + 200 };
        }
        Budget { requests: 40 * pages + 400, lists: u64::MAX }
    }
}

/// What came of it.
pub(super) struct Gathered {
    /// Nothing if the strategy broke.
    pub(super) closing: Option<Closing>,
    /// What it said when it broke.
    pub(super) broke: Option<String>,
    pub(super) records: Vec<Record>,
    pub(super) requests: u64,
    /// The budget was spent before it had no question left.
    pub(super) spent: bool,
    pub(super) took: Duration,
    /// Every request, where that was wanted.
    pub(super) trace: Vec<String>,
}

/// The strategy and what it has asked for.
struct Course<'c> {
    forms: Forms,
    waiting: VecDeque<Ask>,
    kept: HashMap<String, Reply>,
    client: Client,
    budget: Budget,
    lists: &'c dyn Fn() -> u64,
    gathered: Gathered,
    traced: bool,
}

/// Gathers from a form; `lists` says how many pages of lists the site was asked for.
pub(super) fn gather(form: &str, budget: Budget, lists: &dyn Fn() -> u64, traced: bool) -> anyhow::Result<Gathered> {
    let mut settings = Settings::new(Url::parse(form).context("the URL of the form")?);
    // The sites only search.
    settings.post = true;
    let begun = Instant::now();
    let mut course = Course {
        forms: Forms::new(settings),
        waiting: VecDeque::new(),
        kept: HashMap::new(),
        client: Client::default(),
        budget,
        lists,
        gathered: Gathered {
            closing: None,
            broke: None,
            records: Vec::new(),
            requests: 0,
            spent: false,
            took: Duration::ZERO,
            trace: Vec::new(),
        },
        traced,
    };
    let went = catch_unwind(AssertUnwindSafe(|| course.run()));
    let mut gathered = course.gathered;
    gathered.took = begun.elapsed();
    match went {
        Ok(done) => done?,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            gathered.broke = Some(said.unwrap_or_else(|| "it broke".to_owned()));
        }
    }
    Ok(gathered)
}

impl Course<'_> {
    fn run(&mut self) -> anyhow::Result<()> {
        let mut plan = AskPlan::default();
        self.forms.begin(&mut plan);
        loop {
            self.waiting.extend(plan.asks.drain(..));
            if plan.stop {
                break;
            }
            let Some(Ask { key, request, about, .. }) = self.waiting.pop_front() else { break };
            if !self.kept.contains_key(&key) {
                if self.gathered.requests >= self.budget.requests || (self.lists)() >= self.budget.lists {
                    self.gathered.spent = true;
                    break;
                }
                let reply = self.client.ask(&request).with_context(|| request.url.to_string())?;
                self.gathered.requests += 1;
                self.note(&request, &about, &reply);
                self.kept.insert(key.clone(), reply);
            }
            let Some(reply) = self.kept.get(&key) else { break };
            let fetched = (200..300).contains(&reply.status);
            let answer = Answer {
                key: &key,
                reason: if fetched { Reason::Fetched } else { Reason::of_status(reply.status) },
                status: reply.status,
                address: request.url.as_str(),
                media_type: &reply.media_type,
                charset: reply.charset.as_deref(),
                body: if fetched { &reply.body } else { &[] },
                cut: false,
                unchanged: false,
            };
            self.forms.answer(&answer, &mut plan);
            self.gathered.records.extend(self.forms.news().records);
        }
        self.gathered.closing = Some(self.forms.closing());
        Ok(())
    }

    fn note(&mut self, request: &Request, about: &str, reply: &Reply) {
        if !self.traced {
            return;
        }
        let (method, sent) = match &request.method {
            Method::Get => ("GET", String::new()),
            Method::Head => ("HEAD", String::new()),
            Method::Post { body, .. } => ("POST", format!(" {}", String::from_utf8_lossy(body))),
        };
        let url = &request.url;
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let text = String::from_utf8_lossy(&reply.body);
        let said = |class: &str| {
            let (_, rest) = text.split_once(&format!("<p class=\"{class}\">"))?;
            Some(rest.split('<').next().unwrap_or_default().to_owned())
        };
        let said: Vec<String> = ["count", "note", "remark"].into_iter().filter_map(said).collect();
        let found = self.gathered.records.len();
        let line = format!("{method} {target}{sent} [{about}] {found} so far; {} {}", reply.status, said.join(" / "));
        self.gathered.trace.push(line);
    }
}

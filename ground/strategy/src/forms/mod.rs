//! The next question to a form: a database comes out of it, record by record, and at the end an honest word on whether it is all.
//!
//! Source: the fourth paper (SWING), sections 2 and 3, and beyond it for answers that are cut ([`groma_gather::cover`]).
//!
//! ```text
//! start --document--> summarizer --SOIF--> fragment                                  (cooperative)
//! start --page with DB.* tags--> [config file] --> [form again] --> questions        (described)
//! start --page with a form--> [form again] --> questions, rules proposed             (unaided)
//! question --> answer page --> records --> further pages? --> split? --> next question
//! ```
//!
//! The form is asked for twice if it holds hidden values: those that differ are tokens, and a form with tokens is asked for anew
//! before each question. All requests stay on the site of the start page; whoever runs the strategy holds it to that, too.
//!
//! A function of its answers: told the same again, it asks the same. Cost: that of reading the pages, and what
//! [`cover`](groma_gather::cover) costs; memory a digest per record and value.

mod account;
mod axes;
mod choose;
mod closing;
mod controls;
mod cooperative;
mod elsewhere;
mod exchange;
mod fragment;
mod identity;
mod known;
mod outline;
mod questions;
mod reading;
mod settings;
mod start;
mod text;
mod typed;
mod verdict;
mod vocabulary;

pub use closing::{Closing, Degree, Obstacle, Share};
pub use cooperative::attributes;
pub use fragment::{News, Record};
pub use outline::{FieldOutline, LeftOut, Outline};
pub use settings::{How, Js, Settings};
pub use start::described;

use groma_model::url::registrable_domain;
use groma_model::{Reason, Request};
use groma_url::Url;

use crate::{Answer, Ask, AskPlan, Asker};
use closing::Refused;
use fragment::Fragment;
use questions::Questions;
use start::FormPage;

/// Keys of the questions before the first question to the form.
const START: &str = "start";
/// The same page, with what its scripts build and what its search box asks for.
const BUILT: &str = "start in a browser";
const CONFIG: &str = "config";
const AGAIN: &str = "form again";
const SUMMARIZER: &str = "summarizer";

/// The strategy that gathers a database through its search form.
#[derive(Debug)]
pub struct Forms {
    settings: Settings,
    fragment: Fragment,
    stage: Stage,
    degree: Option<Degree>,
    /// What is odd, in sentences.
    notes: Vec<String>,
    /// Why it came to nothing.
    fault: Option<Refused>,
    /// The summarizer said that nothing has changed.
    unchanged: bool,
    /// The page was asked for in a browser.
    is_built: bool,
}

/// What is being asked for.
#[derive(Debug)]
enum Stage {
    /// The start page is asked for.
    Start,
    /// The summarizer is asked; whether its document is the one of the last time.
    Summarizer {
        from_memory: bool,
    },
    /// The file with the rest of the description is asked for.
    Config(Box<FormPage>),
    /// The form is asked for again.
    Again(Box<FormPage>),
    /// The form is asked.
    Questions(Box<Questions>),
    Over(Option<Box<Questions>>),
}

impl Forms {
    /// A gathering that has not begun.
    pub fn new(settings: Settings) -> Forms {
        Forms {
            settings,
            fragment: Fragment::default(),
            stage: Stage::Start,
            degree: None,
            notes: Vec::new(),
            fault: None,
            unchanged: false,
            is_built: false,
        }
    }

    /// What was found since the last look.
    pub fn news(&mut self) -> News {
        self.fragment.news()
    }

    /// What it came to so far.
    pub fn closing(&self) -> Closing {
        Closing::from_forms(self)
    }

    /// What would be asked and what it would cost, as soon as that is known.
    pub fn outline(&self) -> Option<Outline> {
        self.questions().map(Questions::outline)
    }

    /// Lists and boxes whose values no question varied.
    pub fn left_out(&self) -> Vec<LeftOut> {
        self.questions().map(Questions::left_out).unwrap_or_default()
    }

    /// How the form is asked and its answers are read: a description that can be kept, fixed and given back.
    pub fn description(&self) -> Option<String> {
        self.questions().map(Questions::description)
    }

    fn questions(&self) -> Option<&Questions> {
        match &self.stage {
            Stage::Questions(questions) | Stage::Over(Some(questions)) => Some(questions),
            _ => None,
        }
    }

    /// Is a URL on the site of the start page?
    fn is_own(&self, url: &Url) -> bool {
        is_same_site(&self.settings.start, url)
    }

    fn ask_get(&self, key: &str, url: Url, about: &str, plan: &mut AskPlan) {
        let operate = key == BUILT;
        plan.ask(Ask { key: key.to_owned(), request: Request::get(url), about: about.to_owned(), operate });
    }

    /// The page as it came has no form to ask: a browser may show one.
    fn look_in_browser(&mut self, why: Refused, plan: &mut AskPlan) {
        let is_missing = matches!(why.obstacle, Some(Obstacle::NoForm | Obstacle::NoSearch));
        if self.settings.js != Js::Auto || !is_missing || std::mem::replace(&mut self.is_built, true) {
            return self.give_up(why);
        }
        self.ask_get(BUILT, self.settings.start.clone(), "the start page, in a browser", plan);
        self.stage = Stage::Start;
    }

    fn give_up(&mut self, why: impl Into<Refused>) {
        self.fault = Some(why.into());
        self.stage = Stage::Over(None);
    }

    /// Asks the summarizer that a document names.
    fn ask_summarizer(
        &mut self,
        document: &[u8],
        charset: Option<&str>,
        place: &Url,
        from_memory: bool,
        plan: &mut AskPlan,
    ) {
        let document = groma_gather::DbContent::read(document, charset);
        if !from_memory {
            self.notes.extend(document.complaints.iter().cloned());
        }
        match cooperative::address(&document, place) {
            Err(why) => self.give_up(why),
            Ok(url) if !self.is_own(&url) => self.give_up(format!("the summarizer is on another site: {url}")),
            Ok(url) => {
                self.degree = Some(Degree::Cooperative);
                let form = document.url.as_deref().and_then(|form| place.join(form).ok()).map(|url| url.to_string());
                self.fragment.name(form, document.title.clone());
                self.ask_get(SUMMARIZER, url, "the summarizer", plan);
                self.stage = Stage::Summarizer { from_memory };
            }
        }
    }

    fn hear_summarizer(&mut self, answer: &Answer<'_>, from_memory: bool, plan: &mut AskPlan) {
        let said = if answer.reason == Reason::Fetched {
            cooperative::summary(answer.body)
        } else {
            Err(format!("the summarizer did not answer: {}", answer.reason.says()))
        };
        match said {
            Ok(summary) => {
                for (attribute, value) in &summary.values {
                    self.fragment.value(attribute, value);
                }
                self.fragment.name(summary.form, summary.title);
                self.notes.extend(summary.missing);
                if answer.cut {
                    self.notes.push("the answer of the summarizer was cut".to_owned());
                }
                self.unchanged = answer.unchanged;
                self.stage = Stage::Over(None);
            }
            // The document may have changed since: it is read anew.
            Err(_) if from_memory => {
                self.stage = Stage::Start;
                self.ask_get(START, self.settings.start.clone(), "the start page", plan);
            }
            Err(why) => self.give_up(why),
        }
    }

    fn hear_start(&mut self, answer: &Answer<'_>, plan: &mut AskPlan) {
        if answer.reason != Reason::Fetched {
            let why = format!("{}: {}", answer.address, answer.reason.says());
            return self.give_up(Refused::by(Obstacle::Unreachable, why));
        }
        let place = Url::parse(answer.address).unwrap_or_else(|_| self.settings.start.clone());
        if cooperative::is_document(answer.body) {
            return self.ask_summarizer(answer.body, answer.charset, &place, false, plan);
        }
        if cooperative::is_soif(answer.body) {
            self.degree = Some(Degree::Cooperative);
            return self.hear_summarizer(answer, false, plan);
        }
        match FormPage::on(answer, &self.settings, self.is_built) {
            Err(why) => self.look_in_browser(why, plan),
            Ok(found) => match found.config(&place) {
                Some(Ok(url)) if self.is_own(&url) => {
                    self.ask_get(CONFIG, url, "the description", plan);
                    self.stage = Stage::Config(Box::new(found));
                }
                Some(Ok(url)) => {
                    self.notes.push(format!("DB.ConfigFile leads to another site: {url}"));
                    self.go_on_with(found, plan);
                }
                Some(Err(why)) => {
                    self.notes.push(why);
                    self.go_on_with(found, plan);
                }
                None => self.go_on_with(found, plan),
            },
        }
    }

    /// The description is whole: the form again, if it may hold tokens, or the first question.
    fn go_on_with(&mut self, found: FormPage, plan: &mut AskPlan) {
        let start = self.settings.start.clone();
        match found.ready(&self.settings, &|url: &Url| is_same_site(&start, url)) {
            Err(why) => self.look_in_browser(why, plan),
            Ok(found) if found.has_hidden() => {
                let (key, page, operate) = (AGAIN.to_owned(), found.page().clone(), found.is_built());
                let request = Request::get(page);
                plan.ask(Ask { key, request, about: "the form again".to_owned(), operate });
                self.stage = Stage::Again(Box::new(found));
            }
            Ok(found) => self.begin_questions(found, Vec::new(), plan),
        }
    }

    fn begin_questions(&mut self, found: FormPage, tokens: Vec<String>, plan: &mut AskPlan) {
        self.degree = Some(found.degree());
        self.notes.extend(found.complaints());
        self.fragment.name(Some(found.page().to_string()), Some(found.title()));
        let Some(mut questions) = Questions::begin(found, tokens, &self.settings) else {
            return self.give_up(Refused::by(Obstacle::NoForm, "there is no form on this page"));
        };
        questions.refill(&mut self.fragment, plan);
        self.stage = if questions.is_over() {
            Stage::Over(Some(Box::new(questions)))
        } else {
            Stage::Questions(Box::new(questions))
        };
    }
}

impl Asker for Forms {
    fn begin(&mut self, plan: &mut AskPlan) {
        let start = self.settings.start.clone();
        match self.settings.known.take() {
            Some(document) => self.ask_summarizer(&document, None, &start, true, plan),
            None if self.settings.js == Js::Always => {
                self.is_built = true;
                self.ask_get(BUILT, start, "the start page, in a browser", plan);
            }
            None => self.ask_get(START, start, "the start page", plan),
        }
    }

    fn answer(&mut self, answer: &Answer<'_>, plan: &mut AskPlan) {
        match std::mem::replace(&mut self.stage, Stage::Over(None)) {
            Stage::Start => self.hear_start(answer, plan),
            Stage::Summarizer { from_memory } => self.hear_summarizer(answer, from_memory, plan),
            Stage::Config(mut found) => {
                match found.describe(answer) {
                    Ok(()) => {}
                    Err(why) => self.notes.push(why),
                }
                self.go_on_with(*found, plan);
            }
            Stage::Again(found) => {
                let tokens = found.tokens(answer);
                self.begin_questions(*found, tokens, plan);
            }
            Stage::Questions(mut questions) => {
                questions.hear(answer, &mut self.fragment, plan);
                let planned = self.settings.plan && questions.heard_any();
                if planned {
                    questions.break_off();
                }
                if planned || questions.is_over() {
                    plan.stop();
                    self.stage = Stage::Over(Some(questions));
                } else {
                    self.stage = Stage::Questions(questions);
                }
            }
            over @ Stage::Over(_) => self.stage = over,
        }
    }
}

/// The same registrable domain, or the same host where there is none; the port does not matter.
pub fn is_same_site(one: &Url, other: &Url) -> bool {
    matches!(other.scheme(), "http" | "https") && registrable_domain(one) == registrable_domain(other)
}

#[cfg(test)]
#[path = "forms_tests.rs"]
mod tests;

#[cfg(test)]
mod reading_tests;

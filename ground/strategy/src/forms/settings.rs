//! The settings of a gathering.

use groma_url::Url;

/// How a form is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum How {
    /// Until everything is out: questions whose answers are cut are split.
    #[default]
    Whole,
    /// As the paper has it: the product of the essential elements' values, and nothing else.
    Paper,
}

impl How {
    pub const ALL: [How; 2] = [How::Whole, How::Paper];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            How::Whole => "whole",
            How::Paper => "paper",
        }
    }
}

/// When the search box of a page is operated in a browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Js {
    #[default]
    Never,
    /// Where the page as it comes has no form to ask.
    Auto,
    Always,
}

/// What a gathering is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The page of the form, or the document that leads to a summarizer.
    pub start: Url,
    /// What the user knows about the form: names and contents of `DB.*` tags. They win over those of the page.
    pub described: Vec<(String, String)>,
    /// Which form of the page: its number from 1, id or name; empty: the one that looks most like a search.
    pub form: String,
    /// How it is asked.
    pub how: How,
    /// A form that posts may be sent though its page does not describe it.
    pub post: bool,
    /// Most requests of the gathering; nothing: as many as seem fit for what the first answer shows.
    pub budget: Option<u64>,
    /// Most requests of a run where no budget is named and no total is stated; ten times as many where one is.
    pub usual_budget: u64,
    /// Requests of earlier runs of this gathering, which a budget that is not named does not count.
    pub spent: u64,
    /// Names or labels of controls that are varied in any case, all of their values.
    pub vary: Vec<String>,
    /// Whether the search box of the page is operated in a browser, and what it asks is asked.
    pub js: Js,
    /// Ask no more than it takes to say what it would cost.
    pub plan: bool,
    /// The DBContent document of the last time, if that led to a summarizer: then that is asked first whether anything is new.
    pub known: Option<Vec<u8>>,
}

impl Settings {
    /// The defaults, for a start page.
    pub fn new(start: Url) -> Settings {
        Settings {
            start,
            described: Vec::new(),
            form: String::new(),
            how: How::default(),
            post: false,
            budget: None,
            usual_budget: groma_model::Limits::default().gather_requests,
            spent: 0,
            vary: Vec::new(),
            js: Js::Never,
            plan: false,
            known: None,
        }
    }
}

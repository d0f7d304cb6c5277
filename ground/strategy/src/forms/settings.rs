//! What a gathering is told.

use url::Url;

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
    /// All of them.
    pub const ALL: [How; 2] = [How::Whole, How::Paper];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            How::Whole => "whole",
            How::Paper => "paper",
        }
    }

    /// The one of this name.
    pub fn of(name: &str) -> Option<How> {
        How::ALL.into_iter().find(|how| how.name() == name)
    }
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
    /// Most requests of the gathering, if there is such a limit.
    pub budget: Option<u64>,
    /// Ask no more than it takes to say what it would cost.
    pub plan: bool,
    /// The DBContent document of the last time, if that led to a summarizer: then that is asked first whether anything is new.
    pub known: Option<Vec<u8>>,
}

impl Settings {
    /// The usual ones.
    pub fn new(start: Url) -> Settings {
        Settings {
            start,
            described: Vec::new(),
            form: String::new(),
            how: How::default(),
            post: false,
            budget: None,
            plan: false,
            known: None,
        }
    }
}

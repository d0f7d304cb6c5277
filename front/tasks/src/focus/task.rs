//! Go where a topic leads.

use clap::Args;
use groma_model::wording::counted;
use groma_settings::wording::SEE_HELP;
use groma_settings::{Fault, Overrides, Raw};
use groma_strategy::focus::FocusOrder;
use serde::{Deserialize, Serialize};

use crate::task::file::text_of_file;
use crate::task::forms::forms;
use crate::task::scalar::{Choice, Interval, Line, LongText, OneOf, Real, Whole, listed, ticked};

/// Go where a topic leads: fetch the pages that speak of it first
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FocusTask))]
#[serde(default, deny_unknown_fields)]
pub struct Focus {
    /// What to look for, in words
    #[arg(value_name = "TOPIC")]
    #[serde(with = "in_words")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub topic: Vec<String>,
    /// Look for what this text is about; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "topic", value_parser = text_of_file::<{ 1 << 18 }>)]
    pub text: Option<LongText>,
    /// What to call that text [default: its first words]
    #[arg(long, value_name = "NAME", requires = "text")]
    pub name: Option<Line>,
    /// Look for pages like this one: a URL or a file; several are taken together
    #[arg(long, value_name = "URL|FILE", conflicts_with_all = ["topic", "text"])]
    #[serde(deserialize_with = "listed")]
    pub like: Vec<String>,
    /// Where to start [default: where the survey did]
    #[arg(long = "seed", value_name = "URL")]
    #[serde(deserialize_with = "listed")]
    pub seeds: Vec<String>,
    /// In which order: arms, best-first, hopfield-block, hopfield, bfs
    #[arg(long, value_name = "NAME", default_value_t)]
    pub strategy: Strategy,
    /// Pages to fetch [default: 1000]
    #[arg(long, value_name = "N")]
    pub pages: Option<Pages>,
    /// Pages of any type may be relevant, not only articles
    #[arg(long)]
    #[serde(alias = "any-type", deserialize_with = "ticked")]
    pub any_type: bool,
    /// A page is about the topic from this R on [default: by its words]
    #[arg(long, value_name = "R")]
    pub threshold: Option<Threshold>,
    /// Pages asked for at a time: fewer choose better, more go faster [default: 8]
    #[arg(long, value_name = "N")]
    pub batch: Option<Batch>,
    /// Settings that it brings along.
    #[command(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Object))]
    pub settings: Overrides,
}

forms! {
    /// In which form the pages of a focused crawl are kept.
    Csv, "csv", "csv", "text/csv; charset=utf-8", "a table of the pages, for spreadsheets";
    Json, "json", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: an object a page";
    Warc, "warc", "warc.gz", "application/warc", "the pages themselves, as a web archive";
}

/// A strategy, by name.
type Strategy = OneOf<FocusOrder>;
/// A number of pages to fetch: a focused crawl that wants more is a crawl.
type Pages = Whole<1, 10_000_000>;
/// A number of pages asked for at a time.
type Batch = Whole<1, 1_000>;
/// R from which on a page is about the topic.
type Threshold = Real<Share>;

/// Pages fetched if nobody says how many.
pub const PAGES: u32 = 1_000;
/// Letters of a text that are its name.
const NAMED_BY: usize = 60;

/// From nothing to all.
#[derive(Clone, Copy, Debug)]
pub enum Share {}

impl Interval for Share {
    const MIN: f64 = 0.0;
    const MAX: f64 = 1.0;
    const EXPECTED: &'static str = "a number from 0 to 1";
}

impl Choice for FocusOrder {
    const SCHEMA: &'static str = "FocusOrder";

    fn all() -> &'static [FocusOrder] {
        &FocusOrder::ALL
    }

    fn name(self) -> &'static str {
        FocusOrder::name(self)
    }
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// Words that name the topic.
    Words(String),
    /// What a text is about.
    Text {
        /// What the text is called.
        name: String,
        text: String,
    },
    /// What these pages are about: URLs, or files.
    Pages(Vec<String>),
}

impl About {
    /// What people call the topic.
    pub fn name(&self) -> String {
        match self {
            About::Words(words) => words.clone(),
            About::Text { name, .. } => name.clone(),
            About::Pages(pages) => like_pages(pages),
        }
    }
}

impl Focus {
    /// A focused crawl needs one topic; a limit of pages is how far it goes.
    pub(crate) fn settle(&mut self) -> Result<(), Fault> {
        if let Some(Raw::One(limit)) = self.settings.take("limit")
            && self.pages.is_none()
        {
            let wrong = |why: String| Fault::new(format!("pages: {why}"), SEE_HELP);
            self.pages = Some(limit.parse().map_err(wrong)?);
        }
        self.about().map(|_| ())
    }

    /// What is looked for.
    pub fn about(&self) -> Result<About, Fault> {
        let topic: Line = self.topic.join(" ").parse().map_err(|why: String| Fault::new(why, NO_TOPIC_HINT))?;
        let text = self.text.as_deref().unwrap_or_default();
        match (&*topic, text, self.like.as_slice()) {
            ("", "", []) => Err(Fault::new("no topic", NO_TOPIC_HINT)),
            (topic, "", []) => Ok(About::Words(topic.to_owned())),
            ("", text, []) => {
                let named = self.name.as_deref().filter(|name| !name.is_empty());
                let name = named.map_or_else(|| first_words(text), str::to_owned);
                Ok(About::Text { name, text: text.to_owned() })
            }
            ("", "", pages) => Ok(About::Pages(pages.to_vec())),
            _ => Err(Fault::new("several topics at once", NO_TOPIC_HINT)),
        }
    }

    /// How many pages to fetch at most.
    pub fn pages(&self) -> u32 {
        self.pages.map_or(PAGES, |pages| pages.get() as u32)
    }

    /// Is it the same crawl? How far it goes, and how fast, does not make it another one.
    pub fn is_same(&self, other: &Focus) -> bool {
        let bare = |of: &Focus| Focus { pages: None, name: None, settings: Overrides::default(), ..of.clone() };
        let (mut one, mut other) = (bare(self), bare(other));
        for of in [&mut one, &mut other] {
            of.topic = vec![of.topic.join(" ")];
        }
        one == other
    }
}

fn first_words(text: &str) -> String {
    let mut name = String::new();
    for word in text.split_whitespace() {
        if !name.is_empty() && name.chars().count() + word.chars().count() >= NAMED_BY {
            return name + " …";
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.extend(word.chars().take(NAMED_BY));
    }
    name
}

/// Words on the command line, one text everywhere else.
mod in_words {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::task::scalar::Line;

    pub(crate) fn serialize<S: Serializer>(words: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&words.join(" "))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        let text = Line::deserialize(deserializer)?.to_string();
        Ok(if text.is_empty() { Vec::new() } else { vec![text] })
    }
}

fn like_pages(pages: &[String]) -> String {
    match pages {
        [one] => format!("like {one}"),
        [first, rest @ ..] => {
            format!("like {first} and {}", counted(rest.len() as u64, "other page", "other pages"))
        }
        [] => "like nothing".to_owned(),
    }
}

const NO_TOPIC_HINT: &str = "say what to look for: words, a text with --text FILE, or example pages with --like";

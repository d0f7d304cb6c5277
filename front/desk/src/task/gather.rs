//! Open the database behind a form.

use clap::Args;
use groma_strategy::forms::How;
use serde::{Deserialize, Serialize};

use super::file::text_of_file;
use super::scalar::{Choice, Line, LongText, OneOf, Whole, ticked};
use crate::settings::Overrides;
use crate::{Fault, words};

/// Open the database behind a form: ask it until everything is out, and say whether it is
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = GatherTask))]
#[serde(default, deny_unknown_fields)]
pub struct Gather {
    /// The page of the form, or the DBContent document that leads to the database
    #[arg(value_name = "URL")]
    #[serde(alias = "address")]
    pub url: Option<Line>,
    /// What you know about the form: a file with lines such as DB.QueryElement: region
    #[arg(long = "describe", value_name = "FILE", value_parser = text_of_file::<{ 1 << 18 }>)]
    pub description: Option<LongText>,
    /// Which form of the page: its number, id or name [default: the one that looks most like a search]
    #[arg(long, value_name = "FORM")]
    pub form: Option<Line>,
    /// How to ask: whole (answers that are cut are split) or paper (a fixed list of questions)
    #[arg(long, value_name = "NAME", default_value_t)]
    pub how: HowToAsk,
    /// A form that posts may be sent: you know that it only searches
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub post: bool,
    /// Say what it would cost, and ask no more than that takes
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub plan: bool,
    /// Most requests; a larger number goes on
    #[arg(long, value_name = "N")]
    pub budget: Option<Requests>,
    /// Settings that it brings along.
    #[command(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Object))]
    pub settings: Overrides,
}

/// How a form is asked, by name.
type HowToAsk = OneOf<How>;
/// A number of requests: whoever wants more should ask the keeper of the database for a copy.
pub type Requests = Whole<1, 1_000_000>;

impl Choice for How {
    fn all() -> &'static [How] {
        &How::ALL
    }

    fn name(self) -> &'static str {
        How::name(self)
    }
}

impl Gather {
    /// A gathering needs a database.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.url().is_empty() { Err(Fault::new(words::NO_DATABASE, words::NO_DATABASE_HINT)) } else { Ok(()) }
    }

    /// The same at this URL: as it was understood.
    pub fn at(&self, url: &url::Url) -> Result<Gather, Fault> {
        let url = url.as_str().parse().map_err(|why: String| Fault::new(why, words::NO_DATABASE_HINT))?;
        Ok(Gather { url: Some(url), ..self.clone() })
    }

    /// The page of the form, or the document that leads to the database.
    pub fn url(&self) -> &str {
        self.url.as_deref().unwrap_or_default()
    }

    /// What the user knows about it: lines `DB.Name: value`.
    pub fn description(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }

    /// Which form of the page.
    pub fn form(&self) -> &str {
        self.form.as_deref().unwrap_or_default()
    }

    /// Is it the same gathering? How far it goes, and how fast, does not make it another one.
    pub fn is_same(&self, other: &Gather) -> bool {
        let bare = |of: &Gather| {
            let texts = [of.url(), of.description(), of.form()].map(str::to_owned);
            (texts, of.how, of.post)
        };
        bare(self) == bare(other)
    }
}

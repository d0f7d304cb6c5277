//! Open the database behind a form.

use clap::Args;
use groma_gather::Description;
use groma_settings::{Fault, RequestOverrides};
use groma_strategy::forms::How;
use serde::{Deserialize, Serialize};

use crate::gather::wording::{
    ALL_HINT, ALL_WITH_URL, DESCRIPTION_HINT, NO_DATABASE, NO_DATABASE_HINT, PAGES_HINT, means_nothing,
    wrong_description,
};
use crate::task::file::text_of_file;
use crate::task::forms::forms;
use crate::task::scalar::{Choice, Line, LongText, OneOf, Whole, listed, ticked};

/// Open the database behind a form: ask it until everything is out, and say whether it is
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = GatherTask))]
#[serde(default, deny_unknown_fields)]
pub struct Gather {
    /// The page of the form, or the DBContent document that leads to the database
    #[arg(value_name = "URL")]
    #[serde(alias = "address")]
    pub url: Option<Line>,
    /// All databases of the survey: those that described themselves, those you gathered before, and those of the setting `gather`
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub all: bool,
    /// What you know about the form: a file with lines such as DB.QueryElement: region
    #[arg(long = "describe", value_name = "FILE", value_parser = text_of_file::<{ 1 << 18 }>)]
    pub description: Option<LongText>,
    /// Which form of the page: its number, id or name [default: the one that looks most like a search]
    #[arg(long, value_name = "FORM")]
    pub form: Option<Line>,
    /// How to ask: whole (answers that are cut are split) or paper (a fixed list of questions)
    #[arg(long, value_name = "NAME", default_value_t)]
    pub how: MethodName,
    /// A form that posts may be sent: you know that it only searches
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub post: bool,
    /// Vary this control, too, though it was left as it is: its internal name or what people read beside it (several)
    #[arg(long, value_name = "NAME")]
    #[serde(deserialize_with = "listed")]
    pub vary: Vec<String>,
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
    pub settings: RequestOverrides,
}

forms! {
    /// In which form a gathered database is kept.
    Json, "json", "json", "application/json", "the records, and the statement on how complete they are";
    Lines, "jsonl", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: an object a record";
    Csv, "csv", "csv", "text/csv; charset=utf-8", "a table of the records, for spreadsheets";
    Soif, "soif", "soif", "application/x-soif", "Harvest's exchange format: values by attribute";
}

/// How a form is asked, by name.
type MethodName = OneOf<How>;
/// A number of requests: whoever wants more should ask the keeper of the database for a copy.
pub type Requests = Whole<1, 1_000_000>;

impl Choice for How {
    const SCHEMA: &'static str = "GatherMethod";

    fn all() -> &'static [How] {
        &How::ALL
    }

    fn name(self) -> &'static str {
        How::name(self)
    }
}

impl Gather {
    /// A gathering needs a database, and what is said of it has to make sense: all that can be said before the first request.
    pub fn check(&self) -> Result<(), Fault> {
        if let Some(key) = self.settings.first_about_pages() {
            return Err(Fault::new(means_nothing(key), PAGES_HINT));
        }
        if self.all {
            let alone = self.url().is_empty()
                && self.description().is_empty()
                && self.form().is_empty()
                && self.vary.is_empty()
                && !self.post;
            return if alone { Ok(()) } else { Err(Fault::new(ALL_WITH_URL, ALL_HINT)) };
        }
        if self.url().is_empty() {
            return Err(Fault::new(NO_DATABASE, NO_DATABASE_HINT));
        }
        Description::check(self.description())
            .map_err(|(line, what)| Fault::new(wrong_description(line, &what), DESCRIPTION_HINT))
    }

    /// The same at this URL: as it was understood.
    pub fn at(&self, url: &groma_url::Url) -> Result<Gather, Fault> {
        let url = url.as_str().parse().map_err(|why: String| Fault::new(why, NO_DATABASE_HINT))?;
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
            (texts, of.how, of.post, of.vary.clone(), of.all)
        };
        bare(self) == bare(other)
    }
}

//! What the user can fix: one line that says what is wrong and one that says what to do next. Always exit code 2.

use std::io;

use groma_crawl::CrawlError;
use groma_fetch::FetchError;
use groma_parquet::TableError;
use groma_search::SearchError;
use groma_store::StoreError;
use groma_survey_graph::SurveyGraphError;
use groma_warc_store::WarcStoreError;

use crate::wording::{CHECK_PATH, NO_LOGIN_HINT, OTHER_ROOT_HINT};

/// A mistake or a hindrance, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub says: String,
    /// What to do next.
    pub hint: String,
    /// Nobody wants to hear of it: whoever read our output went away.
    pub quiet: bool,
}

impl Fault {
    /// With its hint.
    pub fn new(says: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault { says: says.into(), hint: hint.into(), quiet: false }
    }

    /// The output could not be written.
    pub fn of_output(error: &io::Error) -> Fault {
        let quiet = error.kind() == io::ErrorKind::BrokenPipe;
        Fault { quiet, ..Fault::new(output_failed(error), "check the disk, or write elsewhere with -o") }
    }

    /// A file could not be read.
    pub fn of_input(path: &str, error: &io::Error) -> Fault {
        Fault::new(format!("{path}: {error}"), CHECK_PATH)
    }
}

/// Only writing gives bare errors of this type; reading goes through [`Fault::of_input`].
impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        of_io(&error)
    }
}

/// What a store said through a reader or writer is told as the store says it.
fn of_io(error: &io::Error) -> Fault {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<StoreError>()) {
        Some(error) => Fault::new(error.to_string(), error.hint()),
        None => Fault::of_output(error),
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::new(error.to_string(), error.hint())
    }
}

impl From<SurveyGraphError> for Fault {
    fn from(error: SurveyGraphError) -> Fault {
        let hint = match &error {
            SurveyGraphError::Store(error) => return Fault::new(error.to_string(), error.hint()),
            SurveyGraphError::Io(error) => return of_io(error),
            SurveyGraphError::NoLayer => {
                "wait a moment: the start page is still being fetched; `groma status` shows it"
            }
            SurveyGraphError::NoRoot => "crawl a site first, or name a page of the survey with --root",
            SurveyGraphError::HalfImported => "run the same `groma import` again: it starts over",
            SurveyGraphError::RootNotIndexed { .. } | SurveyGraphError::RootNoPage { .. } => OTHER_ROOT_HINT,
        };
        Fault::new(error.to_string(), hint)
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Fault {
        Fault::new(error.to_string(), error.hint())
    }
}

impl From<SearchError> for Fault {
    fn from(error: SearchError) -> Fault {
        Fault::new(error.to_string(), error.hint())
    }
}

impl From<CrawlError> for Fault {
    fn from(error: CrawlError) -> Fault {
        match error {
            CrawlError::Store(error) => error.into(),
            CrawlError::NoLogin(why) => Fault::new(why, NO_LOGIN_HINT),
            CrawlError::Threads(_) => {
                Fault::new(error.to_string(), "close other programs, or raise the limits of this account (ulimit -u)")
            }
            CrawlError::Scarce(_) => Fault::new(
                error.to_string(),
                "raise the limit (ulimit -n 4096), or fetch less at once (-c 4), then run the same command again: it goes on",
            ),
        }
    }
}

impl From<FetchError> for Fault {
    fn from(error: FetchError) -> Fault {
        Fault::new(error.to_string(), error.hint())
    }
}

impl From<WarcStoreError> for Fault {
    fn from(error: WarcStoreError) -> Fault {
        Fault::new(error.to_string(), "check the folder of the archive (--warc DIR), its permissions, and the disk")
    }
}

fn output_failed(error: &std::io::Error) -> String {
    format!("the output cannot be written: {error}")
}

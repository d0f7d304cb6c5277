//! Which URL rules are in force, written and learned, and what they make of a URL.

use std::path::Path;

use groma_model::url::Canonizer;
use groma_settings::meaning::Settings;
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Given, address};
use groma_store::Snapshot;
use serde::Serialize;

use crate::explain::StepRow;
use crate::standing::{LearnedRule, learned};

/// The rules in force: those of groma.toml, else those of the survey.
pub struct InForce {
    /// All settings with their origins, the written rules among them.
    pub book: Book,
    /// The settings of the book, resolved.
    pub settings: Settings,
    /// What has been learned.
    pub learned: Vec<LearnedRule>,
    /// What the survey was begun with.
    pub saved: Saved,
}

/// What the rules make of a URL.
#[derive(Debug, Serialize)]
pub struct Tried {
    /// As it was typed.
    pub url: String,
    /// URL in canonical form.
    pub canonical: String,
    /// Do the rules take it?
    pub taken: bool,
    /// Why it is not taken.
    pub reason: Option<&'static str>,
    /// What was done, step by step.
    pub steps: Vec<StepRow>,
}

impl InForce {
    /// Reads them; without a survey, those of the configuration alone.
    pub fn read(survey: Option<&mut dyn Snapshot>, given: &[Given], config: Option<&Path>) -> Result<InForce, Fault> {
        let (mut saved, mut known) = (None, Vec::new());
        if let Some(survey) = survey {
            saved = Saved::load(survey)?;
            known = learned(survey)?;
        }
        let mut book = Book::gather(given, config, saved.as_ref())?;
        let settings = Settings::from_book(&mut book)?;
        Ok(InForce { book, settings, learned: known, saved: saved.unwrap_or_default() })
    }
}

/// Tries a URL as it was typed, fragment and login included: dropping them is part of what is shown.
pub fn try_out(canonizer: &Canonizer, typed: &str) -> Result<Tried, Fault> {
    let url = match groma_url::Url::parse(typed.trim()) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => address::read(typed)?.url,
    };
    let canon = canonizer.canon(&url);
    let steps = canonizer.steps(&url).into_iter().map(|step| StepRow { what: step.what, url_after: step.url_after });
    let reason = canon.verdict.err().map(|reason| reason.name());
    Ok(Tried {
        url: typed.to_owned(),
        canonical: canon.address.url.into(),
        taken: reason.is_none(),
        reason,
        steps: steps.collect(),
    })
}

//! From what was said to a topic: example pages are fetched, or read from files.

use std::path::Path;

use url::Url;

use groma_crawl::{Looking, look};
use groma_fetch::HttpFetcher;
use groma_model::ParsedPage;
use groma_page::{Input, filter_for, sniff};
use groma_topic::Topic;

use super::About;
use crate::settings::meaning::{AGENT, Settings};
use crate::{Fault, address, words};

/// Example pages at most.
const EXAMPLES: usize = 50;

/// The topic. `guarded`: whoever asks may not reach into private networks or read files.
pub(super) fn topic(about: &About, settings: &Settings, guarded: bool) -> Result<Topic, Fault> {
    match about {
        About::Words(words) => Ok(Topic::words(words)),
        About::Text { text, .. } => Ok(Topic::text(text)),
        About::Pages(pages) if pages.len() > EXAMPLES => {
            Err(Fault::new(words::TOO_MANY_EXAMPLES, words::number_up_to(EXAMPLES as u32)))
        }
        About::Pages(pages) => {
            let read = pages.iter().map(|page| example(page, settings, guarded));
            Ok(Topic::pages(&read.collect::<Result<Vec<_>, _>>()?))
        }
    }
}

fn example(typed: &str, settings: &Settings, guarded: bool) -> Result<ParsedPage, Fault> {
    let nothing = || Fault::new(format!("{typed}: {}", words::NOTHING_TO_READ), words::NO_TOPIC_HINT);
    if !guarded && Path::new(typed).is_file() {
        let bytes = std::fs::read(typed).map_err(|error| Fault::of_input(typed, &error))?;
        let url = Url::parse("http://file.invalid/").map_err(|_| nothing())?;
        let filter = filter_for(sniff("", &bytes)).ok_or_else(nothing)?;
        let input = Input { bytes: &bytes, url: &url, charset: None, limits: &settings.limits, parts: true };
        return Ok(filter.read(&input));
    }
    let read = address::read(typed)?;
    let mut config = settings.fetch_config(std::slice::from_ref(&read.url), read.login);
    if guarded {
        config.own_hosts.clear();
    }
    let how = Looking { limits: settings.limits.clone(), agent: AGENT.to_owned(), robots: settings.robots };
    let looked = look(HttpFetcher::new(config)?, &read.url, &how)?;
    let reason = looked.reason;
    looked.parsed.ok_or_else(|| Fault::new(words::nothing_fetched(typed, reason.says()), words::next_step(reason)))
}

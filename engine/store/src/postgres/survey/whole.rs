//! A survey on a server, emptied as a whole.

use super::fence::{Fence, Seat};
use super::{PgStore, place, schema};
use crate::StoreError;
use crate::postgres::driver::{Begin, Repeat, Server, SurveyName};

/// The tables of a survey, and what names its pages by their numbers.
const EMPTY: &str =
    "TRUNCATE survey, counter, limit_hit, run, host, address, linked, queue, page, content, body, variant,
    fold, learned, finding, change, lease, server, number_given RESTART IDENTITY";

impl PgStore {
    /// Empties a survey, so that it can be begun anew. [`StoreError::Busy`] if somebody writes to it. Jobs, bounds and gatherings
    /// stay; focused crawls go, since they name pages by their numbers.
    pub fn clear(server: &Server, survey: &SurveyName) -> Result<(), StoreError> {
        let Some(link) = schema::SERVER_SCHEMA.open_reading(server, survey.as_str())? else { return Ok(()) };
        let mut fence = Fence::take(link, place(server, survey), Seat::Alone)?;
        let begin = Begin { begin: "BEGIN", first: "", repeat: Repeat::Harmless };
        fence.link().write(&begin, |live| {
            live.batch(EMPTY)?;
            live.batch("DO $$ BEGIN IF to_regclass('focus') IS NOT NULL THEN TRUNCATE focus, step; END IF; END $$")?;
            Ok(Some(()))
        })?;
        Ok(())
    }
}

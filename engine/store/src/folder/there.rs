//! A survey whose tables are on a server, seen from its folder here.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::postgres::WANTED;
use crate::postgres::driver::{Link, Live};
use crate::workers::Member;
use crate::{Server, StoreError, SurveyName};

/// Which survey on which server.
pub(super) struct ServerSurvey {
    pub(super) server: Server,
    pub(super) survey: SurveyName,
    /// A connection for short questions that come often.
    pulse: Mutex<Option<Link>>,
}

impl std::fmt::Debug for ServerSurvey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerSurvey")
            .field("server", &self.server)
            .field("survey", &self.survey)
            .finish_non_exhaustive()
    }
}

impl ServerSurvey {
    pub(super) fn new(server: Server, survey: SurveyName) -> ServerSurvey {
        ServerSurvey { server, survey, pulse: Mutex::new(None) }
    }

    /// The survey for people, as they would type it.
    pub(super) fn shown(&self) -> PathBuf {
        format!("{}?survey={}", self.server.shown(), self.survey).into()
    }

    /// Is there a survey? Jobs alone are none. If the server cannot be asked, whoever opens it is told so.
    pub(super) fn exists(&self) -> bool {
        // Names of surveys have no quotes in them.
        let sql = format!(
            "SELECT to_regclass('\"{0}\".address')::text WHERE to_regclass('\"{0}\".room') IS NOT NULL",
            self.survey
        );
        self.ask(&sql).map_or(true, |found| found.is_some())
    }

    /// Is somebody writing to it?
    pub(super) fn is_busy(&self) -> bool {
        self.number("SELECT count(*) FROM writer WHERE expires > clock_timestamp()").is_some_and(|count| count > 0)
    }

    /// What a hand would be wanted for at this moment, if it would.
    pub(super) fn task_for_hands(&self) -> Option<String> {
        self.text(&format!("SELECT ({WANTED})::text"))
    }

    /// Those who write to it, one line each.
    pub(super) fn workers(&self) -> Vec<Member> {
        let sql = "SELECT string_agg(concat_ws(E'\t', place, hosts, fetches, greatest(0, extract(epoch FROM clock_timestamp() - since))::int8,
                 greatest(0, 20 - extract(epoch FROM expires - clock_timestamp()))::int8, owner), E'\n' ORDER BY place)
             FROM writer WHERE expires > clock_timestamp()";
        let member = |line: &str| {
            let mut parts = line.splitn(6, '\t');
            let mut number = || parts.next()?.parse::<u64>().ok();
            let (place, hosts, fetches, seconds, silent) = (number()?, number()?, number()?, number()?, number()?);
            let owner = parts.next()?.to_owned();
            Some(Member { owner, leads: place == 0, seconds, silent, hosts, fetches })
        };
        self.text(sql).unwrap_or_default().lines().filter_map(member).collect()
    }

    /// Another number after every commit to the survey.
    pub(super) fn survey_stamp(&self) -> Option<u64> {
        self.text("SELECT string_agg(token::text || batch, ',') FROM writer").map(|text| hashed(&text))
    }

    /// Another number after every change of the bounds.
    pub(super) fn bounds_stamp(&self) -> Option<u64> {
        let sql = "SELECT concat_ws(',', (SELECT max(id) FROM decision), (SELECT max(id) FROM clustering),
                   (SELECT count(*) FROM site), (SELECT sum(id * 31 + at) FROM site))";
        self.text(sql).map(|text| hashed(&text))
    }

    /// Another number after every change of what URLs outside answered.
    pub(super) fn outside_stamp(&self) -> Option<u64> {
        let sql = "SELECT concat_ws(',', count(*), sum(at), sum(reason)) FROM outside";
        self.text(sql).map(|text| hashed(&text))
    }

    /// Has the server checksums for the pages of its files? Nothing if it does not say.
    pub(super) fn has_checksums(&self) -> Option<bool> {
        self.text("SELECT current_setting('data_checksums', true)").map(|said| said == "on")
    }

    /// Held until it is dropped, or the connection is lost: nobody else holds the same. Nothing if somebody does.
    pub(super) fn hold(&self, what: &str) -> Result<Option<Link>, StoreError> {
        let mut link = Link::open(&self.server, self.survey.as_str())?;
        // Names of surveys have no quotes in them.
        let sql = format!("SELECT pg_try_advisory_lock(hashtextextended('groma {} {what}', 0))::text", self.survey);
        let held = link.read(|live| one_text(live, &sql))?;
        Ok((held.as_deref() == Some("true")).then_some(link))
    }

    fn number(&self, sql: &str) -> Option<i64> {
        self.text(&format!("SELECT ({sql})::text")).and_then(|text| text.parse().ok())
    }

    /// Nothing if there are no such tables, or nobody to ask.
    fn text(&self, sql: &str) -> Option<String> {
        self.ask(sql).ok().flatten()
    }

    /// Asks by the connection that is kept for it.
    fn ask(&self, sql: &str) -> Result<Option<String>, StoreError> {
        let mut pulse = self.pulse.lock().unwrap_or_else(PoisonError::into_inner);
        let link = match &mut *pulse {
            Some(link) => link,
            none => none.insert(Link::open(&self.server, self.survey.as_str())?),
        };
        let answer = link.read(|live| one_text(live, sql));
        if answer.is_err() {
            *pulse = None;
        }
        answer
    }
}

fn one_text(live: &mut Live, sql: &str) -> Result<Option<String>, crate::postgres::driver::Fault> {
    let statement = live.statement(sql, &[])?;
    let row = Live::call(live.client().query_opt(&statement, &[]))?;
    Ok(row.map(|row| row.try_get(0)).transpose()?.flatten())
}

fn hashed(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

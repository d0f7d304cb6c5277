//! The surveys on a server, for people: how large each is.

use super::live::Live;
use super::place::SURVEY;
use super::{ACCOUNTS_SCHEMA, Link, Server, SurveyName};
use crate::StoreError;

/// A survey on a server, from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveySize {
    /// The name by which the survey is opened.
    pub name: SurveyName,
    /// Bytes on the disk of the server, indexes included.
    pub bytes: u64,
    /// Its addresses, as many as the server thought there were when it last looked; nothing if it never did, or there is no survey yet.
    pub addresses: Option<u64>,
}

/// The surveys on a server with their sizes, in order of their names. Cost: a look at the files of each table, at none of its rows.
pub fn survey_sizes(server: &Server) -> Result<Vec<SurveySize>, StoreError> {
    let mut link = Link::open(server, ACCOUNTS_SCHEMA)?;
    let sql = "SELECT n.nspname::text, coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8,
             max(c.reltuples::int8) FILTER (WHERE c.relname = 'address')
         FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
         WHERE obj_description(n.oid, 'pg_namespace') = $1 GROUP BY n.nspname ORDER BY n.nspname";
    let rows: Vec<(String, i64, Option<i64>)> = link.read(|live| {
        let statement = live.statement(sql, &[])?;
        let rows = Live::call(live.client().query(&statement, &[&SURVEY]))?;
        Ok(rows
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?)))
            .collect::<Result<_, tokio_postgres::Error>>()?)
    })?;
    let told = |(name, bytes, addresses): (String, i64, Option<i64>)| {
        let number = |value: i64| u64::try_from(value).ok();
        let name = SurveyName::new(&name).ok()?;
        Some(SurveySize { name, bytes: number(bytes).unwrap_or(0), addresses: addresses.and_then(number) })
    };
    Ok(rows.into_iter().filter_map(told).collect())
}

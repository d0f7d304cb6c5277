//! Rows of the server in the words of the house. What cannot be one of ours is damage, never a panic.

use std::borrow::Cow;

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use super::print::Print;
use crate::postgres::driver::text_of;
use crate::rows::{
    AddressRow, Change, ChangeKind, FetchFacts, Finding, HostRow, LearnedRow, PageRow, Queued, RobotsRow, RunRow,
};
use crate::{KnownAddress, StoreError};

/// The columns [`address`] reads; the table is `address a LEFT JOIN queue q ON q.id = a.id`.
pub(super) const ADDRESS: &str = "a.id, a.host, a.depth, a.via, a.alias_of, a.since, a.fp, a.run, a.reason, a.via_kind, a.url, \
     q.id IS NOT NULL";

/// The columns [`page`] reads.
pub(super) const PAGE: &str = "id, size, near_fp, words, elapsed_ms, fetched_at, changed_at, canonical, text_fp, body_fp, status, \
     noindex, nofollow, media_type, charset, language, content_language, title, last_modified, etag, expires, cuts, note";

type Read<T> = Result<T, StoreError>;

/// A column as it comes.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Read<T> {
    row.try_get(column).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// A whole number in the range of its kind.
fn whole<T: TryFrom<i64>>(value: i64, row: &Row, column: usize) -> Read<T> {
    let name = row.columns().get(column).map_or("", |column| column.name());
    T::try_from(value).map_err(|_| StoreError::Damaged(format!("{value} is no {name}")))
}

/// A number without a sign.
pub(super) fn number(row: &Row, column: usize) -> Read<u32> {
    whole(get(row, column)?, row, column)
}

/// The same, if there is one.
pub(super) fn number_if_any(row: &Row, column: usize) -> Read<Option<u32>> {
    get::<Option<i64>>(row, column)?.map(|value| whole(value, row, column)).transpose()
}

/// A page, if there is one.
pub(super) fn page_if_any(row: &Row, column: usize) -> Read<Option<PageId>> {
    Ok(number_if_any(row, column)?.map(PageId))
}

/// A number of sixteen bits.
pub(super) fn short(row: &Row, column: usize) -> Read<u16> {
    whole(i64::from(get::<i32>(row, column)?), row, column)
}

pub(super) fn code(row: &Row, column: usize) -> Read<u8> {
    whole(i64::from(get::<i16>(row, column)?), row, column)
}

pub(super) fn reason(row: &Row, column: usize) -> Read<Reason> {
    let code = code(row, column)?;
    Reason::from_code(code).ok_or_else(|| StoreError::Damaged(format!("{code} is no reason")))
}

pub(super) fn depth(row: &Row, column: usize) -> Read<Depth> {
    Ok(number_if_any(row, column)?.map_or(Depth::LOOSE, Depth))
}

/// A kind of link, if there is one.
pub(super) fn kind_if_any(row: &Row, column: usize) -> Read<Option<LinkKind>> {
    let code = get::<Option<i16>>(row, column)?.and_then(|code| u8::try_from(code).ok());
    Ok(code.and_then(LinkKind::from_code))
}

/// A text as it was written.
pub(super) fn text(row: &Row, column: usize) -> Read<Cow<'_, str>> {
    Ok(text_of(get(row, column)?))
}

/// The same, to keep.
pub(super) fn string(row: &Row, column: usize) -> Read<String> {
    Ok(text(row, column)?.into_owned())
}

pub(super) fn print(row: &Row, column: usize) -> Read<Fp> {
    Ok(get::<Print>(row, column)?.0)
}

/// A fingerprint, if there is one.
pub(super) fn print_if_any(row: &Row, column: usize) -> Read<Option<Fp>> {
    Ok(get::<Option<Print>>(row, column)?.map(|print| print.0))
}

/// An address, from the columns [`ADDRESS`].
pub(super) fn address(row: &Row) -> Read<AddressRow> {
    Ok(AddressRow {
        id: PageId(number(row, 0)?),
        host: HostId(number(row, 1)?),
        depth: depth(row, 2)?,
        via: page_if_any(row, 3)?,
        alias_of: page_if_any(row, 4)?,
        since: get(row, 5)?,
        fp: print(row, 6)?,
        run: short(row, 7)?,
        reason: reason(row, 8)?,
        via_kind: kind_if_any(row, 9)?,
        url: string(row, 10)?,
        queued: get(row, 11)?,
    })
}

/// A page, from the columns [`PAGE`].
pub(super) fn page(row: &Row) -> Read<PageRow> {
    Ok(PageRow {
        id: PageId(number(row, 0)?),
        changed_at: get(row, 6)?,
        facts: FetchFacts {
            size: get::<i64>(row, 1)? as u64,
            near_fp: get::<i64>(row, 2)? as u64,
            words: number(row, 3)?,
            elapsed_ms: number(row, 4)?,
            fetched_at: get(row, 5)?,
            canonical: page_if_any(row, 7)?,
            text_fp: print_if_any(row, 8)?,
            body_fp: print_if_any(row, 9)?,
            status: short(row, 10)?,
            noindex: get(row, 11)?,
            nofollow: get(row, 12)?,
            media_type: string(row, 13)?,
            charset: string(row, 14)?,
            language: string(row, 15)?,
            content_language: string(row, 16)?,
            title: string(row, 17)?,
            last_modified: string(row, 18)?,
            etag: string(row, 19)?,
            expires: string(row, 20)?,
            cuts: string(row, 21)?,
            note: string(row, 22)?,
        },
    })
}

/// A row of the change log: seq, run, at, page, moved_to, kind, amount.
pub(super) fn change(row: &Row) -> Read<Change> {
    let kind = code(row, 5)?;
    Ok(Change {
        seq: get::<i64>(row, 0)? as u64,
        run: number(row, 1)?,
        at: get(row, 2)?,
        page: PageId(number(row, 3)?),
        to: page_if_any(row, 4)?,
        kind: ChangeKind::from_code(kind).ok_or_else(|| StoreError::Damaged(format!("{kind} is no kind of change")))?,
        amount: code(row, 6)?,
    })
}

/// What is known of a URL without reading it: id, fp, reason, whether URLs are kept by which it was linked.
pub(super) fn known(row: &Row) -> Read<KnownAddress> {
    Ok(KnownAddress::from_reason(PageId(number(row, 0)?), reason(row, 2)?, get(row, 3)?))
}

/// A URL whose turn comes: id, url, depth, run, reason, via, linked.
pub(super) fn queued(row: &Row) -> Read<Queued> {
    Ok(Queued {
        id: PageId(number(row, 0)?),
        url: string(row, 1)?,
        depth: depth(row, 2)?,
        run: short(row, 3)?,
        reason: reason(row, 4)?,
        via: page_if_any(row, 5)?,
        linked: get::<Option<&str>>(row, 6)?.map(|urls| text_of(urls).into_owned()),
    })
}

/// A host: id, origin, robots_at, robots_status, robots.
pub(super) fn host(row: &Row) -> Read<HostRow> {
    let id = HostId(number(row, 0)?);
    let robots = match get::<Option<i64>>(row, 2)? {
        Some(at) => Some(RobotsRow { host: id, at, status: short(row, 3)?, body: get(row, 4)? }),
        None => None,
    };
    Ok(HostRow { id, origin: string(row, 1)?, robots })
}

/// Evidence on a parameter: shape, param, equal, differ, standing, folded, samples, example.
pub(super) fn learned(row: &Row) -> Read<LearnedRow> {
    Ok(LearnedRow {
        shape: string(row, 0)?,
        param: string(row, 1)?,
        equal: number(row, 2)?,
        differ: number(row, 3)?,
        standing: code(row, 4)?,
        folded: get::<i64>(row, 5)? as u64,
        samples: number(row, 6)?,
        example: string(row, 7)?,
    })
}

/// A finding: kind, subject, detail, since.
pub(super) fn finding(row: &Row) -> Read<Finding> {
    let (kind, subject, detail) = (string(row, 0)?, string(row, 1)?, string(row, 2)?);
    Ok(Finding { kind, subject, detail, since: get(row, 3)? })
}

/// A run: id, kind, started, ended, outcome.
pub(super) fn run(row: &Row) -> Read<RunRow> {
    let (kind, outcome) = (string(row, 1)?, string(row, 4)?);
    Ok(RunRow { id: number(row, 0)?, kind, started: get(row, 2)?, ended: get(row, 3)?, outcome })
}

//! A batch as statements: each changes any number of rows, and all of them are sent at once.
//!
//! Steps own what they send, so that a batch can be sent again after the connection was lost. Their order is that in which the parts of
//! a batch are applied one after the other; within a part the changes of a wave (see [`waves`]) do not touch each other.

use std::sync::Arc;

use groma_model::{Depth, PageId};
use tokio_postgres::types::{ToSql, Type};

use super::column::Column;
use super::waves::waves;
use crate::batch::{Amend, Content, NewAddress, Settled, WriteBatch};
use crate::postgres::driver::stored_text;

/// What is sent with a statement.
pub(super) type Param = Arc<dyn ToSql + Sync + Send>;

/// A statement with its parameters, ready to be sent.
pub(super) struct BatchStatement {
    /// Its text, the same for every batch: it is prepared once.
    pub(super) sql: &'static str,
    /// What is sent with it.
    pub(super) params: Vec<Param>,
}

/// The statements of a batch, in their order.
pub(super) struct Steps {
    steps: Vec<BatchStatement>,
    /// Is any body kept?
    bodies: bool,
    /// Other processes write to the survey too.
    pub(super) shared: bool,
}

impl Steps {
    /// The steps of a batch. `bodies`: is any body kept so far? Gives the answer to that afterwards.
    pub(super) fn for_batch(batch: &WriteBatch, bodies: bool) -> (Vec<BatchStatement>, bool) {
        Steps { steps: Vec::new(), bodies, shared: false }.all(batch)
    }

    /// The same for a batch among those of others: its hosts and URLs are entered.
    pub(super) fn among(batch: &WriteBatch, bodies: bool) -> (Vec<BatchStatement>, bool) {
        Steps { steps: Vec::new(), bodies, shared: true }.all(batch)
    }

    fn all(self, batch: &WriteBatch) -> (Vec<BatchStatement>, bool) {
        let mut steps = self;
        if let Some(kind) = &batch.run_begins {
            let begin = "INSERT INTO run (id, kind, started, ended, outcome) VALUES ($1, $2, $3, NULL, '')";
            steps.add(begin, [number(batch.run), text(kind), Arc::new(batch.now)]);
        }
        if !steps.shared {
            steps.hosts(batch);
        }
        for wave in waves(&batch.addresses, |a| a.id, |a| a.url.len() + 80) {
            steps.addresses(wave, batch.now);
        }
        for wave in waves(&batch.linked, |(id, _)| *id, |(_, urls)| urls.len() + 20) {
            steps.linked(wave);
        }
        for wave in waves(&batch.settled, |s| s.id, weight) {
            steps.settled(wave, batch.now);
        }
        for wave in waves(&batch.amends, |a| a.id, |_| 60) {
            steps.amends(wave, batch.now);
        }
        steps.evidence(batch);
        steps.rest(batch);
        if let Some(outcome) = &batch.run_ends {
            let end = "UPDATE run SET ended = $2, outcome = $3 WHERE id = $1";
            steps.add(end, [number(batch.run), Arc::new(batch.now), text(outcome)]);
        }
        (steps.steps, steps.bodies)
    }

    pub(super) fn add<const N: usize>(&mut self, sql: &'static str, params: [Param; N]) {
        self.steps.push(BatchStatement { sql, params: params.into() });
    }

    fn hosts(&mut self, batch: &WriteBatch) {
        for wave in waves(&batch.hosts, |h| h.id, |h| h.origin.len() + 20) {
            let [mut id, mut origin] = [Type::INT8, Type::TEXT].map(Column::with_type);
            for host in wave {
                id.push(host.id.0);
                origin.push(host.origin.as_str());
            }
            let sql = "INSERT INTO host (id, origin) SELECT * FROM unnest($1::int8[], $2::text[])";
            self.add(sql, [array(id), array(origin)]);
        }
    }

    fn addresses(&mut self, wave: &[NewAddress], now: i64) {
        if !self.shared {
            let enter = "INSERT INTO address (id, host, depth, via, alias_of, fp, run, reason, via_kind, url, since)
                 SELECT u.*, $11::int8 FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::uuid[], $7::int4[],
                     $8::int2[], $9::int2[], $10::text[]) AS u";
            self.steps.push(BatchStatement { sql: enter, params: address_columns(wave, now) });
        }
        let mut turns = Turns::new();
        wave.iter().for_each(|address| turns.push(address.id, address.queue));
        self.queue(turns);
    }

    fn linked(&mut self, wave: &[(PageId, String)]) {
        let [mut id, mut urls] = [Type::INT8, Type::TEXT].map(Column::with_type);
        for (page, known) in wave {
            id.push(page.0);
            urls.push(known.as_str());
        }
        let sql = "INSERT INTO linked (id, urls) SELECT * FROM unnest($1::int8[], $2::text[])
             ON CONFLICT (id) DO UPDATE SET urls = EXCLUDED.urls";
        self.add(sql, [array(id), array(urls)]);
    }

    /// URLs get their turn, or another one.
    fn queue(&mut self, turns: Turns) {
        if !turns.id.is_empty() {
            let sql = "INSERT INTO queue (id, host, round, rank)
                 SELECT a.id, a.host, u.round, u.rank FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS u (id, round, rank)
                 JOIN address a ON a.id = u.id
                 ON CONFLICT (id) DO UPDATE SET round = EXCLUDED.round, rank = EXCLUDED.rank";
            self.add(sql, [array(turns.id), array(turns.round), array(turns.rank)]);
        }
    }

    fn settled(&mut self, wave: &[Settled], now: i64) {
        let [mut id, mut alias_of] = [(); 2].map(|()| Column::with_type(Type::INT8));
        let mut reason = Column::with_type(Type::INT2);
        for s in wave {
            id.push(s.id.0);
            reason.push(s.reason.code());
            alias_of.push(s.alias_of.map(|p| p.0));
        }
        let id = array(id);
        let stand =
            "UPDATE address a SET since = CASE WHEN a.reason = u.reason THEN a.since ELSE $4 END, reason = u.reason,
                 alias_of = u.alias_of
             FROM unnest($1::int8[], $2::int2[], $3::int8[]) AS u (id, reason, alias_of) WHERE a.id = u.id";
        self.add(stand, [id.clone(), array(reason), array(alias_of), Arc::new(now)]);
        self.add("DELETE FROM queue WHERE id = ANY ($1::int8[])", [id]);
        self.pages(wave);
        self.contents(wave);
    }

    fn pages(&mut self, wave: &[Settled]) {
        let mut numbers = [(); 7].map(|()| Column::with_type(Type::INT8));
        let mut prints = [(); 2].map(|()| Column::with_type(Type::UUID));
        let mut status = Column::with_type(Type::INT4);
        let mut marks = [(); 3].map(|()| Column::with_type(Type::BOOL));
        let mut texts = [(); 10].map(|()| Column::with_type(Type::TEXT));
        for s in wave {
            let f = &s.facts;
            let [id, size, near_fp, words, elapsed_ms, fetched_at, canonical] = &mut numbers;
            id.push(s.id.0);
            size.push(f.size);
            near_fp.push(f.near_fp);
            words.push(f.words);
            elapsed_ms.push(f.elapsed_ms);
            fetched_at.push(f.fetched_at);
            canonical.push(f.canonical.map(|p| p.0));
            prints[0].push(f.text_fp);
            prints[1].push(f.body_fp);
            status.push(f.status);
            for (column, mark) in marks.iter_mut().zip([f.noindex, f.nofollow, s.changed]) {
                column.push(mark);
            }
            let said = [
                &f.media_type,
                &f.charset,
                &f.language,
                &f.content_language,
                &f.title,
                &f.last_modified,
                &f.etag,
                &f.expires,
                &f.cuts,
                &f.note,
            ];
            for (column, text) in texts.iter_mut().zip(said) {
                column.push(text.as_str());
            }
        }
        // A page that is new has not changed.
        let sql = "INSERT INTO page (id, size, near_fp, words, elapsed_ms, fetched_at, changed_at, canonical, text_fp, body_fp,
                 status, noindex, nofollow, media_type, charset, language, content_language, title, last_modified, etag, expires,
                 cuts, note)
             SELECT u.id, u.size, u.near_fp, u.words, u.elapsed_ms, u.fetched_at,
                 CASE WHEN old.id IS NULL THEN 0 WHEN u.changed THEN u.fetched_at ELSE old.changed_at END,
                 u.canonical, u.text_fp, u.body_fp, u.status, u.noindex, u.nofollow, u.media_type, u.charset, u.language,
                 u.content_language, u.title, u.last_modified, u.etag, u.expires, u.cuts, u.note
             FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::uuid[],
                 $9::uuid[], $10::int4[], $11::bool[], $12::bool[], $13::bool[], $14::text[], $15::text[], $16::text[],
                 $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[])
             AS u (id, size, near_fp, words, elapsed_ms, fetched_at, canonical, text_fp, body_fp, status, noindex, nofollow,
                 changed, media_type, charset, language, content_language, title, last_modified, etag, expires, cuts, note)
             LEFT JOIN page old ON old.id = u.id
             ON CONFLICT (id) DO UPDATE SET size = EXCLUDED.size, near_fp = EXCLUDED.near_fp, words = EXCLUDED.words,
                 elapsed_ms = EXCLUDED.elapsed_ms, fetched_at = EXCLUDED.fetched_at,
                 changed_at = EXCLUDED.changed_at, canonical = EXCLUDED.canonical, text_fp = EXCLUDED.text_fp, body_fp = EXCLUDED.body_fp,
                 status = EXCLUDED.status, noindex = EXCLUDED.noindex, nofollow = EXCLUDED.nofollow,
                 media_type = EXCLUDED.media_type, charset = EXCLUDED.charset, language = EXCLUDED.language,
                 content_language = EXCLUDED.content_language, title = EXCLUDED.title,
                 last_modified = EXCLUDED.last_modified, etag = EXCLUDED.etag, expires = EXCLUDED.expires,
                 cuts = EXCLUDED.cuts, note = EXCLUDED.note";
        let columns = numbers.into_iter().chain(prints).chain([status]).chain(marks).chain(texts);
        self.steps.push(BatchStatement { sql, params: columns.map(array).collect() });
    }

    fn contents(&mut self, wave: &[Settled]) {
        let mut removed = Column::with_type(Type::INT8);
        let mut bodiless = Column::with_type(Type::INT8);
        let [mut id, mut targets, mut details] = [Type::INT8, Type::BYTEA, Type::BYTEA].map(Column::with_type);
        let [mut owner, mut body] = [Type::INT8, Type::BYTEA].map(Column::with_type);
        for s in wave {
            match &s.content {
                Content::Keep => {}
                Content::Remove => {
                    removed.push(s.id.0);
                    bodiless.push(s.id.0);
                }
                Content::Put { targets: links, details: said, body: bytes } => {
                    id.push(s.id.0);
                    targets.push(links.as_slice());
                    details.push(said.as_slice());
                    match bytes {
                        Some(bytes) => {
                            owner.push(s.id.0);
                            body.push(bytes.as_slice());
                        }
                        None => bodiless.push(s.id.0),
                    }
                }
            }
        }
        self.remove("DELETE FROM content WHERE id = ANY ($1::int8[])", removed);
        if !id.is_empty() {
            let put =
                "INSERT INTO content (id, targets, details) SELECT * FROM unnest($1::int8[], $2::bytea[], $3::bytea[])
                 ON CONFLICT (id) DO UPDATE SET targets = EXCLUDED.targets, details = EXCLUDED.details";
            self.add(put, [array(id), array(targets), array(details)]);
        }
        self.remove_bodies(bodiless);
        if !owner.is_empty() {
            self.bodies = true;
            let put = "INSERT INTO body (id, bytes) SELECT * FROM unnest($1::int8[], $2::bytea[])
                 ON CONFLICT (id) DO UPDATE SET bytes = EXCLUDED.bytes";
            self.add(put, [array(owner), array(body)]);
        }
    }

    pub(super) fn remove(&mut self, sql: &'static str, ids: Column) {
        if !ids.is_empty() {
            self.add(sql, [array(ids)]);
        }
    }

    /// Most surveys keep no bodies: then there is none to look for.
    fn remove_bodies(&mut self, ids: Column) {
        if self.bodies {
            self.remove("DELETE FROM body WHERE id = ANY ($1::int8[])", ids);
        }
    }

    fn amends(&mut self, wave: &[Amend], now: i64) {
        let [mut id, mut alias_of, mut depth] = [(); 3].map(|()| Column::with_type(Type::INT8));
        let mut reason = Column::with_type(Type::INT2);
        let mut deepened = Column::with_type(Type::BOOL);
        let [mut forgotten, mut waiting_no_more] = [(); 2].map(|()| Column::with_type(Type::INT8));
        let mut turns = Turns::new();
        for a in wave {
            id.push(a.id.0);
            reason.push(a.reason.code());
            alias_of.push(a.alias_of.map(|p| p.0));
            depth.push(a.depth.and_then(Depth::known));
            deepened.push(a.depth.is_some());
            turns.push(a.id, a.queue);
            if a.queue.is_none() {
                waiting_no_more.push(a.id.0);
            }
            if a.forget {
                forgotten.push(a.id.0);
            }
        }
        let stand = "UPDATE address a SET since = CASE WHEN a.reason = u.reason THEN a.since ELSE $6 END, reason = u.reason,
                 alias_of = u.alias_of, depth = CASE WHEN u.deepened THEN u.depth ELSE a.depth END
             FROM unnest($1::int8[], $2::int2[], $3::int8[], $4::int8[], $5::bool[]) AS u (id, reason, alias_of, depth, deepened)
             WHERE a.id = u.id";
        self.add(stand, [array(id), array(reason), array(alias_of), array(depth), array(deepened), Arc::new(now)]);
        self.remove("DELETE FROM queue WHERE id = ANY ($1::int8[])", waiting_no_more);
        self.queue(turns);
        self.remove("DELETE FROM page WHERE id = ANY ($1::int8[])", forgotten.clone());
        self.remove("DELETE FROM content WHERE id = ANY ($1::int8[])", forgotten.clone());
        self.remove_bodies(forgotten);
    }
}

/// What is sent with a statement that enters URLs.
pub(super) fn address_columns(wave: &[NewAddress], now: i64) -> Vec<Param> {
    let mut numbers = [(); 5].map(|()| Column::with_type(Type::INT8));
    let mut fp = Column::with_type(Type::UUID);
    let mut run = Column::with_type(Type::INT4);
    let mut codes = [(); 2].map(|()| Column::with_type(Type::INT2));
    let mut url = Column::with_type(Type::TEXT);
    for a in wave {
        let [id, host, depth, via, alias_of] = &mut numbers;
        id.push(a.id.0);
        host.push(a.host.0);
        depth.push(a.depth.known());
        via.push(a.via.map(|p| p.0));
        alias_of.push(a.alias_of.map(|p| p.0));
        fp.push(a.fp);
        run.push(a.run);
        let [reason, via_kind] = &mut codes;
        reason.push(a.reason.code());
        via_kind.push(a.via_kind as u8);
        url.push(a.url.as_str());
    }
    let mut columns: Vec<Param> = numbers.into_iter().chain([fp, run]).chain(codes).chain([url]).map(array).collect();
    columns.push(Arc::new(now));
    columns
}

/// URLs with their turns.
struct Turns {
    id: Column,
    round: Column,
    rank: Column,
}

impl Turns {
    fn new() -> Turns {
        let [id, round, rank] = [(); 3].map(|()| Column::with_type(Type::INT8));
        Turns { id, round, rank }
    }

    fn push(&mut self, id: PageId, queue: Option<(u32, u32)>) {
        if let Some((round, rank)) = queue {
            self.id.push(id.0);
            self.round.push(round);
            self.rank.push(rank);
        }
    }
}

/// What is stored of a visit, in bytes.
fn weight(s: &Settled) -> usize {
    let packed = match &s.content {
        Content::Keep | Content::Remove => 0,
        Content::Put { targets, details, body } => targets.len() + details.len() + body.as_ref().map_or(0, Vec::len),
    };
    packed + s.facts.title.len() + 300
}

/// A column as the one parameter that a statement unpacks by `unnest` or `ANY`.
pub(super) fn array(column: Column) -> Param {
    Arc::new(column)
}

fn number(value: u32) -> Param {
    Arc::new(i64::from(value))
}

fn text(value: &str) -> Param {
    Arc::new(stored_text(value).into_owned())
}

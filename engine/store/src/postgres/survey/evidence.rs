//! The smaller parts of a batch as statements: evidence, findings, robots.txt, the change log, sums and values.

use groma_model::Fp;
use tokio_postgres::types::Type;

use super::column::Column;
use super::steps::{Steps, array};
use super::waves::waves;
use crate::batch::WriteBatch;

impl Steps {
    /// Variants, folds, what was learned, findings.
    pub(super) fn evidence(&mut self, batch: &WriteBatch) {
        for wave in waves(&batch.evidence.variants, |(key, ..)| *key, |_| 40) {
            let [mut key, mut page, mut text] = [Type::UUID, Type::INT8, Type::UUID].map(Column::with_type);
            for (of, first, body) in wave {
                key.push(*of);
                page.push(first.0);
                text.push(*body);
            }
            let sql = "INSERT INTO variant (key, page, text) SELECT * FROM unnest($1::uuid[], $2::int8[], $3::uuid[])
                 ON CONFLICT (key) DO UPDATE SET page = EXCLUDED.page, text = EXCLUDED.text";
            self.add(sql, [array(key), array(page), array(text)]);
        }
        for wave in waves(&batch.evidence.folds, |(key, _)| *key, |_| 30) {
            let [mut key, mut page, mut taken_back] = [Type::UUID, Type::INT8, Type::UUID].map(Column::with_type);
            for (of, stands) in wave {
                match stands {
                    Some(stands) => {
                        key.push(*of);
                        page.push(stands.0);
                    }
                    None => taken_back.push(*of),
                }
            }
            self.remove("DELETE FROM fold WHERE key = ANY ($1::uuid[])", taken_back);
            if !key.is_empty() {
                let sql = "INSERT INTO fold (key, page) SELECT * FROM unnest($1::uuid[], $2::int8[])
                     ON CONFLICT (key) DO UPDATE SET page = EXCLUDED.page";
                self.add(sql, [array(key), array(page)]);
            }
        }
        self.learned(batch);
        for wave in waves(&batch.findings, |f| pair(&f.kind, &f.subject), |f| f.subject.len() + f.detail.len()) {
            let mut key = Column::with_type(Type::UUID);
            let [mut kind, mut subject, mut detail] = [(); 3].map(|()| Column::with_type(Type::TEXT));
            let mut since = Column::with_type(Type::INT8);
            let mut gone = Column::with_type(Type::UUID);
            for f in wave {
                if f.detail.is_empty() {
                    gone.push(pair(&f.kind, &f.subject));
                    continue;
                }
                key.push(pair(&f.kind, &f.subject));
                kind.push(f.kind.as_str());
                subject.push(f.subject.as_str());
                detail.push(f.detail.as_str());
                since.push(f.since);
            }
            let sql = "INSERT INTO finding (key, kind, subject, detail, since)
                 SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int8[])
                 ON CONFLICT (key) DO UPDATE SET detail = EXCLUDED.detail";
            self.add(sql, [array(key), array(kind), array(subject), array(detail), array(since)]);
            self.add("DELETE FROM finding WHERE key = ANY ($1::uuid[])", [array(gone)]);
        }
    }

    fn learned(&mut self, batch: &WriteBatch) {
        for wave in waves(&batch.evidence.learned, |l| pair(&l.shape, &l.param), |l| l.shape.len() + l.example.len()) {
            let mut key = Column::with_type(Type::UUID);
            let [mut shape, mut param, mut example] = [(); 3].map(|()| Column::with_type(Type::TEXT));
            let [mut equal, mut differ, mut folded, mut samples] = [(); 4].map(|()| Column::with_type(Type::INT8));
            let mut standing = Column::with_type(Type::INT2);
            for l in wave {
                key.push(pair(&l.shape, &l.param));
                shape.push(l.shape.as_str());
                param.push(l.param.as_str());
                equal.push(l.equal);
                differ.push(l.differ);
                standing.push(l.standing);
                folded.push(l.folded);
                samples.push(l.samples);
                example.push(l.example.as_str());
            }
            let sql = "INSERT INTO learned (key, shape, param, equal, differ, standing, folded, samples, example)
                 SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int8[], $5::int8[], $6::int2[], $7::int8[],
                     $8::int8[], $9::text[])
                 ON CONFLICT (key) DO UPDATE SET equal = EXCLUDED.equal, differ = EXCLUDED.differ, standing = EXCLUDED.standing,
                     folded = EXCLUDED.folded, samples = EXCLUDED.samples, example = EXCLUDED.example";
            let columns = [key, shape, param, equal, differ, standing, folded, samples, example];
            self.add(sql, columns.map(array));
        }
    }

    /// robots.txt, the change log, sums, values.
    pub(super) fn rest(&mut self, batch: &WriteBatch) {
        for wave in waves(&batch.robots, |r| r.host, |r| r.body.len() + 30) {
            let [mut host, mut at, mut status, mut body] =
                [Type::INT8, Type::INT8, Type::INT4, Type::BYTEA].map(Column::with_type);
            for r in wave {
                host.push(r.host.0);
                at.push(r.at);
                status.push(r.status);
                body.push(r.body.as_slice());
            }
            let sql = "UPDATE host SET robots_at = u.at, robots_status = u.status, robots = u.body
                 FROM unnest($1::int8[], $2::int8[], $3::int4[], $4::bytea[]) AS u (id, at, status, body) WHERE host.id = u.id";
            self.add(sql, [array(host), array(at), array(status), array(body)]);
        }
        if self.shared {
            // One after the other from here on, to the end of the transaction: the log has to be in the order of commits.
            let turn = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' log', 0))";
            self.add(turn, []);
        }
        self.changes(batch);
        self.sums(batch);
        for wave in waves(&batch.values, |(key, _)| key.as_str(), |(_, value)| value.len()) {
            let [mut key, mut value] = [(); 2].map(|()| Column::with_type(Type::TEXT));
            for (name, is) in wave {
                key.push(name.as_str());
                value.push(is.as_str());
            }
            let sql = "INSERT INTO survey (key, value) SELECT * FROM unnest($1::text[], $2::text[])
                 ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value";
            self.add(sql, [array(key), array(value)]);
        }
    }

    /// The places in the log are counted on from the last one, under the fence: without gaps and in the order of commits, so that
    /// whoever follows the log misses nothing.
    fn changes(&mut self, batch: &WriteBatch) {
        // No two changes have the same key: each is a row of its own.
        let numbered: Vec<_> = batch.changes.iter().enumerate().collect();
        for wave in waves(&numbered, |(at, _)| *at, |_| 50) {
            let [mut run, mut at, mut page, mut moved_to] = [(); 4].map(|()| Column::with_type(Type::INT8));
            let [mut kind, mut amount] = [(); 2].map(|()| Column::with_type(Type::INT2));
            for (_, c) in wave {
                run.push(c.run);
                at.push(c.at);
                page.push(c.page.0);
                moved_to.push(c.to.map(|p| p.0));
                kind.push(c.kind as u8);
                amount.push(c.amount);
            }
            let sql = "INSERT INTO change (seq, run, at, page, moved_to, kind, amount)
                 SELECT last.seq + u.place, u.run, u.at, u.page, u.moved_to, u.kind, u.amount
                 FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int2[], $6::int2[]) WITH ORDINALITY
                     AS u (run, at, page, moved_to, kind, amount, place),
                     (SELECT coalesce(max(seq), 0) AS seq FROM change) AS last";
            self.add(sql, [run, at, page, moved_to, kind, amount].map(array));
        }
    }

    fn sums(&mut self, batch: &WriteBatch) {
        let counts = &batch.counts;
        let sums = [("fetches", counts.fetches), ("bytes", counts.bytes), ("rendered", counts.rendered)];
        let sql = "INSERT INTO counter (key, value) SELECT * FROM unnest($1::text[], $2::int8[])
             ON CONFLICT (key) DO UPDATE SET value = counter.value + EXCLUDED.value";
        self.count(sql, sums.into_iter());
        let sql = "INSERT INTO limit_hit (key, count) SELECT * FROM unnest($1::text[], $2::int8[])
             ON CONFLICT (key) DO UPDATE SET count = limit_hit.count + EXCLUDED.count";
        self.count(sql, batch.counts.limits.iter().map(|(key, by)| (*key, *by)));
        if self.shared && batch.counts.indexed != 0 {
            let sql = "UPDATE number_given SET last = last + $1 WHERE kind = 'indexed'";
            self.add(sql, [std::sync::Arc::new(batch.counts.indexed)]);
        }
    }

    fn count(&mut self, sql: &'static str, sums: impl Iterator<Item = (&'static str, u64)>) {
        let [mut key, mut value] = [Type::TEXT, Type::INT8].map(Column::with_type);
        for (name, by) in sums.filter(|(_, by)| *by > 0) {
            key.push(name);
            value.push(by);
        }
        if !key.is_empty() {
            self.add(sql, [array(key), array(value)]);
        }
    }
}

/// Two texts as one key. A text cannot be moved from one to the other: the first says how long it is.
pub(crate) fn pair(first: &str, second: &str) -> Fp {
    Fp::hash_bytes(format!("{} {first}{second}", first.len()).as_bytes())
}

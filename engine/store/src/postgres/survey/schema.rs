//! The tables, in numbered steps: a survey of an older format is brought up to date when it is opened, in one
//! transaction; one of a newer format is refused.
//!
//! | what | as | because |
//! |---|---|---|
//! | numbers of pages, hosts, rounds, distances | `int8` | ours have 32 bits without a sign, `int4` has 31 |
//! | fingerprints | `uuid` | 16 bytes without a length, compared as bytes, and PostgreSQL sorts them fast |
//! | texts | `text COLLATE "C"` | order by bytes, as in every other store |
//! | what we have packed ourselves | `bytea`, `STORAGE EXTERNAL` | packing it again costs time and brings nothing |
//! | moments of the survey | `int8`, seconds since 1970 | as in every other store |
//! | moments of leases | `timestamptz` | the clock of the server counts, there is only one |
//!
//! The queue is a table of its own, not a column of `address`: what is visited then changes no indexed column of its address (a "heap
//! only" update: no index is touched), and the busiest table stays small. Long texts are no keys: an index entry has at most a third of a
//! database page, and whoever writes an address decides how long it is. Their fingerprint is.

use crate::postgres::driver::ServerSchema;

/// The steps, oldest first. The format of a survey is how many of them it has seen. Never change one: add one.
pub(crate) const SERVER_SCHEMA: ServerSchema = ServerSchema { name: "survey", steps: &[TABLES, WRITER, CREW, LINKED] };

const TABLES: &str = r#"
CREATE TABLE survey (key text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL);
CREATE TABLE counter (key text COLLATE "C" PRIMARY KEY, value int8 NOT NULL);
CREATE TABLE limit_hit (key text COLLATE "C" PRIMARY KEY, count int8 NOT NULL);
CREATE TABLE run (
    id int8 PRIMARY KEY, kind text COLLATE "C" NOT NULL, started int8 NOT NULL, ended int8, outcome text COLLATE "C" NOT NULL
);
CREATE TABLE host (
    id int8 PRIMARY KEY, origin text COLLATE "C" NOT NULL, robots_at int8, robots_status int4, robots bytea
);
CREATE TABLE address (
    id int8 PRIMARY KEY, host int8 NOT NULL, depth int8, via int8, alias_of int8, since int8 NOT NULL, fp uuid NOT NULL,
    run int4 NOT NULL, reason int2 NOT NULL, via_kind int2, url text COLLATE "C" NOT NULL
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX address_fp ON address (fp);
CREATE INDEX address_alias ON address (alias_of) WHERE alias_of IS NOT NULL;
CREATE TABLE queue (id int8 PRIMARY KEY, host int8 NOT NULL, round int8 NOT NULL, rank int8 NOT NULL)
    WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX queue_turn ON queue (round, host, rank, id);
CREATE TABLE page (
    id int8 PRIMARY KEY, size int8 NOT NULL, near_fp int8 NOT NULL, words int8 NOT NULL, elapsed_ms int8 NOT NULL,
    fetched_at int8 NOT NULL, changed_at int8 NOT NULL, canonical int8, text_fp uuid, body_fp uuid, status int4 NOT NULL,
    noindex bool NOT NULL, nofollow bool NOT NULL, media_type text COLLATE "C" NOT NULL, charset text COLLATE "C" NOT NULL,
    language text COLLATE "C" NOT NULL, content_language text COLLATE "C" NOT NULL, title text COLLATE "C" NOT NULL,
    last_modified text COLLATE "C" NOT NULL, etag text COLLATE "C" NOT NULL, expires text COLLATE "C" NOT NULL,
    cuts text COLLATE "C" NOT NULL, note text COLLATE "C" NOT NULL
) WITH (fillfactor = 90);
CREATE TABLE content (id int8 PRIMARY KEY, targets bytea NOT NULL, details bytea NOT NULL);
ALTER TABLE content ALTER targets SET STORAGE EXTERNAL, ALTER details SET STORAGE EXTERNAL;
CREATE TABLE body (id int8 PRIMARY KEY, bytes bytea NOT NULL);
ALTER TABLE body ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE variant (key uuid PRIMARY KEY, page int8 NOT NULL, text uuid NOT NULL);
CREATE TABLE fold (key uuid PRIMARY KEY, page int8 NOT NULL);
CREATE TABLE learned (
    key uuid PRIMARY KEY, shape text COLLATE "C" NOT NULL, param text COLLATE "C" NOT NULL, equal int8 NOT NULL,
    differ int8 NOT NULL, standing int2 NOT NULL, folded int8 NOT NULL, samples int8 NOT NULL, example text COLLATE "C" NOT NULL
);
CREATE TABLE finding (
    key uuid PRIMARY KEY, kind text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL, detail text COLLATE "C" NOT NULL,
    since int8 NOT NULL
);
CREATE TABLE change (
    seq int8 PRIMARY KEY, run int8 NOT NULL, at int8 NOT NULL, page int8 NOT NULL, moved_to int8, kind int2 NOT NULL,
    amount int2 NOT NULL
);
"#;

/// Who writes: one row for each place of a writer. `token` is the fence, `batch` the number of the last batch written under it,
/// `session` the process of the server through which it was written.
const WRITER: &str = r#"
CREATE TABLE writer (
    place int4 PRIMARY KEY, token uuid NOT NULL, owner text COLLATE "C" NOT NULL, batch int8 NOT NULL,
    session int4 NOT NULL, expires timestamptz NOT NULL
);
"#;

/// Several processes that crawl one survey: a lease of each host, and of each server (an IP address, by its fingerprint), by the token of
/// its writer, or zeros; `ready_at`: the server is not asked before; infinity: nobody said when. `crew` has one row: are the doors open,
/// and for what.
const CREW: &str = r#"
ALTER TABLE writer ADD since timestamptz NOT NULL DEFAULT clock_timestamp(), ADD hosts int4 NOT NULL DEFAULT 0,
    ADD fetches int8 NOT NULL DEFAULT 0, ADD hungry bool NOT NULL DEFAULT false;
CREATE UNIQUE INDEX host_origin ON host (md5(origin));
CREATE TABLE lease (host int8 PRIMARY KEY, place int4 NOT NULL, token uuid NOT NULL, server uuid) WITH (fillfactor = 50);
CREATE INDEX lease_token ON lease (token);
CREATE TABLE server (
    print uuid PRIMARY KEY, name text COLLATE "C" NOT NULL, place int4 NOT NULL, token uuid NOT NULL, ready_at timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX server_token ON server (token);
CREATE TABLE crew (one int4 PRIMARY KEY CHECK (one = 1), open bool NOT NULL, task text COLLATE "C" NOT NULL);
INSERT INTO crew VALUES (1, false, '');
CREATE TABLE number_given (kind text COLLATE "C" PRIMARY KEY, last int8 NOT NULL);
"#;

/// By which URLs a URL was linked, where its canonical form is not the only one.
const LINKED: &str = r#"
CREATE TABLE linked (id int8 PRIMARY KEY, urls text COLLATE "C" NOT NULL);
"#;

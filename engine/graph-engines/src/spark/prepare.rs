//! Links as the rounds want them: every arc once, every node with what it gives and takes.
//!
//! Rule: that of `input.rs`. Other names of pages are followed by doubling: each name takes over where its page's name leads, until none leads to
//! a name; names in a circle never end and lead nowhere.
//! Tables: `arcs` (source, target, navigation), `nodes` (id, plain, marked, linked), and for a survey `pages` (id, name, host, member, indexed).
//! Cost: one shuffle of the links by both ends (16 bytes each), one of 2 m rows by node; with a survey three joins more. Doubling takes
//! log2 of the longest chain of names, at most 32 statements on the few pages that have them. Links are read once more each time a work folder is taken
//! up, for a fingerprint (count and exclusive or of row hashes) that tells whether they are the same.
//! Not guaranteed: that a fingerprint tells every change (64 bits; two equal rows more cancel out, but the count tells).

use super::Cluster;
use super::rounds::sweep;
use super::session::{Field, Value};
use crate::input::{OUTSIDE, PARTS_OF_PAGES, below};
use crate::{GraphEngineError, Input};

pub(super) const ARCS: &str = "source BIGINT, target BIGINT, navigation BIGINT";
pub(super) const NODES: &str = "id BIGINT, plain BIGINT, marked BIGINT, linked BIGINT";
pub(super) const PAGES: &str = "id BIGINT, name STRING, host STRING, member BIGINT, indexed BIGINT";
const NAMES: &str = "id BIGINT, page BIGINT";
const MARK: &str = "nodes BIGINT, arcs BIGINT, of STRING, place STRING";

/// The most doublings of names: chains of four thousand million.
const DOUBLINGS: u32 = 32;

/// Tables that lie in the work folder and are called `arcs`, `nodes` and `pages`.
pub(super) struct Prepared {
    pub(super) nodes: u64,
    pub(super) arcs: u64,
    /// Whether there are `pages`.
    pub(super) has_pages: bool,
    /// Fingerprint of the links.
    pub(super) of: String,
}

pub(super) fn prepare(cluster: &Cluster, input: &Input, work: &str) -> Result<Prepared, GraphEngineError> {
    let prepared = below(work, "prepared");
    let (links, pages) = (super::absolute(&input.links()), input.pages().map(|path| super::absolute(&path)));
    let own = format!("tables-{}", cluster.token);
    let folder = below(&prepared, &own);
    let mut of = look_at_links(cluster, &links, pages.is_some(), &below(&folder, "links-seen"))?;
    if let Some(pages) = &pages {
        of = format!("{of}-{}", look_at_pages(cluster, pages, &below(&folder, "pages-seen"))?);
    }
    let has_pages = pages.is_some();
    let name_tables = |folder: &str| -> Result<(), GraphEngineError> {
        cluster.name("arcs", &below(folder, "arcs"), ARCS)?;
        cluster.name("nodes", &below(folder, "nodes"), NODES)?;
        if has_pages { cluster.name("pages", &below(folder, "pages"), PAGES) } else { Ok(()) }
    };
    let known = mark(cluster, &below(&prepared, "mark"), &of);
    let kept: Vec<String> = known.iter().map(|(_, place)| place.clone()).collect();
    sweep(&prepared, "tables-", &kept);
    if let Some(((nodes, arcs), place)) = known {
        name_tables(&below(&prepared, &place))?;
        return Ok(Prepared { nodes, arcs, has_pages, of });
    }
    let place = |name: &str| below(&folder, name);
    if pages.is_some() {
        cluster.write("prepare the pages", &pages_sql(), &place("pages"))?;
        cluster.name("pages", &place("pages"), PAGES)?;
        follow_names(cluster, &folder)?;
        cluster.define("links", &survey_links_sql())?;
    }
    cluster.write("prepare the arcs", ARCS_SQL, &place("arcs"))?;
    cluster.name("arcs", &place("arcs"), ARCS)?;
    let alone =
        if pages.is_some() { "SELECT id FROM pages" } else { "SELECT source AS id FROM links WHERE source = target" };
    cluster.write("prepare the nodes", &nodes_sql(alone), &place("nodes"))?;
    cluster.name("nodes", &place("nodes"), NODES)?;
    let counts = format!(
        "SELECT n.c AS nodes, a.c AS arcs, '{of}' AS of, '{own}' AS place FROM (SELECT count(*) AS c FROM nodes) n CROSS JOIN (SELECT count(*) AS c FROM arcs) a"
    );
    cluster.write("count nodes and arcs", &counts, &below(&prepared, "mark"))?;
    let ((nodes, arcs), _) =
        mark(cluster, &below(&prepared, "mark"), &of).ok_or_else(|| GraphEngineError::Cluster {
            what: "prepare the links".to_owned(),
            why: "what it wrote cannot be read back; do all its machines reach the work folder by this name?"
                .to_owned(),
        })?;
    Ok(Prepared { nodes, arcs, has_pages, of })
}

const ARCS_SQL: &str =
    "SELECT source, target, min(navigation) AS navigation FROM links WHERE source <> target GROUP BY source, target";

/// Every end of an arc, and what is a node without one.
fn nodes_sql(alone: &str) -> String {
    format!(
        "SELECT id, CAST(sum(plain) AS BIGINT) AS plain, CAST(sum(marked) AS BIGINT) AS marked, CAST(sum(linked) AS BIGINT) AS linked FROM (
           SELECT source AS id, 1 - navigation AS plain, navigation AS marked, CAST(0 AS BIGINT) AS linked FROM arcs
           UNION ALL SELECT target AS id, CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM arcs
           UNION ALL SELECT id, CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT) FROM ({alone}) x
         ) e GROUP BY id"
    )
}

/// Calls the links `links` (source, target, navigation; of a survey also kind) and tells their fingerprint.
fn look_at_links(cluster: &Cluster, path: &str, survey: bool, seen: &str) -> Result<String, GraphEngineError> {
    let fields = cluster.look("raw_links", path)?;
    need(&fields, path, "source", "whole numbers", |field| field.is_whole)?;
    need(&fields, path, "target", "whole numbers", |field| field.is_whole)?;
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let mut navigation = "CAST(0 AS BIGINT)";
    if has("navigation") {
        need(&fields, path, "navigation", "yes or no", |field| field.is_flag)?;
        navigation = "CASE WHEN navigation THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END";
    }
    let kind = if survey && has("kind") { "coalesce(kind, '')" } else { "''" };
    cluster.define(
        "links",
        &format!(
            "SELECT CAST(source AS BIGINT) AS source, CAST(target AS BIGINT) AS target, {navigation} AS navigation, {kind} AS kind
             FROM raw_links WHERE source IS NOT NULL AND target IS NOT NULL"
        ),
    )?;
    fingerprint(cluster, path, "xxhash64(source, target, navigation, kind)", "links", seen)
}

fn look_at_pages(cluster: &Cluster, path: &str, seen: &str) -> Result<String, GraphEngineError> {
    let fields = cluster.look("raw_pages", path)?;
    need(&fields, path, "id", "whole numbers", |field| field.is_whole)?;
    need(&fields, path, "alias_of", "whole numbers", |field| field.is_whole)?;
    for name in ["url", "host", "state", "reason"] {
        need(&fields, path, name, "texts", |field| field.is_text)?;
    }
    let hash = "xxhash64(id, coalesce(alias_of, -1), url, coalesce(host, ''), state, reason)";
    fingerprint(cluster, path, hash, "raw_pages", seen)
}

fn need(
    fields: &[Field],
    path: &str,
    name: &str,
    what: &str,
    fits: impl Fn(&Field) -> bool,
) -> Result<(), GraphEngineError> {
    let wrong = |why: String| Err(GraphEngineError::Table { path: path.to_owned(), why });
    match fields.iter().find(|field| field.name == name) {
        None => wrong(format!("there is no column `{name}`")),
        Some(field) if !fits(field) => wrong(format!("column `{name}` does not hold {what}")),
        Some(_) => Ok(()),
    }
}

/// All rows are read for it, which may take long: so it is written down first and then looked at.
fn fingerprint(cluster: &Cluster, path: &str, hash: &str, of: &str, seen: &str) -> Result<String, GraphEngineError> {
    let what = format!("read {path}");
    let sql = format!(
        "SELECT CAST(count(*) AS BIGINT) AS size, CAST(coalesce(bit_xor({hash}), 0) AS BIGINT) AS hash FROM {of}"
    );
    cluster.write(&what, &sql, seen)?;
    cluster.name("seen", seen, "size BIGINT, hash BIGINT")?;
    let row = cluster.row(&what, "SELECT size, hash FROM seen")?.unwrap_or_default();
    match row.as_slice() {
        [size, hash] if size.as_i64().is_some() && hash.as_i64().is_some() => {
            Ok(format!("{}-{:x}", size.as_i64().unwrap_or_default(), hash.as_i64().unwrap_or_default()))
        }
        _ => Err(GraphEngineError::Cluster {
            what,
            why: "what it wrote cannot be read back; do all its machines reach the work folder by this name?"
                .to_owned(),
        }),
    }
}

fn pages_sql() -> String {
    let outside = OUTSIDE.map(|reason| format!("'{reason}'")).join(", ");
    format!(
        "SELECT CAST(id AS BIGINT) AS id, min(url) AS name, min(coalesce(host, '')) AS host,
           max(CASE WHEN reason IN ({outside}) THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END) AS member,
           max(CASE WHEN state IN ('fetched', 'indexed') THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END) AS indexed
         FROM raw_pages WHERE id IS NOT NULL AND state IN ('fetched', 'skipped', 'indexed', 'registered') GROUP BY CAST(id AS BIGINT)"
    )
}

/// The links of a survey that count, between pages.
fn survey_links_sql() -> String {
    let parts = PARTS_OF_PAGES.map(|kind| format!("'{kind}'")).join(", ");
    format!(
        "SELECT l.source, t.id AS target, l.navigation FROM (
           SELECT r.source, coalesce(n.page, r.target) AS target, r.navigation FROM links r LEFT JOIN names n ON r.target = n.id
           WHERE r.kind NOT IN ({parts})
         ) l JOIN pages s ON l.source = s.id JOIN pages t ON l.target = t.id WHERE s.indexed = 1"
    )
}

/// Calls `names` where each other name of a page leads in the end.
fn follow_names(cluster: &Cluster, folder: &str) -> Result<(), GraphEngineError> {
    let place = |round: u32| below(folder, &format!("names-{}", round % 2));
    let first = "SELECT CAST(id AS BIGINT) AS id, CAST(min(alias_of) AS BIGINT) AS page FROM raw_pages
                 WHERE state = 'alias' AND alias_of IS NOT NULL AND id IS NOT NULL GROUP BY CAST(id AS BIGINT)";
    cluster.write("follow names", first, &place(0))?;
    cluster.name("names", &place(0), NAMES)?;
    for round in 1..=DOUBLINGS {
        let row = cluster.row("follow names", "SELECT count(*) FROM names a JOIN names b ON a.page = b.id")?;
        if row.and_then(|row| row.first().and_then(Value::as_i64)) == Some(0) {
            break;
        }
        let further = "SELECT a.id, coalesce(b.page, a.page) AS page FROM names a LEFT JOIN names b ON a.page = b.id";
        cluster.write("follow names", further, &place(round))?;
        cluster.name("names", &place(round), NAMES)?;
    }
    Ok(())
}

/// Nodes and arcs and the folder of their tables, if they were prepared from the same links.
fn mark(cluster: &Cluster, path: &str, of: &str) -> Option<((u64, u64), String)> {
    cluster.name("mark", path, MARK).ok()?;
    let row = cluster.row("read a mark", "SELECT nodes, arcs, of, place FROM mark").ok()??;
    let [nodes, arcs, Value::String(found), Value::String(place)] = row.as_slice() else { return None };
    let number = |value: &Value| u64::try_from(value.as_i64()?).ok();
    if found == of { Some(((number(nodes)?, number(arcs)?), place.clone())) } else { None }
}

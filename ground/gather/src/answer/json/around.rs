//! How many records are there in all, and where does the list go on? What stands beside the list in the JSON.
//!
//! Looked at are the objects the list stands in, the innermost first, and those beside it that are called like the data of a list
//! (`meta`, `pagination`). A number called like a total is one if it is not below the records that stand there; `count` only if nothing
//! better is there, for it may count the page. A next page is a URL on the same site, never a number or a cursor: nobody knows
//! how it is sent. Cost: linear in the keys of these objects.

use groma_model::Request;
use groma_url::Url;
use serde_json::{Map, Value as Json};

use super::block::Block;
use super::path::JsonPath;
use crate::answer::total::{Total, TotalKind};

/// Names of totals, the surest first; folded to letters in lower case.
const TOTALS: [&str; 19] = [
    "totalcount",
    "totalresults",
    "totalitems",
    "totalelements",
    "totalhits",
    "totalrecords",
    "totalrows",
    "totalentries",
    "numfound",
    "nbhits",
    "resultcount",
    "resultscount",
    "hitcount",
    "recordsfiltered",
    "recordstotal",
    "odatacount",
    "numberofitems",
    "total",
    "found",
];

/// Objects beside a list that speak of it.
const BESIDE: [&str; 11] =
    ["meta", "pagination", "paging", "page", "pageinfo", "info", "hits", "response", "links", "result", "search"];

/// Names of the next page.
const NEXT: [&str; 9] =
    ["next", "nextpage", "nexturl", "nextlink", "nextpageurl", "nexthref", "odatanextlink", "cursor", "nextcursor"];

/// What stands beside a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    pub(crate) total: Option<Total>,
    pub(crate) next: Option<Request>,
    /// The list is there, and nothing in it.
    pub(crate) is_empty: bool,
}

fn folded(key: &str) -> String {
    key.chars().filter(|c| c.is_ascii_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

/// What stands beside the list of records that a rule walks.
pub(crate) fn around(rule: &JsonPath, blocks: &[Block], page: &Url) -> Around {
    let ways: Vec<Vec<&Json>> = rule.meant(blocks).into_iter().filter_map(|block| rule.way(block)).collect();
    let way = ways.iter().find(|way| has_records(way)).or(ways.first());
    let Some((records, above)) = way.and_then(|way| way.split_last()) else { return Around::default() };
    let records = records.as_array().map_or(0, Vec::len) as u64;
    let mut found = Around { is_empty: records == 0, ..Around::default() };
    let mut count = None;
    for object in above.iter().rev().take(4).filter_map(|json| json.as_object()) {
        let beside = object.iter().filter(|(key, _)| BESIDE.contains(&folded(key).trim_start_matches('_')));
        let beside = beside.filter_map(|(_, json)| json.as_object());
        for object in std::iter::once(object).chain(beside) {
            found.total = found.total.or_else(|| total(object, records));
            count = count.or_else(|| object.get("count").and_then(Json::as_u64));
            found.next = found.next.or_else(|| next(object, page));
        }
    }
    let count = count.filter(|count| *count > records || *count == records && found.next.is_none());
    found.total = found.total.or(count.map(|number| Total { number, kind: TotalKind::Exact }));
    found
}

/// Does an answer that is JSON, and in which nobody knows the list, say that there is nothing?
pub(crate) fn says_none(blocks: &[Block]) -> bool {
    let is_none = |json: &Json| match json {
        Json::Array(list) => list.is_empty(),
        Json::Object(object) => total(object, 0).is_some_and(|total| total.number == 0) || has_empty_list(object),
        _ => false,
    };
    blocks.iter().filter_map(Block::whole).any(is_none)
}

/// Are there lists, all of them empty, and no word of an error?
fn has_empty_list(object: &Map<String, Json>) -> bool {
    let is_error =
        |key: &String| ["error", "message", "fault"].iter().any(|sign| key.to_ascii_lowercase().contains(sign));
    let mut lists = object.values().filter_map(Json::as_array).peekable();
    lists.peek().is_some() && lists.all(Vec::is_empty) && !object.keys().any(is_error)
}

fn has_records(way: &[&Json]) -> bool {
    way.last().is_some_and(|json| json.as_array().is_some_and(|list| !list.is_empty()))
}

fn total(object: &Map<String, Json>, records: u64) -> Option<Total> {
    let read = |json: &Json| match json {
        Json::Number(number) => Some(Total { number: number.as_u64()?, kind: TotalKind::Exact }),
        // A search engine says whether it has counted all.
        Json::Object(inner) => {
            let number = inner.get("value").or_else(|| inner.get("count"))?.as_u64()?;
            let kind = match inner.get("relation").and_then(Json::as_str) {
                None | Some("eq") => TotalKind::Exact,
                Some("gte") => TotalKind::AtLeast,
                Some(_) => TotalKind::About,
            };
            Some(Total { number, kind })
        }
        _ => None,
    };
    let named = |name: &&str| object.iter().find(|(key, _)| folded(key) == **name).and_then(|(_, json)| read(json));
    let exact = object.get("exhaustiveNbHits").and_then(Json::as_bool) != Some(false);
    let found = TOTALS.iter().find_map(named).filter(|total| total.number >= records)?;
    Some(if exact { found } else { Total { kind: TotalKind::About, ..found } })
}

fn next(object: &Map<String, Json>, page: &Url) -> Option<Request> {
    let named = object.iter().filter(|(key, _)| NEXT.contains(&folded(key).as_str()));
    let texts = named.filter_map(|(_, json)| json.as_str().or_else(|| json.get("href")?.as_str()));
    let mut urls = texts.filter_map(|text| {
        let is_url = ["http://", "https://", "/", "?"].iter().any(|start| text.starts_with(start));
        let url = page.join(text).ok().filter(|_| is_url)?;
        (url.origin() == page.origin() && url != *page).then(|| Request::get(url))
    });
    urls.next()
}

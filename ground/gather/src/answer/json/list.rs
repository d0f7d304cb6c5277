//! Which list in the JSON is that of the records? The array of like objects that says most.
//!
//! ```text
//! score(list) = new objects * attributes per object * min(letters per object, 200)
//! ```
//!
//! Attributes are scalars, those within objects by the names of all (`price.amount`), and lists of scalars. Passed over: lists
//! that stand in the other page as well, those under names of menus, facets and settings, bread crumbs, and lists whose objects have only
//! one attribute. Of a list of many types (`@graph`) the objects of the type most of them have. Cost: linear in the JSON; [`DEPTH`] and
//! [`ATTRIBUTES`] bound what is named. Not guaranteed: where settings say more than records, they are taken.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value as Json};

use super::block::Block;
use super::path::{JsonPath, JsonStep};
use super::value_of;

/// Attributes of a record.
const ATTRIBUTES: usize = 64;

/// Objects within objects of a record that are attributes of it.
const DEPTH: usize = 4;

/// Levels of the JSON that are looked at.
const LEVELS: usize = 24;

/// Objects of a list that are looked at closely.
const ROWS: usize = 500;

/// Names of lists that are no records, folded.
const PASSED_OVER: [&str; 30] = [
    "facets",
    "filters",
    "aggregations",
    "buckets",
    "menu",
    "menus",
    "navigation",
    "nav",
    "breadcrumb",
    "breadcrumbs",
    "locales",
    "languages",
    "translations",
    "messages",
    "scripts",
    "stylesheets",
    "links",
    "footer",
    "header",
    "options",
    "settings",
    "config",
    "sortoptions",
    "suggestions",
    "ads",
    "banners",
    "columns",
    "fields",
    "errors",
    "experiments",
];

/// Keys that say nothing of a record.
const SILENT: [&str; 4] = ["@type", "@context", "__typename", "position"];

/// Records in the JSON of a page.
#[derive(Clone, Debug)]
pub(crate) struct JsonRecords {
    /// Attributes and their rules.
    pub(crate) rules: Vec<(String, String)>,
    /// How many records there are.
    pub(crate) count: usize,
    /// Texts of records, to find them again in the page.
    pub(crate) texts: HashSet<String>,
    score: f64,
}

fn hash(json: &Json) -> u64 {
    let mut hasher = DefaultHasher::new();
    json.to_string().hash(&mut hasher);
    hasher.finish()
}

/// The list of records; `other` are the blocks of a page that has none of them.
pub(crate) fn records(blocks: &[Block], other: &[Block]) -> Option<JsonRecords> {
    let mut known = HashSet::new();
    for block in other {
        each_list(&block.json, &mut Vec::new(), &mut |_, list| known.extend(list.iter().take(ROWS).map(hash)));
    }
    let mut best: Option<JsonRecords> = None;
    for block in blocks {
        let name = block.names.first();
        each_list(&block.json, &mut Vec::new(), &mut |steps, list| {
            if let Some(found) = list_of(name, steps, list, &known)
                && best.as_ref().is_none_or(|best| found.score > best.score)
            {
                best = Some(found);
            }
        });
    }
    best
}

/// Every array of objects, with the way to it.
fn each_list(json: &Json, steps: &mut Vec<JsonStep>, see: &mut dyn FnMut(&[JsonStep], &[Json])) {
    if steps.len() >= LEVELS {
        return;
    }
    match json {
        Json::Object(object) => {
            let folded =
                |key: &str| key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
            let is_crumbs = object.get("@type").and_then(Json::as_str) == Some("BreadcrumbList");
            for (key, json) in
                object.iter().filter(|(key, _)| !is_crumbs && !PASSED_OVER.contains(&folded(key).as_str()))
            {
                steps.push(JsonStep::Key(key.clone()));
                each_list(json, steps, see);
                steps.pop();
            }
        }
        Json::Array(list) => {
            if list.iter().filter(|item| item.is_object()).count() * 2 > list.len() {
                see(steps, list);
            }
            // A list of lists of records: only few are looked into.
            for (at, json) in list.iter().enumerate().take(20) {
                steps.push(JsonStep::At(at));
                each_list(json, steps, see);
                steps.pop();
            }
        }
        _ => {}
    }
}

/// A list as records, if it is one.
fn list_of(name: Option<&String>, steps: &[JsonStep], list: &[Json], known: &HashSet<u64>) -> Option<JsonRecords> {
    let (step, objects) = like_objects(list);
    let mut seen = HashSet::new();
    let new = objects.iter().take(ROWS).filter(|json| {
        let own = hash(json);
        !known.contains(&own) && seen.insert(own)
    });
    let new = new.count();
    let mut names: Vec<Vec<String>> = Vec::new();
    let mut counts: HashMap<Vec<String>, usize> = HashMap::new();
    let (mut letters, mut pieces) = (0, 0);
    let mut texts = HashSet::new();
    for object in objects.iter().take(ROWS).filter_map(|json| json.as_object()) {
        attributes(object, &mut Vec::new(), &mut |path, json| {
            let value = value_of(json);
            letters += value.values().iter().map(|text| text.len()).sum::<usize>().min(200);
            pieces += 1;
            if let Some(text) = json.as_str() {
                texts.insert(groma_hel::clean(text));
            }
            let count = counts.entry(path.to_vec()).or_insert_with(|| {
                names.push(path.to_vec());
                0
            });
            *count += 1;
        });
    }
    names.truncate(ATTRIBUTES);
    let rows = objects.len().clamp(1, ROWS);
    // One object alone is a record only if it says a lot.
    let is_list = new >= 2 || (new == 1 && list.len() == 1 && names.len() >= 3);
    if !is_list || names.len() < 2 {
        return None;
    }
    let rules = rules(name, steps, &step, &names);
    let score = new as f64 * (pieces as f64 / rows as f64) * (letters as f64 / rows as f64).min(200.0);
    Some(JsonRecords { rules, count: objects.len(), texts, score })
}

/// The step to the objects of a list that are alike, and these: all, or those of the type that most have.
fn like_objects(list: &[Json]) -> (JsonStep, Vec<&Json>) {
    let kind = |json: &&Json| json.get("@type").and_then(Json::as_str).map(str::to_owned);
    let mut kinds: HashMap<String, usize> = HashMap::new();
    for name in list.iter().filter_map(|json| kind(&json)) {
        *kinds.entry(name).or_default() += 1;
    }
    let all = || list.iter().filter(|json| json.is_object());
    let most = kinds.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
    match most {
        Some((name, count)) if count < list.len() => {
            let own = all().filter(|json| kind(json).as_ref() == Some(&name)).collect();
            (JsonStep::With("@type".to_owned(), name), own)
        }
        _ => (JsonStep::Every, all().collect()),
    }
}

/// The attributes of an object, and of the objects in it.
fn attributes(object: &Map<String, Json>, path: &mut Vec<String>, see: &mut dyn FnMut(&[String], &Json)) {
    for (key, json) in object.iter().filter(|(key, _)| !SILENT.contains(&key.as_str())).take(ATTRIBUTES) {
        path.push(key.clone());
        match json {
            Json::Object(inner) if path.len() < DEPTH => attributes(inner, path, see),
            Json::Array(list) if list.iter().any(|item| item.is_object() || item.is_array()) => {}
            Json::Object(_) | Json::Null => {}
            _ if value_of(json).values().is_empty() => {}
            _ => see(path, json),
        }
        path.pop();
    }
}

/// The rules of the attributes. What all names begin with is left out of the names, not of the rules.
fn rules(name: Option<&String>, steps: &[JsonStep], step: &JsonStep, names: &[Vec<String>]) -> Vec<(String, String)> {
    let first = names.first().filter(|name| name.len() > 1).and_then(|name| name.first());
    let is_common = first.is_some() && names.iter().all(|name| name.len() > 1 && name.first() == first);
    let skipped = usize::from(is_common);
    let rule = |own: &Vec<String>| {
        let keys = own.iter().map(|key| JsonStep::Key(key.clone()));
        let all = steps.iter().cloned().chain([step.clone()]).chain(keys).collect();
        let said = own.get(skipped..).unwrap_or_default().join(".");
        let said = said.replace([':', '\n', '\r'], "_");
        (said, JsonPath::new(name, all).to_string())
    };
    names.iter().map(rule).collect()
}

//! The JSON form: parsed back, nothing lost.

use groma_chart::{Field, Labels, SiteMap, json};
use serde_json::Value;

use crate::hostile::Hostile;
use crate::made_up::MadeUp;

fn drawn(map: &SiteMap<'_>, labels: &mut dyn Labels) -> Value {
    let mut out = Vec::new();
    json::render(map, labels, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// All pages of a document, in reading order, without recursion.
fn pages(document: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut open = vec![&document["map"]];
    while let Some(page) = open.pop() {
        if page.is_null() {
            continue;
        }
        found.push(page);
        open.extend(page["children"].as_array().into_iter().flatten().rev());
    }
    found
}

#[test]
fn every_page_comes_back_with_its_values() {
    let site = MadeUp::site(2_000);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.fields = Field::ALL.to_vec();
    let document = drawn(&map, &mut site.labels());
    assert_eq!((document["pages"].as_u64(), document["unreached"].as_u64()), (Some(2_000), Some(14)));
    let found = pages(&document);
    assert_eq!(found.len(), 2_000);
    let mut places = site.tree().walk().filter_map(|step| match step {
        groma_graph::WalkStep::Enter(place) => Some(place),
        groma_graph::WalkStep::Leave(_) => None,
    });
    for page in found {
        let place = places.next().unwrap();
        let label = site.labels().label(site.tree().node(place)).unwrap();
        assert_eq!((page["url"].as_str(), page["title"].as_str()), (Some(&*label.url), Some(&*label.title)));
        assert_eq!(page["pages"].as_u64(), Some(map.pages(place).into()));
        assert_eq!(page["size"].as_u64(), label.size);
        assert!((page["rank"].as_f64().unwrap() - label.rank).abs() < 1e-6);
        assert_eq!(page["parts"]["page"]["files"].as_u64().unwrap_or(0), u64::from(label.parts.files[0]));
        assert_eq!(page["depth"].as_u64(), Some(site.tree().depth(place).into()));
    }
}

#[test]
fn only_chosen_values_are_there_and_folded_pages_are_counted() {
    let site = MadeUp::site(300);
    let mut map = SiteMap::new(site.heading(), site.tree());
    map.fields = vec![Field::Status];
    map.depth = Some(1);
    let document = drawn(&map, &mut site.labels());
    let found = pages(&document);
    let keys: Vec<&String> = found[1].as_object().unwrap().keys().filter(|key| *key != "folded").collect();
    assert_eq!(keys, ["status", "title", "url"]);
    let folded: u64 = found.iter().filter_map(|page| page["folded"].as_u64()).sum();
    assert_eq!(found.len() as u64 + folded, 300);
}

#[test]
fn hostile_labels_come_back_as_they_were() {
    let hostile = Hostile::new();
    let document = drawn(&hostile.map(), &mut Hostile::new());
    let mut found: Vec<(&str, &str)> =
        pages(&document).iter().map(|page| (page["title"].as_str().unwrap(), page["url"].as_str().unwrap())).collect();
    let mut wanted: Vec<(&str, &str)> = hostile.texts.iter().map(|(title, url)| (&**title, &**url)).collect();
    found.sort_unstable();
    wanted.sort_unstable();
    assert!(found == wanted);
}

#[test]
fn an_empty_map_is_null() {
    let site = MadeUp::site(0);
    let map = SiteMap::new(site.heading(), site.tree());
    assert!(drawn(&map, &mut site.labels())["map"].is_null());
}

//! The hotel guide: the paper's tags and rules give exactly what is in the database.

use std::collections::BTreeSet;

use encoding_rs::WINDOWS_1252;
use groma_forms::{Cell, Meta, Options, Paging, Running, Site, SiteKind};
use groma_gather::{DbContent, Extraction, Metadata, Navigation};
use groma_hel::{Bounds, Tree};

use crate::client::{Got, all, get, text};

fn guide(change: impl FnOnce(&mut Options)) -> Running {
    let mut options = Options::new(SiteKind::CityWorld);
    change(&mut options);
    Site::start(&options).expect("a site")
}

fn tree(got: &Got) -> Tree {
    Tree::parse(&WINDOWS_1252.decode_without_bom_handling(&got.body).0, &Bounds::default())
}

fn metadata(site: &Running) -> Metadata {
    let tags = groma_gather::meta::tags(&tree(&get(site, "/cgi-bin/auswahl.pl")));
    Metadata::read(tags.iter().map(|(name, content)| (name.as_str(), content.as_str())))
}

/// The regions of the form, as they are sent.
fn regions(site: &Running) -> Vec<String> {
    let form = tree(&get(site, "/cgi-bin/auswahl.pl"));
    let select = all(&form, "select")[0];
    let options = all(&form, "option").iter().filter(|node| (select..form.end(select)).contains(*node));
    options.map(|node| text(&form, *node)).collect()
}

fn latin(text: &str) -> String {
    let (bytes, _, _) = WINDOWS_1252.encode(text);
    bytes.iter().map(|byte| format!("%{byte:02X}")).collect()
}

/// Values of the three attributes over all regions and all their pages.
fn gathered(site: &Running) -> [BTreeSet<String>; 3] {
    let metadata = metadata(site);
    assert!(metadata.complaints.is_empty(), "{:?}", metadata.complaints);
    let mut found: [BTreeSet<String>; 3] = Default::default();
    for region in regions(site) {
        for page in 1.. {
            let page = get(site, &format!("/cgi-bin/suche.pl?region={}&ort=&preis=&seite={page}", latin(&region)));
            let page = tree(&page);
            if !all(&page, "input").iter().any(|node| page.attribute(*node, "name") == Some("hotel_id")) {
                break;
            }
            for (set, attribute) in found.iter_mut().zip(["region", "ort", "name"]) {
                let [Extraction::Rule(rule)] = metadata.results[attribute].as_slice() else { panic!("{attribute}") };
                let value = rule.extract(&page, &Bounds::default()).expect("a value");
                set.extend(value.values().into_iter().map(str::to_owned));
            }
        }
    }
    found
}

fn truth(site: &Running, column: &str) -> BTreeSet<String> {
    site.truth().iter().map(|row| row.value(column).map(Cell::shown).unwrap_or_default()).collect()
}

#[test]
fn the_papers_rules_give_exactly_regions_places_and_hotels() {
    for paging in [Paging::Numbers, Paging::None] {
        let site = guide(|options| options.paging = paging);
        let [regions, places, names] = gathered(&site);
        assert_eq!(regions, truth(&site, "region"));
        assert_eq!(places, truth(&site, "ort"));
        assert_eq!(names, truth(&site, "name"));
        assert_eq!((regions.len(), places.len(), names.len()), (8, 40, 200));
        let navigation = metadata(&site).navigation;
        assert_eq!(navigation == Some(Navigation::No), paging == Paging::None, "{navigation:?}");
    }
}

#[test]
fn pages_are_numbered_links_and_the_list_has_each_house_once() {
    let site = guide(|_| {});
    let first = tree(&get(&site, &format!("/cgi-bin/suche.pl?region={}", latin("Boddenküste"))));
    let numbers: Vec<String> = all(&first, "a")
        .iter()
        .filter(|a| first.attribute(**a, "href").is_some_and(|href| href.contains("seite=")))
        .map(|a| text(&first, *a))
        .collect();
    let total =
        site.truth().into_iter().filter(|row| row.value("region").map(Cell::shown).as_deref() == Some("Boddenküste"));
    let pages = total.count().div_ceil(10);
    assert!(pages > 1);
    assert_eq!(numbers, (2..=pages).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(site.questions()[0].question, [("region".to_owned(), "Boddenküste".to_owned())]);
}

#[test]
fn the_description_names_the_summarizer_and_the_tables() {
    let site = guide(|options| options.summarizer = Some("http://127.0.0.1:9/soif".into()));
    let got = get(&site, "/hotel.dbcontent");
    let document = DbContent::read(&got.body, Some("ISO-8859-1"));
    assert_eq!(document.summarizer.as_deref(), Some("http://127.0.0.1:9/soif"));
    assert_eq!(document.url, Some(site.form()));
    assert_eq!(document.description.as_deref(), Some("Hotelführer einer Küste"));
    let tables: Vec<&str> = document.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(tables, ["hotel", "region"]);
    assert!(document.complaints.is_empty(), "{:?}", document.complaints);
    let home = get(&site, "/").text();
    assert!(home.contains("/hotel.dbcontent") && home.contains("/cgi-bin/auswahl.pl"));
}

#[test]
fn tags_can_lie_in_a_file_or_be_missing() {
    let site = guide(|options| options.meta = Meta::Config);
    assert_eq!(metadata(&site).config_file.as_deref(), Some("/cityworld.meta"));
    let lines = groma_gather::meta::lines(&get(&site, "/cityworld.meta").text());
    let read = Metadata::read(lines.iter().map(|(name, content)| (name.as_str(), content.as_str())));
    assert_eq!(read.essential, ["region"]);
    assert_eq!(read.results.len(), 3, "{read:?}");
    let site = guide(|options| options.meta = Meta::No);
    assert_eq!(metadata(&site), Metadata::default());
}

#[test]
fn place_and_price_narrow_and_a_list_can_be_cut() {
    let site = guide(|options| {
        options.k = 15;
        options.radios = true;
    });
    let page = get(&site, "/cgi-bin/suche.pl?region=&ort=Granitz&preis=");
    let orte: BTreeSet<String> = site.truth().iter().map(|row| row.value("ort").map(Cell::shown).unwrap()).collect();
    assert!(orte.contains("Granitz"));
    let log = site.questions();
    let right =
        site.truth().iter().filter(|row| row.value("ort").map(Cell::shown).as_deref() == Some("Granitz")).count();
    assert_eq!((log[0].total, page.status), (right, 200));
    let all_of = get(&site, "/cgi-bin/suche.pl");
    assert!(all_of.text().contains("nur die ersten 15 von 200 Treffern"));
    assert!(get(&site, "/cgi-bin/auswahl.pl").text().contains("TYPE=radio NAME=\"region\""));
    let cheap = get(&site, "/cgi-bin/suche.pl?preis=1");
    assert_eq!(cheap.status, 200);
    let right =
        site.truth().into_iter().filter(|row| matches!(row.value("preis"), Some(Cell::Number(p)) if *p <= 80.0));
    assert_eq!(site.questions().last().unwrap().total, right.count());
}

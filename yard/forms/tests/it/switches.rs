//! Switches of a search site, tried on the camp sites.

use std::collections::BTreeSet;

use groma_forms::{Asked, Cell, Labels, Meta, Method, Options, Paging, Records, Running, Site, SiteKind, Totals};
use groma_gather::{Extraction, Metadata};
use groma_hel::Bounds;

use crate::client::{Got, all, get, hidden, post, rows, text, try_ask, walk};

/// Camp sites, invented ones if the extract is not there; few enough that a test is quick.
fn camps(change: impl FnOnce(&mut Options)) -> Running {
    let mut options = Options::new(SiteKind::Campsites);
    options.rows = Some(400);
    change(&mut options);
    Site::start(&options).expect("a site")
}

const ALL: &str = "/results?form=search";

#[test]
fn every_way_of_paging_walks_the_whole_list_once() {
    for paging in [Paging::Link, Paging::Numbers, Paging::Form, Paging::Cursor, Paging::Post, Paging::None] {
        let site = camps(|options| {
            options.paging = paging;
            options.k = 0;
        });
        let (found, pages) = walk(&site, get(&site, ALL));
        assert_eq!(pages, if paging == Paging::None { 1 } else { 40 }, "{paging:?}");
        assert_eq!(found.len(), 400, "{paging:?}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), (0..400).collect(), "{paging:?}");
        assert_eq!(site.questions().len(), pages);
    }
}

#[test]
fn a_list_is_cut_after_k_and_says_so_as_it_was_told() {
    let says = |totals: Totals| {
        let site = camps(|options| options.totals = totals);
        let (found, pages) = walk(&site, get(&site, ALL));
        let page = get(&site, ALL).text();
        let narrow = get(&site, "/results?form=search&lat_from=50&lat_to=50.4").text();
        (found.len(), pages, page, narrow)
    };
    let (rows, pages, page, _) = says(Totals::Yes);
    assert_eq!((rows, pages), (50, 5));
    assert!(page.contains("Only the first 50 of 400 matches are shown."), "{page}");
    let (rows, _, page, narrow) = says(Totals::Capped);
    assert!(rows == 50 && page.contains("More than 50 matches") && !page.contains("400 "), "{page}");
    assert!(narrow.contains(" match"), "{narrow}");
    let (rows, _, page, _) = says(Totals::Sign);
    assert!(rows == 50 && page.contains("Only the first 50 matches are shown.") && !page.contains("400 "));
    let (rows, _, page, narrow) = says(Totals::No);
    assert!(rows == 50 && !page.contains("match") && !page.contains("400 ") && !narrow.contains("match"));
    let (rows, pages, page, narrow) = says(Totals::Refuse);
    assert!((rows, pages) == (0, 1) && page.contains("Too many matches (more than 50)"), "{page}");
    assert!(narrow.contains(" match"), "{narrow}");
}

#[test]
fn questions_are_answered_by_the_rows_that_satisfy_them() {
    let site = camps(|options| options.k = 0);
    let truth = site.truth();
    let number = |row: &groma_forms::Truth, column: &str| match row.value(column) {
        Some(Cell::Number(number)) => *number,
        other => panic!("{other:?}"),
    };
    let said = |row: &groma_forms::Truth, column: &str| row.value(column).map(Cell::shown).unwrap_or_default();
    let expect = |query: &str, holds: &dyn Fn(&groma_forms::Truth) -> bool| {
        let (found, _) = walk(&site, get(&site, &format!("{ALL}&{query}")));
        let found: BTreeSet<usize> = found.into_iter().collect();
        let right: BTreeSet<usize> = truth.iter().filter(|row| holds(row)).map(|row| row.id).collect();
        assert_eq!(found, right, "{query}");
        assert!(!right.is_empty() && right.len() < 400, "{query}: {}", right.len());
    };
    expect("lat_from=50&lat_to=52", &|row| (50.0..=52.0).contains(&number(row, "latitude")));
    let edge = number(&truth[7], "longitude");
    expect(&format!("lon_from={edge}&lon_to={edge}"), &|row| number(row, "longitude") == edge);
    expect("name=camp%25", &|row| said(row, "name").to_ascii_lowercase().starts_with("camp"));
    expect("name=camp", &|row| said(row, "name").to_ascii_lowercase().starts_with("camp"));
    expect("area=9&tents=1", &|row| said(row, "area") == "9" && said(row, "tents") == "yes");
    assert!(get(&site, &format!("{ALL}&lat_from=north")).text().contains("not understood"));
    assert!(rows(&get(&site, &format!("{ALL}&area=77")).tree()).is_empty());
    assert!(rows(&get(&site, "/results").tree()).is_empty(), "without the hidden element there is no question");
}

#[test]
fn a_form_can_be_sent_by_post_alone() {
    let site = camps(|options| {
        options.method = Method::Post;
        options.paging = Paging::Post;
    });
    assert_eq!(get(&site, ALL).status, 405);
    let (found, pages) = walk(&site, post(&site, "/results", "form=search&lat_from=48"));
    assert_eq!((found.len(), pages), (50, 5));
    let asked: Vec<Asked> = site.questions();
    assert!(asked.iter().all(|asked| asked.method == "POST" && asked.question == [("lat_from".into(), "48".into())]));
    assert_eq!(asked.iter().map(|asked| asked.page).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

#[test]
fn a_token_is_good_for_one_question_and_its_pages() {
    let site = camps(|options| options.tokens = true);
    assert_eq!(get(&site, ALL).status, 403);
    let token = || hidden(&get(&site, "/search").tree(), "csrf_token").expect("a token");
    let (first, second) = (token(), token());
    assert_ne!(first, second);
    let ask = |token: &str, what: &str| get(&site, &format!("{ALL}&csrf_token={token}&{what}"));
    let (found, pages) = walk(&site, ask(&first, "lat_from=48"));
    assert_eq!((found.len(), pages), (50, 5));
    assert_eq!(ask(&first, "lat_from=48").status, 200, "the same may be asked again");
    assert_eq!(ask(&first, "lat_from=49").status, 403, "a stale token is refused");
    assert_eq!(ask(&second, "lat_from=49").status, 200);
    assert_eq!(ask("ff-0000000000000000", "lat_from=49").status, 403);
}

#[test]
fn a_session_needs_its_cookie() {
    let site = camps(|options| options.session = true);
    assert_eq!(get(&site, ALL).status, 403);
    let head = get(&site, "/search").head;
    let cookie = head.lines().find_map(|line| line.strip_prefix("Set-Cookie: ")).expect("a cookie");
    let cookie = cookie.split(';').next().unwrap_or_default();
    let ask = |cookie: &str| try_ask(&site, "GET", ALL, &format!("Cookie: a=b; {cookie}\r\n"), "").unwrap().status;
    assert_eq!((ask(cookie), ask("sid=1-0")), (200, 403));
}

#[test]
fn a_busy_server_says_later_and_answers_the_next() {
    let site = camps(|options| options.busy = 100);
    assert_eq!(get(&site, "/robots.txt").status, 200);
    for _ in 0..3 {
        let later = get(&site, ALL);
        assert_eq!(later.status, 429);
        assert!(later.head.contains("Retry-After: 1"), "{}", later.head);
        assert_eq!(get(&site, ALL).status, 200);
    }
    let site = camps(|options| options.busy = 20);
    let busy = (0..200).filter(|_| get(&site, ALL).status == 429).count();
    assert!((20..60).contains(&busy), "{busy}");
}

#[test]
fn connections_are_reset_as_often_as_asked() {
    let site = camps(|options| options.resets = 30);
    let whole = |got: &Got| got.text().ends_with("</html>\n");
    let fine = (0..200).filter(|_| try_ask(&site, "GET", ALL, "", "").is_some_and(|got| whole(&got))).count();
    assert!((110..170).contains(&fine), "{fine}");
    assert_eq!(get(&site, "/robots.txt").status, 200);
}

#[test]
fn every_label_style_says_what_every_control_is() {
    for labels in Labels::ALL {
        let site = camps(|options| options.labels = labels);
        let page = get(&site, "/search");
        let tree = page.tree();
        let named: Vec<&str> = ["input", "select"]
            .iter()
            .flat_map(|name| all(&tree, name))
            .filter_map(|node| tree.attribute(*node, "name"))
            .collect();
        for name in ["lat_from", "lat_to", "lon_from", "lon_to", "name", "area", "tents"] {
            assert_eq!(named.iter().filter(|found| **found == name).count(), 1, "{labels:?} {name}");
        }
        for label in ["Latitude", "Longitude", "Name", "Postcode area", "Tents"] {
            assert!(page.text().contains(label), "{labels:?} {label}");
        }
        let count = |name: &str| all(&tree, name).len();
        let attributed = |name: &str| {
            let controls = ["input", "select"].into_iter().flat_map(|tag| all(&tree, tag));
            controls.filter(|node| tree.attribute(**node, name).is_some()).count()
        };
        let evidence = match labels {
            Labels::For | Labels::Wrap => count("label"),
            Labels::Aria => attributed("aria-label"),
            Labels::Labelledby => attributed("aria-labelledby"),
            Labels::Title => attributed("title"),
            Labels::Neighbour => 7 * usize::from(count("label") + count("table") == 0),
            Labels::Cell => 7 * usize::from(count("tr") == 5),
            Labels::Above => 7 * usize::from(count("tr") == 10),
        };
        assert_eq!(evidence, 7, "{labels:?} {}", page.text());
    }
}

#[test]
fn tags_find_the_values_in_every_markup() {
    for (records, meta) in [
        (Records::Table, Meta::Yes),
        (Records::Dl, Meta::Config),
        (Records::Cards, Meta::Yes),
        (Records::List, Meta::Yes),
    ] {
        let site = camps(|options| {
            options.records = records;
            options.meta = meta;
        });
        let tree = get(&site, "/search").tree();
        let mut tags = groma_gather::meta::tags(&tree);
        if meta == Meta::Config {
            assert_eq!(tags, [("DB.ConfigFile".to_owned(), "/database.cfg".to_owned())]);
            tags = groma_gather::meta::lines(&get(&site, "/database.cfg").text());
        }
        let read = Metadata::read(tags.iter().map(|(name, content)| (name.as_str(), content.as_str())));
        assert!(read.complaints.is_empty(), "{:?}", read.complaints);
        assert_eq!(read.essential, ["name"]);
        assert_eq!(read.domain("name", true).unwrap().unwrap().len(), 26);
        let page = get(&site, ALL).tree();
        let ids = rows(&page);
        let truth = site.truth();
        for column in site.shown() {
            let [Extraction::Rule(rule)] = read.results[&column].as_slice() else { panic!("{column}") };
            let value = rule.extract(&page, &Bounds::default()).unwrap();
            let mut right: Vec<String> = Vec::new();
            for id in &ids {
                // As pages are read: white space is one blank.
                let shown = truth[*id].value(&column).map(Cell::shown).unwrap_or_default();
                let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
                if !shown.is_empty() && !right.contains(&shown) {
                    right.push(shown);
                }
            }
            assert_eq!(value.values(), right, "{records:?} {column}");
        }
    }
}

#[test]
fn cells_rows_and_fields_are_spoilt_as_asked() {
    let site = camps(|options| {
        options.nulls = 30;
        options.duplicates = 10;
        options.ignore = Some("lat_to".into());
        options.k = 0;
    });
    let truth = site.truth();
    assert!((415..470).contains(&truth.len()), "{}", truth.len());
    let nulls = truth.iter().filter(|row| row.value("latitude") == Some(&Cell::Null)).count();
    assert!((90..180).contains(&nulls), "{nulls}");
    let (found, _) = walk(&site, get(&site, &format!("{ALL}&lat_from=90&lat_to=91")));
    assert_eq!(found.len(), truth.len(), "the field changes nothing");
    let (found, _) = walk(&site, get(&site, &format!("{ALL}&lon_from=-180")));
    let known = truth.iter().filter(|row| row.value("longitude") != Some(&Cell::Null)).count();
    assert_eq!(found.len(), known, "what is empty is no answer");
    let site = camps(|options| options.round = Some(1));
    let page = get(&site, ALL).text();
    let cells = page.split("<td>").filter_map(|cell| cell.split("</td>").next());
    let numbers: Vec<&str> = cells.filter(|cell| cell.contains('.') && cell.parse::<f64>().is_ok()).collect();
    assert_eq!(numbers.len(), 20, "{page}");
    assert!(numbers.iter().all(|number| number.split('.').nth(1).is_some_and(|places| places.len() == 1)));
    let site = camps(|options| options.refuse_empty = true);
    let page = get(&site, ALL);
    assert!(rows(&page.tree()).is_empty() && page.text().contains("Please fill in at least one field."));
}

#[test]
fn a_crawl_meets_the_form_and_a_row_has_its_page() {
    let site = camps(|_| {});
    let home = get(&site, "/").tree();
    assert!(all(&home, "a").iter().any(|a| home.attribute(*a, "href") == Some("/search")));
    assert!(get(&site, "/sitemap.xml").text().contains("/search</loc>"));
    assert_eq!(get(&site, "/robots.txt").text(), "User-agent: *\nDisallow:\n");
    let row = get(&site, "/row/3");
    let name = site.truth()[3].value("name").map(Cell::shown).unwrap_or_default();
    let tree = row.tree();
    assert_eq!(text(&tree, all(&tree, "h1")[0]), name.split_whitespace().collect::<Vec<_>>().join(" "));
    for path in ["/row/400", "/row/03", "/row/x", "/nowhere"] {
        assert_eq!(get(&site, path).status, 404, "{path}");
    }
    assert_eq!(site.asked()["/row/3"], 1);
}

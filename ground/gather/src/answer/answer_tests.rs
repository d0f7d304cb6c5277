//! Answers as sites write them.

use groma_hel::Bounds;
use proptest::prelude::*;

use super::*;

pub(super) fn tree(html: &str) -> Tree {
    Tree::parse(html, &Bounds::default())
}

pub(super) fn here() -> Url {
    Url::parse("http://h.test/cgi/list.pl?ort=Rostock&start=0").unwrap()
}

pub(super) fn answer_by(html: &str, description: &str) -> Answer {
    read(&tree(html), &here(), "utf-8", &Description::parse(description), &[("ort", "Rostock"), ("start", "0")])
}

pub(super) fn count(text: &str) -> Answer {
    answer_by(&format!("<p>{text}</p>"), "")
}

#[test]
fn totals_are_read_in_many_wordings() {
    for (text, number, exact, shown) in [
        ("1-10 of 243", 243, true, Some((1, 10))),
        ("Treffer 1 bis 10 von insgesamt 1.234", 1234, true, Some((1, 10))),
        ("243 results", 243, true, None),
        ("Zeige 11–20 von mehr als 500", 500, false, Some((11, 20))),
        ("Showing 1 to 10 of about 1,234 results", 1234, false, Some((1, 10))),
        ("Showing 21 - 30 of 500+", 500, false, Some((21, 30))),
        ("Résultats 1 à 20 sur 1 234", 1234, true, Some((1, 20))),
        ("Resultados 1-10 de 87", 87, true, Some((1, 10))),
        ("Es wurden 17 Hotels gefunden.", 17, true, None),
        ("Found 12 campsites", 12, true, None),
        ("Anzahl der Treffer: 99", 99, true, None),
        ("Treffer (4'101)", 4101, true, None),
        ("More than 500 results", 500, false, None),
        ("über 500 Treffer", 500, false, None),
        ("10 of 243 results", 243, true, None),
        ("243 matching records", 243, true, None),
        ("Total: 87", 87, true, None),
        ("243件中 1-10件", 243, true, Some((1, 10))),
        ("Nalezeno 55 záznamů", 55, true, None),
        ("Your search gave 3 hits in 0.35 seconds", 3, true, None),
        ("0 results", 0, true, None),
        ("Results: 1-10 / 243", 243, true, Some((1, 10))),
        ("Page 1 of 411 (4,101 results)", 4101, true, None),
        ("Showing 1-10 of 4,101 campsites", 4101, true, Some((1, 10))),
        ("We found 4,101 campsites.", 4101, true, None),
        ("Es wurde 1 Treffer gefunden", 1, true, None),
    ] {
        let answer = count(text);
        assert_eq!(answer.total.map(|total| (total.number, total.is_exact())), Some((number, exact)), "{text}");
        assert_eq!(answer.shown, shown, "{text}");
    }
    assert_eq!(count("page 2 of 7").page_of, Some((2, 7)));
    assert_eq!(count("Seite 2 von 7").page_of, Some((2, 7)));
}

#[test]
fn what_is_no_total() {
    for text in [
        "page 2 of 7",
        "Seite 2 von 7 Seiten",
        "Haus am Meer, 18347 Ahrenshoop",
        "Zimmer ab 90 DM",
        "Price: 243 EUR",
        "10 results per page",
        "Treffer pro Seite: 10",
        "the first 50 results",
        "Es werden nur die ersten 100 Treffer angezeigt",
        "Copyright 1999-2024",
        "12.03.1999",
        "Opened in 1999",
        "3.5 of 5 stars",
        "Results 2024",
        "Tel. 038220 6666",
        "Zimmer 1 - 10",
        "24 hours, 7 days",
        "room for 2 of 3 persons",
        "1 / 7",
        "10 - 20 km from 100 beaches",
        "open 1-10/2024",
        "Tel. 12-34 (5678)",
    ] {
        assert_eq!(count(text).total, None, "{text}");
    }
    // What was asked for is not what was found; what is surest counts.
    let both = count("<p>Your search: 1999 results</p><p>1-10 of 87 results</p>");
    assert_eq!(both.total, Some(Total { number: 87, kind: TotalKind::Exact }));
}

#[test]
fn signs_are_told() {
    let answer = count("Es werden nur die ersten 100 Treffer angezeigt.");
    assert_eq!(answer.cut.as_deref(), Some("Es werden nur die ersten 100 Treffer angezeigt."));
    assert!(count("No results found").none);
    assert!(!count("243 results").none && count("243 results").cut.is_none());
}

fn addresses(html: &str, description: &str) -> Vec<String> {
    answer_by(html, description).next.into_iter().map(|request| String::from(request.url)).collect()
}

#[test]
fn further_pages_are_found() {
    let host = "http://h.test";
    for (html, description, expected) in [
        ("<a rel=next href='/other?p=2'>x</a><a href='?ort=Rostock&start=20'>3</a>", "", vec!["/other?p=2"]),
        ("<a href='?ort=Rostock&start=10'>weiter</a>", "", vec!["/cgi/list.pl?ort=Rostock&start=10"]),
        ("<a href='?ort=Rostock&start=10'><img alt='next page'></a>", "", vec!["/cgi/list.pl?ort=Rostock&start=10"]),
        (
            "<a href='?ort=Rostock&start=10'>[2]</a> <a href='?ort=Rostock&start=20'>[3]</a>",
            "",
            vec!["/cgi/list.pl?ort=Rostock&start=10", "/cgi/list.pl?ort=Rostock&start=20"],
        ),
        // Another question, another script, another site.
        (
            "<a href='?ort=Wismar&start=10'>2</a><a href='/cgi/hotel.pl?id=2'>2</a><a href='http://x.test/cgi/list.pl?start=1'>next</a>",
            "",
            vec![],
        ),
        ("<a href='?ort=Rostock&start=10'>7</a>", "", vec![]),
        ("<a href='?ort=Rostock&start=10'>next</a>", "Navigation: NO", vec![]),
        (
            "<a href='/seite/2'>x</a><a href='/seite/3/y'>x</a><a href='/b'>next</a>",
            "NavigationURL: /seite/*",
            vec!["/seite/2", "/seite/3/y"],
        ),
        (
            "<form action='/cgi/list.pl'><input type=hidden name=ort value=Rostock><input type=hidden name=start value=10><input type=submit value='weiter &gt;'></form>",
            "",
            vec!["/cgi/list.pl?ort=Rostock&start=10"],
        ),
        ("<form action='/cgi/list.pl'><input name=ort><button>&gt;</button></form>", "", vec![]),
    ] {
        let tree = tree(html);
        let answer = read(&tree, &here(), "utf-8", &Description::parse(description), &[("ort", "Rostock")]);
        let found: Vec<String> = answer.next.into_iter().map(|request| String::from(request.url)).collect();
        let expected: Vec<String> = expected.into_iter().map(|path| format!("{host}{path}")).collect();
        let found: Vec<String> = if html.contains("rel=next") { found.into_iter().take(1).collect() } else { found };
        assert_eq!(found, expected, "{html}");
    }
    assert_eq!(addresses("<a href='?ort=Rostock&start=10'>next</a><a href='?ort=Rostock&start=10'>2</a>", "").len(), 1);
    let form = "<form action='/cgi/list.pl'><input type=hidden name=ort value=Rostock><input type=hidden name=start value=10><button>2</button></form>";
    assert_eq!(addresses(form, ""), ["http://h.test/cgi/list.pl?ort=Rostock&start=10"]);
    assert!(addresses(&form.replace("Rostock", "Wismar"), "").is_empty());
    // By POST, with the pressed button.
    let posted = answer_by(
        "<form method=post action='/cgi/list.pl'><input type=hidden name=s value=1><input type=submit name=go value=Next></form>",
        "",
    );
    assert!(matches!(&posted.next[0].method, groma_model::Method::Post { body, .. } if body == b"s=1&go=Next"));
}

#[test]
fn a_walk_visits_each_page_once_and_ends() {
    let rules = "Result.n: html.body.ul.li[*].txt";
    let page = |items: &str, nexts: &[u64]| {
        let links: String =
            nexts.iter().map(|start| format!("<a href='?ort=Rostock&start={start}'>next</a>")).collect();
        answer_by(&format!("<ul>{items}</ul>{links}"), rules)
    };
    let first = Request::get(here());
    let mut walk = Navigator::new(&first, 100, &[]);
    assert_eq!(walk.absorb(&page("<li>a<li>b", &[10]), &[]), Absorbed::New(2));
    assert_eq!(walk.ended(), None);
    assert!(walk.step().is_some());
    assert_eq!(walk.absorb(&page("<li>b<li>c", &[10, 0]), &[]), Absorbed::New(1));
    assert_eq!((walk.step().is_none(), walk.ended()), (true, Some(Ended::Whole)));
    // The last page again and again.
    let mut walk = Navigator::new(&first, 100, &[]);
    walk.absorb(&page("<li>a", &[10]), &[]);
    walk.step();
    assert_eq!(walk.absorb(&page("<li>a", &[20]), &[]), Absorbed::Known);
    assert!(walk.step().is_some(), "one page like the one before is not the end");
    walk.absorb(&page("<li>a", &[30]), &[]);
    assert_eq!((walk.step().is_none(), walk.ended()), (true, Some(Ended::Repeated)));
    // Records that look alike fill a page, and others follow.
    let mut walk = Navigator::new(&first, 100, &[]);
    walk.absorb(&page("<li>a<li>a", &[10]), &[]);
    walk.step();
    walk.absorb(&page("<li>a<li>a", &[20]), &[]);
    walk.step();
    assert_eq!(walk.absorb(&page("<li>b", &[]), &[]), Absorbed::New(1));
    assert_eq!(walk.ended(), Some(Ended::Whole));
    // What it is known by tells, and not how it looks.
    let mut walk = Navigator::new(&first, 100, &[]);
    walk.absorb(&page("<li>1 a", &[10]), &[7]);
    walk.step();
    assert_eq!(walk.absorb(&page("<li>2 a", &[20]), &[7]), Absorbed::Known);
    // The farthest page first.
    let mut walk = Navigator::new(&first, 100, &[]);
    walk.absorb(&page("<li>a", &[10, 20, 30]), &[]);
    assert_eq!(
        walk.leap().map(|request| request.url.to_string()).as_deref(),
        Some("http://h.test/cgi/list.pl?ort=Rostock&start=30")
    );
    // Ever new pages.
    let mut walk = Navigator::new(&first, 5, &[]);
    let mut pages = 0;
    for nth in 0..1000u64 {
        walk.absorb(&page(&format!("<li>{nth}"), &[10 * (nth + 1)]), &[]);
        pages += 1;
        if walk.step().is_none() {
            break;
        }
    }
    assert_eq!((pages, walk.ended()), (5, Some(Ended::Capped)));
}

#[test]
fn rules_of_one_list_make_rows() {
    let html = "<table><tr><th>N<th>O<tr><td><a href=/h/1>A</a><td>x<tr><td>B<td><tr><td>A<td>y</table>";
    let answer = answer_by(
        html,
        "Result: html.body.table.tr[*].\nResult.name: td[0].txt\nResult.ort: td[1].txt\nResult.titel: html->th[0].txt",
    );
    let rows: Vec<String> = answer
        .records
        .iter()
        .map(|record| record.values.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(","))
        .collect();
    assert_eq!(rows, ["A,x", "B", "A,y"]);
    assert_eq!(answer.records[0].link.as_deref(), Some("http://h.test/h/1"));
    assert_eq!(answer.records[1].link, None);
    assert_eq!(answer.values["name"], ["A", "B"]);
    assert_eq!(answer.values["titel"], ["N"]);
    // Different conditions name different rows, even if there are as many of them.
    let html = "<table><tr><td>Ort<tr><td class=h>Hotel</table>";
    let rules = "Result: html.body.table.\nResult.ort: tr[i:*].td.txt where tr[i].td.txt = 'Ort'\nResult.name: tr[k:*].td.txt where tr[k].td.getAttr(class) = 'h'";
    let answer = answer_by(html, rules);
    assert_eq!(answer.records.len(), 1);
    assert_eq!(answer.records[0].values.len(), 1);
}

#[test]
fn what_records_say_of_themselves_is_no_total() {
    let html = "<ul><li>Museum: 900 entries<li>Archive with 1,200 records</ul><p>2 results</p>";
    assert_eq!(
        answer_by(html, "Result.n: html.body.ul.li[*].txt").total,
        Some(Total { number: 2, kind: TotalKind::Exact })
    );
    let html = "<ul><li>a<li>b<li>c</ul><p>2 results of our survey</p>";
    assert_eq!(answer_by(html, "Result.n: html.body.ul.li[*].txt").total, None);
    let html = "<ul><li>Museum: 900 entries<li>No results inside</ul>";
    let answer = answer_by(html, "Result.n: html.body.ul.li[*].txt");
    assert_eq!((answer.total, answer.none), (None, false));
}

const HITS: &str = "<html><body><div id=menu><ul><li><a href=/>Start page of us</a><li><a href=/a>About the company</a><li><a href=/c>Contact and imprint</a></ul></div>";

pub(super) fn records(html: &str, other: Option<&str>) -> (Vec<String>, Vec<Vec<String>>) {
    let page = tree(html);
    let other = other.map(tree);
    let rules = propose(&page, other.as_ref()).unwrap_or_default();
    let text: String = rules.iter().map(|(name, rule)| format!("DB.Result.{name}: {rule}\n")).collect();
    let answer = answer_by(html, &text);
    assert!(answer.complaints.is_empty() && Description::parse(&text).metadata().complaints.is_empty(), "{text}");
    let rows = answer
        .records
        .iter()
        .map(|record| record.values.iter().map(|(name, value)| format!("{name}={value}")).collect());
    (rules.into_iter().map(|(name, _)| name).collect(), rows.collect())
}

#[test]
fn tables_are_proposed_with_their_headings() {
    let html = format!(
        "{HITS}<table><tr><th>Name<th>Place<th>Price</tr><tr><td><a href=/1>Sea View</a><td>Wismar<td>90<tr><td><a href=/2>Inn</a><td>Rostock<td>60<tr><td><a href=/3>Old Mill</a><td><td>75</table>"
    );
    let (names, rows) = records(&html, None);
    assert_eq!(names, ["Name", "Place", "Price", "link"]);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0], ["Name=Sea View", "Place=Wismar", "Price=90", "link=/1"]);
    assert_eq!(rows[2], ["Name=Old Mill", "Price=75", "link=/3"]);
}

#[test]
fn blocks_are_proposed_by_class_label_and_term() {
    let hit = |name: &str, place: &str, phone: &str| {
        let phone = if phone.is_empty() { String::new() } else { format!("<span class=phone>{phone}</span>") };
        format!(
            "<div class='hit odd'><h3><a href='/{name}'>{name}</a></h3>{phone}<span class=town>{place}</span><p>Price: 5{name}</p><dl><dt>Beds<dd>{place}9</dl><a href=x>Details</a></div>"
        )
    };
    let html = format!(
        "{HITS}<div id=list><div class=ad>Buy this now</div>{}{}{}</div>",
        hit("A", "Wismar", ""),
        hit("B", "Rostock", "12 34"),
        hit("C", "Barth", "56 78")
    );
    let none = format!("{HITS}<div id=list>No results</div>");
    let (names, rows) = records(&html, Some(&none));
    assert_eq!(names, ["title", "town", "Price", "Beds", "phone", "link"]);
    assert_eq!(rows[0], ["Beds=Wismar9", "Price=5A", "link=/A", "title=A", "town=Wismar"]);
    assert_eq!(rows[1], ["Beds=Rostock9", "Price=5B", "link=/B", "phone=12 34", "title=B", "town=Rostock"]);
    assert_eq!(rows.len(), 3);
}

#[test]
fn menus_are_dropped_by_comparison() {
    let html = format!("{HITS}<ul><li>Inn<li>Mill</ul>");
    let (_, rows) = records(&html, Some(HITS));
    assert_eq!(rows.into_iter().flatten().collect::<Vec<_>>(), ["value1=Inn", "value1=Mill"]);
    assert!(propose(&tree(HITS), Some(&tree(HITS))).is_none());
    assert!(propose(&tree("<p>x"), None).is_none());
}

#[test]
fn hostile_answers_end() {
    for html in [
        "<div><p>1 of ".repeat(20_000),
        "<table><tr><td>a<td>b".repeat(20_000),
        format!("<table>{}</table>", "<tr><td>a<td>b".repeat(50_000)),
        format!("<p>{}", "1-1 of 1 ".repeat(100_000)),
        format!("<form>{}</form>", "<input type=submit value=next>".repeat(50_000)),
        "<a href='?start=1'>next".repeat(50_000),
        format!("<ul>{}</ul>", "<li class=a><b class=b>x</b><i>y</i>".repeat(30_000)),
    ] {
        let start = groma_cpu_time::cpu_time();
        let page = tree(&html);
        let rules = propose(&page, Some(&page));
        propose(&page, None);
        answer_by(&html, "Result.a: html.body->td[*].txt");
        let spent = groma_cpu_time::cpu_time() - start;
        assert!(spent.as_secs() < 60, "{spent:?} {rules:?}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,80}", numbers in "([0-9]{1,4}|of|von|-|results| |,|\\.|\\+|page|first|found){0,20}") {
        count(&text);
        count(&numbers);
    }

    #[test]
    fn proposed_rules_give_the_records(rows in proptest::collection::vec(("[a-zA-Z]{3,12}", "[a-z]{1,8}", "[0-9]{1,4}"), 3..12), is_table in any::<bool>()) {
        let texts: std::collections::HashSet<&String> = rows.iter().map(|row| &row.0).collect();
        prop_assume!(texts.len() == rows.len());
        let items: String = rows.iter().map(|(a, b, c)| match is_table {
            true => format!("<tr><td>{a}<td>{b}<td>{c}"),
            false => format!("<div class=hit><b class=n>{a}</b><i class=o>{b}</i><u class=z>{c}</u></div>"),
        }).collect();
        let html = match is_table {
            true => format!("{HITS}<table>{items}</table>"),
            false => format!("{HITS}<div>{items}</div>"),
        };
        let page = tree(&html);
        let rules = propose(&page, Some(&tree(HITS))).unwrap();
        let text: String = rules.iter().map(|(name, rule)| format!("Result.{name}: {rule}\n")).collect();
        let answer = answer_by(&html, &text);
        prop_assert_eq!(answer.records.len(), rows.len());
        for (record, (a, ..)) in answer.records.iter().zip(&rows) {
            prop_assert!(record.values.iter().any(|(_, value)| value == a));
        }
    }
}

//! Records by their shape, on pages as sites of many kinds write them.

use super::tests::{answer_by, records, tree};
use super::*;

const HEAD: &str = "<html><body><div class=top><a href=/>Home</a> <a href=/help>Help and contact</a></div>";

/// Rows of a table-like text: `name|place|number` for each.
fn rows(count: usize) -> Vec<(String, String, String)> {
    let places = ["Wismar", "Rostock", "Barth", "Zingst", "Prerow"];
    let row = |nth: usize| (format!("House number {nth}"), places[nth % 5].to_owned(), format!("{}", 40 + nth * 3));
    (0..count).map(row).collect()
}

fn each(count: usize, write: impl Fn(&str, &str, &str) -> String) -> String {
    rows(count).iter().map(|(name, place, price)| write(name, place, price)).collect()
}

/// The values of each record, without links.
fn values(html: &str) -> Vec<Vec<String>> {
    let form = format!("{HEAD}<form action=/s><input name=q></form>");
    let (_, rows) = records(html, Some(&form));
    let plain = |row: Vec<String>| row.into_iter().filter(|value| !value.starts_with("link=")).collect();
    rows.into_iter().map(plain).collect()
}

const COUNTER: &str = "Treffer 1 bis 55 von 1.234";
const PAGER: &str = "<a href='?s=0'>1</a> <a href='?s=55'>2</a> <a href='?s=110'>3</a> <a href='?s=55'>weiter</a>";

/// Tables, lists and cards.
fn tables_and_lists() -> Vec<(&'static str, String)> {
    let (counter, pager) = (COUNTER, PAGER);
    vec![
        (
            "table",
            format!(
                "<table><tr><th>Name<th>Ort<th>Preis</tr>{}</table><p>{counter}<p>{pager}",
                each(55, |n, o, p| format!("<tr><td><a href='/{p}'>{n}</a><td>{o}<td>{p}"))
            ),
        ),
        (
            "table with its counter in cells",
            format!(
                "<table><tr><td colspan=3>{counter}</td></tr><tr><td><b>Name</b><td><b>Ort</b><td><b>Preis</b></tr>{}<tr><td colspan=3>{pager}</table>",
                each(55, |n, o, p| format!("<tr><td>{n}<td>{o}<td>{p}"))
            ),
        ),
        (
            "table in a table of the layout",
            format!(
                "<table><tr><td>Menu<br><a href=/a>A</a></td><td><p>{counter}<table>{}</table></td></tr><tr><td>x<td>Imprint</table>",
                each(55, |n, o, p| format!("<tr><td>{n}<td>{o}<td>{p}"))
            ),
        ),
        (
            "second of several tables",
            format!(
                "<table><tr><td>Logo<td>Slogan of the house<tr><td>Phone<td>Fax</table><table>{}</table><table><tr><td>Imprint<td>Data protection<tr><td>a<td>b</table>",
                each(55, |n, o, p| format!("<tr><td>{n}<td>{o}<td>{p}"))
            ),
        ),
        (
            "list",
            format!(
                "<p>{counter}</p><ul>{}</ul><p>{pager}",
                each(55, |n, o, p| format!("<li><a href='/{p}'>{n}</a> <span>{o}</span> <span>{p}</span>"))
            ),
        ),
        (
            "list with its pager in it",
            format!(
                "<ul><li>{counter}</li>{}<li>{pager}</ul>",
                each(55, |n, o, p| format!("<li><a href='/{p}'>{n}</a> <span>{o}</span> <span>{p}</span>"))
            ),
        ),
        (
            "ordered list with bold names",
            format!("<ol>{}</ol>", each(55, |n, o, p| format!("<li><b>{n}</b><i>{o}</i><u>{p}</u>"))),
        ),
        (
            "cards",
            format!(
                "<div class=list>{}</div><div class=pagination>{pager}</div>",
                each(55, |n, o, p| format!(
                    "<article class=card><h3>{n}</h3><p class=town>{o}</p><p class=price>{p}</p></article>"
                ))
            ),
        ),
    ]
}

/// Records without an element of their own, or in elements without names.
fn other_designs() -> Vec<(&'static str, String)> {
    let (counter, pager) = (COUNTER, PAGER);
    vec![
        (
            "cards with an advertisement",
            format!(
                "<div class=list>{}<div class='card ad'>Buy our guide now!</div></div>",
                each(55, |n, o, p| format!(
                    "<div class=card><img src=x><h3>{n}</h3><p class=town>{o}</p><p class=price>{p}</p></div>"
                ))
            ),
        ),
        (
            "divs without names",
            format!(
                "<div><div>{counter}</div>{}<div>{pager}</div></div>",
                each(55, |n, o, p| format!("<div><div><a href='/{p}'>{n}</a></div><div>{o}</div><div>{p}</div></div>"))
            ),
        ),
        (
            "divs at the top",
            format!(
                "<div>{counter}</div>{}<div>{pager}</div>",
                each(55, |n, o, p| format!("<div><b>{n}</b><span>{o}</span><span>{p}</span></div>"))
            ),
        ),
        (
            "one dl with a term for each",
            format!("<dl>{}</dl>", each(55, |n, o, p| format!("<dt><a href='/{p}'>{n}</a><dd>{o}<dd>{p}"))),
        ),
        (
            "a dl for each",
            format!(
                "<div>{}</div>",
                each(55, |n, o, p| format!("<dl><dt>Name<dd>{n}<dt>Ort<dd>{o}<dt>Preis<dd>{p}</dl>"))
            ),
        ),
        (
            "a dl with a div for each",
            format!("<dl>{}</dl>", each(55, |n, o, p| format!("<div><dt>{n}</dt><dd>{o}</dd><dd>{p}</dd></div>"))),
        ),
        (
            "lines between",
            format!("<div>{}</div><p>{counter}", each(55, |n, o, p| format!("<b>{n}</b> <i>{o}</i> <u>{p}</u><hr>"))),
        ),
        (
            "double breaks between",
            format!("<p>{}</p><p>{counter}", each(55, |n, o, p| format!("<b>{n}</b><br>{o}<br>{p}<br><br>"))),
        ),
        (
            "headings between",
            format!(
                "<div>{}</div>",
                each(55, |n, o, p| format!("<h3><a href='/{p}'>{n}</a></h3><p>{o}</p><p>{p}</p>"))
            ),
        ),
        (
            "rows of a commit log",
            format!(
                "<table class=project_list>{}</table>",
                each(55, |n, o, p| format!(
                    "<tr class='light'><td><i>2005-01-{p}</i></td><td>{o}</td><td><a href='/{p}'><b>{n}</b></a></td></tr>"
                ))
            ),
        ),
        (
            "a phone book",
            format!(
                "<div class=hits>{}</div>",
                each(55, |n, o, p| format!(
                    "<div class=vcard><span class=fn>{n}</span><span class=adr>{o}</span><span class=tel>0381 {p}</span></div>"
                ))
            ),
        ),
    ]
}

#[test]
fn every_row_of_a_list_is_a_record_and_nothing_else() {
    for (design, html) in tables_and_lists().into_iter().chain(other_designs()) {
        let html = format!("{HEAD}{html}<div class=foot><p>Imprint<p>Terms</div></body></html>");
        let found = values(&html);
        assert_eq!(found.len(), 55, "{design}: {:?} .. {:?}", found.first(), found.last());
        for (record, (name, place, price)) in found.iter().zip(rows(55)) {
            let has = |wanted: &str| {
                record.iter().any(|value| value.rsplit('=').next().is_some_and(|own| own.ends_with(wanted)))
            };
            assert!(has(&name) && has(&place) && has(&price), "{design}: {record:?}");
            assert!(record.len() <= 7, "{design}: {record:?}");
        }
    }
}

#[test]
fn records_in_lines_of_a_grid_are_one_list() {
    let cards: Vec<String> = rows(10)
        .iter()
        .map(|(n, o, p)| format!("<div class=col><h4>{n}</h4><p class=o>{o}</p><p class=p>{p}</p></div>"))
        .collect();
    let lines: String = cards.chunks(3).map(|line| format!("<div class=line>{}</div>", line.concat())).collect();
    assert_eq!(values(&format!("{HEAD}<div id=grid>{lines}</div>")).len(), 10);
}

#[test]
fn what_leads_through_a_site_is_no_record() {
    let facets: String = (0..60).map(|nth| format!("<li><a href='?c={nth}'>Country {nth}</a> ({nth}4)</li>")).collect();
    let crumbs =
        "<ul class=breadcrumb><li><a href=/>Start</a><li><a href=/h>All hotels of the coast</a><li>Results</ul>";
    let list = each(6, |n, o, p| format!("<li class=hit><b>{n}</b> <i>{o}</i> <u>{p}</u></li>"));
    let html = format!("{HEAD}{crumbs}<div class=left><ul>{facets}</ul></div><ul>{list}</ul>");
    assert_eq!(values(&html).len(), 6);
}

#[test]
fn neighboring_elements_are_parted() {
    let html = format!(
        "{HEAD}<ul>{}</ul>",
        each(5, |n, o, p| format!("<li><a href='/{p}'><span>2005-01-{p}</span><span>a666{p}</span></a> {n}, {o}"))
    );
    let found = answer_by(&html, "Result.n: html.body.ul.li[*].a.txt");
    assert_eq!(found.records[0].values[0].1, "2005-01-40 a66640");
    // Or apart at once.
    assert!(values(&html)[0].iter().any(|value| value.ends_with("=a66640")));
}

#[test]
fn a_record_has_the_same_attributes_on_every_page() {
    let page = |rows: &str| format!("{HEAD}<p>x</p><table><tr><th>Name<th>Phone<th>Ort</tr>{rows}</table>");
    let first = page(&each(8, |n, o, _| format!("<tr><td>{n}<td><td>{o}")));
    let rules = propose(&tree(&first), None).unwrap();
    let names: Vec<&str> = rules.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"Phone"), "an empty column is one: {names:?}");
    let text: String = rules.iter().map(|(name, rule)| format!("DB.Result.{name}: {rule}\n")).collect();
    let one = answer_by(&page("<tr><td>Inn<td>12 34<td>Wismar"), &text);
    assert_eq!(one.records.len(), 1);
    let pairs = [("Name", "Inn"), ("Ort", "Wismar"), ("Phone", "12 34")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(one.records[0].values, pairs);
    // A single record in a list of blocks, and one more block before it than on the first page.
    let page = |before: &str, rows: &str| format!("{HEAD}{before}<div><div>Sort by name</div>{rows}</div>");
    let card = |n: &str, o: &str, p: &str| {
        format!("<div class=hit><b class=n>{n}</b><i class=o>{o}</i><u class=p>{p}</u></div>")
    };
    let first = page("", &each(8, |n, _, p| card(n, "Wismar", p)));
    let rules = propose(&tree(&first), None).unwrap();
    let text: String = rules.iter().map(|(name, rule)| format!("DB.Result.{name}: {rule}\n")).collect();
    let one = answer_by(&page("<div>News of today</div>", &card("Inn", "Barth", "50")), &text);
    let values: Vec<&str> = one.records[0].values.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!((one.records.len(), values), (1, vec!["Inn", "Barth", "50"]), "{text}");
}

#[test]
fn labels_before_values_name_them() {
    let html = format!(
        "{HEAD}<p>{}</p>",
        each(6, |n, o, p| format!("<b>{n}</b><br>Ort: <i>{o}</i><br>Preis: <i>{p}</i><br><br>"))
    );
    let found = values(&html);
    assert_eq!(found.len(), 6);
    assert!(
        found[1].contains(&"Ort=Rostock".to_owned()) && found[1].contains(&"Preis=43".to_owned()),
        "{:?}",
        found[1]
    );
}

/// How many records, and what two of them must say.
struct Expected {
    count: usize,
    first: &'static [&'static str],
}

#[test]
fn pages_of_many_kinds_of_sites_are_read() {
    let commits: String = (0..20).map(|n| format!("<tr class='{}'><td title='x'><i>{} days ago</i></td><td class='author'><a class=list href='?a=search;s=u{n}'><i>Author {}</i></a></td><td><a class='list subject' href='?a=commit;h=a{n}f'>Fix the parser of case {n}</a></td><td class='link'><a href='?a=commit;h=a{n}f'>commit</a> | <a href='?a=tree;h=a{n}f'>tree</a></td></tr>", if n % 2 == 0 { "dark" } else { "light" }, n + 2, n % 3)).collect();
    let packages: String = (0..12).map(|n| format!("<h3>Package lib{n}-dev</h3><ul><li><a href='/p/{n}'>bookworm</a> (libdevel): headers of library {n}<br>1.{n}-2: amd64</li></ul>")).collect();
    let titles: String = (0..15).map(|n| format!("<tr><td><input type=checkbox name=b value={n}></td><td>{}.</td><td><div class=title><a href='/t/{n}'>Die Geschichte der Stadt {n}</a></div><div class=author>Autor, Anton {n}</div><div class=year>19{}</div></td><td><img src=book.gif></td></tr>", n + 1, 50 + n)).collect();
    let hotels: String = (0..9).map(|n| format!("<tr><td rowspan=2><img src=h{n}.jpg></td><td><b>Hotel {n} am Meer</b></td><td>ab {n}9 DM</td></tr><tr><td colspan=2>Ein ruhiges Haus mit vielen Zimmern, Garten und Blick auf das Meer, gleich neben dem Hafen der Stadt Nummer {n}.</td></tr>")).collect();
    let products: String = (0..24).map(|n| format!("<li class='product type-{n}'><a href='/p/{n}'><img src=x alt='Thing {n}'><h2>Thing number {n}</h2><span class=price>{n},90 €</span></a><a class=button href='?add={n}'>Add to cart</a></li>")).collect();
    let register: String = (0..10)
        .map(|n| format!("<li><span>[2020-01-0{n}]</span><a href='/x/{n}.html'>关于第{n}号公司的登记公告</a></li>"))
        .collect();
    let paragraphs: String = (0..8)
        .map(|n| format!("<p><a href='/d/{n}'>Document {n} of the council</a><br>Decision on the harbor, part {n}</p>"))
        .collect();
    let book: String = (0..9).map(|n| if n % 4 == 3 { "<div class=entry><span>Anzeige</span></div>".to_owned() } else { format!("<div class=entry><h2>Meier, Familie {n}</h2><address>Weg {n}, 1805{n} Rostock</address><ul><li>0381 4{n}</li></ul></div>") }).collect();
    let answers: String = (0..10).map(|n| format!("<div><div><h3><a href='/r/{n}'>Result title {n}</a></h3></div><div><cite>example.org/{n}</cite></div><div><span>Some words about page {n} and what stands there.</span></div></div>")).collect();
    let menu = "<ul><li><a href=/>Startseite</a><li><a href=/hilfe>Hilfe zur Suche und Kontakt</a><li><a href=/impressum>Impressum und Datenschutz</a></ul>";
    for (design, html, expected) in [
        (
            "commit log",
            format!(
                "<div class=page_nav>summary | <a href=?a=log>log</a></div><table class=shortlog>{commits}<tr><td colspan=4><a href='?pg=1'>next</a></td></tr></table>"
            ),
            Expected { count: 20, first: &["Fix the parser of case 0", "Author 0", "2 days ago"] },
        ),
        (
            "package search",
            format!(
                "<div id=content><h1>Results</h1><p>You have searched for packages</p><div id=psearchres>{packages}</div></div>"
            ),
            Expected { count: 12, first: &["Package lib0-dev"] },
        ),
        (
            "library catalog",
            format!("<p>Treffer 1 bis 15 von 243</p><form><table id=list>{titles}</table></form>"),
            Expected { count: 15, first: &["Die Geschichte der Stadt 0", "Autor, Anton 0", "1950"] },
        ),
        (
            "hotels in two rows",
            format!("<table width=100%>{hotels}</table>"),
            Expected { count: 9, first: &["Hotel 0 am Meer", "ab 09 DM"] },
        ),
        (
            "shop",
            format!(
                "<ul class='products columns-4'>{products}</ul><nav class=pagination><ul><li>1<li><a href=?p=2>2</a></ul></nav>"
            ),
            Expected { count: 24, first: &["Thing number 0", "0,90 €"] },
        ),
        (
            "register in Chinese",
            format!("<div class=list><ul>{register}</ul></div><div>共 243 条</div>"),
            Expected { count: 10, first: &["关于第0号公司的登记公告", "[2020-01-00]"] },
        ),
        (
            "paragraphs",
            format!("<div><p>Welcome to the archive of the council.</p>{paragraphs}<p>Seite 1 von 4</p></div>"),
            Expected { count: 8, first: &["Document 0 of the council", "Decision on the harbor, part 0"] },
        ),
        (
            "phone book with advertisements",
            format!("<div id=r>{book}</div>"),
            Expected { count: 7, first: &["Meier, Familie 0", "Weg 0, 18050 Rostock"] },
        ),
        (
            "search engine of a site",
            format!("<div><div>About 1,230 results</div></div><div>{answers}</div>"),
            Expected { count: 10, first: &["Result title 0", "example.org/0"] },
        ),
    ] {
        let found = values(&format!("{HEAD}{menu}{html}<div class=foot>Stand: 1. Mai</div>"));
        assert_eq!(found.len(), expected.count, "{design}: {:?} .. {:?}", found.first(), found.last());
        for wanted in expected.first {
            assert!(found[0].iter().any(|value| value.ends_with(wanted)), "{design}: {wanted} in {:?}", found[0]);
        }
    }
}

#[test]
fn the_form_once_more_with_a_remark_has_no_records() {
    let form = "<form action=/s><table><tr><td>Branch<td><select name=b><option value=''>all<option>main<option>next</select></tr>\
                <tr><td>View<td><select name=v><option>list<option>full</select></tr><tr><td>Author<td><input name=a></tr></table></form>";
    let html = format!("<html><body><p>Please enter at least one search term.</p>{form}");
    assert!(propose::propose(&tree(&html), None).is_none());
    // Long rows are no pages, whatever leads on from them.
    let long = each(9, |n, o, p| {
        format!(
            "<li><i>Name:</i> <span><a href='/{p}'>{n}, a quiet house with a large garden, not far from the sea and the station, breakfast until noon, bicycles for rent, dogs are welcome</a></span> <span>{o}</span>"
        )
    });
    assert_eq!(values(&format!("{HEAD}<ul>{long}</ul>")).len(), 9);
    // What can be ordered has a field, too.
    let shop = each(9, |n, o, p| format!("<tr><td>{n}<td>{o}<td>{p}<td><input name=amount{p} value=1>"));
    assert_eq!(values(&format!("{HEAD}<table>{shop}</table>")).len(), 9);
}

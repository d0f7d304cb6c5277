//! Totals in the words of catalogs, package lists, shops and registers.

use super::tests::{answer_by, count};
use super::{Total, TotalKind};
use TotalKind::{About, AtLeast, AtMost, Exact};

#[test]
fn what_a_number_says_is_told_in_many_languages() {
    for (text, number, kind) in [
        ("About 1,230 results", 1230, About),
        ("Ungefähr 1.230 Ergebnisse", 1230, About),
        ("Environ 1 230 résultats", 1230, About),
        ("Cerca de 1.230 resultados", 1230, About),
        ("Circa 1.230 risultati", 1230, About),
        ("Ongeveer 1.230 resultaten", 1230, About),
        ("Około 1 230 wyników", 1230, About),
        ("Примерно 1 230 результатов", 1230, About),
        ("找到约 1,230 条结果", 1230, About),
        ("約 1,230 件", 1230, About),
        ("~ 1,230 results", 1230, About),
        ("At least 500 results", 500, AtLeast),
        ("Mindestens 500 Treffer", 500, AtLeast),
        ("Au moins 500 résultats", 500, AtLeast),
        ("Al menos 500 resultados", 500, AtLeast),
        ("Almeno 500 risultati", 500, AtLeast),
        ("Не менее 500 результатов", 500, AtLeast),
        ("Over 500 matches", 500, AtLeast),
        ("Plus de 500 résultats", 500, AtLeast),
        ("Más de 500 resultados", 500, AtLeast),
        ("Più di 500 risultati", 500, AtLeast),
        ("Meer dan 500 resultaten", 500, AtLeast),
        ("Ponad 500 wyników", 500, AtLeast),
        ("Více než 500 výsledků", 500, AtLeast),
        ("Более 500 результатов", 500, AtLeast),
        ("500+ results", 500, AtLeast),
        ("500 or more results", 500, AtLeast),
        ("500件以上", 500, AtLeast),
        ("> 500 Treffer", 500, AtLeast),
        ("1–20 von über 500", 500, AtLeast),
        ("Up to 500 results", 500, AtMost),
        ("No more than 500 results", 500, AtMost),
        ("Fewer than 500 results", 500, AtMost),
        ("Moins de 500 résultats", 500, AtMost),
        ("Bis zu 500 Treffer", 500, AtMost),
        ("1–11 of about 11", 11, About),
        ("Treffer 1 bis 10 von 1.234", 1234, Exact),
        ("Ihre Suche ergab 57 Treffer", 57, Exact),
        ("Showing all 57 entries", 57, Exact),
        ("Alle 57 Treffer werden angezeigt", 57, Exact),
        ("0 Treffer", 0, Exact),
        ("共 243 条", 243, Exact),
        ("243件", 243, Exact),
        ("全243件", 243, Exact),
        ("1～20件 / 全243件", 243, Exact),
        ("총 243건", 243, Exact),
        ("検索結果: 243", 243, Exact),
        ("Найдено 1 234 записи", 1234, Exact),
        ("1 234 résultats", 1234, Exact),
        ("1\u{a0}234 résultats", 1234, Exact),
        ("1\u{202f}234 résultats", 1234, Exact),
        ("1\u{2009}234\u{2009}567 wyników", 1_234_567, Exact),
        ("1,23,456 results", 123_456, Exact),
        ("Found 1,23,456 companies", 123_456, Exact),
        ("Results 1 - 20 of 1,23,456", 123_456, Exact),
        ("The first 1000 of 12,345 results", 12_345, Exact),
        ("Seuls les 50 premiers résultats sur 312 sont affichés.", 312, Exact),
        ("25 results in 0.34 seconds", 25, Exact),
        ("25 results (0,34 Sekunden)", 25, Exact),
        ("1.234 sonuç", 1234, Exact),
        ("243 találat", 243, Exact),
        ("1-10 hotels of 243", 243, Exact),
        ("Mostrando 1 a 10 de 243", 243, Exact),
        ("Visar 1–10 av 243 träffar", 243, Exact),
        ("Wyniki 1–10 z 243", 243, Exact),
    ] {
        assert_eq!(count(text).total, Some(Total { number, kind }), "{text}");
    }
}

#[test]
fn other_numbers_are_no_totals() {
    for text in [
        "Only 12 € per person",
        "US$ 1,234",
        "2005-01-23",
        "Updated 2024-11-03 14:05",
        "03/11/2024",
        "Election 2024 results",
        "Tel. +49 38220 6666",
        "Fax 030 1234567",
        "ISBN 3-499-13599-X",
        "ID 48151623",
        "10 results per page",
        "Show 10 | 25 | 50 | 100 entries",
        "20件ずつ表示",
        "每页 20 条",
        "Ergebnisse je Seite 10 20 50",
        "Germany (34)",
        "English (1,204)",
        "Show 20 more results",
        "20 weitere Treffer",
        "The 10 latest entries",
        "Version 2.4.1",
        "Room 12",
        "30 Jahre Erfahrung",
        "5 stars",
        "Page 3",
        "共 7 页",
        "No. 12 of the series",
        "from 12 to 24 months",
    ] {
        assert_eq!(count(text).total, None, "{text}");
    }
    // Two numbers, and nothing says which.
    assert_eq!(count("<p>12 results</p><p>15 results</p>").total, None);
}

const ITEMS: &str = "Result.n: html.body.ul.li[*].txt";

fn list(before: &str, rows: usize, after: &str) -> String {
    let rows: String = (0..rows).map(|nth| format!("<li>package number {nth}</li>")).collect();
    format!("<h1>Packages</h1><p>{before}</p><ul>{rows}</ul>{after}")
}

#[test]
fn things_nobody_knows_the_name_of_count_if_the_records_bear_it_out() {
    let next = "<p><a href='?ort=Rostock&start=25'>next</a></p>";
    let total = |before: &str, rows: usize, after: &str| {
        answer_by(&list(before, rows, after), ITEMS).total.map(|total| (total.number, total.kind))
    };
    // More than are here, and it goes on.
    assert_eq!(total("3,412 commits", 25, next), Some((3412, Exact)));
    assert_eq!(total("1.234 Pakete", 25, next), Some((1234, Exact)));
    assert_eq!(total("over 3,000 commits", 25, next), Some((3000, AtLeast)));
    // As many as are here, and it ends.
    assert_eq!(total("7 Bücher", 7, ""), Some((7, Exact)));
    assert_eq!(total("Showing 7 books", 7, ""), Some((7, Exact)));
    // Neither.
    assert_eq!(total("3,412 commits", 25, ""), None);
    assert_eq!(total("12 commits", 25, next), None);
    assert_eq!(total("30 Jahre", 25, next), None);
    assert_eq!(total("3,412 commits</p><p>57 heads", 25, next), None);
    // The number of pages says which.
    let pages = format!("<p>Page 1 of 137</p>{next}");
    assert_eq!(total("3,412 commits</p><p>57 heads", 25, &pages), Some((3412, Exact)));
    // Far from the list it may be anything.
    let far = format!("{}<p>a</p><p>b</p><p>c</p><p>d</p><p>640 employees</p>", next);
    assert_eq!(total("Welcome", 25, &far), None);
}

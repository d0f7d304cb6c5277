//! Title, authors, affiliations, abstract, keywords, page type.

use super::*;

#[test]
fn a_head_alone_is_enough() {
    let html = format!(
        "<head><title>x</title><meta name=citation_title content='Cutting Pages'><meta name=citation_author content='Doe, Jane'>
         <meta name=citation_author content='Kim Min'><meta name=citation_author_institution content='University of X'>
         <meta name=citation_journal_title content=J><meta name=citation_abstract content='<p>{ABSTRACT}</p>'>
         <meta name=citation_keywords content='pages; parts'></head><body><div>nothing"
    );
    assert_eq!(part_texts(&html, PartKind::Title), ["Cutting Pages"]);
    assert_eq!(part_texts(&html, PartKind::Authors), ["Jane Doe", "Kim Min"]);
    assert_eq!(part_texts(&html, PartKind::Affiliation), ["University of X"]);
    assert_eq!(part_texts(&html, PartKind::Abstract), [ABSTRACT]);
    assert_eq!(part_texts(&html, PartKind::Keywords), ["pages", "parts"]);
    assert_eq!(page_type(&html), PageType::Article);
}

#[test]
fn linked_data_is_read_and_broken_data_passed_over() {
    let html = format!(
        r#"<script type="application/ld+json">{{"@context": "x", "@graph": [{{"@type": "ScholarlyArticle", "headline": "Cutting Pages",
         "author": [{{"@type": "Person", "name": "Jane Doe", "affiliation": {{"name": "Univ. X"}}}}, {{"givenName": "Min", "familyName": "Kim"}}],
         "abstract": "{ABSTRACT}", "keywords": "pages, parts"}}]}}</script><script type="application/ld+json">{{"@type": </script><p>x"#
    );
    assert_eq!(part_texts(&html, PartKind::Title), ["Cutting Pages"]);
    assert_eq!(part_texts(&html, PartKind::Authors), ["Jane Doe", "Min Kim"]);
    assert_eq!(part_texts(&html, PartKind::Affiliation), ["Univ. X"]);
    assert_eq!(part_texts(&html, PartKind::Keywords), ["pages", "parts"]);
    assert_eq!(page_type(&html), PageType::Article);
}

#[test]
fn head_and_body_together_are_surer() {
    let head = "<head><meta name=citation_title content='A Study of Cutting Pages into Parts'></head>";
    let body = format!(
        "<h1>A Study of Cutting Pages into Parts</h1><p>Jane Doe, Min Kim</p><h2>Abstract</h2><p>{ABSTRACT}</p>"
    );
    let sure =
        |html: &str| parts(html).content.iter().find(|part| part.kind == PartKind::Title).map(|part| part.confidence);
    assert!(sure(&format!("{head}{body}")) > sure(&body));
    assert!(sure(&format!("{head}{body}")) > sure(head));
}

#[test]
fn a_partial_head_is_completed_by_the_body() {
    let html = format!(
        "<head><meta name=citation_title content='Cutting Pages'><meta name=citation_author content='Jane Doe'></head>
         <h1>Cutting Pages</h1><p><a href=/people/1>Jane Doe</a>, <a href=/people/2>Min Kim</a></p><h2>Abstract</h2><p>{ABSTRACT}</p>"
    );
    assert_eq!(part_texts(&html, PartKind::Authors), ["Jane Doe", "Min Kim"]);
}

#[test]
fn footnote_marks_tie_authors_to_affiliations() {
    let html = format!(
        "<h1 class=x7>On the Cutting of Pages</h1><p class=q1>Ana Smith<sup>1,2</sup>, Bo van der Lee<sup>2*</sup> and Cy Wu<sup>3</sup></p>
         <p class=q2><sup>1</sup>Department of Maps, University of X, Rome, Italy</p><p class=q2><sup>2</sup>Google, Zurich</p>
         <p class=q2><sup>3</sup>Charité, Berlin</p><h2>Abstract</h2><p>{ABSTRACT}</p><h2>1 Introduction</h2><p>More text stands here."
    );
    assert_eq!(part_texts(&html, PartKind::Title), ["On the Cutting of Pages"]);
    assert_eq!(part_texts(&html, PartKind::Authors), ["Ana Smith", "Bo van der Lee", "Cy Wu"]);
    assert_eq!(
        part_texts(&html, PartKind::Affiliation),
        ["Department of Maps, University of X, Rome, Italy", "Google, Zurich", "Charité, Berlin"]
    );
    assert_eq!(part_texts(&html, PartKind::Abstract), [ABSTRACT]);
}

#[test]
fn affiliations_stand_in_tooltips_and_brackets_and_details() {
    let rest = format!("<h2>Abstract</h2><p>{ABSTRACT}</p>");
    let tip = format!(
        "<h1>On the Cutting of Pages</h1><div><span class=author title='University of X'>Ana Smith</span>, <span class=author title='Institut Y'>Bo Lee</span></div>{rest}"
    );
    assert_eq!(part_texts(&tip, PartKind::Affiliation), ["University of X", "Institut Y"]);
    let brackets =
        format!("<h1>On the Cutting of Pages</h1><p>Ana Smith (University of X), Bo Lee (Institut Y)</p>{rest}");
    assert_eq!(part_texts(&brackets, PartKind::Authors), ["Ana Smith", "Bo Lee"]);
    assert_eq!(part_texts(&brackets, PartKind::Affiliation), ["University of X", "Institut Y"]);
    let details = format!(
        "<h1>On the Cutting of Pages</h1><p>Ana Smith, Bo Lee</p><details><summary>Author affiliations</summary><ul><li>University of X</li><li>Google</li></ul></details>{rest}"
    );
    assert_eq!(part_texts(&details, PartKind::Affiliation), ["University of X", "Google"]);
}

#[test]
fn abstracts_are_found_by_words_of_many_languages() {
    for word in [
        "Abstract",
        "ABSTRACT:",
        "Zusammenfassung",
        "Résumé",
        "Resumen",
        "Riassunto",
        "Аннотация",
        "摘要",
        "抄録",
        "초록",
        "Samenvatting",
    ] {
        for html in [
            format!(
                "<h1>On the Cutting of Pages</h1><p>Ana Smith</p><h3>{word}</h3><div><p>{ABSTRACT}</p></div><h3>References</h3><p>[1] Something else that is long enough to be taken for a text of its own."
            ),
            format!("<h1>On the Cutting of Pages</h1><p>Ana Smith</p><p><b>{word}</b><br>{ABSTRACT}</p>"),
            format!(
                "<h1>On the Cutting of Pages</h1><p>Ana Smith</p><dl><dt>{word}</dt><dd>{ABSTRACT}</dd><dt>DOI</dt><dd>10.1/x</dd></dl>"
            ),
            format!(
                "<h1>On the Cutting of Pages</h1><p>Ana Smith</p><table><tr><td>{word}</td><td>{ABSTRACT}</td></tr><tr><td>Date</td><td>2001</td></tr></table>"
            ),
            format!(
                "<h1>On the Cutting of Pages</h1><p>Ana Smith</p><details><summary>{word}</summary>{ABSTRACT}</details>"
            ),
        ] {
            assert_eq!(part_texts(&html, PartKind::Abstract), [ABSTRACT], "{html}");
        }
    }
}

#[test]
fn labels_stand_at_the_start_of_a_block() {
    let html = format!(
        "<h1>On the Cutting of Pages</h1><p>Ana Smith</p><p>Abstract—{ABSTRACT}</p><p>Index Terms—maps, pages, Web mining.</p>"
    );
    assert_eq!(part_texts(&html, PartKind::Abstract), [ABSTRACT]);
    assert_eq!(part_texts(&html, PartKind::Keywords), ["maps", "pages", "Web mining"]);
}

#[test]
fn keywords_are_found_by_words_of_many_languages() {
    for word in [
        "Keywords",
        "Key words",
        "Index terms",
        "Schlüsselwörter",
        "Mots-clés",
        "Palabras clave",
        "Ключевые слова",
        "关键词",
        "キーワード",
    ] {
        for html in [
            format!("<h1>On the Cutting of Pages</h1><p><b>{word}:</b> maps; cutting, fine; pages</p>"),
            format!("<h1>On the Cutting of Pages</h1><h4>{word}</h4><ul><li>maps</li><li>cutting, fine</li><li>pages</li></ul>").replace("cutting, fine", "cutting fine"),
        ] {
            let found = part_texts(&format!("{html}<h3>Abstract</h3><p>{ABSTRACT}</p>"), PartKind::Keywords);
            assert_eq!(found.len(), 3, "{html}: {found:?}");
            assert_eq!(found[0], "maps");
        }
    }
}

#[test]
fn a_page_of_lines_is_read_by_its_lines() {
    let html = format!(
        "<table><tr><td><a href=/>Home</a><br><a href=/j>Journals</a><br><a href=/b>Books</a></td><td><font size=4><b>On the Cutting of Pages into Parts</b></font><br><br>
         <b>Ana Smith, Bo Lee</b><br><i>University of X, Rome</i><br><br><b>Abstract</b><br>{ABSTRACT}<br><br><b>Keywords:</b> maps, pages<br></td></tr></table>"
    );
    assert_eq!(part_texts(&html, PartKind::Title), ["On the Cutting of Pages into Parts"]);
    assert_eq!(part_texts(&html, PartKind::Authors), ["Ana Smith", "Bo Lee"]);
    assert_eq!(part_texts(&html, PartKind::Affiliation), ["University of X, Rome"]);
    assert_eq!(part_texts(&html, PartKind::Abstract), [ABSTRACT]);
    assert_eq!(part_texts(&html, PartKind::Keywords), ["maps", "pages"]);
}

#[test]
fn chinese_and_japanese_pages() {
    let text = "本文研究如何把网页切分成各个部分，并说明标题、姓名和位置已经足以判断大部分内容。该方法不需要浏览器，时间与页面长度成线性关系。";
    let html = format!(
        "<h1>基于内容块的网页分割方法研究</h1><p><a href=/author/1>张伟</a>，<a href=/author/2>李小明</a></p><p>北京大学 信息科学技术学院</p><p>摘要：{text}</p><p>关键词：网页；分割；主题爬虫</p>"
    );
    assert_eq!(part_texts(&html, PartKind::Title), ["基于内容块的网页分割方法研究"]);
    assert_eq!(part_texts(&html, PartKind::Authors), ["张伟", "李小明"]);
    assert_eq!(part_texts(&html, PartKind::Affiliation), ["北京大学 信息科学技术学院"]);
    assert_eq!(part_texts(&html, PartKind::Abstract), [text]);
    assert_eq!(part_texts(&html, PartKind::Keywords), ["网页", "分割", "主题爬虫"]);
    assert_eq!(page_type(&html), PageType::Article);
}

#[test]
fn what_a_page_is() {
    let article = format!(
        "<h1>On the Cutting of Pages</h1><p>Ana Smith, Bo Lee</p><h2>Abstract</h2><p>{ABSTRACT}</p><p>Keywords: a; b</p>"
    );
    assert_eq!(page_type(&article), PageType::Article);
    let book = "<h1>The Big Book of Pages</h1><p>Ana Smith</p><p>Hardcover, 2nd edition</p><p>ISBN 978-3-16-148410-0</p><h2>Table of contents</h2><ul><li><a href=1>Of pages and their makers</a><li><a href=2>Of parts and their wholes</a></ul>";
    assert_eq!(page_type(book), PageType::Book);
    let entry = |n: u32| {
        format!(
            "<li><a class=t href=/p{n}>On the cutting of pages, a study in {n} parts</a><br><span>Ana Smith, Bo Lee</span></li>"
        )
    };
    let list =
        format!("<h1>Journal of Pages, Volume 3, Issue 2</h1><ul>{}</ul>", (0..12).map(entry).collect::<String>());
    assert_eq!(page_type(&list), PageType::List);
    let other = format!(
        "<h1>About us</h1><p>{ABSTRACT} {ABSTRACT}</p><p>Write to us at any time, we read everything that comes in and answer most of it within a week.</p>"
    );
    assert_eq!(page_type(&other), PageType::Other);
}

#[test]
fn a_form_that_asks_for_an_abstract_is_none() {
    let html = format!(
        "<h1>On the Cutting of Pages</h1><p>Ana Smith</p><form><p>Abstract</p><p>Please enter an abstract of no more than three hundred words, without formulas and references.</p></form><p>{ABSTRACT} {ABSTRACT}</p>"
    );
    assert!(part_texts(&html, PartKind::Abstract).iter().all(|text| !text.starts_with("Please")));
}

#[test]
fn an_institution_takes_its_whole_line() {
    let rest = format!("<h2>Abstract</h2><p>{ABSTRACT}</p>");
    for place in [
        "University of Brno, Czech Republic",
        "Department of Maps, University of X, New York, United States",
        "Institut Y, Rosa Blum Street, South Africa",
    ] {
        let html = format!("<h1>On the Cutting of Pages</h1><p>Anna Novak, John Smith</p><p>{place}</p>{rest}");
        assert_eq!(part_texts(&html, PartKind::Authors), ["Anna Novak", "John Smith"], "{place}");
        assert_eq!(part_texts(&html, PartKind::Affiliation), [place]);
    }
    let turns = format!(
        "<h1>On the Cutting of Pages</h1><p>Ana Smith, University of X, Bo Lee, University of Y, Rome</p>{rest}"
    );
    assert_eq!(part_texts(&turns, PartKind::Authors), ["Ana Smith", "Bo Lee"]);
}

#[test]
fn the_page_of_a_person_is_no_article() {
    let html = format!(
        "<title>Ana Smith - Library</title><h2>Ana Smith</h2><h4>2019</h4><div><a href=/1.pdf>pdf</a> <a href=/1.bib>bib</a></div><span><b><a href=/1>Pages, a Workflow for Cutting and Automatic Page Recognition</a></b><br><a href=/people/a>Ana Smith</a>, <a href=/people/b>Bo Lee</a><br><a href=/v>Proceedings of the Society of Pages</a></span><div class=abstract id=abstract-1>{ABSTRACT}</div><h5>Co-authors</h5><ul><li><a href=/people/b>Bo Lee</a></li></ul>"
    );
    assert_eq!(page_type(&html), PageType::List);
}

#[test]
fn elements_side_by_side_are_things_of_their_own() {
    let html = format!(
        "<h1>On the Cutting of Pages</h1><ul><li><span class=name>Ana Smith</span><span class=affiliation>University of X, Rome</span></li>
         <li><span class=name>Bo Lee</span><span class=affiliation>Google, Zurich</span></li></ul><h2>Abstract</h2><p>{ABSTRACT}</p>"
    );
    assert_eq!(part_texts(&html, PartKind::Authors), ["Ana Smith", "Bo Lee"]);
    assert_eq!(part_texts(&html, PartKind::Affiliation), ["University of X, Rome", "Google, Zurich"]);
}

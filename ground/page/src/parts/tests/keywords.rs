//! Lists of keywords, as publishers set them, and what looks like them.

use super::*;

const WORDS: [&str; 4] = ["Block trees", "Link density", "Maps", "Reading"];
/// An abstract in which some of the words are told.
const TEXT: &str = "We cut pages into parts by the density of links and the trees of blocks, and draw maps of what is left. The parts \
                    are told apart by what they say and by where they stand, and that on pages which nobody has seen before.";

/// An article with this between its abstract and its text.
fn page(list: &str) -> String {
    format!(
        "<h1>On the Cutting of Pages into Parts</h1><p>Ana Smith, Bo Lee</p><h2>Abstract</h2><p>{TEXT}</p>{list}
         <h2>Introduction</h2><p>{TEXT}</p>"
    )
}

/// The words with something around each.
fn each(open: &str, close: &str) -> String {
    WORDS.iter().map(|word| format!("{open}{word}{close}")).collect()
}

fn found(list: &str) -> Vec<String> {
    part_texts(&page(list), PartKind::Keywords)
}

#[test]
fn a_row_of_a_record_to_each_word_is_one_list() {
    let rows = each("<tr><td>dc.subject</td><td>", "</td><td>en_US</td></tr>");
    let list = format!(
        "<table><tr><td>dc.date</td><td>2019</td><td>-</td></tr>{rows}<tr><td>dc.type</td><td>Article</td></tr></table>"
    );
    assert_eq!(found(&list), WORDS);
}

#[test]
fn descriptions_after_one_term_and_cells_beside_one_head() {
    let list = format!("<dl><dt>Date<dd>2019<dt>Subject{}<dt>Type<dd>Article</dl>", each("<dd>", ""));
    assert_eq!(found(&list), WORDS);
    let rows = each("<td>", "</td></tr><tr>");
    let list = format!("<table><tr><th rowspan=4>Keyword</th>{rows}<th>DOI</th><td>10.5555/1</td></tr></table>");
    assert_eq!(found(&list), WORDS);
}

#[test]
fn labels_that_are_put_together() {
    let labels = [
        "Additional index words.",
        "Key words and phrases:",
        "Author-supplied keywords",
        "Suggested Keywords:",
        "Keywords (4)",
    ];
    for label in labels {
        assert_eq!(found(&format!("<p><b>{label}</b> {}</p>", WORDS.join(", "))), WORDS, "{label}");
    }
    // A title that begins so is no label.
    assert!(
        found("<h2>Keywords in search engines and what they cost</h2><p>Nobody knows, everybody pays, so it goes.</p>")
            .is_empty()
    );
}

#[test]
fn full_stops_numbers_and_lines_keep_words_apart() {
    assert_eq!(found(&format!("<p><b>Key-words:</b> {}.</p>", WORDS.join(". "))), WORDS);
    let numbered: Vec<String> = WORDS.iter().enumerate().map(|(n, word)| format!("{}. {word}", n + 1)).collect();
    assert_eq!(found(&format!("<h3>Search terms</h3><p>{}</p>", numbered.join("<br>"))), WORDS);
}

#[test]
fn a_label_within_a_line_and_codes_beside_it() {
    let list = format!("<p>Published 2019. Tagged with: {}</p>", WORDS.join(", "));
    assert_eq!(found(&list), WORDS);
    let list = format!("<p><i>JEL Classification:</i> C32, E52, F41</p><p><i>Keywords:</i> {}</p>", WORDS.join(", "));
    assert_eq!(found(&list), WORDS);
}

#[test]
fn a_label_for_those_who_listen() {
    assert_eq!(found(&format!("<p>Read more below.</p><ul aria-label=Keywords>{}</ul>", each("<li>", "</li>"))), WORDS);
}

#[test]
fn rows_without_a_label_count_if_they_are_about_the_work() {
    let row = format!("<p>Read it all.</p><div>{}</div>", each("<span>", "</span> "));
    assert_eq!(found(&row), WORDS);
    assert_eq!(found(&format!("<p>Read it all.</p><p>{}</p>", WORDS.join(" · "))), WORDS);
    let other = "<h2>Notes</h2><p>Read it all.</p><div><span>Dogs</span> <span>Cats</span> <span>Horses</span> <span>Cows</span></div>";
    assert!(found(other).is_empty());
}

#[test]
fn what_others_look_for_and_formats_are_no_keywords() {
    let searches =
        "<aside><h3>Trending searches</h3><ul><li><a href=/search?q=a>Dogs</a><li><a href=/search?q=b>Cats</a>
                    <li><a href=/search?q=c>Maps</a></ul></aside>";
    assert!(found(searches).is_empty());
    assert!(found("<div><span>PDF</span> <span>EPUB</span> <span>XML</span></div>").is_empty());
    // The site's own topics beside the text say nothing of the work.
    let topics = "<aside><h3>Topics</h3><ul><li><a href=/t/1>Dogs</a><li><a href=/t/2>Cats</a><li><a href=/t/3>Cows</a></ul></aside>";
    assert!(found(topics).is_empty());
}

#[test]
fn what_comes_after_a_list_is_none_of_it() {
    let list = format!("<h3>Keywords</h3><div>{}</div><p><a href=/7>Next article</a></p>", WORDS.join(", "));
    assert_eq!(found(&list), WORDS);
    assert_eq!(part_texts(&page(&list), PartKind::Abstract), [TEXT]);
}

#[test]
fn a_heading_with_nothing_under_it_is_no_end_of_an_abstract() {
    let list =
        format!("<div><h5>Date</h5><span>2019-02-03</span></div><div><h5>Subjects</h5>{}</div>", WORDS.join("<br>"));
    assert_eq!(part_texts(&page(&list), PartKind::Abstract), [TEXT]);
    assert_eq!(found(&list), WORDS);
}

#[test]
fn a_subject_in_the_head_does_not_hide_the_list_of_the_page() {
    let list = page(&format!("<p><b>Keywords:</b> {}</p>", WORDS.join("; ")));
    assert_eq!(
        part_texts(&format!("<head><meta name=DC.Subject content=Medicine></head>{list}"), PartKind::Keywords),
        WORDS
    );
    // Keywords of a site are no keywords of a work.
    let head =
        "<head><meta name=citation_title content=x><meta name=keywords content='journals, science, articles'></head>";
    assert!(part_texts(&format!("{head}{}", page("")), PartKind::Keywords).is_empty());
}

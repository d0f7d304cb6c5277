//! The parts of links.

use super::*;

#[test]
fn every_link_has_its_part() {
    let html = format!(
        "<nav><a href=/>Home</a> <a href=/j>Journals</a></nav><main><h1>On the Cutting of Pages</h1><p><a href=/people/ana>Ana Smith</a>, <a href=/people/bo>Bo Lee</a></p>
         <h2>Abstract</h2><p>{ABSTRACT} See <a href=/intro>the introduction</a>.</p><p>Keywords: <a href=/k/maps>maps</a>, <a href=/k/pages>pages</a></p>
         <div><a href=/p1>Previous article</a> <a href=/p3>Next article</a></div>
         <section><h3>Related articles</h3><ul><li><a href=/r1>Maps of pages and their makers</a></li><li><a href=/r2>Pages of maps and their readers</a></li></ul></section></main>
         <div class=ad><a href=/buy>Save on all books</a></div><footer><a href=/about>About</a> <a href=/privacy>Privacy policy</a></footer>"
    );
    assert_eq!(
        linked(&html),
        [
            "Home: menu",
            "Journals: menu",
            "Ana Smith: authors",
            "Bo Lee: authors",
            "the introduction: abstract",
            "maps: keywords",
            "pages: keywords",
            "Previous article: sequence",
            "Next article: sequence",
            "Maps of pages and their makers: related",
            "Pages of maps and their readers: related",
            "Save on all books: noise",
            "About: menu",
            "Privacy policy: noise",
        ]
    );
}

#[test]
fn previous_and_next_in_many_languages() {
    for (back, on) in [
        ("Zurück", "Weiter"),
        ("Article précédent", "Article suivant"),
        ("« Anterior", "Siguiente »"),
        ("上一篇", "下一篇"),
        ("前へ", "次へ"),
        ("← Maps of pages", "Pages of maps →"),
        ("Предыдущая", "Следующая"),
    ] {
        let html = format!(
            "<h1>On the Cutting of Pages</h1><p>{ABSTRACT}</p><p><a href=/1>{back}</a> <a href=/3>{on}</a></p>"
        );
        assert_eq!(linked(&html), [format!("{back}: sequence"), format!("{on}: sequence")]);
    }
    let rel = "<link rel=next href=/2><p>Some text <a rel=prev href=/0>Maps</a>";
    assert_eq!(linked(rel), [": sequence", "Maps: sequence"]);
}

#[test]
fn entries_of_a_list_are_a_list() {
    let entry = |n: u32| {
        format!(
            "<div class=row{n}><a class=t{n} href=/p{n}>On the cutting of pages, a study in {n} parts</a> <a href=/p{n}>PDF</a></div>"
        )
    };
    let html = format!("<h1>Search results</h1>{}", (0..9).map(entry).collect::<String>());
    let page = read(&html);
    let parts = page.parts.unwrap();
    assert!(parts.links.iter().all(|part| part.kind == PartKind::List), "{:?}", parts.links);
    // Set alike, whatever the numbers in their class names.
    assert!(parts.links.iter().step_by(2).all(|part| part.path == parts.links[0].path));
    assert_ne!(parts.links[0].path, parts.links[1].path);
}

#[test]
fn sharing_and_sponsors_are_noise() {
    let html = format!(
        "<h1>On the Cutting of Pages</h1><p>{ABSTRACT}</p><a href='https://twitter.com/intent/tweet?url=x'>this</a><a rel=sponsored href=/z>that</a><a href=/login>Log in</a>"
    );
    assert_eq!(linked(&html), ["this: noise", "that: noise", "Log in: noise"]);
}

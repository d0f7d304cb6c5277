//! What is learned of a site.

use super::*;
use crate::parts::Templates;

fn page(number: u32, title_tag: &str) -> ParsedPage {
    let title = format!("A study of pages that is the {number} of its kind");
    let html = format!(
        "<div class=ka><a href=/>Start</a></div><div class=kb><a href=/x>Sections of this site here</a></div><div class=kc><{title_tag} class=kd>{title}</{title_tag}><p class=ke>Ana Smith, Bo Lee</p>
         <h2>Abstract</h2><p class=kf>{ABSTRACT} Number {number}.</p><p class=kg>See <a href=/only/{number}>this one</a></p></div>"
    );
    read(&html)
}

#[test]
fn what_recurs_is_menu_and_what_does_not_is_not() {
    let mut templates = Templates::new();
    (0..6).for_each(|number| templates.learn("a.test", &page(number, "h1")));
    let mut next = page(9, "h1");
    templates.apply("a.test", &mut next);
    let kinds: Vec<_> = next.parts.unwrap().links.iter().map(|part| part.kind).collect();
    assert_eq!(kinds[..2], [PartKind::Menu, PartKind::Menu]);
    assert_ne!(kinds[2], PartKind::Menu);
}

#[test]
fn a_steady_path_gives_confidence() {
    let mut templates = Templates::new();
    (0..6).for_each(|number| templates.learn("a.test", &page(number, "h1")));
    let sure = |page: &ParsedPage| {
        page.parts.as_ref().unwrap().content.iter().find(|part| part.kind == PartKind::Abstract).unwrap().confidence
    };
    let mut next = page(9, "h1");
    let before = sure(&next);
    templates.apply("a.test", &mut next);
    assert!(sure(&next) > before, "{before} {}", sure(&next));
}

#[test]
fn nothing_is_known_of_other_hosts_or_after_few_pages() {
    let mut templates = Templates::new();
    templates.learn("a.test", &page(0, "h1"));
    for host in ["a.test", "b.test"] {
        let mut next = page(9, "h1");
        templates.apply(host, &mut next);
        assert_eq!(next, page(9, "h1"));
    }
    assert_eq!(templates.pages("a.test"), 1);
}

#[test]
fn a_page_without_evidence_takes_the_label_of_its_path() {
    let mut templates = Templates::new();
    (0..6).for_each(|number| templates.learn("a.test", &page(number, "h1")));
    let mut weak = page(9, "h1");
    if let Some(parts) = &mut weak.parts {
        parts.content.clear();
    }
    templates.apply("a.test", &mut weak);
    let content = &weak.parts.as_ref().unwrap().content;
    assert!(
        content.iter().any(|part| part.kind == PartKind::Title && part.text.starts_with("A study of pages")),
        "{content:?}"
    );
    assert!(
        content.iter().any(|part| part.kind == PartKind::Abstract && part.text.starts_with("We study")),
        "{content:?}"
    );
}

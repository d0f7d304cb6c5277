//! The main text.

use super::*;

fn main_text(html: &str) -> String {
    let page = read(html);
    let texts: Vec<&str> =
        page.parts.as_ref().unwrap().main.iter().map(|block| page.blocks[*block as usize].text.as_str()).collect();
    texts.join("|")
}

#[test]
fn the_text_is_kept_and_what_is_around_it_is_not() {
    let p = "This is a paragraph of the text, long enough to be one, with commas, and with a full stop at its end.";
    let html = format!(
        "<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav><div class=a><h1>Headline</h1><p>{p}</p><p>{p}</p><h2>A part</h2><p>{p}</p><ul><li>One thing that is said.</li><li>Another thing.</li></ul>
         <figure><img src=x><figcaption>A caption that nobody needs to read.</figcaption></figure><p>{p}</p></div>
         <div><h3>Related articles</h3><p><a href=/1>Something else that was written</a></p></div><div class=comments><p>{p} says a reader.</p></div><footer><p>All rights reserved, and so on, and so on.</p></footer>"
    );
    assert_eq!(main_text(&html), format!("{p}|{p}|A part|{p}|One thing that is said.|Another thing.|{p}"));
}

#[test]
fn names_that_say_the_wrong_thing_do_not_hide_the_text() {
    let p = "This is a paragraph of the text, long enough to be one, with commas, and with a full stop at its end.";
    for class in ["no-sidebar", "modal-enabled", "widget", "footer-less", "x81kd"] {
        let html = format!(
            "<div class='{class}'><p>{p}</p><p>{p}</p><p>{p}</p></div><div><a href=1>a</a> <a href=2>b</a></div>"
        );
        assert_eq!(main_text(&html), format!("{p}|{p}|{p}"), "{class}");
    }
}

#[test]
fn an_advertisement_between_paragraphs_does_not_end_the_text() {
    let p = "This is a paragraph of the text, long enough to be one, with commas, and with a full stop at its end.";
    let html = format!("<article><p>{p}</p><div>Advertisement</div><p>{p}</p><div>Read more</div><p>{p}</p></article>");
    assert!(main_text(&html).matches(p).count() == 3, "{}", main_text(&html));
}

//! What is read from the head of a page.

use super::*;
use groma_model::page::Field;

fn field(name: &str, kind: &str, value: &str, options: &[(&str, &str)]) -> Field {
    let options = options.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect();
    Field { name: name.to_owned(), kind: kind.to_owned(), value: value.to_owned(), options }
}

#[test]
fn metas_are_kept_by_name_property_or_pragma() {
    let page = read(
        "<meta name=Author content='A  B'><meta property=og:title content=T><meta http-equiv=X-UA content=e>
         <meta name=none><meta content=x><meta charset=utf-8>",
    );
    let metas: Vec<_> = page.metas.iter().map(|m| (m.name.as_str(), m.content.as_str())).collect();
    assert_eq!(metas, [("author", "A  B"), ("og:title", "T"), ("x-ua", "e")]);
    assert_eq!(page.meta("og:title"), Some("T"));
}

#[test]
fn metas_are_bounded() {
    let many = "<meta name=a content=b>".repeat(600);
    assert_eq!(read(&many).metas.len(), 500);
    let long = read(&format!("<meta name=a content='{}'>", "é".repeat(5000)));
    assert_eq!(long.metas[0].content.len(), 4096);
}

#[test]
fn robots_are_asked_by_meta() {
    let page = read("<meta name=ROBOTS content='noindex'><meta name=groma content='nofollow'>");
    assert!(page.directives.noindex && page.directives.nofollow);
    let page = read("<meta name=otherbot content='none'><meta name=robots content='all'>");
    assert!(!page.directives.noindex && !page.directives.nofollow);
}

#[test]
fn the_language_is_declared_or_shown() {
    assert_eq!(read("<html lang=cs-CZ><meta http-equiv=content-language content=de>").language.as_deref(), Some("cs"));
    assert_eq!(
        read("<html lang=''><meta http-equiv=Content-Language content='de, en'>").language.as_deref(),
        Some("de")
    );
    assert_eq!(read("<html xml:lang=pl>").language.as_deref(), Some("pl"));
    let text = "The map shows how the pages are ordered and which of the links lead nowhere at all. ".repeat(4);
    assert_eq!(read(&format!("<p>{text}")).language.as_deref(), Some("en"));
    assert_eq!(read("<p>Short.").language, None);
}

#[test]
fn forms_are_kept_with_their_fields() {
    let page = read(
        "<form action='/find?x' method=POST><input name=q value=v><input name=h type=HIDDEN><input type=submit>
         <input name=c type=checkbox><input name=r type=radio value=1>
         <select name=s><option value=1>One<option selected>Two </select>
         <select name=t><optgroup label=g><option label=L value=3>Three</optgroup><option>Four</option></select>
         <select name=m multiple><option>x</select>
         <textarea name=a>\n<b> &amp;\n</textarea><button name=b value=go>Go</button><button type=reset name=z>Z</button></form>
         <input name=outside><form><form><input name=i></form>",
    );
    assert_eq!(page.forms.len(), 2);
    let form = &page.forms[0];
    assert_eq!((form.action.as_str(), form.method.as_str()), ("http://a.test/find?x", "post"));
    assert_eq!(
        form.fields,
        [
            field("q", "text", "v", &[]),
            field("h", "hidden", "", &[]),
            field("c", "checkbox", "on", &[]),
            field("r", "radio", "1", &[]),
            field("s", "select", "Two", &[("1", "One"), ("Two", "Two")]),
            field("t", "select", "3", &[("3", "L"), ("Four", "Four")]),
            field("m", "select", "", &[("x", "x")]),
            field("a", "textarea", "<b> &\n", &[]),
            field("b", "submit", "go", &[]),
            field("z", "reset", "", &[]),
        ]
    );
    assert_eq!(
        (page.forms[1].action.as_str(), page.forms[1].method.as_str()),
        ("http://a.test/dir/page.html?q=1", "get")
    );
    assert_eq!(page.forms[1].fields, [field("i", "text", "", &[])]);
}

#[test]
fn forms_beyond_the_limit_are_left_out() {
    let limits = Limits { html_forms: 1, ..Limits::default() };
    let page = read_with(b"<form></form><form><input name=a></form>", &limits);
    assert_eq!((page.forms.len(), page.forms[0].fields.len(), page.cuts.as_slice()), (1, 0, &["html_forms"][..]));
}

#[test]
fn the_charset_of_the_header_is_used() {
    let url = Url::parse("http://a.test/").unwrap();
    let limits = Limits::default();
    let page =
        Html.read(&Input { bytes: b"<p>\xec", url: &url, charset: Some("iso-8859-2"), limits: &limits, parts: false });
    assert_eq!((page.charset, page.blocks[0].text.as_str()), ("ISO-8859-2", "ě"));
}

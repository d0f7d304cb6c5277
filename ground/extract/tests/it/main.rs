//! Selectors on pages, columns as a whole, hostile pages and selectors, and rules made from examples.

mod by_example;
mod columns;
mod css;
mod document;
mod hostile;
mod xpath;

use groma_extract::{Columns, Page, ValueLimits};

/// What a selector gives on a page, all of it.
fn values(language: &str, selector: &str, page: &str) -> Vec<String> {
    let columns =
        Columns::new(vec![format!("x:list={language}:{selector}").parse().expect(selector)]).expect("columns");
    let url = groma_url::Url::parse("https://a.example/dir/page.html").expect("a URL");
    let page = Page::read(page, Some(&url));
    let read = columns.read(&page, ValueLimits::default());
    read[0].cell.values().iter().map(ToString::to_string).collect()
}

//! A page of a list: what it says about its length, its rows, and the way to the next.

use encoding_rs::UTF_8;

use crate::data_set::{Pairs, query};
use crate::options::{Options, Paging, Totals};
use crate::page::form::hidden;
use crate::page::{RESULTS, escaped, framed};
use crate::wording;

/// Links to further pages beside the one that is shown, each way.
const NEIGHBOURS: usize = 4;

/// Where a page is in its list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Which page, from 1.
    pub(crate) page: usize,
    /// How many rows satisfy the question.
    pub(crate) total: usize,
    /// How many of them the list has.
    pub(crate) listed: usize,
    /// Where this page begins among them.
    pub(crate) from: usize,
    /// How many of them are here.
    pub(crate) here: usize,
}

/// The page. `data` is what the next page must be asked with, besides its number; `cursor` is the mark of the next page.
pub(crate) fn page(
    options: &Options,
    place: Place,
    rows: &str,
    data: &Pairs,
    cursor: impl Fn(usize) -> String,
) -> String {
    let words = wording::words(options.language);
    let mut main = format!("<p class=\"total\">{}</p>\n", escaped(&says(options, place)));
    main.push_str(rows);
    main.push_str(&further(options, place, data, cursor));
    main.push_str(&format!("<p class=\"remark\">{}</p>\n", words.sort));
    framed(options.language, words.results, "", &main)
}

/// What the page says about the length of the list.
fn says(options: &Options, place: Place) -> String {
    let language = options.language;
    let Place { total, listed, from, here, .. } = place;
    if total == 0 {
        return wording::words(language).none.to_owned();
    }
    let cut = total > options.most();
    // Some say which of how many the page shows, some only how many.
    let span = (options.seed.is_multiple_of(2) && here > 0).then_some((from + 1, from + here));
    match options.totals {
        Totals::Yes if cut => {
            let sign = wording::cut(language, listed, Some(total));
            if options.seed.is_multiple_of(3) {
                sign
            } else {
                format!("{}. {sign}", wording::matches(language, total, span))
            }
        }
        Totals::Capped if cut => wording::more_than(language, listed),
        Totals::Sign if cut => wording::cut(language, listed, None),
        Totals::Refuse if cut => wording::too_many(language, options.k),
        Totals::Yes | Totals::Capped | Totals::Refuse => wording::matches(language, total, span),
        Totals::No | Totals::Sign => String::new(),
    }
}

fn further(options: &Options, place: Place, data: &Pairs, cursor: impl Fn(usize) -> String) -> String {
    let words = wording::words(options.language);
    let per_page = options.per_page();
    let last = place.listed.div_ceil(per_page).max(1);
    let numbered = |page: usize| {
        let mut all = data.clone();
        all.push(("page".to_owned(), page.to_string()));
        all
    };
    let address = |pairs: &Pairs| escaped(&format!("{RESULTS}?{}", query(pairs, UTF_8)));
    let next = place.page + 1;
    let has_next = next <= last;
    match options.paging {
        Paging::None => String::new(),
        Paging::Numbers => {
            if last == 1 {
                return String::new();
            }
            let near = |page: usize| page == 1 || page == last || page.abs_diff(place.page) <= NEIGHBOURS;
            let one = |page: usize| {
                if page == place.page {
                    format!("<b>{page}</b>")
                } else {
                    format!("<a href=\"{}\">{page}</a>", address(&numbered(page)))
                }
            };
            let links: Vec<String> = (1..=last).filter(|page| near(*page)).map(one).collect();
            format!("<p class=\"pages\">{}: {}</p>\n", words.pages, links.join(" "))
        }
        _ if !has_next => String::new(),
        Paging::Link => {
            format!("<p class=\"pages\"><a rel=\"next\" href=\"{}\">{}</a></p>\n", address(&numbered(next)), words.next)
        }
        Paging::Cursor => {
            let mut all = data.clone();
            all.push(("after".to_owned(), cursor(place.from + place.here)));
            format!("<p class=\"pages\"><a href=\"{}\">{}</a></p>\n", address(&all), words.next)
        }
        Paging::Form | Paging::Post => {
            let method = if options.paging == Paging::Post { "post" } else { "get" };
            let fields: String = numbered(next).iter().map(|(name, value)| hidden(name, value)).collect();
            format!(
                "<form class=\"pages\" action=\"{RESULTS}\" method=\"{method}\">\n{fields}<input type=\"submit\" value=\"{}\"></form>\n",
                words.next
            )
        }
    }
}

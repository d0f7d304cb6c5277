//! A page of a list as markup: its length, its records, and the way to the next page.

use crate::drawn::habits::{Markup, Pager};
use crate::drawn::page::listing::{Listing, numbered, place};
use crate::drawn::page::{framed, json, markup};
use crate::drawn::paths::LIST;
use crate::page::escaped;
use crate::page::form::hidden;

/// Numbers of pages each way, where not all are shown.
const NEIGHBOURS: usize = 3;

/// A page of results.
pub(crate) fn page(listing: &Listing<'_>) -> String {
    let said = listing.tongue.phrases();
    let mut main = format!("<h1>{}</h1>\n", said.results);
    let island = matches!(listing.design.habits.markup, Markup::JsonIsland | Markup::JsonState);
    let says = listing.says();
    if !says.is_empty() && !island {
        main.push_str(&format!("<p class=\"count\">{}</p>\n", escaped(&says)));
    }
    if let Some(cut) = listing.cut() {
        main.push_str(&format!("<p class=\"note\">{}</p>\n", escaped(&cut)));
    }
    main.push_str(&match listing.design.habits.markup {
        Markup::JsonIsland => json::island(listing),
        Markup::JsonState => json::state(listing),
        _ => markup::records(listing),
    });
    if listing.design.habits.markup == Markup::JsonLd {
        main.push_str(&json::linked(listing));
    }
    main.push_str(&pager(listing));
    framed(listing.tongue, said.results, &main)
}

fn pager(listing: &Listing<'_>) -> String {
    let said = listing.tongue.phrases();
    let (page, pages) = (listing.page, listing.pages);
    let link = |to: usize, text: &str| format!("<a href=\"{}\">{text}</a>", escaped(&place(listing, to)));
    let pager = listing.design.habits.pager;
    match pager {
        Pager::None => String::new(),
        _ if pages == 1 => String::new(),
        Pager::Numbers | Pager::Window => {
            let near = |to: &usize| pager == Pager::Numbers || to.abs_diff(page) <= NEIGHBOURS;
            let one = |to: usize| if to == page { format!("<b>{to}</b>") } else { link(to, &to.to_string()) };
            let all: Vec<String> = (1..=pages).filter(near).map(one).collect();
            format!("<div class=\"pages\">{}</div>\n", all.join(" "))
        }
        Pager::Next => {
            let back = if page > 1 { link(page - 1, said.previous) } else { String::new() };
            let on = if page < pages { link(page + 1, said.next) } else { String::new() };
            format!("<p class=\"pages\">{back} {on}</p>\n")
        }
        Pager::Button | Pager::PostButton if page < pages => {
            let method = if pager == Pager::PostButton { "post" } else { "get" };
            let fields: String = numbered(listing, page + 1).iter().map(|(name, value)| hidden(name, value)).collect();
            format!(
                "<form action=\"{LIST}\" method=\"{method}\">\n{fields}<input type=\"submit\" value=\"{}\"></form>\n",
                said.next
            )
        }
        Pager::Button | Pager::PostButton => String::new(),
    }
}

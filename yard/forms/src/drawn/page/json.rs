//! Records as JSON: in the page, or as the answer itself.

use serde_json::{Map, Value, json};

use crate::drawn::habits::Pager;
use crate::drawn::page::listing::{Listing, Stated, place};
use crate::drawn::page::place_of;
use crate::table::Cell;

/// The answer as JSON.
pub(crate) fn answer(listing: &Listing<'_>) -> String {
    let mut object = whole(listing);
    let more = listing.page < listing.pages && listing.design.habits.pager != Pager::None;
    object["page"] = json!(listing.page);
    object["next"] = if more { json!(place(listing, listing.page + 1)) } else { Value::Null };
    object.to_string()
}

/// Records in a script that holds data.
pub(super) fn island(listing: &Listing<'_>) -> String {
    let data = inside(&whole(listing));
    format!("<div id=\"app\"></div>\n<script type=\"application/json\" id=\"data\">{data}</script>\n")
}

/// Records in a script that assigns them.
pub(super) fn state(listing: &Listing<'_>) -> String {
    let data = inside(&json!({"props": {"pageProps": whole(listing)}, "buildId": "x"}));
    format!("<div id=\"app\"></div>\n<script>window.__STATE__ = {data};</script>\n")
}

/// Records as schema.org has them.
pub(super) fn linked(listing: &Listing<'_>) -> String {
    let items = listing.here.iter().enumerate().map(|(nth, record)| {
        json!({"@type": "ListItem", "position": listing.from + nth + 1, "item": record_of(listing, *record)})
    });
    let all: Vec<Value> = items.collect();
    let data = inside(&json!({"@context": "https://schema.org", "@type": "ItemList", "itemListElement": all}));
    format!("<script type=\"application/ld+json\">{data}</script>\n")
}

fn whole(listing: &Listing<'_>) -> Value {
    let items: Vec<Value> = listing.here.iter().map(|record| record_of(listing, *record)).collect();
    let mut object = json!({ "items": items });
    match listing.stated() {
        Stated::Exactly(n) => object["total"] = json!(n),
        Stated::About(n) => object["estimatedTotal"] = json!(n),
        Stated::AtLeast(n) => object["atLeast"] = json!(n),
        Stated::MoreThan(n) => object["moreThan"] = json!(n),
        Stated::Nothing => {}
    }
    object
}

fn record_of(listing: &Listing<'_>, nth: usize) -> Value {
    let (rows, mut object) = (&listing.design.rows, Map::new());
    let row = &rows.cells[nth];
    for (facet, cell) in rows.facets.iter().zip(row).filter(|(facet, _)| facet.shown) {
        let value = match cell {
            Cell::Null => Value::Null,
            Cell::Text(text) => json!(text),
            Cell::Number(number) => json!(number),
            Cell::Set(all) => json!(all),
        };
        object.insert(facet.name.to_owned(), value);
    }
    if listing.design.habits.links {
        object.insert("url".to_owned(), json!(place_of(row)));
    }
    Value::Object(object)
}

/// JSON that can stand in a script.
fn inside(value: &Value) -> String {
    value.to_string().replace("</", "<\\/")
}

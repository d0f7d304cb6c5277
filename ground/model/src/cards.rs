//! The cards that the `meta` elements of a page make, as items of structured data: they are kept as metas, not twice.

use crate::page::Meta;
use crate::structured::{DataItem, DataSyntax, PropertyValue, StructuredData, Thing};

/// The name of a `meta` of Open Graph.
fn is_open_graph(name: &str) -> bool {
    const SPACES: [&str; 8] = ["og", "article", "book", "profile", "video", "music", "product", "fb"];
    name.split_once(':').is_some_and(|(space, _)| SPACES.contains(&space))
}

/// The cards that the `meta` elements of a page make: one of Open Graph, one of Twitter, where there is any.
pub fn cards(metas: &[Meta]) -> Vec<DataItem> {
    let card = |syntax, called: &str, belongs: &dyn Fn(&str) -> bool| {
        let mut thing = Thing::default();
        for meta in metas.iter().filter(|meta| belongs(&meta.name)) {
            thing.add(&meta.name, PropertyValue::Text(meta.content.clone()));
        }
        let called = thing.values(called).first().and_then(PropertyValue::text).unwrap_or_default().trim();
        thing.types = if called.is_empty() { Vec::new() } else { vec![called.to_owned()] };
        (!thing.properties.is_empty()).then_some(DataItem { syntax, line: 0, thing })
    };
    let open_graph = card(DataSyntax::OpenGraph, "og:type", &is_open_graph);
    let twitter = card(DataSyntax::TwitterCard, "twitter:card", &|name| name.starts_with("twitter:"));
    open_graph.into_iter().chain(twitter).collect()
}

/// All a page says to programs: its items, with the [`cards`] behind them.
pub fn with_cards(mut data: StructuredData, metas: &[Meta]) -> StructuredData {
    data.items.extend(cards(metas));
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metas_make_cards() {
        let meta = |name: &str, content: &str| Meta { name: name.into(), content: content.into() };
        let metas = [
            meta("og:type", "article"),
            meta("og:image", "/a.png"),
            meta("description", "x"),
            meta("og:image", "/b.png"),
            meta("twitter:card", "summary"),
        ];
        let cards = cards(&metas);
        let told = serde_json::to_value(&cards).unwrap();
        let wanted = serde_json::json!([
            { "syntax": "open-graph", "types": ["article"],
              "properties": { "og:type": ["article"], "og:image": ["/a.png", "/b.png"] } },
            { "syntax": "twitter-card", "types": ["summary"], "properties": { "twitter:card": ["summary"] } },
        ]);
        assert_eq!(told, wanted);
        assert!(super::cards(&[meta("viewport", "x"), meta("ogre:x", "y")]).is_empty());
    }
}

//! The cards that social networks show of a page: is all there that they ask for?
//!
//! ```text
//! Open Graph     og:title, og:type, og:image and og:url (ogp.me, "Basic Metadata"), if the page has anything of Open Graph
//! Twitter cards  twitter:card with a type that there is; title, or og:title; description, or og:description or the page's own;
//!                for a picture twitter:image, or og:image; if the page has any of twitter:...
//! ```
//!
//! A page with neither is not at fault.

use groma_model::DataSyntax;
use groma_model::page::Meta;

/// What is missing or malformed in a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFault {
    /// Open Graph or Twitter card.
    pub syntax: DataSyntax,
    /// The `meta` it is about, such as `og:image`.
    pub name: &'static str,
    /// What it should be, and what it is; nothing where it is missing or empty.
    pub value: Option<String>,
}

impl CardFault {
    /// For people, such as: `"og:image" is missing`.
    pub fn says(&self) -> String {
        match &self.value {
            Some(value) => format!("\"{}\" {value}", self.name),
            None => format!("\"{}\" is missing", self.name),
        }
    }
}

/// The cards there are, and what each asks for.
const CARDS: [(&str, &[&str]); 4] = [
    ("summary", &[]),
    ("summary_large_image", &["twitter:image"]),
    ("app", &[]),
    ("player", &["twitter:player", "twitter:image"]),
];

/// What is at fault in the cards of a page, by its `meta` elements.
pub fn card_faults(metas: &[Meta]) -> Vec<CardFault> {
    let content = |name: &str| {
        metas
            .iter()
            .filter(|meta| meta.name == name)
            .map(|meta| meta.content.trim())
            .find(|content| !content.is_empty())
    };
    let mut faults = Vec::new();
    if metas.iter().any(|meta| meta.name.starts_with("og:")) {
        let mut fault = |name, value| faults.push(CardFault { syntax: DataSyntax::OpenGraph, name, value });
        for name in ["og:title", "og:type", "og:image", "og:url"] {
            // The picture may be named by its long name.
            let named = content(name).or_else(|| content("og:image:url").filter(|_| name == "og:image"));
            match named {
                None => fault(name, None),
                Some(url) if matches!(name, "og:image" | "og:url") && !is_absolute(url) => {
                    fault(name, Some(not("an absolute URL", url)));
                }
                Some(_) => {}
            }
        }
    }
    if metas.iter().any(|meta| meta.name.starts_with("twitter:")) {
        let mut fault = |name, value| faults.push(CardFault { syntax: DataSyntax::TwitterCard, name, value });
        let any = |names: &[&str]| names.iter().any(|name| content(name).is_some());
        let card = content("twitter:card");
        let known = card.and_then(|card| CARDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(card)));
        match (card, known) {
            (None, _) => fault("twitter:card", None),
            (Some(card), None) => fault("twitter:card", Some(not("a card that there is", card))),
            (Some(_), Some((_, asks))) => {
                for name in *asks {
                    let instead: &[&str] =
                        if *name == "twitter:image" { &["twitter:image:src", "og:image", "og:image:url"] } else { &[] };
                    if content(name).is_none() && !any(instead) {
                        fault(name, None);
                    }
                }
            }
        }
        let is_app = card.is_some_and(|card| card.eq_ignore_ascii_case("app"));
        if !is_app && !any(&["twitter:title", "og:title"]) {
            fault("twitter:title", None);
        }
        if !is_app && !any(&["twitter:description", "og:description", "description"]) {
            fault("twitter:description", None);
        }
    }
    faults
}

fn is_absolute(url: &str) -> bool {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
}

fn not(wanted: &str, value: &str) -> String {
    let shown: String = value.chars().take(60).collect();
    format!("is not {wanted}: \"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metas as `name=content`.
    fn told(metas: &str) -> Vec<String> {
        let metas = metas.split_whitespace().filter_map(|meta| meta.split_once('='));
        let metas: Vec<Meta> =
            metas.map(|(name, content)| Meta { name: name.into(), content: content.into() }).collect();
        card_faults(&metas).iter().map(CardFault::says).collect()
    }

    #[test]
    fn cards_are_whole_or_say_what_they_lack() {
        let graph = "og:title=T og:type=website og:image=https://a.test/i.png og:url=https://a.test/";
        let without = |name: &str| {
            graph.split_whitespace().filter(|meta| !meta.starts_with(&format!("{name}="))).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("description=x"), [""; 0]);
        assert_eq!(told(graph), [""; 0]);
        for name in ["og:title", "og:type", "og:image", "og:url"] {
            assert_eq!(told(&without(name)), [format!("\"{name}\" is missing")]);
        }
        assert_eq!(told(&format!("{} og:image:url=http://a.test/i", without("og:image"))), [""; 0]);
        assert_eq!(
            told(&format!("{} og:image=/i.png", without("og:image"))),
            ["\"og:image\" is not an absolute URL: \"/i.png\""]
        );
        assert_eq!(told(&format!("{} og:title=", without("og:title"))), ["\"og:title\" is missing"]);
    }

    #[test]
    fn twitter_takes_what_open_graph_says() {
        let graph = "og:title=T og:type=website og:image=https://a.test/i.png og:url=https://a.test/ og:description=D";
        for (metas, faults) in [
            (format!("twitter:card=summary {graph}"), &[][..]),
            (format!("twitter:card=summary_large_image {graph}"), &[]),
            ("twitter:card=summary twitter:title=T description=D".into(), &[]),
            (format!("twitter:site=@a {graph}"), &["\"twitter:card\" is missing"]),
            (format!("twitter:card=big {graph}"), &["\"twitter:card\" is not a card that there is: \"big\""]),
            (
                "twitter:card=summary_large_image twitter:title=T twitter:description=D".into(),
                &["\"twitter:image\" is missing"],
            ),
            (format!("twitter:card=player {graph}"), &["\"twitter:player\" is missing"]),
            ("twitter:card=app".into(), &[]),
            ("twitter:card=summary".into(), &["\"twitter:title\" is missing", "\"twitter:description\" is missing"]),
        ] {
            assert_eq!(told(&metas), faults, "{metas}");
        }
    }
}

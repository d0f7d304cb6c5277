//! Which fields belong to which form? The form owner of the HTML standard (4.10.17.3).
//!
//! The element that a `form` attribute names, if it is a form (else nobody); else the form that was open when the parser met
//! the field, also where a table threw the form out from around it; else the nearest form around. Disabled is what says so,
//! or stands in a disabled `fieldset` outside its first `legend`. Cost: linear in the page, and in the depth for each field.

use std::collections::HashMap;

use encoding_rs::{Encoding, UTF_8};
use groma_hel::{Node, Tree};
use groma_url::Url;

use super::control::Builder;
use super::label::Labels;
use super::sending::{action, enctype, method};
use super::{FORMS, Form, place};
use crate::meta::Method;

/// All forms of a page. `page` is its URL, `charset` the name of its character set.
pub fn forms(tree: &Tree, page: &Url, charset: &str) -> Vec<Form> {
    let Some(label) = tree.label_of("form") else { return Vec::new() };
    let base = base(tree, page);
    let charset = Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8);
    let labels = Labels::new(tree);
    let mut builders: Vec<Builder<'_>> = Vec::new();
    let mut by_node: HashMap<Node, usize> = HashMap::new();
    let all = tree.nodes(label);
    for (nth, node) in all.iter().take(FORMS).enumerate() {
        let mut form = opening(tree, *node, page, &base, charset);
        form.nth = nth;
        form.cut = tree.cut().or((all.len() > FORMS).then_some("forms"));
        by_node.insert(*node, nth);
        builders.push(Builder::new(form, &labels, &base));
    }
    let locked = has_locked(tree);
    for field in fields(tree) {
        let owner = owner(tree, field, &labels).and_then(|form| by_node.get(&form));
        if let Some(builder) = owner.and_then(|nth| builders.get_mut(*nth)) {
            builder.add(field, locked && is_locked(tree, field));
        }
    }
    builders.into_iter().map(Builder::finish).collect()
}

/// The URL that others on the page are relative to.
pub(crate) fn base(tree: &Tree, page: &Url) -> Url {
    let bases = tree.label_of("base").map_or(&[][..], |label| tree.nodes(label));
    let href = bases.iter().find_map(|node| tree.attribute(*node, "href"));
    let joined = href.and_then(|href| page.join(href.trim()).ok());
    joined.filter(|url| matches!(url.scheme(), "http" | "https")).unwrap_or_else(|| page.clone())
}

fn fields(tree: &Tree) -> Vec<Node> {
    let kinds = ["input", "select", "textarea", "button"];
    let lists = kinds.iter().filter_map(|name| Some(tree.nodes(tree.label_of(name)?)));
    let mut all: Vec<Node> = lists.flatten().copied().collect();
    all.sort_unstable();
    all
}

fn owner(tree: &Tree, field: Node, labels: &Labels<'_>) -> Option<Node> {
    if let Some(id) = tree.attribute(field, "form") {
        return labels.element(id).filter(|node| tree.name(*node) == "form");
    }
    tree.open_form(field).or_else(|| tree.ancestors(field).find(|above| tree.name(*above) == "form"))
}

fn has_locked(tree: &Tree) -> bool {
    let sets = tree.label_of("fieldset").map_or(&[][..], |label| tree.nodes(label));
    let lists = tree.label_of("datalist").map_or(&[][..], |label| tree.nodes(label));
    !lists.is_empty() || sets.iter().any(|set| tree.attribute(*set, "disabled").is_some())
}

/// Is it switched off by something around it?
fn is_locked(tree: &Tree, field: Node) -> bool {
    tree.ancestors(field).any(|above| match tree.name(above) {
        "datalist" => true,
        "fieldset" if tree.attribute(above, "disabled").is_some() => {
            let legend = tree.children(above).take(64).find(|child| tree.name(*child) == "legend");
            !legend.is_some_and(|legend| tree.holds(legend, field))
        }
        _ => false,
    })
}

fn opening(tree: &Tree, node: Node, page: &Url, base: &Url, charset: &'static Encoding) -> Form {
    let attribute = |name: &str| tree.attribute(node, name);
    let named = |name: &str| attribute(name).map(str::trim).filter(|text| !text.is_empty()).map(place::tidy);
    let sent = method(attribute("method").unwrap_or_default());
    // The first of the sets that is known; none known is UTF-8, none said is the page's.
    let charset = match attribute("accept-charset") {
        None => charset,
        Some(sets) => {
            let sets = sets.split(|c: char| c.is_ascii_whitespace() || c == ',');
            sets.take(16).find_map(|set| Encoding::for_label(set.as_bytes())).unwrap_or(UTF_8)
        }
    };
    let inside = (node + 1..tree.end(node)).take(400);
    let heading = |at: &Node| matches!(tree.name(*at), "legend" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    let title = named("aria-label").or_else(|| named("title"));
    let title = title.or_else(|| inside.clone().find(heading).map(|at| place::words(tree, at)));
    Form {
        nth: 0,
        id: attribute("id").filter(|id| !id.is_empty()).map(str::to_owned),
        name: attribute("name").filter(|name| !name.is_empty()).map(str::to_owned),
        page: page.clone(),
        action: action(attribute("action"), page, base),
        method: sent.unwrap_or(Method::Get),
        dialog: sent.is_none(),
        enctype: enctype(attribute("enctype").unwrap_or_default()),
        charset: charset.output_encoding().name(),
        fields: Vec::new(),
        title: title.unwrap_or_default(),
        navigation: attribute(super::search_box::NAVIGATION).map(str::to_owned),
        cut: None,
    }
}

//! The DB.* tags of a search site.
//!
//! They say what the paper's own method needs: which elements to vary, and where the values stand. A field for beginnings
//! is varied by its first letter; without one, a list of choices is varied; without either there is nothing to say.

use crate::field::{Asks, Field};
use crate::options::{Options, Paging};
use crate::page::records::rules;
use crate::page::{CONFIG, escaped};
use crate::table::Table;

/// Names and contents of the tags.
pub(crate) fn tags(options: &Options, table: &Table, fields: &[Field]) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut tag = |name: &str, content: &str| tags.push((format!("DB.{name}"), content.to_owned()));
    let beginning = fields.iter().find(|field| matches!(field.asks, Asks::Prefix));
    let choice = fields.iter().find(|field| matches!(field.asks, Asks::Select { .. } | Asks::Radio { .. }));
    if let Some(field) = beginning {
        tag("QueryElement", &field.name);
        tag(&format!("QueryElement.{}", field.name), "/[A-Z]%/");
    } else if let Some(field) = choice {
        tag("QueryElement", &field.name);
    }
    let (prefix, rules) = rules(table, options.records);
    tag("Result", prefix);
    for (column, rule) in rules {
        tag(&format!("Result.{column}"), &rule);
    }
    tag("Navigation", if options.paging == Paging::None { "NO" } else { "AUTO" });
    tags
}

/// The tags in the head of a page.
pub(crate) fn in_head(tags: &[(String, String)]) -> String {
    let one = |(name, content): &(String, String)| format!("\n<meta name=\"{name}\" content=\"{}\">", escaped(content));
    tags.iter().map(one).collect()
}

/// The tag that names the file.
pub(crate) fn of_file() -> String {
    in_head(&[("DB.ConfigFile".to_owned(), CONFIG.to_owned())])
}

pub(crate) fn file(tags: &[(String, String)]) -> String {
    tags.iter().map(|(name, content)| format!("{name}: {content}\n")).collect()
}

//! The map of a site in the forms people and programs want: one file per form, all drawn from the same [`SiteMap`].
//!
//! A form is written as it is read: what is known of a page ([`Label`]) is asked for when its turn comes and dropped after, so
//! memory grows with the tree (a few numbers a page), not with URLs and titles.
//!
//! ```
//! use groma_chart::{Field, SiteMap};
//! use groma_graph::Tree;
//!
//! // A page and two below it.
//! let tree = Tree::of_places(vec![0, 1, 2], vec![0, 0, 0]).expect("a tree");
//! let mut map = SiteMap::new(Default::default(), &tree);
//! map.fields = vec![Field::Title, Field::named("rank").expect("a field")];
//! assert!(map.shows(Field::Rank) && map.pages(0) == 3);
//! ```

pub mod gexf;
pub mod graphml;
pub mod html;
pub mod json;
mod label;
mod links;
mod name;
mod parts;
pub mod pdf;
pub mod report;
mod site_map;
pub mod sitemap;
pub mod svg;
pub mod text;
mod value;
mod view;
mod words;
pub mod xml;

pub use label::{Field, Label, Labels};
pub use parts::{Parts, Sort};
pub use site_map::{Heading, SiteMap};
pub use view::View;

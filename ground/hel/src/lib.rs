//! Which pieces of this page are meant? HEL, the HTML extraction language, and the tree of a page it speaks of.
//!
//! Source: A. Sahuguet, F. Azavant, "W4F: the WysiWyg Web Wrapper Factory" (1998), as used in the third paper's section
//! 3.3 for the result pages of databases behind forms. A rule is a path through the tree of a page:
//!
//! ```text
//! html.body->table[1].tr[j:*].td[1].txt WHERE html.body->table[1].tr[j].td[1].font.getAttr(color) = '#FF8000'
//! ```
//!
//! ```text
//! rule   = path [ WHERE cond { AND cond } ]
//! path   = [sep] step { sep step } [ "." prop | fork ] { "," rxop }
//! step   = label [ "[" idx { "," idx } "]" ]        sep = "." | "->"
//! idx    = bound [ (":" | "-") bound ]              bound = INT | "*" | VAR
//! prop   = txt | src | getAttr(NAME) | numberOf[(label)] | getNumberOf[(label)]
//! fork   = "(" "#" path { "#" path } ")"            rxop = ("match" | "split") /regex/[flags]
//! cond   = path op (STRING | NUMBER)                op = = == != =~ !~ < > <= >=
//! ```
//!
//! Beyond that grammar, because rules need it or people write it: a path may be a property or a fork alone (`.txt`, told
//! of the node where a prefix or a fork stands); the first `#` of a fork may be missing; `=~` and `!~` also take
//! `/regex/flags`; `.src` is the HTML of the node (the `src` of an image is `.getAttr(src)`); a quote in a string is written twice; a
//! variable may have more than one condition (it must have one, as in the paper); the flag `g` of `match` asks for all matches.
//!
//! What lines (`hr`), double line breaks, headings or the terms of a `dl` set apart is an element `part` of its own in
//! [`with_parts`]; whoever evaluates rules takes that tree where a rule names a part ([`Rule::names_parts`]).
//!
//! [`Tree::parse`] reads the page, [`Rule::parse`] the rule ([`Fault`] says where and what was expected), [`Rule::extract`]
//! gives a [`Value`]. [`join`] puts a common prefix before a rule. All of it is bounded: see [`Bounds`].
//!
//! ```
//! use groma_hel::{Bounds, Rule, Tree};
//!
//! let bounds = Bounds::default();
//! let page = Tree::parse("<table><tr><td>Brno</td></tr><tr><td>Prague</td></tr></table>", &bounds);
//! let rule = Rule::parse("html.body.table[0].tr[*].td[0].txt").expect("a rule");
//! assert_eq!(rule.extract(&page, &bounds).expect("within bounds").values(), ["Brno", "Prague"]);
//! ```

pub mod bounds;
mod condition;
mod eval;
mod lex;
mod parse;
mod pattern;
mod prefix;
mod print;
mod source;
pub mod syntax;
mod text;
mod tree;
mod value;
mod variables;

pub use bounds::Bounds;
pub use eval::Exceeded;
pub use lex::Fault;
pub use pattern::Pattern;
pub use prefix::{Prefix, join};
pub use source::html_of;
pub use syntax::Rule;
pub use text::clean;
pub use tree::{Children, DOCUMENT, LabelId, Node, PART, Tree, with_parts};
pub use value::Value;

//! What values stand in this page? Named columns by CSS, XPath, regular expression, JSON path or HEL, all read from one tree of the page;
//! and rules made from examples of values.
//!
//! ```
//! use groma_extract::{Cell, Columns, Page, Value, ValueLimits};
//!
//! let columns = ["title=css:h1", "price:number=xpath://dt[.='Price']/following-sibling::dd[1]"];
//! let columns = Columns::new(columns.iter().map(|line| line.parse().expect("a column")).collect()).expect("columns");
//! let page = Page::read("<h1>Tea</h1><dl><dt>Price<dd>$1,234.50</dl>", None);
//! let cells = columns.read(&page, ValueLimits::default());
//! assert_eq!(cells[0].cell, Cell::One(Value::Text("Tea".to_owned())));
//! assert_eq!(cells[1].cell, Cell::One(Value::Number(1234.5)));
//! ```
//!
//! The tree is that of [`groma_hel`], the standard's. Selectors are matched on it by this crate ([`css`], [`xpath`]), because matching has to be
//! counted and stopped and no crate does that; JSON paths by serde_json_path, expressions by regex.

mod column;
mod columns;
pub mod css;
pub mod date;
mod error;
pub mod induce;
mod json;
pub mod number;
mod page;
mod pattern;
mod selector;
mod template;
mod value;
mod work;
pub mod xpath;

pub use column::{Column, ColumnError, NAME_BYTES, WrittenColumn};
pub use columns::{COLUMNS, CellRead, Columns, Flaw};
pub use error::SelectorError;
pub use json::JsonRule;
pub use page::Page;
pub use pattern::PatternRule;
pub use selector::{Language, SELECTOR_BYTES, Selector};
pub use template::{SAME_TEMPLATE, Skeleton};
pub use value::{Cell, ItemType, Value, ValueType};
pub use work::{OutOfWork, ValueLimits, WORK};

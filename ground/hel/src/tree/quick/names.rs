//! What the standard knows of the name of an element: how it opens, what it closes.

/// What happens at the start tag of an element in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// It stands where it stands.
    Plain,
    /// It ends a paragraph.
    Block,
    Heading,
    /// It is open for nobody: no content.
    Void,
    /// The same, and it ends a paragraph.
    Rule,
    /// Text up to its end tag, as it is.
    Raw,
    /// The same, with references; `title` and `textarea`.
    RawWithReferences,
    /// Opened again where it was not closed.
    Formatting,
    ListItem,
    /// `dd` and `dt`.
    Description,
    Table,
    /// `tbody`, `thead`, `tfoot`.
    Rows,
    Row,
    Cell,
    Caption,
    Columns,
    Column,
    Form,
    Button,
    Select,
    /// `option` and `optgroup`.
    Choice,
    /// SVG and MathML.
    Foreign,
    /// `object` and its like: what is open outside does not count inside.
    Object,
    Html,
    Head,
    Body,
    /// The standard has rules for it that are not known here.
    Strange,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameFacts {
    pub(super) opening: Opening,
    /// The search for an open element ends at it.
    pub(super) is_scope: bool,
    /// An end tag of another name does not reach through it.
    pub(super) is_special: bool,
    /// Its end may be left out: others close it.
    pub(super) has_implied_end: bool,
    /// Belongs to the form that is open.
    pub(super) is_field: bool,
    /// Belongs into the head, where nothing says otherwise.
    pub(super) is_head: bool,
}

const SPECIAL: [&str; 81] = [
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "base",
    "basefont",
    "bgsound",
    "blockquote",
    "body",
    "br",
    "button",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "iframe",
    "img",
    "input",
    "isindex",
    "li",
    "link",
    "listing",
    "main",
    "marquee",
    "menu",
    "meta",
    "nav",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "p",
    "param",
    "plaintext",
    "pre",
    "script",
    "section",
    "select",
    "source",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
    "wbr",
];

/// Elements that end what is foreign around them.
const BREAKING: [&str; 46] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
    "script",
];

/// May an element of this name stand in SVG or MathML without ado?
pub(super) fn is_plain_in_foreign(name: &str) -> bool {
    !BREAKING.contains(&name) && !matches!(name, "foreignobject" | "annotation-xml" | "template" | "svg" | "math")
}

/// Does HTML begin again in it?
pub(super) fn is_way_back(name: &str) -> bool {
    matches!(name, "title" | "desc" | "mi" | "mo" | "mn" | "ms" | "mtext")
}

impl NameFacts {
    pub(super) fn of_name(name: &str) -> NameFacts {
        use Opening::{
            Block, Body, Button, Caption, Cell, Choice, Column, Columns, Description, Foreign, Form, Formatting, Head,
            Heading, Html, ListItem, Object, Plain, Raw, RawWithReferences, Row, Rows, Rule, Select, Strange, Table,
            Void,
        };
        let opening = match name {
            "address" | "article" | "aside" | "blockquote" | "center" | "details" | "dialog" | "dir" | "div" | "dl"
            | "fieldset" | "figcaption" | "figure" | "footer" | "header" | "hgroup" | "main" | "menu" | "nav"
            | "ol" | "p" | "pre" | "listing" | "search" | "section" | "summary" | "ul" => Block,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Heading,
            "area" | "br" | "embed" | "img" | "keygen" | "wbr" | "param" | "source" | "track" | "input" | "base"
            | "link" | "meta" => Void,
            "hr" => Rule,
            "script" | "style" | "iframe" | "noembed" | "noframes" => Raw,
            "title" | "textarea" => RawWithReferences,
            "a" | "b" | "big" | "code" | "em" | "font" | "i" | "s" | "small" | "strike" | "strong" | "tt" | "u" => {
                Formatting
            }
            "li" => ListItem,
            "dd" | "dt" => Description,
            "table" => Table,
            "tbody" | "thead" | "tfoot" => Rows,
            "tr" => Row,
            "td" | "th" => Cell,
            "caption" => Caption,
            "colgroup" => Columns,
            "col" => Column,
            "form" => Form,
            "button" => Button,
            "select" => Select,
            "option" | "optgroup" => Choice,
            "svg" | "math" => Foreign,
            "object" | "applet" | "marquee" => Object,
            "html" => Html,
            "head" => Head,
            "body" => Body,
            "template" | "frameset" | "frame" | "plaintext" | "xmp" | "image" | "nobr" | "rb" | "rtc" | "rp" | "rt"
            | "basefont" | "bgsound" | "isindex" => Strange,
            _ => Plain,
        };
        NameFacts {
            opening,
            is_scope: matches!(
                name,
                "applet" | "caption" | "html" | "table" | "td" | "th" | "marquee" | "object" | "select" | "template"
            ),
            is_special: SPECIAL.binary_search(&name).is_ok(),
            has_implied_end: matches!(name, "dd" | "dt" | "li" | "option" | "optgroup" | "p"),
            is_field: matches!(
                name,
                "button" | "fieldset" | "input" | "object" | "output" | "select" | "textarea" | "img"
            ),
            is_head: matches!(name, "base" | "link" | "meta" | "script" | "style" | "title" | "noframes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_so_that_they_are_found() {
        assert!(SPECIAL.is_sorted());
    }
}

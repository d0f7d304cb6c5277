//! The roles of ARIA 1.2, of its module for publications (`doc-`) and for graphics.

/// In order, so that they can be searched.
#[rustfmt::skip]
const ROLES: [&str; 89] = [
    "alert", "alertdialog", "application", "article", "associationlist", "associationlistitemkey", "associationlistitemvalue", "banner",
    "blockquote", "button", "caption", "cell", "checkbox", "code", "columnheader", "combobox", "comment", "complementary", "contentinfo",
    "definition", "deletion", "dialog", "directory", "document", "emphasis", "feed", "figure", "form", "generic", "grid", "gridcell", "group",
    "heading", "image", "img", "insertion", "link", "list", "listbox", "listitem", "log", "main", "mark", "marquee", "math", "menu", "menubar",
    "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "navigation", "none", "note", "option", "paragraph", "presentation",
    "progressbar", "radio", "radiogroup", "region", "row", "rowgroup", "rowheader", "scrollbar", "search", "searchbox", "separator", "slider",
    "spinbutton", "status", "strong", "subscript", "suggestion", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term",
    "textbox", "time", "timer", "toolbar", "tooltip", "tree", "treegrid", "treeitem",
];

/// Whatever its case.
pub(crate) fn is_role(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.starts_with("doc-") || lower.starts_with("graphics-") || ROLES.binary_search(&lower.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_sorted_and_found() {
        assert!(ROLES.is_sorted());
        for role in ["button", "Main", "treeitem", "doc-toc", "textbox", "search"] {
            assert!(is_role(role), "{role}");
        }
        for none in ["", "buton", "text", "footer"] {
            assert!(!is_role(none), "{none}");
        }
    }
}

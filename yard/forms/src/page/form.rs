//! The page of the form.

use crate::field::Field;
use crate::gate::TOKEN;
use crate::options::{Labels, Method, Options};
use crate::page::{RESULTS, controls, escaped, framed};
use crate::wording::words;

/// A hidden element that every question must carry as it is.
pub(crate) const HIDDEN: (&str, &str) = ("form", "search");

/// The box that brings out archived rows.
pub(crate) const ARCHIVED: &str = "archived";

/// The name of the button.
const BUTTON: &str = "go";

/// The page with the form; `head` is what stands in its head besides, `remark` what it says above the form.
pub(crate) fn page(
    options: &Options,
    title: &str,
    fields: &[Field],
    token: Option<&str>,
    head: &str,
    remark: &str,
) -> String {
    let words = words(options.language);
    let method = if options.method == Method::Post { "post" } else { "get" };
    let mut main = String::new();
    if !remark.is_empty() {
        main.push_str(&format!("<p class=\"remark\">{}</p>\n", escaped(remark)));
    }
    main.push_str(&format!("<form action=\"{RESULTS}\" method=\"{method}\">\n"));
    main.push_str(&hidden(HIDDEN.0, HIDDEN.1));
    if let Some(token) = token {
        main.push_str(&hidden(TOKEN, token));
    }
    let mut in_table = false;
    for (nth, field) in fields.iter().enumerate() {
        let wants_table = matches!(field.labels, Labels::Cell | Labels::Above);
        if wants_table != in_table {
            main.push_str(if wants_table { "<table>\n" } else { "</table>\n" });
            in_table = wants_table;
        }
        main.push_str(&controls::field(field, &format!("f{nth}"), &words));
    }
    if in_table {
        main.push_str("</table>\n");
    }
    if options.archived {
        main.push_str(&format!(
            "<p><label><input type=\"checkbox\" name=\"{ARCHIVED}\" value=\"1\"> Include archived</label></p>\n"
        ));
    }
    main.push_str(&format!("<p><input type=\"submit\" name=\"{BUTTON}\" value=\"{}\"></p>\n</form>\n", words.search));
    framed(options.language, title, head, &main)
}

/// A hidden input element.
pub(crate) fn hidden(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", escaped(name), escaped(value))
}

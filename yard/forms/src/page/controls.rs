//! The controls of a field, and the eight ways to say what they are.

use crate::field::{Asks, Choice, Field};
use crate::options::Labels;
use crate::page::escaped;
use crate::wording::Words;

/// A control without what says its name: its tag up to the attributes, and the rest.
struct Control {
    label: String,
    open: String,
    rest: String,
}

impl Control {
    fn input(label: String, kind: &str, name: &str, more: &str) -> Control {
        let open = format!("<input type=\"{kind}\" name=\"{}\"{more}", escaped(name));
        Control { label, open, rest: ">".to_owned() }
    }

    fn with(&self, attributes: &str) -> String {
        format!("{}{attributes}{}", self.open, self.rest)
    }
}

/// A field as it stands in the form. Cells of tables come with their rows; `id` is its own in the page.
pub(crate) fn field(field: &Field, id: &str, words: &Words) -> String {
    match &field.asks {
        Asks::Select { choices, any } => alone(field, &select(field, choices, any.as_deref()), id),
        Asks::Prefix | Asks::Keyword => {
            alone(field, &Control::input(field.label.clone(), "text", &field.name, " size=\"30\""), id)
        }
        Asks::Range { to, date } => {
            let (kind, more) = if *date { ("date", "") } else { ("text", " inputmode=\"decimal\" size=\"12\"") };
            let end = |word: &str, name: &str| Control::input(format!("{} {word}", field.label), kind, name, more);
            pair(field, &end(words.from, &field.name), &end(words.to, to), id, words)
        }
        Asks::Radio { choices, any } => {
            let mut buttons = Vec::new();
            if let Some(any) = any {
                buttons.push(Control::input(any.clone(), "radio", &field.name, " value=\"\" checked"));
            }
            let first = any.is_none();
            buttons.extend(choices.iter().enumerate().map(|(nth, choice)| {
                let checked = if first && nth == 0 { " checked" } else { "" };
                button(choice, "radio", &field.name, checked)
            }));
            group(field, &buttons, id)
        }
        Asks::Checks { choices, .. } => {
            let boxes: Vec<Control> =
                choices.iter().map(|choice| button(choice, "checkbox", &field.name, "")).collect();
            group(field, &boxes, id)
        }
    }
}

fn button(choice: &Choice, kind: &str, name: &str, more: &str) -> Control {
    let more = format!(" value=\"{}\"{more}", escaped(&choice.value));
    Control::input(choice.shown.clone(), kind, name, &more)
}

fn select(field: &Field, choices: &[Choice], any: Option<&str>) -> Control {
    let mut rest = ">".to_owned();
    if let Some(any) = any {
        rest.push_str(&format!("<option value=\"\">{}</option>", escaped(any)));
    }
    for choice in choices {
        // An option without a value is sent as it is called.
        let value =
            if choice.value == choice.shown { String::new() } else { format!(" value=\"{}\"", escaped(&choice.value)) };
        rest.push_str(&format!("<option{value}>{}</option>", escaped(&choice.shown)));
    }
    rest.push_str("</select>");
    Control { label: field.label.clone(), open: format!("<select name=\"{}\"", escaped(&field.name)), rest }
}

/// A control with its name beside it, in it or around it.
fn named(control: &Control, labels: Labels, id: &str, after: bool) -> String {
    let label = escaped(&control.label);
    let around = |label: &str, control: &str| {
        if after { format!("{control} {label}") } else { format!("{label} {control}") }
    };
    match labels {
        Labels::For => around(&format!("<label for=\"{id}\">{label}</label>"), &control.with(&format!(" id=\"{id}\""))),
        Labels::Wrap => format!("<label>{}</label>", around(&label, &control.with(""))),
        Labels::Aria => control.with(&format!(" aria-label=\"{label}\"")),
        Labels::Labelledby => {
            around(&format!("<span id=\"{id}\">{label}</span>"), &control.with(&format!(" aria-labelledby=\"{id}\"")))
        }
        Labels::Title => control.with(&format!(" title=\"{label}\"")),
        Labels::Neighbour | Labels::Cell | Labels::Above => around(&label, &control.with("")),
    }
}

fn alone(field: &Field, control: &Control, id: &str) -> String {
    let label = escaped(&control.label);
    match field.labels {
        Labels::Cell => format!("<tr><td>{label}</td><td>{}</td></tr>\n", control.with("")),
        Labels::Above => format!("<tr><td>{label}</td></tr><tr><td>{}</td></tr>\n", control.with("")),
        Labels::Neighbour => format!("{label}: {}<br>\n", control.with("")),
        labels => format!("<p>{}</p>\n", named(control, labels, id, false)),
    }
}

fn pair(field: &Field, low: &Control, high: &Control, id: &str, words: &Words) -> String {
    let label = escaped(&field.label);
    let both = format!("{} {} {} {}", words.from, low.with(""), words.to, high.with(""));
    match field.labels {
        Labels::Cell => format!("<tr><td>{label}</td><td>{both}</td></tr>\n"),
        // Each end has its own column, with its name above it.
        Labels::Above => format!(
            "<tr><td>{}</td><td>{}</td></tr><tr><td>{}</td><td>{}</td></tr>\n",
            escaped(&low.label),
            escaped(&high.label),
            low.with(""),
            high.with("")
        ),
        Labels::Neighbour => format!("{label} {both}<br>\n"),
        labels => {
            let (low, high) = (named(low, labels, id, false), named(high, labels, &format!("{id}-to"), false));
            format!("<p>{low} {high}</p>\n")
        }
    }
}

fn group(field: &Field, buttons: &[Control], id: &str) -> String {
    let label = escaped(&field.label);
    let each: Vec<String> = buttons
        .iter()
        .enumerate()
        .map(|(nth, button)| named(button, field.labels, &format!("{id}-{nth}"), true))
        .collect();
    let each = each.join("\n");
    match field.labels {
        Labels::Cell => format!("<tr><td>{label}</td><td>{each}</td></tr>\n"),
        Labels::Above => format!("<tr><td>{label}</td></tr><tr><td>{each}</td></tr>\n"),
        Labels::Neighbour => format!("{label}: {each}<br>\n"),
        Labels::Aria | Labels::Title => format!("<div role=\"group\" aria-label=\"{label}\">{each}</div>\n"),
        _ => format!("<fieldset><legend>{label}</legend>{each}</fieldset>\n"),
    }
}

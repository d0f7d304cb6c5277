//! The page with the form: every control with its label, in the site's own style.

use crate::drawn::control::{Asks, Caption, Choices, Control};
use crate::drawn::design::Design;
use crate::drawn::door::TOKEN;
use crate::drawn::page::framed;
use crate::drawn::paths::LIST;
use crate::drawn::rows::Rows;
use crate::drawn::tongue::Tongue;
use crate::field::Choice;
use crate::options::Labels;
use crate::page::escaped;
use crate::page::form::hidden;

/// The page; `remark` is what it says above the form.
pub(crate) fn page(design: &Design, token: Option<&str>, remark: &str) -> String {
    let (habits, tongue) = (&design.habits, design.habits.tongue);
    let said = tongue.phrases();
    let mut main = format!("<h1>{}: {}</h1>\n", said.search, said.nouns[design.rows.topic as usize]);
    if !remark.is_empty() {
        main.push_str(&format!("<p class=\"remark\">{}</p>\n", escaped(remark)));
    }
    let method = if habits.post { "post" } else { "get" };
    main.push_str(&format!("<form action=\"{LIST}\" method=\"{method}\">\n"));
    if let Some(token) = token {
        main.push_str(&hidden(TOKEN, token));
    }
    let mut in_table = false;
    for (nth, control) in design.controls.iter().enumerate() {
        let wants_table = matches!(control.style, Labels::Cell | Labels::Above) && is_labelled(&control.asks);
        if wants_table != in_table {
            main.push_str(if wants_table { "<table>\n" } else { "</table>\n" });
            in_table = wants_table;
        }
        main.push_str(&shown(control, &format!("f{nth}"), &design.rows, tongue));
    }
    if in_table {
        main.push_str("</table>\n");
    }
    main.push_str(&format!("<p><button type=\"submit\">{}</button></p>\n</form>\n", said.search));
    framed(tongue, said.search, &main)
}

/// Groups have legends, boxes have their text behind them, hidden elements have nothing.
fn is_labelled(asks: &Asks) -> bool {
    !matches!(asks, Asks::Radio(_) | Asks::Boxes { .. } | Asks::Widen | Asks::Narrow | Asks::Fixed(_) | Asks::Trap(_))
}

fn caption(control: &Control, tongue: Tongue) -> &'static str {
    let said = tongue.phrases();
    match control.caption {
        Caption::Label(label) => tongue.label(label),
        Caption::Widen(nth) => said.widen[nth % 3],
        Caption::Narrow(nth) => said.narrow[nth % 3],
        Caption::Search => said.search,
        Caption::Sort => said.sort,
        Caption::PageSize => said.page_size,
        Caption::View => said.view,
    }
}

fn shown(control: &Control, id: &str, rows: &Rows, tongue: Tongue) -> String {
    let said = tongue.phrases();
    let (name, caption) = (escaped(&control.name), caption(control, tongue));
    let place = Place { id, caption, style: control.style };
    match &control.asks {
        Asks::Select(choices) => place.labelled(&|more| select(&name, more, &options(choices, tongue))),
        Asks::Multi { choices } => place.labelled(&|more| {
            let all: String = choices.iter().map(|choice| option(&choice.value, &choice.shown, false)).collect();
            select(&name, &format!("{more} multiple size=\"4\""), &all)
        }),
        Asks::Radio(choices) => group(caption, &radios(&name, choices, tongue)),
        Asks::Boxes { choices, .. } => {
            let one = |choice: &Choice| {
                let value = escaped(&choice.value);
                let input = format!("<input type=\"checkbox\" name=\"{name}\" value=\"{value}\">");
                format!("<label>{input} {}</label>\n", escaped(&choice.shown))
            };
            group(caption, &choices.iter().map(one).collect::<String>())
        }
        Asks::Widen | Asks::Narrow => {
            format!("<p><label><input type=\"checkbox\" name=\"{name}\" value=\"1\"> {caption}</label></p>\n")
        }
        Asks::Slider { low, high, start, .. } => place.labelled(&|more| {
            format!("<input type=\"range\" name=\"{name}\" min=\"{low}\" max=\"{high}\" value=\"{start}\"{more}>")
        }),
        Asks::Range { to, date } => {
            let kind = if *date { "date" } else { "number" };
            let first = Place { caption: &format!("{caption} {}", said.from), ..place };
            let second_id = format!("{id}b");
            let second = Place { id: &second_id, caption: &format!("{caption} {}", said.to), ..place };
            let input = |name: &str, more: &str| format!("<input type=\"{kind}\" name=\"{name}\"{more}>");
            first.labelled(&|more| input(&name, more)) + &second.labelled(&|more| input(&escaped(to), more))
        }
        Asks::Text(_) => place.labelled(&|more| format!("<input type=\"text\" name=\"{name}\"{more}>")),
        Asks::Fixed(value) => hidden(&control.name, value),
        Asks::Trap(trap) => trap.shown(&control.name, caption),
        Asks::Sort(orders) => {
            let label = |order: &crate::drawn::control::Order| match order {
                crate::drawn::control::Order::Rank => "–".to_owned(),
                crate::drawn::control::Order::By { column, descending } => {
                    let label = rows.facets.get(*column).map_or("", |facet| tongue.label(facet.label));
                    format!("{label} {}", if *descending { "↓" } else { "↑" })
                }
            };
            let all: String = orders.iter().map(|(value, order)| option(value, &label(order), false)).collect();
            place.labelled(&|more| select(&name, more, &all))
        }
        Asks::PageSize(sizes) => {
            let all: String = sizes.iter().map(|size| option(&size.to_string(), &size.to_string(), false)).collect();
            place.labelled(&|more| select(&name, more, &all))
        }
        Asks::Interface(tongues) => {
            let one = |tongue: &Tongue| option(tongue.phrases().code, tongue.phrases().native, false);
            let all: String = tongues.iter().map(one).collect();
            place.labelled(&|more| select(&name, more, &all))
        }
        Asks::View(values) => {
            let all: String = values.iter().zip(said.views).map(|(value, shown)| option(value, shown, false)).collect();
            place.labelled(&|more| select(&name, more, &all))
        }
    }
}

fn select(name: &str, more: &str, options: &str) -> String {
    format!("<select name=\"{name}\"{more}>{options}</select>")
}

fn option(value: &str, shown: &str, selected: bool) -> String {
    let selected = if selected { " selected" } else { "" };
    format!("<option value=\"{}\"{selected}>{}</option>\n", escaped(value), escaped(shown))
}

/// The choices in order: what asks for nothing comes first, what asks for records without a value last.
fn listed(choices: &Choices, tongue: Tongue) -> Vec<(&str, &str, bool)> {
    let said = tongue.phrases();
    let any = choices.any.as_deref().map(|value| {
        let wording = if value.is_empty() { said.any[0] } else { said.any[1] };
        (value, wording, choices.default.is_none())
    });
    let own = choices.all.iter().enumerate();
    let own = own.map(|(nth, choice)| (choice.value.as_str(), choice.shown.as_str(), choices.default == Some(nth)));
    let without = choices.without.as_deref().map(|value| (value, said.none_given, false));
    any.into_iter().chain(own).chain(without).collect()
}

fn options(choices: &Choices, tongue: Tongue) -> String {
    // What is first is chosen anyway.
    let all = listed(choices, tongue);
    all.iter().map(|(value, shown, chosen)| option(value, shown, *chosen && choices.default.is_some())).collect()
}

fn radios(name: &str, choices: &Choices, tongue: Tongue) -> String {
    let one = |(value, shown, chosen): (&str, &str, bool)| {
        let checked = if chosen { " checked" } else { "" };
        let value = escaped(value);
        format!("<label><input type=\"radio\" name=\"{name}\" value=\"{value}\"{checked}> {}</label>\n", escaped(shown))
    };
    listed(choices, tongue).into_iter().map(one).collect()
}

fn group(caption: &str, inside: &str) -> String {
    format!("<fieldset><legend>{}</legend>\n{inside}</fieldset>\n", escaped(caption))
}

/// Where a label goes.
#[derive(Clone, Copy)]
struct Place<'p> {
    id: &'p str,
    caption: &'p str,
    style: Labels,
}

impl Place<'_> {
    /// A control with its label; `control` is given the attributes that it needs for that.
    fn labelled(self, control: &dyn Fn(&str) -> String) -> String {
        let (id, caption) = (self.id, escaped(self.caption));
        match self.style {
            Labels::For => {
                format!("<p><label for=\"{id}\">{caption}</label> {}</p>\n", control(&format!(" id=\"{id}\"")))
            }
            Labels::Wrap => format!("<p><label>{caption} {}</label></p>\n", control("")),
            Labels::Aria => format!("<p>{}</p>\n", control(&format!(" aria-label=\"{caption}\""))),
            Labels::Labelledby => {
                let own = control(&format!(" aria-labelledby=\"{id}l\""));
                format!("<p><span id=\"{id}l\">{caption}</span> {own}</p>\n")
            }
            Labels::Title => format!("<p>{}</p>\n", control(&format!(" title=\"{caption}\""))),
            Labels::Neighbour => format!("<p>{caption}: {}</p>\n", control("")),
            Labels::Cell => format!("<tr><td>{caption}</td><td>{}</td></tr>\n", control("")),
            Labels::Above => format!("<tr><td>{caption}</td></tr><tr><td>{}</td></tr>\n", control("")),
        }
    }
}

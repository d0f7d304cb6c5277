//! What is this field? Elements read into fields, and buttons of one name into groups.
//!
//! Values as a fresh page has them: the options of a select with `value` or else their text, the first option of a
//! drop-down list if none is chosen; radio buttons and boxes without `value` are `on`; a slide without value stands in the
//! middle, a color is black. Cost: linear in the form, cut at the bounds of the module.

use std::collections::HashMap;

use groma_hel::{Node, Tree, clean};
use groma_url::Url;

use super::label::Labels;
use super::open::is_open;
use super::{BYTES, CHOICES, Choice, FIELDS, Field, Form, Kind, LabelFrom, Overrides, place, sending};

/// Puts a form together, field by field.
pub(super) struct Builder<'t> {
    form: Form,
    labels: &'t Labels<'t>,
    tree: &'t Tree,
    base: Url,
    /// By kind and name: the field, and the nodes of its first two members.
    groups: HashMap<(Kind, String), (usize, Node, Option<Node>)>,
    controls: usize,
    choices: usize,
    bytes: usize,
}

impl<'t> Builder<'t> {
    pub(super) fn new(form: Form, labels: &'t Labels<'t>, base: &Url) -> Builder<'t> {
        let tree = labels.tree();
        Builder { form, labels, tree, base: base.clone(), groups: HashMap::new(), controls: 0, choices: 0, bytes: 0 }
    }

    fn attribute(&self, node: Node, name: &str) -> Option<&'t str> {
        self.tree.attribute(node, name)
    }

    /// Is there room for so much? If not, the form is cut.
    fn room(&mut self, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        let full = match () {
            () if self.controls > FIELDS => Some("fields"),
            () if self.choices > CHOICES => Some("choices"),
            () if self.bytes > BYTES => Some("bytes"),
            () => None,
        };
        self.form.cut = self.form.cut.or(full);
        full.is_none()
    }

    /// Adds a field; `locked` says that something around it switches it off.
    pub(super) fn add(&mut self, node: Node, locked: bool) {
        let kind = kind(self.tree, node);
        let name = self.attribute(node, "name").unwrap_or_default();
        let value = self.attribute(node, "value").unwrap_or_default();
        self.controls += 1;
        if !self.room(name.len() + value.len()) {
            return;
        }
        let disabled = locked || self.attribute(node, "disabled").is_some();
        let (label, label_from) = self.labels.field_label(node, kind);
        if matches!(kind, Kind::Radio | Kind::CheckBox) {
            self.member(node, kind, name, disabled, (label, label_from));
            return;
        }
        let mut field = self.blank(node, kind, name);
        (field.label, field.label_from, field.disabled) = (label, label_from, disabled);
        match kind {
            Kind::Select | Kind::MultiSelect => self.options(node, &mut field),
            Kind::TextArea => field.default = self.content(node),
            Kind::Submit | Kind::Image | Kind::Button | Kind::Reset => {
                field.default = value.to_owned();
                field.overrides = self.overrides(node);
            }
            _ => {
                field.default = sanitized(kind, value, &field);
                if kind.is_typed() {
                    self.suggestions(node, &mut field);
                }
            }
        }
        self.form.fields.push(field);
    }

    fn blank(&self, node: Node, kind: Kind, name: &str) -> Field {
        let tree = self.tree;
        let short = |attribute: &str| {
            let text = tree.attribute(node, attribute).map(str::trim).filter(|text| !text.is_empty());
            text.filter(|text| text.len() <= 1000).map(str::to_owned)
        };
        let dirname = tree.attribute(node, "dirname").filter(|name| !name.is_empty()).map(|name| {
            let own = std::iter::once(node).chain(tree.ancestors(node));
            let direction =
                own.filter_map(|at| tree.attribute(at, "dir")).find(|dir| !dir.eq_ignore_ascii_case("auto"));
            (name.to_owned(), direction.is_some_and(|direction| direction.eq_ignore_ascii_case("rtl")))
        });
        Field {
            name: name.to_owned(),
            kind,
            label: String::new(),
            label_from: LabelFrom::Nowhere,
            values: Vec::new(),
            default: String::new(),
            min: short("min"),
            max: short("max"),
            step: short("step"),
            max_length: short("maxlength").and_then(|text| text.parse().ok()),
            pattern: short("pattern"),
            required: tree.attribute(node, "required").is_some(),
            disabled: false,
            read_only: tree.attribute(node, "readonly").is_some(),
            dirname,
            overrides: None,
            place: node,
        }
    }

    /// One button of a group.
    fn member(&mut self, node: Node, kind: Kind, name: &str, disabled: bool, label: (String, LabelFrom)) {
        self.choices += 1;
        let choice = Choice {
            value: self.attribute(node, "value").unwrap_or("on").to_owned(),
            label: label.0.clone(),
            chosen: self.attribute(node, "checked").is_some(),
            disabled,
            open: false,
            place: node,
        };
        let key = (kind, name.to_owned());
        if let Some((nth, _, second)) = self.groups.get_mut(&key).filter(|_| !name.is_empty()) {
            second.get_or_insert(node);
            if let Some(field) = self.form.fields.get_mut(*nth) {
                // Of radio buttons the last one that is checked is.
                if kind == Kind::Radio && choice.chosen {
                    field.values.iter_mut().for_each(|other| other.chosen = false);
                }
                field.values.push(choice);
            }
            return;
        }
        let mut field = self.blank(node, kind, name);
        (field.label, field.label_from) = label;
        field.values.push(choice);
        self.groups.insert(key, (self.form.fields.len(), node, None));
        self.form.fields.push(field);
    }

    fn options(&mut self, node: Node, field: &mut Field) {
        let tree = self.tree;
        let mut off_until = 0;
        for at in node + 1..tree.end(node) {
            match tree.name(at) {
                "optgroup" if tree.attribute(at, "disabled").is_some() => off_until = tree.end(at),
                "option" => {
                    let choice = self.option(at, at < off_until);
                    self.choices += 1;
                    if !self.room(choice.value.len() + choice.label.len()) {
                        break;
                    }
                    field.values.push(choice);
                }
                _ => {}
            }
        }
        if field.kind == Kind::Select {
            // One at most, the last; and of a list that drops down the first that can be, if none is.
            let last = field.values.iter().rposition(|choice| choice.chosen);
            field.values.iter_mut().enumerate().for_each(|(nth, choice)| choice.chosen = Some(nth) == last);
            let size: u32 = tree.attribute(node, "size").and_then(|size| size.trim().parse().ok()).unwrap_or(1);
            if last.is_none()
                && size <= 1
                && let Some(first) = field.values.iter_mut().find(|choice| !choice.disabled)
            {
                first.chosen = true;
            }
        }
    }

    fn option(&self, node: Node, off: bool) -> Choice {
        let text = place::words(self.tree, node);
        let label = self.attribute(node, "label").map(clean).filter(|label| !label.is_empty());
        let own = || clean(&self.tree.txt(node, BYTES).unwrap_or_default());
        Choice {
            value: self.attribute(node, "value").map_or_else(own, str::to_owned),
            label: label.unwrap_or(text),
            chosen: self.attribute(node, "selected").is_some(),
            disabled: off || self.attribute(node, "disabled").is_some(),
            open: false,
            place: node,
        }
    }

    fn suggestions(&mut self, node: Node, field: &mut Field) {
        let tree = self.tree;
        let list = self.attribute(node, "list").and_then(|id| self.labels.element(id));
        let Some(list) = list.filter(|list| tree.name(*list) == "datalist") else { return };
        for at in (list + 1..tree.end(list)).filter(|at| tree.name(*at) == "option") {
            let choice = self.option(at, false);
            self.choices += 1;
            if choice.disabled || choice.value.is_empty() {
                continue;
            }
            if !self.room(choice.value.len() + choice.label.len()) {
                break;
            }
            field.values.push(choice);
        }
    }

    /// What a text area holds, as it stands there.
    fn content(&mut self, node: Node) -> String {
        let mut text = String::new();
        for child in self.tree.children(node) {
            let part = self.tree.text(child);
            if !self.room(part.len()) {
                break;
            }
            text.push_str(part);
        }
        text
    }

    fn overrides(&self, node: Node) -> Option<Overrides> {
        let said = |name: &str| self.attribute(node, name).filter(|text| !text.trim().is_empty());
        let (action, method, enctype) = (said("formaction"), said("formmethod"), said("formenctype"));
        if action.is_none() && method.is_none() && enctype.is_none() {
            return None;
        }
        Some(Overrides {
            action: action.and_then(|action| sending::action(Some(action), &self.form.page, &self.base)),
            method: method.and_then(sending::method),
            enctype: enctype.map(sending::enctype),
        })
    }

    /// The form with what is only known at its end: labels of groups, open choices.
    pub(super) fn finish(mut self) -> Form {
        for (nth, first, second) in self.groups.values() {
            let Some(field) = self.form.fields.get_mut(*nth) else { continue };
            if let Some(second) = second {
                (field.label, field.label_from) = self.labels.of_group(*first, *second);
            }
            field.disabled = field.values.iter().all(|choice| choice.disabled);
        }
        for field in self.form.fields.iter_mut().filter(|field| field.kind.is_chosen()) {
            let count = field.values.len();
            // A box is ticked or not: its values are conditions.
            if field.kind != Kind::CheckBox {
                field.values.iter_mut().for_each(|choice| choice.open = is_open(&choice.value, &choice.label, count));
            }
        }
        self.form
    }
}

fn kind(tree: &Tree, node: Node) -> Kind {
    let said = tree.attribute(node, "type").unwrap_or_default().trim().to_ascii_lowercase();
    match (tree.name(node), said.as_str()) {
        ("select", _) if tree.attribute(node, "multiple").is_some() => Kind::MultiSelect,
        ("select", _) => Kind::Select,
        ("textarea", _) => Kind::TextArea,
        ("button", "button") | ("input", "button") => Kind::Button,
        ("button" | "input", "reset") => Kind::Reset,
        ("button", _) | ("input", "submit") => Kind::Submit,
        (_, "image") => Kind::Image,
        (_, "search") => Kind::Search,
        (_, "tel") => Kind::Tel,
        (_, "url") => Kind::Url,
        (_, "email") => Kind::Email,
        (_, "number") => Kind::Number,
        (_, "range") => Kind::Range,
        (_, "date") => Kind::Date,
        (_, "month") => Kind::Month,
        (_, "week") => Kind::Week,
        (_, "time") => Kind::Time,
        (_, "datetime-local" | "datetime") => Kind::DateTime,
        (_, "color") => Kind::Color,
        (_, "radio") => Kind::Radio,
        (_, "checkbox") => Kind::CheckBox,
        (_, "hidden") => Kind::Hidden,
        (_, "password") => Kind::Password,
        (_, "file") => Kind::File,
        _ => Kind::Text,
    }
}

/// What a browser makes of a value before anybody touches it.
fn sanitized(kind: Kind, value: &str, field: &Field) -> String {
    match kind {
        Kind::Hidden => value.to_owned(),
        Kind::Color if value.trim().is_empty() => "#000000".to_owned(),
        Kind::Range if value.trim().parse::<f64>().is_err() => {
            let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<f64>().ok());
            let min = number(&field.min).unwrap_or(0.0);
            let max = number(&field.max).unwrap_or(100.0).max(min);
            let step = number(&field.step).filter(|step| *step > 0.0).unwrap_or(1.0);
            let middle = min + (((max - min) / 2.0) / step).round() * step;
            if middle.is_finite() { format!("{middle}") } else { String::new() }
        }
        Kind::Number if value.trim().parse::<f64>().is_err() => String::new(),
        Kind::Url | Kind::Email => value.replace(['\r', '\n'], "").trim().to_owned(),
        _ => value.replace(['\r', '\n'], ""),
    }
}

//! The forms of a page and their fields, as they would be sent untouched.

use groma_model::Target;
use groma_model::page::{Field, Form};
use groma_url::Url;

use super::attributes::{Attr, Attributes};
use super::links::Resolver;
use crate::fold::Folded;

/// Collects forms. Fields outside of any form are passed over, as are fields without a name: they are never sent.
#[derive(Debug)]
pub(crate) struct Forms {
    done: Vec<Form>,
    open: bool,
    select: Option<Select>,
    textarea: Option<String>,
    most: u64,
    /// Fields and options that may still come.
    room: u64,
    /// There were more forms.
    pub(crate) cut: bool,
    /// There were more fields or options.
    pub(crate) cut_fields: bool,
}

#[derive(Debug, Default)]
struct Select {
    /// It belongs to an open form and has a name.
    kept: bool,
    multiple: bool,
    chosen: bool,
    option: Option<Choice>,
}

#[derive(Debug, Default)]
struct Choice {
    value: Option<String>,
    label: String,
    text: Folded,
    selected: bool,
}

impl Forms {
    pub(crate) fn new(most: u64, room: u64) -> Forms {
        Forms { done: Vec::new(), open: false, select: None, textarea: None, most, room, cut: false, cut_fields: false }
    }

    /// A form begins, unless one is open.
    pub(crate) fn begin(&mut self, attributes: &Attributes<'_>) {
        if self.open {
            return;
        }
        if self.done.len() as u64 >= self.most {
            self.cut = true;
            return;
        }
        self.open = true;
        let post = attributes.text(Attr::Method).trim_ascii().eq_ignore_ascii_case("post");
        let action = attributes.text(Attr::Action).trim_ascii().to_owned();
        self.done.push(Form { action, method: if post { "post" } else { "get" }.to_owned(), fields: Vec::new() });
    }

    pub(crate) fn end(&mut self) {
        self.end_select();
        self.open = false;
    }

    /// Is a form open?
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Is a select open? Its text is nobody's paragraph.
    pub(crate) fn in_select(&self) -> bool {
        self.select.is_some()
    }

    fn admit(&mut self) -> bool {
        self.cut_fields |= self.room == 0;
        let fits = self.room > 0;
        self.room = self.room.saturating_sub(1);
        fits
    }

    fn field(&mut self, attributes: &Attributes<'_>, kind: String, value: String) -> bool {
        let name = attributes.text(Attr::Name);
        if !self.open || name.is_empty() || !self.admit() {
            return false;
        }
        let Some(form) = self.done.last_mut() else { return false };
        form.fields.push(Field { name: name.to_owned(), kind, value, options: Vec::new() });
        true
    }

    pub(crate) fn input(&mut self, attributes: &Attributes<'_>) {
        self.end_select();
        let kind = match attributes.text(Attr::Type).trim_ascii() {
            "" => "text".to_owned(),
            kind => kind.to_ascii_lowercase(),
        };
        let value = match attributes.get(Attr::Value) {
            None if matches!(kind.as_str(), "checkbox" | "radio") => "on",
            value => value.unwrap_or_default(),
        };
        self.field(attributes, kind, value.to_owned());
    }

    pub(crate) fn button(&mut self, attributes: &Attributes<'_>) {
        let kind = match attributes.text(Attr::Type).trim_ascii().to_ascii_lowercase() {
            kind if matches!(kind.as_str(), "button" | "reset") => kind,
            _ => "submit".to_owned(),
        };
        self.field(attributes, kind, attributes.text(Attr::Value).to_owned());
    }

    pub(crate) fn begin_select(&mut self, attributes: &Attributes<'_>) {
        self.end_select();
        let kept = self.field(attributes, "select".to_owned(), String::new());
        self.select = Some(Select { kept, multiple: attributes.has(Attr::Multiple), ..Select::default() });
    }

    pub(crate) fn end_select(&mut self) {
        self.end_option();
        self.select = None;
    }

    pub(crate) fn begin_option(&mut self, attributes: &Attributes<'_>) {
        self.end_option();
        if let Some(select) = &mut self.select {
            select.option = Some(Choice {
                value: attributes.get(Attr::Value).map(str::to_owned),
                label: attributes.text(Attr::Label).to_owned(),
                text: Folded::default(),
                selected: attributes.has(Attr::Selected),
            });
        }
    }

    pub(crate) fn end_option(&mut self) {
        let Some(mut option) = self.select.as_mut().and_then(|select| select.option.take()) else { return };
        if !self.select.as_ref().is_some_and(|select| select.kept) || !self.admit() {
            return;
        }
        let text = option.text.take();
        let label = if option.label.is_empty() { text.clone() } else { option.label };
        let value = option.value.unwrap_or(text);
        let (Some(select), Some(field)) =
            (&mut self.select, self.done.last_mut().and_then(|form| form.fields.last_mut()))
        else {
            return;
        };
        // A list of which one is chosen shows its first option until another one is.
        let first = field.options.is_empty() && !select.multiple;
        if first || (option.selected && (!select.chosen || !select.multiple)) {
            field.value.clone_from(&value);
        }
        select.chosen |= option.selected;
        field.options.push((value, label));
    }

    /// Text inside a select.
    pub(crate) fn option_text(&mut self, text: &str, room: usize) {
        if let Some(option) = self.select.as_mut().and_then(|select| select.option.as_mut()) {
            option.text.push(text, room);
        }
    }

    pub(crate) fn begin_textarea(&mut self, attributes: &Attributes<'_>) {
        self.end_select();
        let kept = self.field(attributes, "textarea".to_owned(), String::new());
        self.textarea = kept.then(String::new);
    }

    pub(crate) fn textarea_text(&mut self, text: &str, room: usize) {
        if let Some(value) = &mut self.textarea
            && value.len() + text.len() <= room
        {
            value.push_str(text);
        }
    }

    pub(crate) fn end_textarea(&mut self) {
        if let Some(value) = self.textarea.take()
            && let Some(field) = self.done.last_mut().and_then(|form| form.fields.last_mut())
        {
            field.value = value.strip_prefix('\n').unwrap_or(&value).to_owned();
        }
    }

    /// All forms, their actions resolved.
    pub(crate) fn finish(mut self, base: &Resolver<'_>, page: &Url) -> Vec<Form> {
        self.end_textarea();
        self.end();
        for form in &mut self.done {
            if form.action.is_empty() {
                form.action = page.as_str().to_owned();
            } else if let Some(Target::Web(url)) = base.resolve(&form.action) {
                form.action = url.into();
            }
        }
        self.done
    }
}

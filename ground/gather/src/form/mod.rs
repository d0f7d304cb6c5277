//! What can be asked here? The forms of a page: their fields, labels and values, and the requests they make.
//!
//! [`forms`] reads them off the tree of a page by the HTML standard (4.10). A field is what a person fills in: radio
//! buttons of one name are one field, and so are check boxes of one name. [`data_set`] and [`request`] say what is sent
//! by the standard; [`looks`](Form::looks) says whether it is a search form, [`ranges`](Form::ranges)
//! which fields are two ends of one thing, [`tokens`] which hidden values are made for one visit.
//!
//! Cost: linear in the page; each label looks at a bounded number of nodes. What is beyond [`FORMS`], [`FIELDS`],
//! [`CHOICES`] or [`BYTES`] is left out, and [`Form::cut`] says so. Not guaranteed: forms that scripts make are not seen.

mod control;
mod data;
mod encode;
mod label;
mod looks;
mod open;
mod owner;
mod place;
mod range;
pub mod search_box;
mod sending;
mod token;

pub use data::{OMITTED, data_set};
pub use encode::{key, request, sent};
pub use label::LabelFrom;
pub use looks::{Looks, Reason};
pub(crate) use owner::base;
pub use owner::forms;
pub use range::{Range, RangeKind};
pub use token::{refreshed, tokens};

use groma_url::Url;
use serde::{Serialize, Serializer};

use crate::meta::Method;

/// Forms of a page.
pub const FORMS: usize = 200;

/// Fields of a form; each radio button and check box counts.
pub const FIELDS: usize = 5_000;

/// Options of all fields of a form.
pub const CHOICES: usize = 50_000;

/// Bytes of names, values and labels of a form.
pub const BYTES: usize = 4 << 20;

/// A form as it stands on a page.
#[derive(Clone, Debug, Serialize)]
pub struct Form {
    /// Which one of its page, from 0.
    pub nth: usize,
    /// Its `id`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its `name`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The page it stands on.
    #[serde(serialize_with = "as_text")]
    pub page: Url,
    /// Where it is sent. Nothing if that is no URL.
    #[serde(serialize_with = "as_text_if_any")]
    pub action: Option<Url>,
    /// How it is sent.
    pub method: Method,
    /// Does it close a dialog instead of being sent?
    pub dialog: bool,
    /// How it is written down when it is posted.
    pub enctype: Enctype,
    /// The character set it is sent in: the name of an encoding.
    pub charset: &'static str,
    /// Its fields, in the order of the page.
    pub fields: Vec<Field>,
    /// Words near its top: `legend`, a heading inside, `aria-label`.
    pub title: String,
    /// How its answers go on, where that was seen (see [`search_box`]): as `DB.Navigation` says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub navigation: Option<String>,
    /// Which bound has left something out, if one has. What such a form sends may be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<&'static str>,
}

/// How a posted form is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Enctype {
    #[default]
    #[serde(rename = "application/x-www-form-urlencoded")]
    UrlEncoded,
    #[serde(rename = "multipart/form-data")]
    Multipart,
    #[serde(rename = "text/plain")]
    Plain,
}

/// What kind of field it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A line of text; also what nobody knows.
    Text,
    /// Words to look for.
    Search,
    /// A telephone number.
    Tel,
    /// A URL of a page.
    Url,
    /// A mail address.
    Email,
    Number,
    /// A number on a slide.
    Range,
    Date,
    Month,
    Week,
    /// A time of day.
    Time,
    /// A day and a time.
    DateTime,
    Color,
    /// Several lines of text.
    TextArea,
    /// One of a list.
    Select,
    /// Any of a list.
    MultiSelect,
    /// One of several buttons.
    Radio,
    /// Any of several boxes, or one box.
    CheckBox,
    /// Not shown to people.
    Hidden,
    /// Button that sends the form.
    Submit,
    /// A picture that sends the form.
    Image,
    /// A secret. Never sent.
    Password,
    /// A file. Never sent.
    File,
    /// A button that sends nothing.
    Button,
    /// Button that empties the form.
    Reset,
}

/// A field of a form.
#[derive(Clone, Debug, Serialize)]
pub struct Field {
    /// Its internal name; what has none is not sent (but a picture's coordinates are).
    pub name: String,
    pub kind: Kind,
    /// What people read beside it; empty if nothing is.
    pub label: String,
    /// Where the label was found.
    pub label_from: LabelFrom,
    /// Values to choose from. Those of a text field are suggestions (`datalist`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Choice>,
    /// What a text field holds, or what a button sends.
    pub default: String,
    /// The least value, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// The greatest value, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// From value to value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Letters at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The regular expression of what is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Must it be filled in?
    pub required: bool,
    /// Disabled ones are not sent; of a group, all are.
    pub disabled: bool,
    /// Cannot be changed by a person.
    pub read_only: bool,
    /// The name under which the direction of its text is sent, and whether that is right to left.
    #[serde(skip)]
    pub dirname: Option<(String, bool)>,
    /// What a button changes about the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Overrides>,
    /// Its place in the page, for the order of what is sent.
    #[serde(skip)]
    pub place: u32,
}

/// One value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Text that is sent.
    pub value: String,
    /// Text that people read.
    pub label: String,
    /// Is it chosen when the page is fresh?
    pub chosen: bool,
    /// Can it not be chosen?
    pub disabled: bool,
    /// Does it mean "any": no condition at all?
    pub open: bool,
    /// Its place in the page.
    #[serde(skip)]
    pub place: u32,
}

/// `formaction`, `formmethod`, `formenctype` of a button.
#[derive(Clone, Debug, Serialize)]
pub struct Overrides {
    /// Where it sends the form instead.
    #[serde(serialize_with = "as_text_if_any")]
    pub action: Option<Url>,
    /// How it is sent instead.
    pub method: Option<Method>,
    /// How it is written down instead.
    pub enctype: Option<Enctype>,
}

fn as_text<S: Serializer>(url: &Url, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(url.as_str())
}

fn as_text_if_any<S: Serializer>(url: &Option<Url>, serializer: S) -> Result<S::Ok, S::Error> {
    url.as_ref().map(Url::as_str).serialize(serializer)
}

impl Kind {
    /// Is something typed in?
    pub fn is_typed(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Text | Search
                | Tel
                | Url
                | Email
                | Number
                | Range
                | Date
                | Month
                | Week
                | Time
                | DateTime
                | Color
                | TextArea
        )
    }

    /// Whether its value is chosen from a list.
    pub fn is_chosen(self) -> bool {
        matches!(self, Kind::Select | Kind::MultiSelect | Kind::Radio | Kind::CheckBox)
    }

    /// Does it send the form?
    pub fn is_submit(self) -> bool {
        matches!(self, Kind::Submit | Kind::Image)
    }

    /// Is it never to be sent by us?
    pub fn is_secret(self) -> bool {
        matches!(self, Kind::Password | Kind::File)
    }
}

impl Field {
    /// Can a person ask different things with it?
    pub fn is_variable(&self) -> bool {
        !self.disabled && !self.name.is_empty() && (self.kind.is_chosen() || (self.kind.is_typed() && !self.read_only))
    }

    /// The values that are conditions: neither disabled nor "any".
    pub fn domain(&self) -> impl Iterator<Item = &Choice> {
        self.values.iter().filter(|choice| !choice.disabled && !choice.open)
    }

    /// What it is called for people: its label, else its internal name.
    pub fn title(&self) -> &str {
        if self.label.is_empty() { &self.name } else { &self.label }
    }
}

impl Form {
    /// The first field with a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The button that is meant when somebody presses Enter: the first one, if it is not disabled.
    pub fn default_button(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.kind.is_submit()).filter(|field| !field.disabled)
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;

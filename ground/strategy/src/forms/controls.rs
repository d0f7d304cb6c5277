//! Which controls does a form have beside what is split, and to what can each be set? What is set is tried by probes
//! (see [`super::account`]), so that no name has to be believed.
//!
//! | control | settings that are tried |
//! |---|---|
//! | list, radio buttons | its other values, that of the fresh page too: all of few, of many the first, the last and some between; where none is chosen, none |
//! | boxes of one name, lists of several | none ticked, all ticked, and each alone: all of few, of many the first, the last and some between |
//! | slide | its least and its greatest value |
//! | number, date or text with something in it; hidden and read-only field | left out, empty, its ends, a neighboring value (see [`super::typed`]) |
//! | empty number or date | the least, the greatest, and two that records show |
//! | empty text | words that records show; a number and a date, where these change nothing |
//! | two ends of one thing | the low end as low as it goes, the high end as high, and both |
//! | further button, color, password, file, text that must be filled in, second control of one name | none: it cannot be tried, and is named |
//!
//! Disabled controls are tried like others: a script may enable them. Tokens are left alone, and so is what names the charset.
//! Cost: linear in the form.

use groma_gather::form::{Choice, Field, Form, Kind, OMITTED, RangeKind};

use super::typed;
pub(super) use super::typed::Setting;

/// Values of a control of which all are tried.
pub(super) const FEW: usize = 8;
/// Values that are tried of one that has more.
const SAMPLE: usize = 6;
/// Boxes of one name of which each is tried alone before the questions.
const BOXES: usize = 4;

/// What kind of trial tells about a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// One of several values; whether what the questions send stands at "any".
    Choice { plain: bool },
    /// Check boxes of one name.
    Boxes,
    /// A slider.
    Slide,
    /// It holds something that may be a condition: hidden, read-only, or typed in beforehand.
    Preset,
    /// An empty number or date, which may stand for some default.
    Window,
    /// An empty text: words are found later.
    Empty,
    /// Two ends of one thing; whether how they are written is a guess.
    Ends { guessed: bool },
    /// It cannot be tried.
    Never,
}

/// A control of a form.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// The internal name; of a range that of its low end, of a button perhaps none.
    pub(super) name: String,
    /// The word for it in sentences.
    pub(super) word: &'static str,
    /// What it is called for people.
    pub(super) title: String,
    pub(super) trial: Trial,
    /// What it can be set to, the most telling first.
    pub(super) settings: Vec<Setting>,
    /// How many of these may stand for "no condition", the first ones.
    pub(super) lifts: usize,
    /// Of lists and boxes: all values, and what people read for them.
    pub(super) choices: Vec<(String, String)>,
    /// All values are tried, however many they are.
    pub(super) every: bool,
    /// Radio buttons of which none is pressed, and none is called "any".
    pub(super) is_unset: bool,
}

/// The controls of a form. `every`: is it one all of whose values are tried? `tokens`: hidden fields that are left alone.
pub(super) fn controls(form: &Form, tokens: &[String], every: &dyn Fn(&Field) -> bool) -> Vec<Control> {
    let ranges = form.ranges();
    let typed = |nth: usize| form.fields.get(nth).is_some_and(|field| field.kind.is_typed() && !field.read_only);
    let end_of = |nth: usize| {
        ranges.iter().find(|range| (range.low == nth || range.high == nth) && typed(range.low) && typed(range.high))
    };
    let mut all: Vec<Control> = Vec::new();
    for (nth, field) in form.fields.iter().enumerate() {
        let is_charset = field.kind == Kind::Hidden && field.name.eq_ignore_ascii_case("_charset_");
        if field.name.is_empty() || is_charset || tokens.contains(&field.name) {
            continue;
        }
        let made = match end_of(nth) {
            Some(range) if range.low == nth => {
                let high = form.fields.get(range.high).unwrap_or(field);
                let (settings, guessed) = typed::ends(field, high, range.kind == RangeKind::Date);
                Some((Trial::Ends { guessed }, settings))
            }
            Some(_) => None,
            None if is_shadowed(field, form) => Some((Trial::Never, Vec::new())),
            None => trial(field, every(field), form),
        };
        let Some((trial, settings)) = made else { continue };
        all.push(Control {
            name: field.name.clone(),
            word: word(field.kind),
            title: field.title().to_owned(),
            trial,
            lifts: if trial == Trial::Preset { typed::others(field).1 } else { settings.len() },
            settings,
            choices: if field.kind.is_chosen() { choices(field) } else { Vec::new() },
            every: every(field),
            is_unset: field.kind == Kind::Radio && !field.required && !free(field).any(|one| one.chosen || one.open),
        });
    }
    all.extend(other_buttons(form).into_iter().map(|button| Control {
        name: button.name.clone(),
        word: "button",
        title: if button.default.is_empty() { button.title() } else { &button.default }.to_owned(),
        trial: Trial::Never,
        settings: Vec::new(),
        lifts: 0,
        choices: Vec::new(),
        every: false,
        is_unset: false,
    }));
    all
}

/// Would what is filled in for it go to another field of the same name?
fn is_shadowed(field: &Field, form: &Form) -> bool {
    let takes_it = |other: &Field| match (other.disabled, field.disabled) {
        (false, true) => true,
        (true, false) => false,
        _ => other.place < field.place,
    };
    let is_alike =
        |other: &Field| !other.kind.is_submit() && (other.kind == Kind::Hidden) == (field.kind == Kind::Hidden);
    let mut others = form.fields.iter().filter(|other| other.name == field.name && other.place != field.place);
    !field.kind.is_submit() && others.any(|other| is_alike(other) && takes_it(other))
}

/// The values that a person can choose; of what is disabled as a whole, all.
fn free(field: &Field) -> impl Iterator<Item = &Choice> {
    field.values.iter().filter(|choice| field.disabled || !choice.disabled)
}

fn choices(field: &Field) -> Vec<(String, String)> {
    free(field).map(|choice| (choice.value.clone(), choice.label.clone())).collect()
}

fn trial(field: &Field, every: bool, form: &Form) -> Option<(Trial, Vec<Setting>)> {
    let own = |value: &str| vec![(field.name.clone(), value.to_owned())];
    match field.kind {
        kind if kind.is_secret() => Some((Trial::Never, Vec::new())),
        Kind::Select | Kind::Radio => list(field, every),
        Kind::CheckBox | Kind::MultiSelect => Some((Trial::Boxes, boxes(field, every))),
        Kind::Hidden => {
            // Beside a control of the same name it stands for "nothing chosen".
            let is_beside = form.fields.iter().any(|other| other.name == field.name && other.kind != Kind::Hidden);
            (!is_beside && !field.disabled).then(|| (Trial::Preset, typed::others(field).0))
        }
        kind if !kind.is_typed() => None,
        _ if field.read_only => Some((Trial::Preset, typed::others(field).0)),
        Kind::Range => {
            Some((Trial::Slide, [typed::least(field), typed::greatest(field)].map(|end| own(&end)).to_vec()))
        }
        Kind::Color => Some((Trial::Never, Vec::new())),
        _ if !field.default.trim().is_empty() => Some((Trial::Preset, typed::others(field).0)),
        _ if field.required => Some((Trial::Never, Vec::new())),
        _ if typed::is_ordered(field.kind) => {
            Some((Trial::Window, [typed::least(field), typed::greatest(field)].map(|end| own(&end)).to_vec()))
        }
        _ => Some((Trial::Empty, Vec::new())),
    }
}

/// A list or radio buttons. Questions send the open value, if there is one, else what the fresh page has.
fn list(field: &Field, every: bool) -> Option<(Trial, Vec<Setting>)> {
    let own = |value: &str| vec![(field.name.clone(), value.to_owned())];
    let open = free(field).find(|choice| choice.open);
    let chosen = free(field).find(|choice| choice.chosen);
    let is_sent = |choice: &Choice| choice.chosen && open.is_none_or(|open| open.place == choice.place);
    let mut others: Vec<&Choice> = free(field).filter(|choice| !is_sent(choice)).collect();
    others.sort_by_key(|choice| choice.open);
    let mut settings: Vec<Setting> = Vec::new();
    if chosen.is_none() && open.is_some() {
        settings.push(own(OMITTED));
    }
    if others.is_empty() {
        return (!settings.is_empty()).then_some((Trial::Choice { plain: false }, settings));
    }
    let plain = match open.or(chosen) {
        Some(sent) => sent.open && (sent.says_any() || is_heading(sent, field)),
        None => true,
    };
    let picked = if every { (0..others.len()).collect() } else { sample(others.len()) };
    settings.extend(picked.into_iter().map(|nth| own(&others[nth].value)));
    Some((Trial::Choice { plain }, settings))
}

fn boxes(field: &Field, every: bool) -> Vec<Setting> {
    let own = |choice: &&Choice| (field.name.clone(), choice.value.clone());
    let free: Vec<&Choice> = free(field).collect();
    let ticked = free.iter().filter(|choice| choice.chosen).count();
    let mut settings: Vec<Setting> = Vec::new();
    if ticked < free.len() && free.len() > 1 {
        settings.push(free.iter().map(own).collect());
    }
    if ticked > 0 || free.iter().any(|choice| choice.open) {
        settings.push(vec![(field.name.clone(), OMITTED.to_owned())]);
    }
    let alone = match free.len() {
        count if every || count <= BOXES => (0..count).collect(),
        count => sample(count),
    };
    let alone = alone.into_iter().filter(|nth| ticked != 1 || !free[*nth].chosen);
    settings.extend(alone.map(|nth| vec![own(&free[nth])]));
    settings
}

/// Which of so many values are tried.
fn sample(count: usize) -> Vec<usize> {
    if count <= FEW {
        return (0..count).collect();
    }
    let mut picked = vec![0, count - 1];
    picked.extend((1..SAMPLE - 1).map(|nth| nth * (count - 1) / (SAMPLE - 1)));
    picked
}

/// Does the choice repeat what the field is called? That is a heading, put in the list for want of another place.
fn is_heading(choice: &Choice, field: &Field) -> bool {
    let says = plain(&choice.label);
    [&field.label, &field.name].into_iter().any(|name| !name.is_empty() && says == plain(name))
}

/// Buttons that would send something else than the one that is pressed, or than none where the first is disabled.
fn other_buttons(form: &Form) -> Vec<&Field> {
    let sends = |button: &Field| {
        let changes = button.overrides.as_ref().map(|other| {
            let place = other.action.as_ref().map(ToString::to_string);
            (place, other.method.map(|method| format!("{method:?}")))
        });
        let named = (!button.name.is_empty()).then(|| (button.name.clone(), button.default.clone()));
        (named, changes)
    };
    let pressed = form.default_button().map_or((None, None), sends);
    let usable = form.fields.iter().filter(|field| field.kind.is_submit() && !field.disabled);
    let mut other: Vec<&Field> = usable.filter(|button| sends(button) != pressed).collect();
    other.dedup_by_key(|button| sends(button));
    other
}

/// What the form sends whatever a person does, in words; tokens are not told.
pub(super) fn fixed_fields(form: &Form, tokens: &[String]) -> Vec<String> {
    let hidden =
        |field: &&Field| !field.name.is_empty() && !field.disabled && (field.kind == Kind::Hidden || field.read_only);
    let telling = |field: &&Field| !tokens.contains(&field.name) && !field.default.is_empty();
    let fields = form.fields.iter().filter(hidden).filter(telling);
    fields.map(|field| format!("{} = {}", short(&field.name), short(&field.default))).collect()
}

pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Control {
    /// Does nobody see it?
    pub(super) fn is_hidden(&self) -> bool {
        self.word == word(Kind::Hidden)
    }

    /// May a setting stand for "no condition"?
    pub(super) fn is_lifted_by(&self, setting: &Setting) -> bool {
        self.settings.iter().take(self.lifts).any(|own| own == setting)
    }

    /// Does the value with most records stand for the others? Of a list from which one must be chosen, only if it brings more than they
    /// do together. `totals`: what its values state, `base`: what the form does, `most`: the largest of `totals`.
    pub(super) fn is_superset(&self, totals: &[Option<u64>], base: u64, most: u64) -> bool {
        if self.trial != (Trial::Choice { plain: false }) {
            return true;
        }
        let others: u64 =
            totals.iter().flatten().fold(base, |sum, said| sum.saturating_add(*said)).saturating_sub(most);
        self.settings.len() == 1 || most >= others
    }
}

/// A setting in words.
pub(super) fn says(setting: &Setting) -> String {
    let one = |(name, value): &(String, String)| match value.as_str() {
        OMITTED => format!("{} left out", short(name)),
        value => format!("{} = {}", short(name), short(value)),
    };
    setting.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::CheckBox => "check box",
        Kind::Radio => "choice of radio buttons",
        Kind::Select | Kind::MultiSelect => "list",
        Kind::Password | Kind::File => "field (which is never sent)",
        Kind::Hidden => "hidden field",
        _ => "field",
    }
}

/// A name as it stands in a sentence.
pub(super) fn short(name: &str) -> String {
    const LETTERS: usize = 80;
    let mut all = name.chars().filter(|c| !c.is_control());
    let mut text: String = all.by_ref().take(LETTERS).collect();
    if all.next().is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn of_many_values_the_ends_and_some_between_are_tried() {
        assert_eq!(sample(3), [0, 1, 2]);
        assert_eq!(sample(101), [0, 100, 20, 40, 60, 80]);
    }
}

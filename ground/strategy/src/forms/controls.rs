//! Which controls does a form have beside what is split, and to what can each be set? What is set is tried by probes
//! (see [`super::account`]), so that no name has to be believed.
//!
//! | control | settings that are tried |
//! |---|---|
//! | list, radio buttons | its other values: all of few, of many the first, the last and some between |
//! | boxes of one name, lists of several | none ticked, all ticked, and each alone: all of few, of many the first and the last |
//! | slide | its least and its greatest value |
//! | text with something in it | empty |
//! | empty text | a word, or a number, that a record shows |
//! | two ends of one thing | the low end as low as it goes |
//! | further button, color, password, file, text that must be filled in | none: it cannot be tried, and is named |
//!
//! Hidden, disabled and read-only fields are what the form sends whatever a person does: they are fixed, and the notes name them.
//! Cost: linear in the form.

use groma_gather::form::{Choice, Field, Form, Kind, RangeKind};

/// Values of a control of which all are tried.
pub(super) const FEW: usize = 8;
/// Values that are tried of one that has more.
const SAMPLE: usize = 6;

/// What is filled in to set a control.
pub(super) type Setting = Vec<(String, String)>;

/// What kind of trial tells about a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// One of several values; whether it stands at "any" when the page is fresh.
    Choice { plain: bool },
    /// Boxes.
    Boxes,
    /// A slide, or a text with something in it.
    Preset,
    /// An empty text: words are found later.
    Empty,
    /// Two ends of one thing.
    Ends,
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
    /// How many values it has in all.
    pub(super) values: usize,
}

/// The controls of a form. `every`: names of controls all of whose values are tried.
pub(super) fn controls(form: &Form, every: &dyn Fn(&Field) -> bool) -> Vec<Control> {
    let ranges = form.ranges();
    let typed = |nth: usize| form.fields.get(nth).is_some_and(|field| field.kind.is_typed());
    let end_of = |nth: usize| {
        ranges.iter().find(|range| (range.low == nth || range.high == nth) && typed(range.low) && typed(range.high))
    };
    let mut all = Vec::new();
    for (nth, field) in form.fields.iter().enumerate() {
        if field.name.is_empty() || field.disabled {
            continue;
        }
        let made = match end_of(nth) {
            Some(range) if range.low == nth => Some((Trial::Ends, lowest(field, range.kind), 0)),
            Some(_) => None,
            None => trial(field, every(field)),
        };
        let Some((trial, settings, values)) = made else { continue };
        all.push(Control {
            name: field.name.clone(),
            word: word(field.kind),
            title: field.title().to_owned(),
            trial,
            settings,
            values,
        });
    }
    all.extend(other_buttons(form).into_iter().map(|button| Control {
        name: button.name.clone(),
        word: "button",
        title: if button.default.is_empty() { button.title() } else { &button.default }.to_owned(),
        trial: Trial::Never,
        settings: Vec::new(),
        values: 0,
    }));
    all
}

fn trial(field: &Field, every: bool) -> Option<(Trial, Vec<Setting>, usize)> {
    if field.kind.is_secret() {
        return Some((Trial::Never, Vec::new(), 0));
    }
    if !field.is_variable() {
        return None;
    }
    let own = |value: &str| vec![(field.name.clone(), value.to_owned())];
    let free: Vec<&Choice> = field.values.iter().filter(|choice| !choice.disabled).collect();
    match field.kind {
        Kind::Select | Kind::Radio => {
            let others: Vec<&Choice> = free.iter().filter(|choice| !choice.chosen).copied().collect();
            if others.is_empty() {
                return None;
            }
            let chosen = free.iter().find(|choice| choice.chosen);
            let plain = chosen.is_some_and(|choice| choice.open && (choice.says_any() || is_heading(choice, field)));
            let picked = if every { (0..others.len()).collect() } else { sample(others.len()) };
            let settings = picked.into_iter().map(|nth| own(&others[nth].value)).collect();
            Some((Trial::Choice { plain }, settings, others.len()))
        }
        Kind::CheckBox | Kind::MultiSelect => Some((Trial::Boxes, boxes(field, &free, every), free.len())),
        Kind::Range => {
            let ends = [field.min.as_deref().unwrap_or("0"), field.max.as_deref().unwrap_or("100")];
            Some((Trial::Preset, ends.iter().map(|end| own(end)).collect(), 2))
        }
        Kind::Color => Some((Trial::Never, Vec::new(), 0)),
        _ if !field.default.trim().is_empty() && !field.required => Some((Trial::Preset, vec![own("")], 1)),
        _ if !field.default.trim().is_empty() || field.required => Some((Trial::Never, Vec::new(), 0)),
        _ => Some((Trial::Empty, Vec::new(), 0)),
    }
}

fn boxes(field: &Field, free: &[&Choice], every: bool) -> Vec<Setting> {
    let own = |choice: &&Choice| (field.name.clone(), choice.value.clone());
    let ticked = free.iter().filter(|choice| choice.chosen).count();
    let mut settings: Vec<Setting> = Vec::new();
    if ticked < free.len() && free.len() > 1 {
        settings.push(free.iter().map(own).collect());
    }
    if ticked > 0 && free.iter().all(|choice| !choice.value.is_empty()) {
        settings.push(vec![(field.name.clone(), String::new())]);
    }
    let alone: Vec<usize> = match free.len() {
        count if every || count <= FEW / 2 => (0..count).collect(),
        count => vec![0, count - 1],
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

/// The low end of a range as low as it goes.
fn lowest(field: &Field, kind: RangeKind) -> Vec<Setting> {
    let low = match (field.kind, &field.min) {
        (_, Some(min)) => min.clone(),
        (Kind::Date, None) => "1900-01-01".to_owned(),
        (Kind::Month, None) => "1900-01".to_owned(),
        (Kind::Week | Kind::Time | Kind::DateTime, None) => return Vec::new(),
        (_, None) if kind == RangeKind::Date => return Vec::new(),
        (_, None) => "0".to_owned(),
    };
    vec![vec![(field.name.clone(), low)]]
}

/// Does the choice repeat what the field is called? That is a heading, put in the list for want of another place.
fn is_heading(choice: &Choice, field: &Field) -> bool {
    let says = plain(&choice.label);
    [&field.label, &field.name].into_iter().any(|name| !name.is_empty() && says == plain(name))
}

/// Buttons that would send something else than the one that is pressed.
fn other_buttons(form: &Form) -> Vec<&Field> {
    let Some(pressed) = form.default_button() else { return Vec::new() };
    let sends = |button: &Field| {
        let changes = button.overrides.as_ref().map(|other| {
            let place = other.action.as_ref().map(ToString::to_string);
            (place, other.method.map(|method| format!("{method:?}")))
        });
        let named = (!button.name.is_empty()).then(|| (button.name.clone(), button.default.clone()));
        (named, changes)
    };
    let usable = form.fields.iter().filter(|field| field.kind.is_submit() && !field.disabled);
    let mut other: Vec<&Field> = usable.filter(|button| sends(button) != sends(pressed)).collect();
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

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::CheckBox => "check box",
        Kind::Radio => "choice of radio buttons",
        Kind::Select | Kind::MultiSelect => "list",
        Kind::Password | Kind::File => "field (which is never sent)",
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

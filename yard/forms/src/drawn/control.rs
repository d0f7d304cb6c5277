//! The controls of a drawn form: what each asks for, and what it leaves out when nobody touches it.
//!
//! | control | left as it is |
//! |---|---|
//! | select, radio group, boxes, multi-select, range, text field | asks for nothing, unless its default narrows |
//! | box that widens ("include archived") | hides some records |
//! | slider | asks for nothing, or narrows from where it stands |
//! | sort, page size, language of the interface, view | other order or dress, the same records |
//! | hidden year | leaves out all other years, whatever is chosen |
//! | trap (see `trap`) | hides some records |

use crate::drawn::text::Matching;
use crate::drawn::tongue::{Label, Tongue};
use crate::drawn::trap::{Hidden, Trap};
use crate::field::Choice;
use crate::options::Labels;
use crate::table::Cell;

/// A control (or two, for a range), and the column it is about.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    /// The name that is sent.
    pub(crate) name: String,
    pub(crate) caption: Caption,
    /// How it gets its label.
    pub(crate) style: Labels,
    pub(crate) column: usize,
    pub(crate) asks: Asks,
}

/// What stands beside a control, in whatever language the page has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Caption {
    Label(Label),
    /// Boxes that bring out, by number.
    Widen(usize),
    /// Boxes that leave out, by number.
    Narrow(usize),
    Search,
    Sort,
    PageSize,
    View,
}

/// A list of choices of which one counts.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    pub(crate) all: Vec<Choice>,
    /// The value that asks for nothing, if there is one.
    pub(crate) any: Option<String>,
    /// The value that asks for records without a value, if there is one.
    pub(crate) without: Option<String>,
    /// The choice that is made already, and counts where none is sent.
    pub(crate) default: Option<usize>,
}

/// How records are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As the seed has it: no column gives it away.
    Rank,
    By {
        column: usize,
        descending: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Asks {
    Select(Choices),
    Radio(Choices),
    /// Boxes of one name; records must have `every` one of them, or one.
    Boxes {
        choices: Vec<Choice>,
        every: bool,
    },
    /// A select of which several count.
    Multi {
        choices: Vec<Choice>,
    },
    /// Unticked, flagged records are hidden.
    Widen,
    /// Ticked, only flagged records are shown.
    Narrow,
    /// At least (or at most) what it is moved to; where it begins; whether its end asks for nothing.
    Slider {
        low: i64,
        high: i64,
        least: bool,
        start: i64,
        free: bool,
    },
    /// From here to there, ends included; `to` is the name of the second control.
    Range {
        to: String,
        date: bool,
    },
    Text(Matching),
    /// A hidden element that is sent as it is.
    Fixed(String),
    Sort(Vec<(String, Order)>),
    PageSize(Vec<usize>),
    Interface(Vec<Tongue>),
    View(Vec<String>),
    /// It hides flagged records.
    Trap(Trap),
}

/// What a question asks of one column.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Is(usize, String),
    Without(usize),
    AnyOf(usize, Vec<String>),
    EveryOf(usize, Vec<String>),
    Between(usize, f64, f64),
    BetweenDates(usize, String, String),
    /// Flagged, or not; and whether somebody asked for it.
    Flag(usize, bool),
    Text(usize, Matching, String),
}

impl Filter {
    pub(crate) fn keeps(&self, row: &[Cell]) -> bool {
        let cell = |column: &usize| row.get(*column).unwrap_or(&Cell::Null);
        match self {
            Filter::Is(column, value) => has(cell(column), value),
            Filter::Without(column) => *cell(column) == Cell::Null,
            Filter::AnyOf(column, some) => some.iter().any(|value| has(cell(column), value)),
            Filter::EveryOf(column, all) => all.iter().all(|value| has(cell(column), value)),
            Filter::Between(column, low, high) => {
                matches!(cell(column), Cell::Number(number) if (*low..=*high).contains(number))
            }
            Filter::BetweenDates(column, low, high) => {
                matches!(cell(column), Cell::Text(date) if *date >= *low && (high.is_empty() || *date <= *high))
            }
            Filter::Flag(column, wanted) => (*cell(column) == Cell::Number(1.0)) == *wanted,
            Filter::Text(column, matching, asked) => {
                matches!(cell(column), Cell::Text(text) if matching.matches(text, asked))
            }
        }
    }
}

/// Whether a cell is, or has, a value.
pub(crate) fn has(cell: &Cell, value: &str) -> bool {
    match cell {
        Cell::Null => false,
        Cell::Set(all) => all.iter().any(|one| one == value),
        Cell::Text(text) => text == value,
        Cell::Number(_) => cell.shown() == value,
    }
}

impl Choices {
    /// What a value asks for; nothing if it asks for nothing. A value that is no choice finds nothing.
    fn filter(&self, column: usize, value: Option<&str>) -> Option<Filter> {
        let sent = value.map(str::trim);
        if sent.is_some() && sent == self.any.as_deref() {
            return None;
        }
        let default = || self.default.or(if self.any.is_none() { Some(0) } else { None });
        let value = match sent {
            Some(value) if !value.is_empty() => value,
            // Nothing was sent, or nothing in it.
            _ if sent.is_some() && self.any.is_some() => return None,
            _ => self.all.get(default()?)?.value.as_str(),
        };
        if self.without.as_deref() == Some(value) {
            return Some(Filter::Without(column));
        }
        let meant = self.all.iter().find(|choice| choice.value == value);
        Some(Filter::Is(column, meant.map_or_else(|| format!("\0{value}"), |choice| choice.shown.clone())))
    }

    fn offers(&self, cell: &Cell) -> bool {
        self.all.iter().any(|choice| has(cell, &choice.shown)) || (*cell == Cell::Null && self.without.is_some())
    }
}

fn meant(choices: &[Choice], values: &[&str]) -> Vec<String> {
    let one = |value: &&str| choices.iter().find(|choice| choice.value == **value).map(|choice| choice.shown.clone());
    values.iter().map(|value| one(value).unwrap_or_else(|| format!("\0{value}"))).collect()
}

impl Control {
    /// What the data of a form ask of this control.
    pub(crate) fn filter(&self, pairs: &[(String, String)]) -> Option<Filter> {
        let column = self.column;
        let all = |name: &str| -> Vec<&str> {
            pairs.iter().filter(|pair| pair.0 == name).map(|pair| pair.1.trim()).collect()
        };
        let sent = all(&self.name);
        let first = sent.first().copied();
        let given: Vec<&str> = sent.iter().copied().filter(|value| !value.is_empty()).collect();
        match &self.asks {
            Asks::Select(choices) | Asks::Radio(choices) => choices.filter(column, first),
            Asks::Boxes { choices, every: false } | Asks::Multi { choices } => {
                (!given.is_empty()).then(|| Filter::AnyOf(column, meant(choices, &given)))
            }
            Asks::Boxes { choices, every: true } => {
                (!given.is_empty()).then(|| Filter::EveryOf(column, meant(choices, &given)))
            }
            Asks::Widen => given.is_empty().then_some(Filter::Flag(column, false)),
            Asks::Narrow => (!given.is_empty()).then_some(Filter::Flag(column, true)),
            Asks::Slider { low, high, least, start, free } => {
                let at: f64 = given.first().and_then(|text| text.parse().ok()).unwrap_or(*start as f64);
                let end = if *least { *low } else { *high } as f64;
                let beyond = if *least { at <= end } else { at >= end };
                if *free && beyond {
                    return None;
                }
                let (from, to) = if *least { (at, f64::INFINITY) } else { (f64::NEG_INFINITY, at) };
                Some(Filter::Between(column, from, to))
            }
            Asks::Range { to, date } => {
                let last = all(to).first().copied().filter(|value| !value.is_empty());
                let first = given.first().copied();
                if first.is_none() && last.is_none() {
                    return None;
                }
                if *date {
                    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
                    return Some(Filter::BetweenDates(column, text(first), text(last)));
                }
                let number = |value: Option<&str>, none: f64| value.map_or(Some(none), |text| text.parse().ok());
                let (low, high) = (number(first, f64::NEG_INFINITY), number(last, f64::INFINITY));
                // What is no number is taken no notice of.
                low.zip(high).map(|(low, high)| Filter::Between(column, low, high))
            }
            Asks::Text(matching) => given.first().map(|text| Filter::Text(column, *matching, (*text).to_owned())),
            Asks::Fixed(value) => Some(Filter::Is(column, first.unwrap_or(value).to_owned())),
            Asks::Trap(trap) => match trap.hides(&self.name, pairs) {
                Hidden::Nothing => None,
                Hidden::Flagged => Some(Filter::Flag(column, false)),
                Hidden::Others => Some(Filter::Flag(column, true)),
                Hidden::All => Some(Filter::Is(column, "\0".to_owned())),
            },
            Asks::Sort(_) | Asks::PageSize(_) | Asks::Interface(_) | Asks::View(_) => None,
        }
    }

    /// Whether some setting of it leaves a record in.
    pub(crate) fn spares(&self, row: &[Cell]) -> bool {
        let cell = row.get(self.column).unwrap_or(&Cell::Null);
        match &self.asks {
            Asks::Select(choices) | Asks::Radio(choices) => choices.any.is_some() || choices.offers(cell),
            Asks::Slider { free: false, low, high, least, .. } => {
                matches!(cell, Cell::Number(number) if if *least { *number >= *low as f64 } else { *number <= *high as f64 })
            }
            Asks::Fixed(value) => has(cell, value),
            _ => true,
        }
    }

    /// Whether some setting that asks for something has a record among its answers.
    pub(crate) fn finds(&self, row: &[Cell]) -> bool {
        let cell = row.get(self.column).unwrap_or(&Cell::Null);
        match &self.asks {
            Asks::Select(choices) | Asks::Radio(choices) => choices.offers(cell),
            Asks::Boxes { choices, .. } | Asks::Multi { choices } => {
                choices.iter().any(|choice| has(cell, &choice.shown))
            }
            Asks::Narrow => *cell == Cell::Number(1.0),
            Asks::Slider { .. } | Asks::Range { .. } => *cell != Cell::Null,
            Asks::Text(_) => matches!(cell, Cell::Text(text) if !text.is_empty()),
            Asks::Fixed(value) => has(cell, value),
            _ => false,
        }
    }

    /// Whether it changes which records are shown, if somebody touches it.
    pub(crate) fn is_neutral(&self) -> bool {
        matches!(self.asks, Asks::Sort(_) | Asks::PageSize(_) | Asks::Interface(_) | Asks::View(_))
    }

    /// Whether it must be set to something: there is no question without it.
    pub(crate) fn is_forced(&self) -> bool {
        matches!(&self.asks, Asks::Select(choices) | Asks::Radio(choices) if choices.any.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(any: Option<&str>, default: Option<usize>) -> Choices {
        let all = ["a", "b"].map(|shown| Choice { value: format!("{shown}1"), shown: shown.to_owned() }).to_vec();
        Choices { all, any: any.map(str::to_owned), without: Some("-".to_owned()), default }
    }

    fn control(asks: Asks) -> Control {
        Control { name: "c".into(), caption: Caption::Search, style: Labels::For, column: 0, asks }
    }

    fn kept(asks: Asks, sent: &[&str], cells: &[Cell]) -> Vec<usize> {
        let pairs: Vec<(String, String)> = sent.iter().map(|value| ("c".to_owned(), (*value).to_owned())).collect();
        let filter = control(asks).filter(&pairs);
        let keeps = |cell: &Cell| filter.as_ref().is_none_or(|filter| filter.keeps(std::slice::from_ref(cell)));
        cells.iter().enumerate().filter(|(_, cell)| keeps(cell)).map(|(nth, _)| nth).collect()
    }

    #[test]
    fn a_default_counts_where_nothing_is_sent_and_any_undoes_it() {
        let cells = ["a", "b"].map(|text| Cell::Text(text.into())).into_iter().chain([Cell::Null]).collect::<Vec<_>>();
        let ask = |any, default, sent: &[&str]| kept(Asks::Select(choices(any, default)), sent, &cells);
        assert_eq!(ask(Some("0"), Some(1), &[]), [1]);
        assert_eq!(ask(Some("0"), Some(1), &["0"]), [0, 1, 2]);
        assert_eq!(ask(Some("0"), None, &[]), [0, 1, 2]);
        assert_eq!(ask(None, None, &[]), [0]);
        assert_eq!(ask(None, None, &["-"]), [2]);
        assert_eq!(ask(Some(""), None, &["x"]), [0_usize; 0]);
    }

    #[test]
    fn an_unticked_box_hides_and_a_ticked_one_may_leave_out() {
        let flags = [Cell::Number(1.0), Cell::Number(0.0)];
        assert_eq!(kept(Asks::Widen, &[], &flags), [1]);
        assert_eq!(kept(Asks::Widen, &["1"], &flags), [0, 1]);
        assert_eq!(kept(Asks::Narrow, &[], &flags), [0, 1]);
        assert_eq!(kept(Asks::Narrow, &["1"], &flags), [0]);
    }

    #[test]
    fn a_slider_at_its_end_may_ask_for_nothing() {
        let cells = [Cell::Number(5.0), Cell::Number(50.0), Cell::Null];
        let slider = |free| Asks::Slider { low: 5, high: 50, least: true, start: 5, free };
        assert_eq!(kept(slider(true), &["5"], &cells), [0, 1, 2]);
        assert_eq!(kept(slider(false), &["5"], &cells), [0, 1]);
        assert_eq!(kept(slider(true), &["6"], &cells), [1]);
    }
}

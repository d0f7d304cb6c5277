//! Controls that hide records as long as nobody sets them to something unlikely. What is hidden can be reached, so a certificate
//! without it is false.
//!
//! | control | hidden records come, where |
//! |---|---|
//! | hidden field that says "active" | it is empty; or it is left out; or it says "all" |
//! | number typed in beforehand, 30 days | it is large; empty or nonsense is 30 |
//! | year typed in beforehand | it is the year before, and no other records do; empty or nonsense is this year |
//! | empty number, empty text | it is large; empty or nonsense is 30 |
//! | two empty dates | the second is far off; empty is today |
//! | list: any, new, used, sold | it says "sold"; the others change nothing |
//! | six boxes of one name | the fourth is ticked; or it alone is |
//! | radio buttons, none chosen, one "all" | none is chosen |
//! | box that is disabled | it is sent |

use crate::page::escaped;
use crate::page::form::hidden;

/// How a control hides records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    Emptied,
    LeftOut,
    SaysAll,
    Days,
    Year,
    EmptyNumber,
    EmptyText,
    LastDate,
    LaterValue,
    Box,
    BoxAlone,
    NoRadio,
    Disabled,
}

/// What a control leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hidden {
    Nothing,
    /// Records that are flagged.
    Flagged,
    /// Records that are not flagged.
    Others,
    All,
}

/// What an unset number of days stands for, and how many bring all.
const DAYS: i64 = 30;
const ALL_DAYS: i64 = 365;
/// This year, and the day after which nothing is dated.
const YEAR: i64 = 2024;
const FAR: &str = "2090";
const BOXES: usize = 6;

impl Trap {
    pub(crate) const ALL: [Trap; 13] = [
        Trap::Emptied,
        Trap::LeftOut,
        Trap::SaysAll,
        Trap::Days,
        Trap::Year,
        Trap::EmptyNumber,
        Trap::EmptyText,
        Trap::LastDate,
        Trap::LaterValue,
        Trap::Box,
        Trap::BoxAlone,
        Trap::NoRadio,
        Trap::Disabled,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Trap::Emptied => "hides: hidden field, unless empty",
            Trap::LeftOut => "hides: hidden field, unless left out",
            Trap::SaysAll => "hides: hidden field, unless \"all\"",
            Trap::Days => "hides: number with something in it",
            Trap::Year => "hides: year with something in it",
            Trap::EmptyNumber => "hides: empty number",
            Trap::EmptyText => "hides: empty text",
            Trap::LastDate => "hides: empty last date",
            Trap::LaterValue => "hides: list, unless its last value",
            Trap::Box => "hides: boxes, unless one in the middle",
            Trap::BoxAlone => "hides: boxes, unless one alone",
            Trap::NoRadio => "hides: radio buttons, unless none",
            Trap::Disabled => "hides: disabled box",
        }
    }

    /// Names that such a control may have.
    pub(crate) fn names(self) -> &'static [&'static str] {
        match self {
            Trap::Emptied | Trap::LeftOut | Trap::SaysAll => &["status", "scope", "u"],
            Trap::Days | Trap::EmptyNumber | Trap::EmptyText => &["days", "since", "period", "w"],
            Trap::Year => &["of_year", "season"],
            Trap::LastDate => &["date_from"],
            Trap::LaterValue | Trap::NoRadio => &["state", "cond", "z"],
            Trap::Box | Trap::BoxAlone => &["with", "with[]"],
            Trap::Disabled => &["old", "more"],
        }
    }

    /// Whether one setting brings all records.
    pub(crate) fn can_be_lifted(self) -> bool {
        self != Trap::Year
    }

    /// What it leaves out, by what is sent.
    pub(crate) fn hides(self, name: &str, pairs: &[(String, String)]) -> Hidden {
        let all = |name: &str| -> Vec<&str> {
            pairs.iter().filter(|pair| pair.0 == name).map(|pair| pair.1.trim()).collect()
        };
        let sent = all(name);
        let first = sent.first().copied();
        let number = |default: i64| first.and_then(|text| text.parse::<i64>().ok()).unwrap_or(default);
        let is_lifted = match self {
            Trap::Emptied => first == Some(""),
            Trap::LeftOut => first.is_none(),
            Trap::SaysAll => first == Some("all"),
            Trap::Days | Trap::EmptyNumber | Trap::EmptyText => number(DAYS) >= ALL_DAYS,
            Trap::Year => match number(YEAR) {
                YEAR => false,
                year if year == YEAR - 1 => return Hidden::Others,
                _ => return Hidden::All,
            },
            Trap::LastDate => all(&last_of(name)).first().is_some_and(|date| *date > FAR),
            Trap::LaterValue => first == Some("sold"),
            Trap::Box => sent.contains(&"3"),
            Trap::BoxAlone => sent == ["3"],
            Trap::NoRadio => first.is_none(),
            Trap::Disabled => first.is_some(),
        };
        if is_lifted { Hidden::Nothing } else { Hidden::Flagged }
    }

    pub(crate) fn shown(self, name: &str, caption: &str) -> String {
        let (name, caption) = (escaped(name), escaped(caption));
        let input = |more: &str| format!("<p><label>{caption} <input name=\"{name}\" {more}></label></p>\n");
        match self {
            Trap::Emptied | Trap::LeftOut | Trap::SaysAll => hidden(&name, "active"),
            Trap::Days => input(&format!("type=\"number\" value=\"{DAYS}\"")),
            Trap::Year => input(&format!("type=\"number\" value=\"{YEAR}\"")),
            Trap::EmptyNumber => input("type=\"number\""),
            Trap::EmptyText => input("type=\"text\""),
            Trap::LastDate => {
                let last = last_of(&name);
                input("type=\"date\"")
                    + &format!("<p><label>{caption} <input name=\"{last}\" type=\"date\"></label></p>\n")
            }
            Trap::LaterValue => {
                let all = ["new", "used", "sold"].map(|value| format!("<option>{value}</option>")).concat();
                format!(
                    "<p><label>{caption} <select name=\"{name}\"><option value=\"\">–</option>{all}</select></label></p>\n"
                )
            }
            Trap::Box | Trap::BoxAlone => {
                let one =
                    |nth| format!("<label><input type=\"checkbox\" name=\"{name}\" value=\"{nth}\"> {nth} x</label>\n");
                let all: String = (0..BOXES).map(one).collect();
                format!("<fieldset><legend>{caption}</legend>\n{all}</fieldset>\n")
            }
            Trap::NoRadio => {
                let one = |value: &&str| {
                    format!("<label><input type=\"radio\" name=\"{name}\" value=\"{value}\"> {value}</label>\n")
                };
                let all: String = ["all", "new"].iter().map(one).collect();
                format!("<fieldset><legend>{caption}</legend>\n{all}</fieldset>\n")
            }
            Trap::Disabled => {
                format!(
                    "<p><label><input type=\"checkbox\" name=\"{name}\" value=\"1\" disabled> {caption}</label></p>\n"
                )
            }
        }
    }
}

/// The name of the second of two dates.
fn last_of(name: &str) -> String {
    name.replace("_from", "_to")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_can_be_lifted() {
        for (trap, sent, hides) in [
            (Trap::Emptied, Some("active"), true),
            (Trap::Emptied, Some(""), false),
            (Trap::LeftOut, None, false),
            (Trap::Days, Some("x"), true),
            (Trap::EmptyNumber, Some("100000"), false),
            (Trap::LaterValue, Some("used"), true),
            (Trap::BoxAlone, Some("3"), false),
            (Trap::NoRadio, Some("all"), true),
        ] {
            let pairs: Vec<(String, String)> = sent.iter().map(|value| ("t".to_owned(), (*value).to_owned())).collect();
            assert_eq!(trap.hides("t", &pairs) != Hidden::Nothing, hides, "{trap:?} {sent:?}");
        }
        let dates = [("date_to".to_owned(), "2100-12-31".to_owned())];
        assert_eq!(Trap::LastDate.hides("date_from", &dates), Hidden::Nothing);
    }
}

//! What a setting takes, and how it is read from text: numbers, times and sizes with their units, words, lists.

use serde_json::json;

/// What is weighed more than this drowns everything else.
const MOST_WEIGHT: f32 = 1000.0;

/// What a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number, at least 0.
    Count,
    /// A whole number, or `none`.
    MaybeCount,
    /// Seconds, fractions allowed, or with a unit: `500ms`, `2m`.
    Seconds,
    /// A number, fractions allowed, at least 0.
    Weight,
    /// `true` or `false`.
    Flag,
    /// How many: `no`, `yes` for all, or a number.
    HowMany,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text, or none.
    MaybeText,
    /// `user:password`; never shown.
    Login,
    /// A URL that may hold a password, which is never shown.
    Proxy,
    /// A URL of which only the server is shown: its path may be a secret.
    Hidden,
    /// Header fields; their values are never shown.
    Secrets,
    /// Texts. In one string they are separated by commas, if their own kind has none.
    List {
        /// Commas separate.
        commas: bool,
    },
    /// A limit of the house, in this unit.
    Limit(&'static str),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// None.
    Nothing,
    /// A number.
    Count(u64),
    /// A time, in milliseconds.
    Millis(u64),
    /// Yes or no.
    Flag(bool),
    Text(String),
    /// Texts.
    List(Vec<String>),
}

impl Kind {
    /// Reads a value from one text; the error says what was expected.
    pub fn read(self, text: &str) -> Result<Value, String> {
        let text = text.trim();
        let none = text.is_empty() || text == "none";
        match self {
            Kind::MaybeCount if none => Ok(Value::Nothing),
            Kind::Count | Kind::MaybeCount => {
                text.parse().map(Value::Count).map_err(|_| "a whole number, such as 3, is expected".to_owned())
            }
            Kind::Seconds => time(text, 1000).map(Value::Millis).ok_or_else(|| {
                "seconds, such as 0.5, or a number with a unit, such as 500ms or 2m, are expected".to_owned()
            }),
            Kind::Weight => match text.parse::<f32>() {
                Ok(weight) if (0.0..=MOST_WEIGHT).contains(&weight) => Ok(Value::Text(weight.to_string())),
                _ => Err(format!("a number from 0 to {MOST_WEIGHT}, such as 1.5, is expected")),
            },
            Kind::Flag => match text {
                "true" | "yes" | "on" | "1" => Ok(Value::Flag(true)),
                "false" | "no" | "off" | "0" => Ok(Value::Flag(false)),
                _ => Err("true or false is expected".to_owned()),
            },
            Kind::HowMany => {
                how_many(text).map(Value::Count).ok_or_else(|| "no, yes or a whole number is expected".to_owned())
            }
            Kind::Word(words) if words.contains(&text) => Ok(Value::Text(text.to_owned())),
            Kind::Word(words) => Err(format!("one of {} is expected", words.join(", "))),
            Kind::MaybeText | Kind::Proxy | Kind::Hidden if text.is_empty() => Ok(Value::Nothing),
            Kind::Login if text.is_empty() => Ok(Value::Nothing),
            Kind::Login if !text.contains(':') => Err("user:password is expected".to_owned()),
            Kind::MaybeText | Kind::Proxy | Kind::Hidden | Kind::Login => Ok(Value::Text(text.to_owned())),
            Kind::Secrets | Kind::List { .. } => self.read_list(text),
            Kind::Limit(unit) => {
                let read = match unit {
                    "bytes" => bytes(text),
                    "ms" => time(text, 1),
                    "s" => time(text, 1000).filter(|ms| ms.is_multiple_of(1000)).map(|ms| ms / 1000),
                    _ => text.parse().ok(),
                };
                read.map(Value::Count).ok_or_else(|| match unit {
                    "bytes" => "bytes, such as 4096, 500KiB or 16MB, are expected".to_owned(),
                    "ms" => "milliseconds, such as 500, or a number with a unit, such as 10s, are expected".to_owned(),
                    "s" => "whole seconds, such as 30, or a number with a unit, such as 2m, are expected".to_owned(),
                    unit => format!("a whole number ({unit}) is expected"),
                })
            }
        }
    }

    /// Reads a list from one text: `a,b`, one a line, or `["a", "b"]`.
    fn read_list(self, text: &str) -> Result<Value, String> {
        if text.is_empty() {
            return Ok(Value::List(Vec::new()));
        }
        if text.starts_with('[') {
            let read =
                serde_json::from_str::<Vec<String>>(text).map_err(|_| r#"a list, ["a", "b"], is expected"#.to_owned());
            return self.of_list(read?);
        }
        let pieces: Vec<String> = match self {
            Kind::List { commas: true } => text.split(',').map(|piece| piece.trim().to_owned()).collect(),
            Kind::Secrets => vec![text.to_owned()],
            _ => text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect(),
        };
        self.of_list(pieces)
    }

    /// Reads a value from several texts.
    pub fn of_list(self, items: Vec<String>) -> Result<Value, String> {
        match self {
            Kind::Secrets if items.iter().any(|item| !item.contains(':')) => {
                Err("`Name: value` is expected".to_owned())
            }
            Kind::Secrets | Kind::List { .. } => Ok(Value::List(items)),
            _ => Err("one value is expected, not a list".to_owned()),
        }
    }

    /// The value as it may be shown to anybody.
    pub fn masked(self, value: &Value) -> Value {
        match (self, value) {
            (Kind::Login, Value::Text(text)) => {
                Value::Text(format!("{}:***", text.split(':').next().unwrap_or_default()))
            }
            (Kind::Proxy, Value::Text(text)) => Value::Text(without_login(text)),
            (Kind::Hidden, Value::Text(text)) => Value::Text(server_of(text)),
            (Kind::Secrets, Value::List(items)) => {
                let name = |item: &String| format!("{}: ***", item.split(':').next().unwrap_or_default().trim());
                Value::List(items.iter().map(name).collect())
            }
            _ => value.clone(),
        }
    }
}

/// None, all (the largest number), or so many; `sample 100` is 100.
fn how_many(text: &str) -> Option<u64> {
    match text {
        "no" | "false" | "off" => Some(0),
        "yes" | "true" | "on" => Some(u64::MAX),
        text => text.strip_prefix("sample").map_or(text, |rest| rest.trim_start_matches([' ', ':', '='])).parse().ok(),
    }
}

fn without_login(proxy: &str) -> String {
    match proxy.rsplit_once('@') {
        Some((before, host)) => {
            let scheme = before.split_once("://").map_or(String::new(), |(scheme, _)| format!("{scheme}://"));
            format!("{scheme}***@{host}")
        }
        None => proxy.to_owned(),
    }
}

fn server_of(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let server = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{}/***", server.rsplit('@').next().unwrap_or_default())
}

impl Value {
    /// As people read it.
    pub fn shown(&self) -> String {
        match self {
            Value::Nothing => "none".to_owned(),
            Value::Count(number) => number.to_string(),
            Value::Millis(ms) => seconds(*ms),
            Value::Flag(flag) => flag.to_string(),
            Value::Text(text) => text.clone(),
            Value::List(_) => self.json().to_string(),
        }
    }

    /// As programs read it.
    pub fn json(&self) -> serde_json::Value {
        match self {
            Value::Nothing => serde_json::Value::Null,
            Value::Count(number) => json!(number),
            Value::Millis(ms) if ms.is_multiple_of(1000) => json!(ms / 1000),
            Value::Millis(ms) => json!(*ms as f64 / 1000.0),
            Value::Flag(flag) => json!(flag),
            Value::Text(text) => json!(text),
            Value::List(items) => json!(items),
        }
    }
}

fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1000) { (ms / 1000).to_string() } else { (ms as f64 / 1000.0).to_string() }
}

/// A time in milliseconds; a bare number counts in `unit` milliseconds.
fn time(text: &str, unit: u64) -> Option<u64> {
    let (number, suffix) = split(text);
    let unit = match suffix {
        "" => unit,
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    amount(number, unit)
}

/// A size in bytes: KB, MB, GB count in thousands, KiB, MiB, GiB in 1,024s.
fn bytes(text: &str) -> Option<u64> {
    let (number, suffix) = split(text);
    let unit = match suffix.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return None,
    };
    amount(number, unit)
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn amount(number: &str, unit: u64) -> Option<u64> {
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit);
    }
    let amount = number.parse::<f64>().ok()? * unit as f64;
    (amount.is_finite() && (0.0..1e15).contains(&amount)).then(|| amount.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_take_units() {
        let seconds = |text: &str| Kind::Seconds.read(text);
        assert_eq!(seconds("0.5"), Ok(Value::Millis(500)));
        assert_eq!(seconds("500ms"), Ok(Value::Millis(500)));
        assert_eq!(seconds("2m"), Ok(Value::Millis(120_000)));
        assert_eq!(Kind::Limit("ms").read("10s"), Ok(Value::Count(10_000)));
        assert_eq!(Kind::Limit("s").read("2m"), Ok(Value::Count(120)));
        assert_eq!(Kind::Limit("bytes").read("16MB"), Ok(Value::Count(16_000_000)));
        assert_eq!(Kind::Limit("bytes").read("500KiB"), Ok(Value::Count(512_000)));
        for bad in ["-1", "", "1x", "1.2.3", "inf", "NaN", "99999999999999999999"] {
            assert!(seconds(bad).is_err(), "{bad}");
            assert!(Kind::Limit("bytes").read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_are_one_text_or_many() {
        let noise = Kind::List { commas: true };
        assert_eq!(noise.read("a, b"), Ok(Value::List(vec!["a".into(), "b".into()])));
        assert_eq!(noise.read(r#"["a,b"]"#), Ok(Value::List(vec!["a,b".into()])));
        assert_eq!(Kind::List { commas: false }.read("re:a{1,2}"), Ok(Value::List(vec!["re:a{1,2}".into()])));
        assert!(Kind::Count.of_list(vec!["1".into()]).is_err());
    }

    #[test]
    fn secrets_are_never_shown() {
        let shown = |kind: Kind, text: &str| kind.masked(&kind.read(text).unwrap()).shown();
        assert_eq!(shown(Kind::Login, "me:secret:x"), "me:***");
        assert_eq!(shown(Kind::Proxy, "http://me:secret@proxy:80"), "http://***@proxy:80");
        assert_eq!(
            shown(Kind::Hidden, "https://u:secret@hooks.example/T0/secret?x=secret"),
            "https://hooks.example/***"
        );
        assert_eq!(shown(Kind::Secrets, "Cookie: secret"), r#"["Cookie: ***"]"#);
    }
}

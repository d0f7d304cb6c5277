//! groma.toml: what it sets, and in which line.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use groma_model::url::Rule;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::personal::{HeaderPlan, LoginPlan, Personal};
use crate::table::{nearest, row};
use crate::value::Kind;
use crate::wording::{CONFIG_HINT, NOT_UTF8, NOT_UTF8_HINT, help_of, key_hint, no_such_key};
use crate::{Fault, Given, Origin, Raw};

/// A larger file is no list of settings.
const BYTES: u64 = 4 << 20;

/// What a file sets.
#[derive(Debug, Default)]
pub struct Contents {
    /// The settings, in the order of their keys.
    pub given: Vec<Given>,
    /// The rules with the places they stand at.
    pub rules: Vec<(Rule, Origin)>,
    /// A login, and header fields for single hosts.
    pub personal: Personal,
}

#[derive(Deserialize)]
struct Rules {
    #[serde(default)]
    rule: Vec<Spanned<Rule>>,
    login: Option<Spanned<toml::Value>>,
    #[serde(default)]
    header: Vec<Spanned<toml::Value>>,
}

/// Reads the file; nothing if it is the usual one and is not there.
pub fn read(named: Option<&Path>) -> Result<Contents, Fault> {
    let path = named.map_or_else(|| PathBuf::from("groma.toml"), Path::to_path_buf);
    let shown = path.display().to_string();
    match read_file(&path) {
        Ok(Some(bytes)) => parse_bytes(&bytes, &shown),
        Ok(None) => {
            Err(Fault::new(no_config(&shown, BYTES), "name a plain file with --config FILE, or move this one away"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => Ok(Contents::default()),
        Err(error) => Err(Fault::of_input(&shown, &error)),
    }
}

/// The bytes of a file; nothing if it is none, or too large. A pipe or a device is not opened at all: that alone can take for ever.
fn read_file(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let facts = std::fs::metadata(path)?;
    // What people name to have none.
    let nothing = std::fs::canonicalize(path).is_ok_and(|whole| whole == Path::new("/dev/null"));
    if nothing {
        return Ok(Some(Vec::new()));
    }
    if facts.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if !facts.is_file() || facts.len() > BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(BYTES + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= BYTES))
}

/// Reads the bytes of a file of this name.
fn parse_bytes(bytes: &[u8], path: &str) -> Result<Contents, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let place = Origin::File { path: path.to_owned(), line: line(bytes, error.valid_up_to()) };
        Fault::new(format!("{place}: {}", NOT_UTF8), NOT_UTF8_HINT)
    })?;
    parse(text, path)
}

/// Reads the text of a file of this name.
pub fn parse(text: &str, path: &str) -> Result<Contents, Fault> {
    let at = |span: Range<usize>| Origin::File { path: path.to_owned(), line: line(text.as_bytes(), span.start) };
    let broken = |error: toml::de::Error| {
        let place = error.span().map_or_else(|| path.to_owned(), |span| at(span).to_string());
        let says = error.message().lines().next().unwrap_or_default().to_owned();
        Fault::new(format!("{place}: {says}"), CONFIG_HINT)
    };
    let table = DeTable::parse(text).map_err(broken)?;
    let mut contents = Contents::default();
    for (key, value) in table.get_ref() {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("rule" | "header", DeValue::Array(_)) | ("login", DeValue::Table(_)) => {}
            (name @ ("login" | "header"), _) => {
                let says = if name == "login" {
                    "a login is written as a table, [login]"
                } else {
                    "header fields for single hosts are written as tables, [[header]]"
                };
                return Err(Fault::new(format!("{}: {says}", at(key.span())), CONFIG_HINT));
            }
            ("rule", _) => {
                return Err(Fault::new(
                    format!("{}: {}", at(key.span()), "rules are written as tables, [[rule]]"),
                    CONFIG_HINT,
                ));
            }
            (part @ ("limits" | "search" | "notice" | "check"), DeValue::Table(rows)) => {
                for (name, value) in rows {
                    let origin = at(name.span());
                    contents.given.push(given(&format!("{part}.{}", name.get_ref()), value.get_ref(), origin)?);
                }
            }
            (name, value) => contents.given.push(given(name, value, at(key.span()))?),
        }
    }
    let rules: Rules = toml::from_str(text).map_err(broken)?;
    if let Some(table) = rules.login {
        let origin = at(table.span());
        contents.personal.login = Some(LoginPlan::read(table.into_inner(), origin)?);
    }
    for table in rules.header {
        let origin = at(table.span());
        contents.personal.headers.push(HeaderPlan::read(table.into_inner(), origin)?);
    }
    contents.rules =
        rules.rule.into_iter().map(|rule| (at(rule.span()), rule)).map(|(o, r)| (r.into_inner(), o)).collect();
    Ok(contents)
}

fn given(key: &str, value: &DeValue<'_>, origin: Origin) -> Result<Given, Fault> {
    let Some(row) = row(key) else {
        return Err(Fault::new(format!("{origin}: {}", no_such_key(key)), key_hint(nearest(key))));
    };
    let wrong = |what: &str| Fault::new(format!("{origin}: {key}: {what}"), help_of(key, row.help));
    let raw = match (value, row.kind) {
        (DeValue::String(text), _) => Raw::One(text.to_string()),
        (DeValue::Boolean(flag), Kind::Flag | Kind::HowMany) => Raw::One(flag.to_string()),
        (
            DeValue::Integer(number),
            Kind::Count | Kind::MaybeCount | Kind::HowMany | Kind::Seconds | Kind::Weight | Kind::Limit(_),
        ) => {
            let plain =
                i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| wrong("the number is too large"))?;
            Raw::One(plain.to_string())
        }
        (DeValue::Float(number), Kind::Seconds | Kind::Weight) => Raw::One(number.as_str().to_owned()),
        (DeValue::Array(items), _) => {
            let texts = items.iter().map(|item| item.get_ref().as_str().map(str::to_owned));
            let texts: Option<Vec<String>> = texts.collect();
            Raw::Many(texts.ok_or_else(|| wrong("a list of texts, [\"a\", \"b\"], is expected"))?)
        }
        (DeValue::Table(_), _) => return Err(wrong("a value is expected, not a table")),
        (value, _) => return Err(wrong(&format!("{} does not fit here", value.type_str()))),
    };
    Ok(Given { key: key.to_owned(), raw, origin })
}

fn line(text: &[u8], at: usize) -> usize {
    text.iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// A file of settings that is none.
fn no_config(path: &str, most: u64) -> String {
    format!("{path}: settings are read from a plain file of at most {}", groma_model::wording::size(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text, "groma.toml").unwrap_err().says
    }

    #[test]
    fn settings_limits_and_rules_are_found_with_their_lines() {
        let text = "depth = 3\n\n[limits]\npage_bytes = \"1MB\"\n\n[[rule]]\npath = '/a'\n[[rule]]\npath = '/b'\n";
        let contents = parse(text, "groma.toml").unwrap();
        let shown: Vec<String> = contents.given.iter().map(|g| format!("{} {}", g.key, g.origin)).collect();
        assert_eq!(shown, ["depth groma.toml:1", "limits.page_bytes groma.toml:4"]);
        assert_eq!(contents.rules.len(), 2);
        assert_eq!(contents.rules[1].1.to_string(), "groma.toml:8");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_a_device_or_a_huge_file_is_refused_and_never_waited_for() {
        let folder = std::env::temp_dir().join(format!("groma-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (pipe, huge) = (folder.join("pipe.toml"), folder.join("huge.toml"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::fs::File::create(&huge).unwrap().set_len(1 << 30).unwrap();
        for bad in [&pipe, &huge, Path::new("/dev/zero"), Path::new("/dev/tty")] {
            let fault = read(Some(bad)).unwrap_err();
            assert!(fault.says.starts_with(&bad.display().to_string()), "{}", fault.says);
        }
        assert!(read(Some(&pipe)).unwrap_err().says.contains("plain file"));
        assert!(read(Some(&folder)).is_err());
        assert!(read(Some(Path::new("/dev/null"))).unwrap().given.is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_mistake_names_its_line() {
        assert!(error("\ndept = 3").starts_with("groma.toml:2: there is no setting `dept`"), "{}", error("\ndept = 3"));
        assert!(error("depth = ").starts_with("groma.toml:1:"));
        assert!(error("include = 3").starts_with("groma.toml:1: include:"));
        assert!(error("include = [3]").contains("list of texts"));
        assert!(error("scope = true").contains("scope"));
        assert!(error("[[rule]]\npath = '/a'\nrequire = ['x']").contains("unknown field `require`"));
        assert!(error("[depth]\nx = 1").contains("not a table"));
        assert!(error("rule = 3").contains("[[rule]]"));
    }

    #[test]
    fn any_bytes_are_survived() {
        for text in ["", "\u{feff}", "[[[", "a = [", "limits = 3", "= =", "\0"] {
            let _ = parse(text, "x");
        }
    }

    #[test]
    fn another_encoding_is_told_with_its_line() {
        let fault = parse_bytes(b"depth = 3\ncontact = '\xe9'\n", "groma.toml").unwrap_err();
        assert_eq!(fault.says, "groma.toml:2: the file is not UTF-8");
        assert!(fault.hint.contains("save it as UTF-8"));
        assert!(parse_bytes(b"\xff\xfed\0e\0", "groma.toml").unwrap_err().says.starts_with("groma.toml:1: "));
    }
}

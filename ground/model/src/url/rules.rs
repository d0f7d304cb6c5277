//! URL rules: which query parameters of a script choose the page (spec 1, "URL rules"; paper 000, section 2.2).
//!
//! ```text
//! required   must be present                          else the URL is ignored
//! one_of     must be present with a listed value      else the URL is ignored
//! optional   may be present
//! default    is filled in when absent
//! drop       is dropped; so is everything a rule does not name, unless it names nothing but `drop`
//! ignore     every URL of the script is ignored
//! ```
//!
//! The first rule whose host and path match decides, alone. A script without a rule, or with one that only drops, keeps all
//! parameters but noise; a parameter that a rule names is never noise. Names and values are written plainly (`two words`,
//! not `two+words`) and compared as the server reads them, upper and lower case told apart. Of a parameter given several
//! times every value must be listed. A rule that names nothing at all says that its script takes no parameters.

use std::collections::BTreeMap;
use std::fmt;

use groma_url::{Host, Url};
use serde::{Deserialize, Serialize};

pub use super::noise::DEFAULT_NOISE;
use super::{glob::Glob, noise::Noise, pattern::escaped, query::Param, query::spell};
use crate::Reason;

/// One rule, as it is written in groma.toml below `[[rule]]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    /// A glob on the host name; without one the rule holds on every host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// A glob on the path.
    pub path: String,
    /// Parameters that must be present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// Parameters that may be present.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<String>,
    /// Parameters that are dropped; globs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<String>,
    /// All URLs of the script are ignored.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore: bool,
    /// Parameters that must be present with one of the values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub one_of: BTreeMap<String, Vec<String>>,
    /// Parameters that are filled in when absent.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub default: BTreeMap<String, String>,
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            host: None,
            path: "*".to_owned(),
            required: Vec::new(),
            optional: Vec::new(),
            drop: Vec::new(),
            ignore: false,
            one_of: BTreeMap::new(),
            default: BTreeMap::new(),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.host.as_deref().unwrap_or_default(), self.path)
    }
}

/// A rule that contradicts itself or can never hold. Rules are counted from 1, in the order they are written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A parameter has two roles, or one twice.
    #[error(
        "rule {rule} names the parameter `{name}` twice; leave it in one of required, one_of, optional, default, drop"
    )]
    Twice {
        /// Number of the rule.
        rule: usize,
        /// Name of the parameter.
        name: String,
    },
    /// A parameter has a role, and a glob drops it.
    #[error("rule {rule} names the parameter `{name}` and drops it by `{glob}`; leave out one of the two")]
    Dropped {
        /// Number of the rule.
        rule: usize,
        /// Name of the parameter.
        name: String,
        /// The glob that drops it.
        glob: String,
    },
    /// A parameter without a name.
    #[error("rule {rule} names a parameter ``; a parameter needs a name")]
    NoName {
        /// Number of the rule.
        rule: usize,
    },
    /// `one_of` without values.
    #[error("rule {rule} wants `{name}` to be one of no values; list some, or set ignore = true to ignore the script")]
    NoValues {
        /// Number of the rule.
        rule: usize,
        /// Name of the parameter.
        name: String,
    },
    /// A path that no URL has.
    #[error(
        "rule {rule} has the path `{path}`, which no URL has; begin it with `/` or `*` and keep parameters out of it"
    )]
    Path {
        /// Number of the rule.
        rule: usize,
        /// As it was written.
        path: String,
    },
    /// A host name that no URL has.
    #[error("rule {rule} has the host `{host}`; write a bare host name such as `www.example.com` or `*.example.com`")]
    Host {
        /// Number of the rule.
        rule: usize,
        /// As it was written.
        host: String,
    },
    /// Ignored, and yet parameters.
    #[error("rule {rule} ignores its script and yet names parameters; leave out one of the two")]
    Ignored {
        /// Number of the rule.
        rule: usize,
    },
    /// Noise without a name.
    #[error("the list of noise holds an empty name; leave it out, or write an empty list to keep all parameters")]
    Noise,
}

/// What a rule says of a parameter it names.
#[derive(Clone, Debug)]
enum Role {
    Required,
    OneOf(Vec<Vec<u8>>),
    Optional,
    /// Holds the parameter as it is written when it is filled in.
    Default(String),
}

/// A rule for one script, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// As it is written.
    pub(crate) rule: Rule,
    host: Option<Glob>,
    path: Glob,
    roles: BTreeMap<Vec<u8>, Role>,
    drop: Vec<Glob>,
}

/// What becomes of a parameter, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Kept,
    Noise,
    Dropped,
    NotNamed,
}

/// The rules and the noise of a survey, compiled.
#[derive(Clone, Debug)]
pub struct RuleBook {
    scripts: Vec<Script>,
    noise: Noise,
}

impl Default for RuleBook {
    /// No rules, and the usual noise.
    fn default() -> Self {
        RuleBook { scripts: Vec::new(), noise: Noise::new(DEFAULT_NOISE.iter().copied()) }
    }
}

impl RuleBook {
    /// Compiles rules, the first of which outranks the others, and a list of noise (globs, case does not matter).
    pub fn new(rules: Vec<Rule>, noise: &[String]) -> Result<RuleBook, RuleError> {
        if noise.iter().any(String::is_empty) {
            return Err(RuleError::Noise);
        }
        let scripts =
            rules.into_iter().zip(1..).map(|(rule, number)| Script::new(number, rule)).collect::<Result<_, _>>()?;
        Ok(RuleBook { scripts, noise: Noise::new(noise.iter().map(String::as_str)) })
    }

    /// The written rule that decides on a URL, if any. Session ids must already have left its path.
    pub fn rule_for(&self, url: &Url) -> Option<&Rule> {
        self.script_for(url).map(|script| &script.rule)
    }

    pub(crate) fn script_for(&self, url: &Url) -> Option<&Script> {
        let (host, path) = (url.host_str().unwrap_or_default().as_bytes(), url.path().as_bytes());
        let here =
            |script: &&Script| script.host.as_ref().is_none_or(|glob| glob.matches(host)) && script.path.matches(path);
        self.scripts.iter().find(here)
    }

    pub(crate) fn noise(&self) -> &Noise {
        &self.noise
    }

    /// What becomes of a parameter of a URL that `script` decides on.
    pub(crate) fn fate(&self, script: Option<&Script>, name: &[u8]) -> Fate {
        match script {
            Some(script) if script.names(name) => Fate::Kept,
            Some(script) if script.drop.iter().any(|glob| glob.matches(name)) => Fate::Dropped,
            Some(script) if !script.only_drops() => Fate::NotNamed,
            _ if self.noise.has(name) => Fate::Noise,
            _ => Fate::Kept,
        }
    }
}

impl Script {
    fn new(number: usize, rule: Rule) -> Result<Script, RuleError> {
        let at = number;
        if !rule.path.starts_with(['/', '*']) || rule.path.contains(['?', '#']) {
            return Err(RuleError::Path { rule: at, path: rule.path });
        }
        let host = rule.host.as_deref().map(|host| host_glob(at, host)).transpose()?;
        let required = rule.required.iter().map(|name| (name, Role::Required));
        let optional = rule.optional.iter().map(|name| (name, Role::Optional));
        let one_of = rule.one_of.iter().map(|(name, values)| (name, Role::OneOf(values.iter().map(bytes).collect())));
        let default = rule.default.iter().map(|(name, value)| (name, Role::Default(spell(name, value))));
        let mut roles = BTreeMap::new();
        for (name, role) in required.chain(optional).chain(one_of).chain(default) {
            if name.is_empty() {
                return Err(RuleError::NoName { rule: at });
            }
            if matches!(&role, Role::OneOf(values) if values.is_empty()) {
                return Err(RuleError::NoValues { rule: at, name: name.clone() });
            }
            if roles.insert(bytes(name), role).is_some() {
                return Err(RuleError::Twice { rule: at, name: name.clone() });
            }
        }
        let mut drop = Vec::new();
        for (nth, text) in rule.drop.iter().enumerate() {
            let glob = Glob::new(text);
            if text.is_empty() {
                return Err(RuleError::NoName { rule: at });
            }
            if roles.contains_key(text.as_bytes()) || rule.drop.iter().take(nth).any(|other| other == text) {
                return Err(RuleError::Twice { rule: at, name: text.clone() });
            }
            if let Some(name) = roles.keys().find(|name| glob.matches(name)) {
                let name = String::from_utf8_lossy(name).into_owned();
                return Err(RuleError::Dropped { rule: at, name, glob: text.clone() });
            }
            drop.push(glob);
        }
        if rule.ignore && !(roles.is_empty() && drop.is_empty()) {
            return Err(RuleError::Ignored { rule: at });
        }
        Ok(Script { number, host, path: Glob::new(&escaped(&rule.path)), roles, drop, rule })
    }

    /// Whether the rule gives a parameter a role (other than to be dropped).
    pub(crate) fn names(&self, name: &[u8]) -> bool {
        self.roles.contains_key(name)
    }

    fn only_drops(&self) -> bool {
        self.roles.is_empty() && !self.drop.is_empty()
    }

    /// Whether a URL with these parameters is taken; if not, the parameter that is to blame. What the verdict hangs on
    /// is only parameters the rule names.
    pub(crate) fn judge(&self, params: &[Param<'_>]) -> Result<(), (Reason, &[u8])> {
        if self.rule.ignore {
            return Err((Reason::RuleIgnored, b""));
        }
        for (name, role) in &self.roles {
            let mut values = params.iter().filter(|param| *param.name == **name).map(|param| &*param.value).peekable();
            match role {
                Role::Required | Role::OneOf(_) if values.peek().is_none() => return Err((Reason::RuleRequired, name)),
                Role::OneOf(listed) if !values.all(|value| listed.iter().any(|one| one == value)) => {
                    return Err((Reason::RuleOneOf, name));
                }
                Role::Required | Role::OneOf(_) | Role::Optional | Role::Default(_) => {}
            }
        }
        Ok(())
    }

    /// What must be filled in, as it is written.
    pub(crate) fn missing<'a>(&'a self, params: &[Param<'_>]) -> Vec<&'a str> {
        let absent = |name: &[u8]| !params.iter().any(|param| *param.name == *name);
        let defaults = self.roles.iter().filter_map(|(name, role)| match role {
            Role::Default(raw) if absent(name) => Some(raw.as_str()),
            _ => None,
        });
        defaults.collect()
    }
}

fn bytes(text: &String) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// A glob on the host name as the URL standard writes it: lower case, punycode.
fn host_glob(rule: usize, host: &str) -> Result<Glob, RuleError> {
    let (star, name) = host.strip_prefix("*.").map_or(("", host), |name| ("*.", name));
    if name.contains('*') && name.is_ascii() && !name.contains(['/', ':', '@', '?', '#', ' ']) {
        return Ok(Glob::caseless(host));
    }
    let name = Host::parse(name).map_err(|_| RuleError::Host { rule, host: host.to_owned() })?;
    Ok(Glob::caseless(&format!("{star}{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct File {
        rule: Vec<Rule>,
    }

    fn read(text: &str) -> Vec<Rule> {
        toml::from_str::<File>(text).unwrap().rule
    }

    fn error(body: &str) -> String {
        let rules = read(&format!("[[rule]]\npath = '/fine'\n[[rule]]\n{body}"));
        RuleBook::new(rules, &[]).unwrap_err().to_string()
    }

    #[test]
    fn a_rule_is_a_table_and_writing_it_gives_it_back() {
        let rules = read(
            "[[rule]]\nhost = '*.example.com'\npath = '/tisk.php'\nrequired = ['clanek']\noptional = ['strana']\n\
             one_of = { typ = ['a', 'b'] }\ndefault = { jazyk = 'cz' }\n[[rule]]\ndrop = ['sort_*']\n",
        );
        assert_eq!(rules[0].one_of["typ"], ["a", "b"]);
        assert_eq!((rules[1].path.as_str(), &rules[1].host), ("*", &None));
        let written = toml::to_string(&File { rule: rules.clone() }).unwrap();
        assert_eq!(read(&written), rules);
        assert!(!written.contains("ignore"), "{written}");
    }

    #[test]
    fn a_misspelled_key_is_refused_by_name() {
        let error = toml::from_str::<File>("[[rule]]\nrequire = ['a']").err().unwrap().to_string();
        assert!(error.contains("unknown field `require`") && error.contains("`required`"), "{error}");
    }

    #[test]
    fn a_parameter_has_one_role() {
        for body in [
            "required = ['a']\noptional = ['a']",
            "required = ['a', 'a']",
            "one_of = { a = ['1'] }\ndefault = { a = '1' }",
            "optional = ['b', 'a']\ndrop = ['a']",
            "drop = ['a', 'a']",
        ] {
            assert!(error(body).starts_with("rule 2 names the parameter `a` twice"), "{body}");
        }
        assert!(
            error("optional = ['utm_id']\ndrop = ['utm_*']")
                .contains("names the parameter `utm_id` and drops it by `utm_*`")
        );
    }

    #[test]
    fn a_rule_that_can_never_hold_is_refused_with_a_hint() {
        for (body, hint) in [
            ("path = 'tisk.php'", "begin it with `/` or `*`"),
            ("path = '/tisk.php?a=1'", "keep parameters out of it"),
            ("host = 'https://example.com'", "bare host name"),
            ("host = 'example.com:8080'", "bare host name"),
            ("host = ''", "bare host name"),
            ("one_of = { a = [] }", "one of no values"),
            ("required = ['']", "needs a name"),
            ("drop = ['']", "needs a name"),
            ("ignore = true\noptional = ['a']", "ignores its script and yet names parameters"),
        ] {
            let error = error(body);
            assert!(error.starts_with("rule 2 ") && error.contains(hint), "{body}: {error}");
        }
        assert_eq!(RuleBook::new(Vec::new(), &[String::new()]).unwrap_err(), RuleError::Noise);
    }

    #[test]
    fn the_first_rule_that_matches_host_and_path_decides() {
        let rules = read(
            "[[rule]]\nhost = 'B\u{fc}cher.de'\n[[rule]]\nhost = '*.Example.com'\npath = '/a/*'\n\
             [[rule]]\npath = '/\u{10d}l\u{e1}nky/*'\n[[rule]]\nhost = 'w*.org'\n[[rule]]\nhost = '[::1]'",
        );
        let book = RuleBook::new(rules.clone(), &[]).unwrap();
        for (url, expected) in [
            ("http://b\u{fc}cher.de/x", Some(0)),
            ("http://www.example.com/a/b", Some(1)),
            ("http://example.com/a/b", None),
            ("http://www.example.com/A/b", None),
            ("http://x.org/\u{10d}l\u{e1}nky/1", Some(2)),
            ("http://www.x.org:81/", Some(3)),
            ("http://[::1]:81/", Some(4)),
        ] {
            let found = book.rule_for(&Url::parse(url).unwrap());
            assert_eq!(found, expected.map(|nth: usize| &rules[nth]), "{url}");
        }
    }
}

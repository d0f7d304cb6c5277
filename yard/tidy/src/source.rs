//! A Rust source as tokens: comments and literals are left out, test modules can be, and paths out of a crate are
//! spelled out.
//!
//! Rule: one pass over the characters that knows line and (nested) block comments, plain, raw, byte and C strings,
//! characters and lifetimes; everything else is a word or a sign. Cost is linear. Macros are not expanded: a path that
//! a macro builds from pieces is not seen.

/// A Rust source, split into tokens.
#[derive(Debug)]
pub struct Source {
    /// The text as it stands.
    pub text: String,
    /// Its words and signs without comments and literals.
    tokens: Vec<String>,
}

impl Source {
    pub fn new(text: String) -> Source {
        let tokens = tokens(&text);
        Source { text, tokens }
    }

    /// Its words and signs, in order.
    pub fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// The same without the items that are only there for tests: those behind `#[cfg(test)]` or `#[test]`.
    pub fn shipped(&self) -> Vec<&str> {
        let all: Vec<&str> = self.tokens.iter().map(String::as_str).collect();
        let mut kept = Vec::with_capacity(all.len());
        let mut at = 0;
        while at < all.len() {
            let marks: [&[&str]; 2] = [&["#", "[", "cfg", "(", "test", ")", "]"], &["#", "[", "test", "]"]];
            match marks.iter().find(|mark| all[at..].starts_with(mark)) {
                Some(mark) => at = end_of_item(&all, at + mark.len()),
                None => {
                    kept.push(all[at]);
                    at += 1;
                }
            }
        }
        kept
    }
}

/// The modules that are declared for tests only and stand in files of their own: `#[cfg(test)] mod laws;`.
pub fn test_modules(source: &Source) -> Vec<&str> {
    let all: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for at in 0..all.len() {
        if all[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) {
            let item = &all[at..end_of_item(&all, at + 7)];
            if let [.., "mod", name, ";"] = item {
                found.push(*name);
            }
        }
    }
    found
}

/// Where an item ends: behind its block (and the `;` of a `use`), or behind a `;` that stands before any block.
fn end_of_item(tokens: &[&str], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match *token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && *token == "}" {
                    return at + 1 + usize::from(tokens.get(at + 1) == Some(&";"));
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// One name that a `use` brings in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseLeaf {
    /// The path as it is written, without `as`.
    pub path: Vec<String>,
    /// The name by which it is known here; `*` for all.
    pub name: String,
    /// Whether others get it from here.
    pub exported: bool,
}

/// Everything that `use` lines bring in, with groups spelled out.
pub fn uses(tokens: &[&str]) -> Vec<UseLeaf> {
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at] == "use") {
        let before = at.checked_sub(1).map(|before| tokens[before]);
        let exported = matches!(before, Some("pub" | ")"));
        let end = tokens[at..].iter().position(|token| *token == ";").map_or(tokens.len(), |len| at + len);
        use_tree(&tokens[at + 1..end], &[], exported, &mut found);
    }
    found
}

/// Reads what stands between `use` and `;`, or one branch of a group.
fn use_tree(tokens: &[&str], prefix: &[String], exported: bool, found: &mut Vec<UseLeaf>) {
    let mut path = prefix.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match *token {
            "{" => return branches(&tokens[at + 1..]).into_iter().for_each(|b| use_tree(b, &path, exported, found)),
            "as" => break,
            "::" => {}
            word => path.push(word.to_owned()),
        }
        at += 1;
    }
    // `{self}` names the module before it.
    if path.len() > prefix.len() && !prefix.is_empty() && path.last().is_some_and(|word| word == "self") {
        path.pop();
    }
    let renamed = tokens.get(at + 1).filter(|_| tokens.get(at) == Some(&"as")).map(|name| (*name).to_owned());
    if let Some(name) = renamed.or_else(|| path.last().cloned()) {
        found.push(UseLeaf { path, name, exported });
    }
}

/// The branches of a group, up to its end.
fn branches<'t, 'a>(tokens: &'t [&'a str]) -> Vec<&'t [&'a str]> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "{" => depth += 1,
            "," if depth == 0 => {
                found.push(&tokens[start..at]);
                start = at + 1;
            }
            "}" if depth == 0 => {
                found.push(&tokens[start..at]);
                break;
            }
            "}" => depth -= 1,
            _ => {}
        }
    }
    found.retain(|branch| !branch.is_empty());
    found
}

/// The types that get methods here by `impl T` (and not `impl Trait for T`).
pub fn inherent_impls<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at] == "impl") {
        let head = tokens[at + 1..].iter().position(|token| *token == "{").map(|len| &tokens[at + 1..at + 1 + len]);
        // `impl Trait` as the type of something has no block of its own before the next sign that ends it.
        let Some(head) =
            head.filter(|head| !head.contains(&"for") && !head.iter().any(|t| matches!(*t, ")" | ";" | "=")))
        else {
            continue;
        };
        let is_item = at == 0 || matches!(tokens[at - 1], "}" | ";" | "]");
        let mut depth = 0_i32;
        let name = head.iter().find(|token| {
            depth += i32::from(**token == "<") - i32::from(**token == ">");
            depth == 0 && is_word(token)
        });
        found.extend(name.filter(|_| is_item));
    }
    found
}

/// Every path that begins with a crate or a word, with groups spelled out: `std::{fs, net::IpAddr}` gives `std::fs` and
/// `std::net::IpAddr`.
pub fn paths(tokens: &[&str], first: &str) -> Vec<String> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let is_start = tokens[at] == first && (at == 0 || tokens[at - 1] != "::" || at < 2 || !is_word(tokens[at - 2]));
        if is_start {
            tree(tokens, at, "", &mut found);
        }
    }
    found
}

/// Reads one branch of a path; gives where it ends. Depth of groups is bounded by what compiles, and here by 64.
fn tree(tokens: &[&str], mut at: usize, prefix: &str, found: &mut Vec<String>) -> usize {
    let mut path = prefix.to_owned();
    while let Some(token) = tokens.get(at) {
        if *token == "{" && path.matches("::").count() < 64 && !path.is_empty() {
            at += 1;
            while at < tokens.len() && tokens[at] != "}" {
                at = tree(tokens, at, &path, found);
                // `as` and a new name may follow; whatever does, the next branch begins behind the comma.
                while at < tokens.len() && !matches!(tokens[at], "," | "}") {
                    at += 1;
                }
                at += usize::from(tokens.get(at) == Some(&","));
            }
            return at + 1;
        }
        if !is_word(token) && *token != "*" {
            break;
        }
        path.push_str(token);
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        path.push_str("::");
        at += 1;
    }
    if path != prefix {
        found.push(path.trim_end_matches("::").to_owned());
    }
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let (mut out, mut i) = (Vec::new(), 0);
    while i < chars.len() {
        let c = chars[i];
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            i = after_block_comment(&chars, i);
        } else if c == '"' {
            i = after_string(&chars, i);
        } else if c == '\'' {
            i = after_quote(&chars, i);
        } else if c.is_alphanumeric() || c == '_' {
            let start = i;
            while at(i).is_alphanumeric() || at(i) == '_' {
                i += 1;
            }
            let word: String = chars[start..i].iter().collect();
            let hashes = (i..chars.len()).take_while(|k| chars[*k] == '#').count();
            if matches!(word.as_str(), "r" | "br" | "cr") && at(i + hashes) == '"' {
                i = after_raw_string(&chars, i + hashes + 1, hashes);
            } else {
                out.push(word);
            }
        } else if c == ':' && at(i + 1) == ':' {
            out.push("::".into());
            i += 2;
        } else {
            if !c.is_whitespace() {
                out.push(c.to_string());
            }
            i += 1;
        }
    }
    out
}

fn after_block_comment(chars: &[char], mut i: usize) -> usize {
    let mut depth = 0;
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => {
                (depth, i) = (depth - 1, i + 2);
                if depth == 0 {
                    break;
                }
            }
            _ => i += 1,
        }
    }
    i
}

fn after_string(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn after_raw_string(chars: &[char], start: usize, hashes: usize) -> usize {
    let ends = |i: usize| chars[i] == '"' && (1..=hashes).all(|k| chars.get(i + k) == Some(&'#'));
    (start..chars.len()).find(|i| ends(*i)).map_or(chars.len(), |i| i + 1 + hashes)
}

/// Behind a character, or behind the sign of a lifetime (whose name is then a word like any other).
fn after_quote(chars: &[char], i: usize) -> usize {
    match (chars.get(i + 1), chars.get(i + 2)) {
        (Some('\\'), Some(_)) => {
            let close = (i + 3..chars.len()).find(|k| chars[*k] == '\'');
            close.map_or(chars.len(), |k| k + 1)
        }
        (Some(_), Some('\'')) => i + 3,
        _ => i + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        tokens(text).join(" ")
    }

    #[test]
    fn comments_and_literals_are_no_tokens() {
        assert_eq!(words("a // b\nc /* d /* e */ f */ g"), "a c g");
        assert_eq!(words(r####"a("tokio \" b"); r#"c " d"#; br"e"; 'x'; '\''; b'"'; z"####), "a ( ) ; ; ; ; ; b ; z");
        assert_eq!(words("fn f<'a>(x: &'a str) { std::fs }"), "fn f < a > ( x : & a str ) { std :: fs }");
        assert_eq!(words(r#"'\u{1F600}' "unclosed"#), "");
        assert_eq!(words("/* unclosed"), "");
    }

    #[test]
    fn what_is_for_tests_is_not_shipped() {
        let source = Source::new(
            "use a;\n#[cfg(test)]\nmod t { fn x() { [1]; } }\n#[cfg(test)] mod u;\n#[cfg(test)]\nuse v::{w};\nfn b() {}\n\
             #[test]\nfn c() -> [u8; 2] { d }\n"
                .into(),
        );
        assert_eq!(source.shipped().join(" "), "use a ; fn b ( ) { }");
        assert!(source.tokens().iter().any(|token| token == "v"));
        assert_eq!(test_modules(&source), ["u"]);
    }

    #[test]
    fn uses_are_spelled_out_with_their_names() {
        let source = Source::new(
            "use a::{self, b as c, d::{e, f}}; pub(crate) use g::h; pub use i::*; fn x() -> impl Fn() { 1 }".into(),
        );
        let leaves = uses(&source.shipped());
        let told: Vec<String> =
            leaves.iter().map(|u| format!("{} {} {}", u.path.join("::"), u.name, u.exported)).collect();
        let expected =
            ["a a false", "a::b c false", "a::d::e e false", "a::d::f f false", "g::h h true", "i::* * true"];
        assert_eq!(told, expected);
    }

    #[test]
    fn types_that_get_methods_are_seen() {
        let source = Source::new(
            "use x; impl A { } impl<'s, T: B<T>> C<'s, T> where T: D { } impl E for F { } fn g() -> impl H { x } \
             #[doc(hidden)] impl I<J> { }"
                .into(),
        );
        assert_eq!(inherent_impls(&source.shipped()), ["A", "C", "I"]);
    }

    #[test]
    fn groups_are_spelled_out() {
        let source =
            Source::new("use std::{fs, net::{IpAddr, TcpStream as S}, time}; x(std::env::var(1)); std::io::*".into());
        let found = paths(&source.shipped(), "std");
        assert_eq!(
            found,
            ["std::fs", "std::net::IpAddr", "std::net::TcpStream", "std::time", "std::env::var", "std::io::*"]
        );
        assert_eq!(paths(&["std", "::", "{", "fs", "::", "{", "self"], "std"), ["std::fs::self"], "unclosed");
        assert_eq!(paths(&["my", "::", "std", "::", "fs"], "std"), Vec::<String>::new());
        assert_eq!(paths(&["::", "std", "::", "fs"], "std"), ["std::fs"]);
    }
}

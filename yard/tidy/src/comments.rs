//! Doc comments that say less than the name below them.
//!
//! A doc comment of one line is held against the name of its item: if each of its words, articles and the like aside, is a word of the name,
//! it is read in vain. `/// The media types.` above `media_types` is such a comment, `/// Media types, the most frequent first.` is none.
//!
//! Looks at the layout that rustfmt gives. Cost: linear. Not seen: comments that repeat the type, or the name in other words, and comments
//! above what macros take.

use crate::House;

/// Words that add nothing to a name.
const FILLERS: [&str; 7] = ["the", "a", "an", "its", "of", "this", "it"];

/// Keywords before the name of an item, besides its visibility.
const KEYWORDS: [&str; 14] = [
    "async",
    "unsafe",
    "default",
    "fn",
    "const",
    "static",
    "mut",
    "struct",
    "enum",
    "union",
    "trait",
    "type",
    "mod",
    "macro_rules!",
];

/// No doc comment says only what the name below it says.
pub fn comments_that_repeat_names(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for text in &house.texts {
        let lines: Vec<&str> = text.source.text.lines().map(str::trim).collect();
        for at in 0..lines.len() {
            let Some((comment, name)) = commented(&lines, at) else { continue };
            if repeats(comment, name) {
                let line = at + 1;
                found.push(format!(
                    "{}:{line}: `/// {comment}` says no more than `{name}`: say more, or leave it out",
                    text.path
                ));
            }
        }
    }
    found
}

/// A doc comment that is this line and no other, and the name of what it stands above.
fn commented<'t>(lines: &[&'t str], at: usize) -> Option<(&'t str, &'t str)> {
    let comment = |at: usize| lines.get(at).and_then(|line| line.strip_prefix("///"));
    let said = comment(at)?.trim();
    let alone = comment(at + 1).is_none() && (at == 0 || comment(at - 1).is_none());
    Some((said, name(item(lines, at + 1)?)?)).filter(|_| alone)
}

/// The first line from here on that is no attribute and no comment.
fn item<'t>(lines: &[&'t str], from: usize) -> Option<&'t str> {
    // Brackets of an attribute that are still open.
    let mut open = 0;
    for line in lines.get(from..)? {
        if open == 0 && line.starts_with("//") {
            continue;
        }
        if open == 0 && !line.starts_with("#[") {
            return Some(*line).filter(|line| !line.is_empty());
        }
        open += line.matches('[').count();
        open = open.saturating_sub(line.matches(']').count());
    }
    None
}

/// The name of an item, a field or a variant that begins like this.
fn name(line: &str) -> Option<&str> {
    let mut rest = line;
    if let Some(public) = rest.strip_prefix("pub") {
        rest = match public.strip_prefix('(') {
            Some(inner) => inner.split_once(')')?.1,
            None => public,
        };
    }
    rest = rest.trim_start();
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| KEYWORDS.contains(word)) {
        rest = after;
    }
    let rest = rest.strip_prefix("r#").unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| !name.is_empty() && !["impl", "use", "extern"].contains(name))
}

/// Whether each word of a comment is a filler or a word of the name.
fn repeats(comment: &str, name: &str) -> bool {
    let known = words_of_name(name);
    let mut words = comment.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.all(|word| {
            let word = word.to_lowercase();
            FILLERS.contains(&word.as_str()) || known.contains(&singular(&word))
        })
}

/// The words of `a_name`, `AName` or `A_NAME`, in lower case and the singular.
fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() && !before.is_uppercase() {
            words.push(String::new());
        }
        if letter != '_' {
            words.last_mut().into_iter().for_each(|word| word.extend(letter.to_lowercase()));
        }
        before = letter;
    }
    words.iter().filter(|word| !word.is_empty()).map(|word| singular(word)).collect()
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, Text};

    /// The lines that are objected to.
    fn blamed(text: &str) -> Vec<usize> {
        let text = Text { path: "1.rs".into(), source: Source::new(text.into()), for_tests: false };
        let found = comments_that_repeat_names(&House { texts: vec![text], ..House::default() });
        found.iter().filter_map(|one| one.split(':').nth(1)?.parse().ok()).collect()
    }

    #[test]
    fn a_comment_that_repeats_the_name_is_seen_and_a_good_one_is_not() {
        let text = "/// A page row.\npub(crate) struct PageRow {\n    /// Its name.\n    pub name: String,\n    \
                    /// Name, in lower case.\n    pub key_name: String,\n}\n";
        let found = comments_that_repeat_names(&House {
            texts: vec![Text { path: "a/1.rs".into(), source: Source::new(text.into()), for_tests: false }],
            ..House::default()
        });
        let expected = [
            "a/1.rs:1: `/// A page row.` says no more than `PageRow`: say more, or leave it out",
            "a/1.rs:3: `/// Its name.` says no more than `name`: say more, or leave it out",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn names_are_read_in_every_spelling() {
        let names = [
            "/// The type.\nr#type: u8,",
            "/// Media types.\npub const MEDIA_TYPES: u8 = 1;",
            "/// Of the entry.\npub async fn entries(self) {}",
            "/// This one.\nOne(u8),",
            "/// HTTP status.\n#[serde(\n    with = \"[\",\n    a]\n)]\n// why\nHttpStatus = 1,",
            "/// It.\nmacro_rules! it {",
        ];
        for text in names {
            assert_eq!(blamed(text), [1], "{text}");
        }
    }

    #[test]
    fn what_says_more_or_is_longer_passes() {
        let good = [
            "/// The name that people see.\nname: String,",
            "/// The name.\n///\n/// Why.\nname: String,",
            "/// Why:\n/// the name.\nname: String,",
            "/// `}`\nClose,",
            "/// Page.\nimpl Page {",
            "/// The name.",
            "// The name.\nname: String,",
            "//! The name.\nname: String,",
            "/// Level 2.\nLevel,",
        ];
        for text in good {
            assert_eq!(blamed(text), [0; 0], "{text}");
        }
    }
}

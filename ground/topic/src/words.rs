//! Where words begin and end, in any script, in one pass.
//!
//! A word is a run of letters, digits and the marks that stand on letters, in lower case, cut to 64 bytes; everything else parts
//! words. Scripts that put no spaces between words give pairs of neighboring letters, and a letter that stands alone is a word.
//!
//! Cost: linear in the text. Not guaranteed: that accents are forgiven; a text and a topic that spell alike meet.

/// Bytes of a word that count.
const LONGEST: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Solid,
    Unseen,
    Other,
}

/// Calls `each` with the words of a text, in order.
pub fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::with_capacity(LONGEST);
    let mut solid: Option<(char, bool)> = None;
    for c in text.chars() {
        let class = class_of(c);
        if class == Class::Unseen {
            continue;
        }
        if class != Class::Letter && !word.is_empty() {
            each(&word);
            word.clear();
        }
        if class != Class::Solid {
            alone(solid.take(), &mut each);
        }
        match class {
            Class::Letter if c.is_ascii() && word.len() < LONGEST => word.push(c.to_ascii_lowercase()),
            Class::Letter if word.len() < LONGEST => word.extend(c.to_lowercase()),
            Class::Solid => {
                if let Some((before, _)) = solid {
                    let mut pair = [0; 8];
                    let first = before.encode_utf8(&mut pair).len();
                    let length = first + c.encode_utf8(&mut pair[first..]).len();
                    each(std::str::from_utf8(&pair[..length]).unwrap_or_default());
                }
                solid = Some((c, solid.is_some()));
            }
            _ => {}
        }
    }
    if !word.is_empty() {
        each(&word);
    }
    alone(solid, &mut each);
}

/// A letter that was in no pair is a word.
fn alone(solid: Option<(char, bool)>, each: &mut impl FnMut(&str)) {
    if let Some((c, false)) = solid {
        each(c.encode_utf8(&mut [0; 4]));
    }
}

fn class_of(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() { Class::Letter } else { Class::Other };
    }
    match c {
        // Soft hyphens and joiners are written inside words and are not seen.
        '\u{ad}' | '\u{200b}'..='\u{200d}' => Class::Unseen,
        _ if is_solid(c) => Class::Solid,
        _ if c.is_alphanumeric() => Class::Letter,
        // Accents, vowel signs of Indian scripts and points of Hebrew and Arabic stand inside words.
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' => Class::Letter,
        '\u{900}'..='\u{d7f}' => Class::Letter,
        _ => Class::Other,
    }
}

/// A letter of a script that puts no spaces between words, or sticks particles to them.
fn is_solid(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}' | '\u{3007}'
        | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_word(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(words("Low-resource MT, 3.14!"), ["low", "resource", "mt", "3", "14"]);
        assert_eq!(words("Příliš ŽLUŤOUČKÝ"), ["příliš", "žluťoučký"]);
        assert_eq!(words("trans\u{ad}lation"), ["translation"]);
        assert_eq!(words("机器翻译 x 中"), ["机器", "器翻", "翻译", "x", "中"]);
        assert_eq!(words("हिन्दी में"), ["हिन्दी", "में"]);
        assert_eq!(words(" \n\t…"), [""; 0]);
    }

    #[test]
    fn a_huge_word_is_cut() {
        let found = words(&"ß".repeat(100_000));
        assert_eq!(found.len(), 1);
        assert!(found[0].len() <= LONGEST + 4);
    }
}

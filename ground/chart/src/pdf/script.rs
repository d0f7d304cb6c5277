//! What is fit to be set of a stranger's text, and which of it runs from right to left?
//!
//! Rule: control characters and white space become single spaces; marks that are not seen, and those that turn the direction
//! of what follows, are dropped. Runs of right-to-left letters (with the spaces and signs between them) are turned round in
//! place, marks staying behind their letter, brackets mirrored. Cost: linear. Not guaranteed: the whole bidirectional
//! algorithm (a line is always laid out from left to right, numbers inside a run split it), and the joined forms of Arabic.

/// The characters of a text that can be set, cleaned on the way.
pub(super) fn clean(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut space = true;
    text.chars().filter(|&c| !is_unseen(c)).filter_map(move |c| {
        let blank = c.is_control() || c.is_whitespace();
        let kept = !(blank && space);
        space = blank;
        kept.then_some(if blank { ' ' } else { c })
    })
}

/// Not seen by themselves: joiners, direction marks, variation selectors, tags.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A letter or mark that runs from right to left.
fn is_leftward(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}') && !is_digit(c)
}

fn is_digit(c: char) -> bool {
    matches!(c, '0'..='9' | '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
}

/// A mark that stands above or below the letter before it.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}')
}

fn mirrored(c: char) -> char {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('<', '>'), ('«', '»')];
    let other = PAIRS.iter().find_map(|&(open, close)| match c {
        _ if c == open => Some(close),
        _ if c == close => Some(open),
        _ => None,
    });
    other.unwrap_or(c)
}

/// Turns the right-to-left runs of a line round.
pub(super) fn turn(line: &mut [char]) {
    let mut from = 0;
    while let Some(start) = line[from..].iter().position(|&c| is_leftward(c)).map(|at| from + at) {
        let mut end = start + 1;
        for (at, &c) in line.iter().enumerate().skip(start + 1) {
            if is_leftward(c) {
                end = at + 1;
            } else if c.is_alphanumeric() {
                break;
            }
        }
        // If it is all there is, the signs around it belong to it.
        let alone = !line[..start].iter().chain(&line[end..]).any(|c| c.is_alphanumeric());
        let (start, end) = if alone { (0, line.len()) } else { (start, end) };
        reverse(&mut line[start..end]);
        from = end;
    }
}

fn reverse(run: &mut [char]) {
    run.reverse();
    for c in run.iter_mut() {
        *c = mirrored(*c);
    }
    // Marks came to stand before their letter; each letter moves to the front of its marks.
    let mut at = 0;
    while at < run.len() {
        let marks = run[at..].iter().take_while(|&&c| is_mark(c)).count();
        let end = (at + marks + 1).min(run.len());
        run[at..end].reverse();
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_seen_is_set() {
        let cleaned: String = clean("\u{0}\u{202e} a\u{1b}[31m\r\n\t b\u{200b}c\u{feff}").collect();
        assert_eq!(cleaned, "a [31m bc");
    }

    #[test]
    fn right_to_left_runs_are_turned_and_the_rest_is_not() {
        let turned = |text: &str| {
            let mut line: Vec<char> = text.chars().collect();
            turn(&mut line);
            line.into_iter().collect::<String>()
        };
        assert_eq!(turned("plain (text) 12"), "plain (text) 12");
        assert_eq!(turned("a אבג b"), "a גבא b");
        assert_eq!(turned("אב גד"), "דג בא");
        assert_eq!(turned("אב (גד) ה"), "ה (דג) בא");
        assert_eq!(turned("אב (גד)"), "(דג) בא", "signs at the end go along");
        assert_eq!(turned("אב 12"), "בא 12");
        assert_eq!(turned("א\u{5b8}ב"), "בא\u{5b8}", "the mark stays behind its letter");
    }
}

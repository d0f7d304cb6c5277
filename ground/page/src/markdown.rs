//! How are the blocks of a page written as Markdown, so that its text stays text?
//!
//! CommonMark with the tables of GFM. Headings, paragraphs, list items, code and cells are written as what they are; the title, the
//! description and the keywords are the front matter's, and the navigation of the site is left out. What is not kept of a page cannot
//! be written: lists have one level, and a cell of a table is a row of its own.
//!
//! Text cannot become markup: what has a meaning anywhere is escaped anywhere, what has one at the beginning of a line is escaped there, and a
//! text is one line (but for code, whose fence is longer than any run of backticks in it). Cost: linear in the text.

use groma_model::{Block, BlockKind};

/// A link to be listed.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Text of the link.
    pub text: &'a str,
    /// URL to which it leads.
    pub address: &'a str,
}

/// Writes blocks. `title`: the heading of a page that has none of its own.
pub fn blocks(out: &mut String, title: &str, blocks: &[Block]) {
    let headed = blocks.iter().any(|block| block.kind == BlockKind::Heading1);
    if !headed && !title.trim().is_empty() {
        out.push_str("# ");
        text(out, title);
        out.push_str("\n\n");
    }
    let mut before = BlockKind::Title;
    for block in blocks {
        let kind = block.kind;
        if matches!(kind, BlockKind::Title | BlockKind::Description | BlockKind::Keywords | BlockKind::Navigation)
            || block.text.trim().is_empty()
        {
            continue;
        }
        // Items and cells that follow each other stand together.
        let together = matches!(before, BlockKind::ListItem | BlockKind::TableCell);
        if together && before != kind {
            out.push('\n');
        }
        match kind {
            BlockKind::ListItem => {
                out.push_str("- ");
                text(out, &block.text);
                out.push('\n');
            }
            BlockKind::TableCell => {
                out.push_str("| ");
                text(out, &block.text);
                out.push_str(if before == BlockKind::TableCell { " |\n" } else { " |\n| --- |\n" });
            }
            BlockKind::Preformatted => code(out, &block.text),
            kind => {
                let level = (kind as u8).min(7) % 7;
                (0..level).for_each(|_| out.push('#'));
                out.push_str(if level > 0 { " " } else { "" });
                text(out, &block.text);
                out.push_str("\n\n");
            }
        }
        before = kind;
    }
    if matches!(before, BlockKind::ListItem | BlockKind::TableCell) {
        out.push('\n');
    }
}

/// Writes a list of links.
pub fn references<'a>(out: &mut String, links: impl IntoIterator<Item = Reference<'a>>) {
    let mut any = false;
    for link in links {
        if !any {
            out.push_str("* * *\n\n");
        }
        any = true;
        out.push_str("- [");
        text(out, if link.text.trim().is_empty() { link.address } else { link.text });
        out.push_str("](<");
        for letter in link.address.chars().filter(|c| !c.is_control()) {
            match letter {
                '<' => out.push_str("%3C"),
                '>' => out.push_str("%3E"),
                '\\' => out.push_str("%5C"),
                '&' => out.push_str("&amp;"),
                other => out.push(other),
            }
        }
        out.push_str(">)\n");
    }
    if any {
        out.push('\n');
    }
}

/// A value of the front matter: a string of YAML in double quotes.
pub fn quoted(out: &mut String, value: &str) {
    out.push('"');
    for letter in value.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{2028}' | '\u{2029}' | '\u{feff}' => out.push_str(&format!("\\u{:04X}", u32::from(letter))),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Text as one line that is nothing but text.
pub fn text(out: &mut String, text: &str) {
    let start = out.len();
    for (at, word) in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).enumerate() {
        if at > 0 {
            out.push(' ');
        }
        // What only means something where a line begins.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = digits > 0 && matches!(word.as_bytes().get(digits), Some(b'.' | b')'));
        for (place, letter) in word.char_indices() {
            let begins = out.len() == start;
            let marks = match letter {
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '$' | '@' => true,
                '!' => word[place + 1..].starts_with('['),
                // URLs would be linked.
                ':' => word[place + 1..].starts_with("//"),
                '.' if at == 0 && numbered && place == digits => true,
                '.' => word[..place].to_ascii_lowercase().ends_with("www"),
                ')' => at == 0 && numbered && place == digits,
                '+' | '-' | '=' => begins,
                _ => false,
            };
            if marks {
                out.push('\\');
            }
            out.push(letter);
        }
    }
}

fn code(out: &mut String, text: &str) {
    let (mut longest, mut run) = (0, 0);
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    out.push_str(&fence);
    out.push('\n');
    out.extend(text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')));
    if !text.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(&fence);
    out.push_str("\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(list: &[(BlockKind, &str)]) -> String {
        let list: Vec<Block> = list.iter().map(|(kind, text)| Block { kind: *kind, text: (*text).into() }).collect();
        let mut out = String::new();
        blocks(&mut out, "The title", &list);
        out
    }

    #[test]
    fn blocks_are_what_they_are() {
        use BlockKind::*;
        let page = written(&[
            (Title, "The title"),
            (Navigation, "menu"),
            (Heading2, "Part"),
            (Paragraph, "One."),
            (ListItem, "a"),
            (ListItem, "b"),
            (TableCell, "x"),
            (TableCell, "y"),
            (Preformatted, "let a = `b`;\n  c"),
            (ImageAlt, "A tree"),
            (Heading6, "Small"),
        ]);
        let wanted = "# The title\n\n## Part\n\nOne.\n\n- a\n- b\n\n| x |\n| --- |\n| y |\n\n```\nlet a = `b`;\n  c\n```\n\nA tree\n\n###### Small\n\n";
        assert_eq!(page, wanted);
        assert!(!written(&[(Heading1, "Own")]).contains("The title"));
    }

    #[test]
    fn text_stays_text() {
        let plain = |given: &str| {
            let mut out = String::new();
            text(&mut out, given);
            out
        };
        assert_eq!(plain("# no *heading*"), "\\# no \\*heading\\*");
        assert_eq!(plain("- no item"), "\\- no item");
        assert_eq!(plain("12. no number 1. here"), "12\\. no number 1. here");
        assert_eq!(plain("3) no"), "3\\) no");
        assert_eq!(plain("<script>alert(1)</script>"), "\\<script\\>alert(1)\\</script\\>");
        assert_eq!(plain("a\n\n# b\r\n- c"), "a \\# b - c");
        assert_eq!(plain("![x](y) &lt; http://a.b www.c.d"), "\\!\\[x\\](y) \\&lt; http\\://a.b www\\.c.d");
        assert_eq!(plain("=== x | y"), "\\=== x \\| y");
    }

    #[test]
    fn code_cannot_close_its_fence_and_links_cannot_leave_theirs() {
        let page = written(&[(BlockKind::Preformatted, "```\n# out\n````")]);
        assert!(page.contains("`````\n```\n# out\n````\n`````\n"), "{page}");
        let mut out = String::new();
        references(&mut out, [Reference { text: "a](evil)", address: "http://a.example/x>(y" }]);
        assert_eq!(out, "* * *\n\n- [a\\](evil)](<http://a.example/x%3E(y>)\n\n");
        let mut value = String::new();
        quoted(&mut value, "a\"b\\c\n---\u{85}");
        assert_eq!(value, "\"a\\\"b\\\\c\\u000A---\\u0085\"");
    }
}

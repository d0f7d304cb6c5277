//! Reading PostgreSQL's COPY text: a row per line, with `\n`, `\\` and the like for what would break a line.
//!
//! Source: the PostgreSQL manual, COPY, "Text Format". Cost: linear, in place. One column per row, so tabs are escaped too.

/// Turns a line (without its end) into the value it stands for; false if it is NULL.
pub(super) fn unescape(line: &mut Vec<u8>) -> bool {
    if line.as_slice() == b"\\N" {
        return false;
    }
    let Some(first) = line.iter().position(|byte| *byte == b'\\') else { return true };
    let (mut from, mut to) = (first, first);
    while from < line.len() {
        let mut byte = line[from];
        from += 1;
        if byte == b'\\' && from < line.len() {
            byte = match line[from] {
                b'b' => 0x08,
                b'f' => 0x0c,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'v' => 0x0b,
                other => other,
            };
            from += 1;
        }
        line[to] = byte;
        to += 1;
    }
    line.truncate(to);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_escaped_comes_back() {
        let read = |text: &str| {
            let mut line = text.as_bytes().to_vec();
            unescape(&mut line).then(|| String::from_utf8(line).unwrap())
        };
        assert_eq!(read("Rostock").as_deref(), Some("Rostock"));
        assert_eq!(read(r"a\tb\nc\\d\r").as_deref(), Some("a\tb\nc\\d\r"));
        assert_eq!(read(r"\\N").as_deref(), Some("\\N"));
        assert_eq!(read(r"a\").as_deref(), Some("a\\"));
        assert_eq!(read("").as_deref(), Some(""));
        assert_eq!(read(r"\N"), None);
    }
}

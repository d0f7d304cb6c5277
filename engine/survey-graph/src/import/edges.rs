//! Lists of arcs: text with two nodes a line (numbers or URLs), or pairs of little-endian 32-bit numbers.
//!
//! Text: nodes are parted by white space, a comma or a semicolon; what follows them on the line is passed over; lines that
//! begin with `#` or `%` are remarks, and so is a first line of column names. If every node is a number, nodes are numbers;
//! otherwise all are URLs, numbered in the order in which they appear.

use std::collections::HashMap;
use std::io::BufRead;

use super::ImportError;

/// How arcs are written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeFormat {
    /// Found out from the first bytes.
    #[default]
    Auto,
    /// Two nodes a line.
    Text,
    /// Pairs of little-endian 32-bit numbers.
    Pairs,
}

/// Pairs of node numbers: source and target.
pub type Arcs = Vec<(u32, u32)>;

/// A list of arcs, and what its nodes are called if it says so itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeList {
    pub arcs: Arcs,
    /// The URLs of the nodes, if the list gives URLs instead of numbers.
    pub names: Option<Vec<String>>,
}

/// Reads a list of arcs.
pub fn read_edges(from: &mut dyn BufRead, format: EdgeFormat) -> Result<EdgeList, ImportError> {
    let pairs = match format {
        EdgeFormat::Pairs => true,
        EdgeFormat::Text => false,
        EdgeFormat::Auto => looks_binary(from.fill_buf()?),
    };
    if pairs { Ok(EdgeList { arcs: read_pairs(from)?, names: None }) } else { read_text(from) }
}

/// Text has no bytes below the white space, small numbers have little else.
fn looks_binary(head: &[u8]) -> bool {
    head.iter().take(4096).any(|byte| matches!(byte, 0..=8 | 14..=31))
}

fn read_pairs(from: &mut dyn BufRead) -> Result<Arcs, ImportError> {
    let mut arcs = Vec::new();
    let (mut kept, mut length, mut bytes) = ([0u8; 8], 0, 0u64);
    loop {
        let buffer = from.fill_buf()?;
        let size = buffer.len();
        if size == 0 {
            break;
        }
        bytes += size as u64;
        let mut rest = buffer;
        if length > 0 {
            let taken = rest.len().min(8 - length);
            kept[length..length + taken].copy_from_slice(&rest[..taken]);
            length += taken;
            rest = &rest[taken..];
            if length < 8 {
                from.consume(size);
                continue;
            }
            arcs.push(pair(&kept));
        }
        let whole = rest.chunks_exact(8);
        let left = whole.remainder();
        kept[..left.len()].copy_from_slice(left);
        length = left.len();
        arcs.extend(whole.map(pair));
        from.consume(size);
    }
    if length > 0 { Err(ImportError::HalfPair(bytes)) } else { Ok(arcs) }
}

fn pair(bytes: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(0), number(4))
}

fn read_text(from: &mut dyn BufRead) -> Result<EdgeList, ImportError> {
    let mut list = EdgeList::default();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut heading: Option<(String, String)> = None;
    let (mut text, mut line) = (Vec::new(), 0u64);
    loop {
        text.clear();
        if from.read_until(b'\n', &mut text)? == 0 {
            break;
        }
        line += 1;
        let wrong = |what: &str| ImportError::Line { line, what: what.to_owned() };
        let words = std::str::from_utf8(&text).map_err(|_| wrong("not UTF-8; for pairs of numbers say --as pairs"))?;
        let words = words.trim_start_matches('\u{feff}').trim();
        if words.is_empty() || words.starts_with(['#', '%']) {
            continue;
        }
        // A URL may hold commas and semicolons: they part nodes only where nothing else does.
        let spaced = words.contains(char::is_whitespace);
        let parts = |c: char| if spaced { c.is_whitespace() } else { matches!(c, ',' | ';') };
        let mut nodes =
            words.split(parts).map(|word| word.trim_end_matches([',', ';'])).filter(|word| !word.is_empty());
        let (Some(from_node), Some(to_node)) = (nodes.next(), nodes.next()) else {
            return Err(wrong("two nodes are wanted: from, to"));
        };
        match (number(from_node), number(to_node)) {
            (Some(_), Some(_)) if heading.as_ref().is_some_and(|(from_node, _)| is_address(from_node)) => {
                return Err(wrong("numbers and URLs are mixed"));
            }
            (Some(from_node), Some(to_node)) if list.names.is_none() => list.arcs.push((from_node, to_node)),
            _ if [from_node, to_node].iter().any(|word| is_odd_number(word)) => {
                return Err(wrong("a node is a number from 0 to 4294967294"));
            }
            (None, None) if list.arcs.is_empty() && heading.is_none() && list.names.is_none() => {
                // Column names, or the first arc of a list of URLs: the next line tells.
                heading = Some((from_node.to_owned(), to_node.to_owned()));
            }
            (None, None) if list.names.is_some() || list.arcs.is_empty() => {
                let names = list.names.get_or_insert_with(Vec::new);
                let first = heading.take();
                for (a, b) in first.iter().map(|(a, b)| (a.as_str(), b.as_str())).chain([(from_node, to_node)]) {
                    let arc = (node(a, &mut numbers, names)?, node(b, &mut numbers, names)?);
                    list.arcs.push(arc);
                }
            }
            _ => return Err(wrong("numbers and URLs are mixed")),
        }
    }
    if let Some((a, b)) = heading.filter(|(a, b)| list.arcs.is_empty() && is_address(a) && is_address(b)) {
        let names = list.names.get_or_insert_with(Vec::new);
        let arc = (node(&a, &mut numbers, names)?, node(&b, &mut numbers, names)?);
        list.arcs.push(arc);
    }
    Ok(list)
}

fn is_address(word: &str) -> bool {
    word.contains("://")
}

/// Digits that are no number of a node: too many of them, or below zero.
fn is_odd_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) && number(word).is_none()
}

fn number(word: &str) -> Option<u32> {
    word.parse().ok().filter(|number| *number != u32::MAX)
}

fn node(name: &str, numbers: &mut HashMap<String, u32>, names: &mut Vec<String>) -> Result<u32, ImportError> {
    if let Some(&number) = numbers.get(name) {
        return Ok(number);
    }
    let number = u32::try_from(names.len()).ok().filter(|n| *n < u32::MAX - 1).ok_or(ImportError::TooMany)?;
    numbers.insert(name.to_owned(), number);
    names.push(name.to_owned());
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Result<EdgeList, ImportError> {
        read_edges(&mut text.as_bytes(), EdgeFormat::Auto)
    }

    #[test]
    fn numbers_with_remarks_and_headings() {
        let list = text("# a graph\nfrom,to\n0,1\n1 2 0.5\n\n2\t0\n").unwrap();
        assert_eq!(list, EdgeList { arcs: vec![(0, 1), (1, 2), (2, 0)], names: None });
    }

    #[test]
    fn addresses_are_numbered_as_they_appear() {
        let list = text("http://a/ http://b/\nhttp://b/ http://a/\nhttp://b/ http://c/\n").unwrap();
        assert_eq!(list.arcs, [(0, 1), (1, 0), (1, 2)]);
        assert_eq!(list.names.unwrap(), ["http://a/", "http://b/", "http://c/"]);
        assert_eq!(text("http://a/ http://b/").unwrap().arcs, [(0, 1)]);
        let commas = text("http://a/x,1;2.html http://b/\nhttp://b/, http://a/x,1;2.html\n").unwrap();
        assert_eq!((commas.names.unwrap()[0].as_str(), commas.arcs), ("http://a/x,1;2.html", vec![(0, 1), (1, 0)]));
        assert_eq!(text("from to").unwrap().arcs, []);
    }

    #[test]
    fn bad_lines_are_named() {
        for (list, line) in [
            ("0 1\n2\n", 2),
            ("0 1\nhttp://a/ 1\n", 2),
            ("0 1\n1 -2\n", 2),
            ("a b\na b\n1 2\n", 3),
            ("http://a/ http://b/\n0 1\n", 2),
        ] {
            let error = text(list).unwrap_err();
            assert!(matches!(error, ImportError::Line { line: at, .. } if at == line), "{list:?}: {error}");
        }
        for list in ["0 4294967295", "0 99999999999", "-1 2"] {
            assert!(text(list).unwrap_err().to_string().contains("4294967294"), "{list}");
        }
    }

    #[test]
    fn pairs_come_whole_however_they_are_cut() {
        let bytes: Vec<u8> = [1u32, 2, 3, 4, 5, 6].iter().flat_map(|n| n.to_le_bytes()).collect();
        for size in 1..20 {
            let mut slow = std::io::BufReader::with_capacity(size, bytes.as_slice());
            assert_eq!(read_edges(&mut slow, EdgeFormat::Pairs).unwrap().arcs, [(1, 2), (3, 4), (5, 6)]);
        }
        assert_eq!(read_edges(&mut bytes.as_slice(), EdgeFormat::Auto).unwrap().arcs.len(), 3);
        let half = read_edges(&mut &bytes[..12], EdgeFormat::Pairs);
        assert!(matches!(half, Err(ImportError::HalfPair(12))));
    }
}

//! Character references: `&amp;`, `&#8212;`, and `&copy` without its semicolon, as the standard reads them in texts and in attributes.

use html5ever::data::NAMED_ENTITIES;

/// The longest name that needs no semicolon.
const BARE: usize = 6;

/// Adds a text with its references resolved. Nothing if one is wrong in a way that is not known here.
pub(super) fn push_resolved(text: &str, in_attribute: bool, to: &mut String) -> Option<()> {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        to.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = one(rest, in_attribute, to)?;
        rest = &rest[length..];
    }
    to.push_str(rest);
    Some(())
}

/// Adds what the `&` that a text begins with stands for; how many bytes it took.
fn one(text: &str, in_attribute: bool, to: &mut String) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.get(1) == Some(&b'#') {
        return number(text, to);
    }
    let length = bytes[1..].iter().take(40).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if length == 0 {
        to.push('&');
        return Some(1);
    }
    let name = &text[1..=length];
    if bytes.get(length + 1) == Some(&b';') {
        // A name that is none may still begin with one that needs no semicolon.
        let named = NAMED_ENTITIES.get(&text[1..length + 2])?;
        push(*named, to)?;
        return Some(length + 2);
    }
    let bare =
        (2..=length.min(BARE)).rev().find(|end| NAMED_ENTITIES.get(&name[..*end]).is_some_and(|named| named.0 != 0));
    let Some(end) = bare else {
        to.push_str(&text[..=length]);
        return Some(length + 1);
    };
    let next = bytes.get(end + 1);
    if in_attribute && next.is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric()) {
        to.push_str(&text[..=length]);
        return Some(length + 1);
    }
    push(*NAMED_ENTITIES.get(&name[..end])?, to)?;
    Some(end + 1)
}

fn push(named: (u32, u32), to: &mut String) -> Option<()> {
    to.push(char::from_u32(named.0).filter(|c| *c != '\0')?);
    if named.1 != 0 {
        to.push(char::from_u32(named.1)?);
    }
    Some(())
}

fn number(text: &str, to: &mut String) -> Option<usize> {
    let (start, radix) = if matches!(text.as_bytes().get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
    let digits = text[start..].chars().take(8).take_while(|c| c.is_digit(radix)).count();
    if digits == 0 || digits == 8 {
        return None;
    }
    let code = u32::from_str_radix(&text[start..start + digits], radix).ok()?;
    // Codes that mean others, or nothing, are left to those who know them.
    let is_plain = matches!(code, 0x0a | 0x09 | 0x20..=0x7e | 0xa0..=0xfdcf | 0xfdf0..=0xfffd | 0x1_0000..=0x1_fffd);
    to.push(char::from_u32(code).filter(|_| is_plain)?);
    let end = start + digits;
    Some(end + usize::from(text.as_bytes().get(end) == Some(&b';')))
}

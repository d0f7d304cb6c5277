//! What the page allows itself: its own script and style sheet, known by their SHA-256, and nothing else at all.
//!
//! Source: Content Security Policy Level 3. A title that broke out of its place could then still not run a script,
//! load a picture or send a form. Styles set by the script go through the object model, which the policy leaves alone.

use sha2::{Digest, Sha256};

/// The policy for a page with this script and this style sheet. Without a script none may run.
pub(crate) fn policy(script: &str, style: &str) -> String {
    // An empty picture as data stands for the icon, so that no browser asks the server for one.
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        base64(&Sha256::digest(script.as_bytes())),
        base64(&Sha256::digest(style.as_bytes())),
    )
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let group = three.iter().enumerate().fold(0u32, |group, (at, byte)| group | u32::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            if at > three.len() {
                text.push('=');
            } else {
                text.push(char::from(DIGITS[(group >> (18 - 6 * at) & 63) as usize]));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn the_policy_names_both_hashes() {
        // The value for the empty text, as every table of SHA-256 has it.
        let empty = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
        assert_eq!(policy("", "").matches(empty).count(), 2);
    }
}

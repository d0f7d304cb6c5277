//! How does a receiver know that a message is ours? HMAC-SHA256 over `TIMESTAMP.BODY` (RFC 2104, FIPS 180-4).
//!
//! The moment is part of what is signed, so that an old message cannot be replayed later: receivers refuse timestamps that are more than
//! a few minutes off.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::Secret;

/// The value of `X-Groma-Signature`: `sha256=` and 64 hexadecimal digits.
pub fn signature(secret: &Secret, timestamp: i64, body: &[u8]) -> String {
    // Keys of every length are taken.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.reveal().as_bytes()) else { return String::new() };
    mac.update(timestamp.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    format!("sha256={}", hexadecimal(&mac.finalize().into_bytes()))
}

/// 32 hexadecimal digits that stand for these texts in this order, and for no others.
pub fn fingerprint(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    }
    hexadecimal(&hash.finalize()[..16])
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_hmac_sha256_of_moment_and_body() {
        // printf '1763200000.{"a":1}' | openssl dgst -sha256 -hmac 'a secret of some length'
        let secret = Secret::new("a secret of some length");
        assert_eq!(
            signature(&secret, 1_763_200_000, b"{\"a\":1}"),
            "sha256=42a9e193b605269196e54cb4120d25eec183ee6d664d0099de0b0bddcb92deb3"
        );
        assert_ne!(signature(&secret, 1_763_200_001, b"{\"a\":1}"), signature(&secret, 1_763_200_000, b"{\"a\":1}"));
        assert_eq!(format!("{secret:?}"), "***");
    }

    #[test]
    fn fingerprints_tell_texts_apart() {
        assert_eq!(fingerprint(&["ab", "c"]).len(), 32);
        assert_ne!(fingerprint(&["ab", "c"]), fingerprint(&["a", "bc"]));
        assert_eq!(fingerprint(&["ab", "c"]), fingerprint(&["ab", "c"]));
    }
}

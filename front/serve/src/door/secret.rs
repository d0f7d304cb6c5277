//! Random secrets, and what is kept instead of them.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use groma_store::accounts::Hash;

use crate::error::Problem;
use crate::words;

/// A new secret: 32 random bytes as 64 letters.
pub(crate) fn fresh() -> Result<String, Problem> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| Problem::ours(words::NO_CHANCE, "check /dev/urandom on the server"))?;
    Ok(hex(&bytes))
}

/// Could it be one of ours?
pub(crate) fn is_one(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What is kept of it. The secrets are random, so there is nothing to guess and nothing to salt.
pub(crate) fn hash(secret: &str) -> Hash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Equal, in a time that says nothing about where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

/// In lower case.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

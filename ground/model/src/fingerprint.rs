//! Fingerprints: 128 bits of a URL or of a text, so that the full string need not be looked at again.
//!
//! xxh3-128. At 100 million URLs the chance that any two collide is below 2e-23. It is no defence against somebody
//! who *makes* two URLs collide: all they gain is that one page of their own is taken for another.

use xxhash_rust::xxh3;

/// The 128-bit fingerprint of a canonical URL, a text, or a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fp(pub u128);

impl Fp {
    /// The xxh3-128 hash of some bytes.
    pub fn hash_bytes(bytes: &[u8]) -> Fp {
        Fp(xxh3::xxh3_128(bytes))
    }

    /// As the store keeps it.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// From what the store kept; `None` if it is not 16 bytes long.
    pub fn from_bytes(bytes: &[u8]) -> Option<Fp> {
        Some(Fp(u128::from_be_bytes(bytes.try_into().ok()?)))
    }

    /// As people see it: 32 hexadecimal digits.
    pub fn hex(self) -> String {
        format!("{:032x}", self.0)
    }
}

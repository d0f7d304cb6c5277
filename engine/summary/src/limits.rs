//! How much is read, and how long? What is cut by a limit says so in the object (`Partial`).

use std::time::Duration;

/// The limits of a summarizer. The defaults let every answer through the default limits of a SOIF reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Attributes read of one document; further ones are left out and named.
    pub attributes: usize,
    /// Values of one attribute; further ones are left out.
    pub values: u64,
    /// Octets of the values of one attribute; further ones are left out.
    pub octets: u64,
    /// Octets of all values of an object; further ones are left out.
    pub object: u64,
    /// Characters of one value; longer ones are cut.
    pub letters: u32,
    /// Time for reading one document, altogether.
    pub time: Duration,
    /// An answer is given without asking the database for so long; then it is asked whether anything changed.
    pub fresh: Duration,
    /// How long a request waits for a reading under way before it is told to come again.
    pub wait: Duration,
    /// Readings under way at once; each has a connection to the database.
    pub readings: usize,
    /// Requests under way at once (HTTP connections).
    pub connections: usize,
    /// Documents in the folder; further ones (by name) are not looked at.
    pub documents: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            attributes: 200,
            values: 1_000_000,
            octets: 64 << 20,
            object: 200 << 20,
            letters: 16_384,
            time: Duration::from_secs(300),
            fresh: Duration::from_secs(60),
            wait: Duration::from_secs(15),
            readings: 2,
            connections: 64,
            documents: 1_000,
        }
    }
}

impl Limits {
    /// What of the limits decides about the content of an answer, as a text to compare.
    pub(crate) fn of_content(&self) -> String {
        format!("{} {} {} {} {}", self.attributes, self.values, self.octets, self.object, self.letters)
    }
}

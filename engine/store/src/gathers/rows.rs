//! Gatherings, their answers and what they found, in the words of the house.

use groma_model::Reason;

/// The number of a gathering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GatherId(pub u64);

/// A gathering to be begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGather {
    /// All that makes it this gathering and no other, as text.
    pub key: String,
    /// The address of the form's page, or of the document that leads to the database.
    pub address: String,
    /// Everything that was asked for, as JSON.
    pub asked: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// A gathering as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatherRow {
    /// Never given out twice: people name it.
    pub id: GatherId,
    /// All that makes it this gathering and no other.
    pub key: String,
    /// The URL it was begun with.
    pub address: String,
    /// The page people use to ask the database; empty if nobody knows it yet.
    pub form: String,
    /// What the database is called.
    pub title: String,
    /// Everything that was asked for, as JSON.
    pub asked: String,
    /// When it was begun.
    pub begun: i64,
    /// When it was last at work.
    pub last: i64,
    /// How often it was asked for again after its end.
    pub generation: u32,
    /// The generation that is shown.
    pub shown: u32,
    /// Requests of the generation at work.
    pub requests: u32,
    /// Records of the generation that is shown.
    pub records: u32,
    /// Why it ended; empty if it has not.
    pub end: String,
    /// What it says of itself at its end, as JSON: that of the generation that is shown.
    pub statement: String,
    /// What the last run said of itself, as JSON: that of the generation at work, also where it has not come to its end.
    pub report: String,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRow {
    /// What makes it this question and no other.
    pub key: String,
    /// The question, for people.
    pub about: String,
    /// When the answer came, in seconds since 1970.
    pub at: i64,
    /// What came of it.
    pub reason: Reason,
    /// The status; 0 for no answer.
    pub status: u16,
    /// Where it came from in the end.
    pub address: String,
    /// The media type, in lower case, without parameters.
    pub media_type: String,
    /// The charset of the header; empty if it names none.
    pub charset: String,
    /// The ETag; empty if there is none.
    pub etag: String,
    /// The Last-Modified date; empty if there is none.
    pub last_modified: String,
    /// It was not read to its end.
    pub cut: bool,
    /// The server said that nothing has changed; the body is that of the generation before.
    pub unchanged: bool,
    /// Requests it took: redirects and retries count.
    pub requests: u32,
    /// Decompressed.
    pub body: Vec<u8>,
}

/// A record of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// Its place, from 0.
    pub place: u32,
    /// Attributes and values, as JSON: a list of pairs.
    pub values: String,
    /// Where it is shown by itself; empty if nowhere.
    pub link: String,
    /// The question that brought it, for people.
    pub question: String,
}

/// What a gathering found since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Harvest {
    /// The page people use to ask the database, if it is known now.
    pub form: Option<String>,
    /// What the database is called, if it is known now.
    pub title: Option<String>,
    /// Records; their places are given to them.
    pub records: Vec<RecordRow>,
    /// New values of attributes.
    pub values: Vec<(String, String)>,
    /// Requests so far, for the curve.
    pub requests: u32,
    /// In seconds since 1970.
    pub at: i64,
}

/// What a host's robots.txt said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsKept {
    /// When it was asked for.
    pub at: i64,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The bytes of the file.
    pub body: Vec<u8>,
}

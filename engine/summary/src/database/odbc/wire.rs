//! What goes between the summarizer and the process that holds the driver.
//!
//! Requests: a line of JSON each. Answers: frames of a kind (one octet), a length (four, the highest first) and that many octets. Kind
//! `v` is a value as it is, kind `r` a [`Reply`] in JSON, which ends the answer. The first answer comes after [`GREETING`], because
//! drivers have been seen to print.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::catalogue::{Column, Relation};
use crate::reader::ColumnLimit;

/// What stands before the first frame.
pub(super) const GREETING: &[u8] = b"\n\0groma-odbc\0\n";

/// A frame with one value.
pub(super) const VALUE: u8 = b'v';
/// The end of an answer.
pub(super) const REPLY: u8 = b'r';

/// Octets that may stand before the greeting.
const NOISE: usize = 1 << 16;
/// No frame is longer.
const FRAME: usize = 1 << 28;

/// What is asked of the process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Connect with this connection string, as this user if he is known, within so many seconds.
    Open { text: String, user: Option<String>, seconds: u32 },
    /// Begin reading from one state; all of it ends in so many milliseconds.
    Begin { millis: u64 },
    /// List tables and views.
    Relations,
    /// Columns of one of them.
    Columns { relation: Relation },
    /// The distinct values of a column.
    Values { relation: Relation, column: Column, wanted: ColumnLimit },
}

/// How an answer ends.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Done, without a result.
    Done,
    Relations(Vec<Relation>),
    Columns(Vec<Column>),
    /// The connection was refused.
    Refused(String),
    /// The driver or the database failed.
    Failed(String),
    /// The database ended it because of the time.
    Late,
}

/// Writes a frame: its kind, its length (32 bits, big-endian), its octets.
pub(super) fn send(out: &mut impl Write, kind: u8, octets: &[u8]) -> io::Result<()> {
    let length = u32::try_from(octets.len()).map_err(|_| io::ErrorKind::InvalidData)?;
    out.write_all(&[kind])?;
    out.write_all(&length.to_be_bytes())?;
    out.write_all(octets)
}

pub(super) fn receive(input: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    input.read_exact(&mut head)?;
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
    if length > FRAME {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut octets = vec![0; length];
    input.read_exact(&mut octets)?;
    Ok((head[0], octets))
}

/// Passes over everything up to the greeting and the greeting itself.
pub(super) fn pass_greeting(input: &mut impl Read) -> io::Result<()> {
    let mut last = Vec::with_capacity(GREETING.len());
    let mut octet = [0];
    for _ in 0..NOISE {
        input.read_exact(&mut octet)?;
        if last.len() == GREETING.len() {
            last.remove(0);
        }
        last.push(octet[0]);
        if last == GREETING {
            return Ok(());
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_after_whatever_was_printed_before() {
        let mut pipe = b"running 1 test\n\n\0groma-".to_vec();
        pipe.extend_from_slice(GREETING);
        send(&mut pipe, VALUE, "R\u{fc}gen".as_bytes()).unwrap();
        send(&mut pipe, REPLY, b"").unwrap();
        let mut input = &pipe[..];
        pass_greeting(&mut input).unwrap();
        assert_eq!(receive(&mut input).unwrap(), (VALUE, "R\u{fc}gen".as_bytes().to_vec()));
        assert_eq!(receive(&mut input).unwrap(), (REPLY, Vec::new()));
        assert!(receive(&mut input).is_err(), "the end");
        assert!(pass_greeting(&mut &b"no greeting"[..]).is_err());
        assert!(receive(&mut &[VALUE, 255, 255, 255, 255, 0][..]).is_err(), "a length that nothing has");
    }
}

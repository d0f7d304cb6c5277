//! A page with one wrong bit is fixed exactly: the bit is the one with which the checksum fits.
//!
//! Every bit is tried: 32,768 hashes for a page of 4 KiB, some 10 ms. That another bit fits by chance is one in 10^14.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::page::{self, RESERVED, SUM};

/// The length of the pages of our files.
const PAGE: usize = 4096;

/// What was done to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Numbers of pages that are as they were written again.
    pub fixed: Vec<u64>,
    /// Numbers of pages that stay wrong. Among them may be pages that are not in use.
    pub wrong: Vec<u64>,
}

/// Fixes pages of the file at this path that have one wrong bit. For a moment in which nobody has the file open. Files without checksums
/// stay as they are.
pub fn fix(path: &Path) -> io::Result<Fixed> {
    let mut done = Fixed::default();
    let mut file = File::open(path)?;
    let mut bytes = vec![0; PAGE];
    let mut number = 0;
    while filled(&mut file, &mut bytes)? {
        let offset = number * PAGE as u64;
        number += 1;
        // Pages that were never written are empty.
        if !page::is_whole(&bytes, offset as i64) && bytes.iter().any(|byte| *byte != 0) {
            match put_right(&mut bytes, offset as i64) {
                true => {
                    let mut file = OpenOptions::new().write(true).open(path)?;
                    file.seek(SeekFrom::Start(offset))?;
                    file.write_all(&bytes)?;
                    file.sync_all()?;
                    done.fixed.push(number);
                }
                // The first page of a file without checksums.
                false if number == 1 && usize::from(bytes[RESERVED]) != SUM => return Ok(done),
                false => done.wrong.push(number),
            }
        } else if number == 1 && usize::from(bytes[RESERVED]) != SUM {
            return Ok(done);
        }
    }
    Ok(done)
}

/// Is the first page of this file one with checksums, but for a single bit? What makes a file known as a database stands there.
pub fn has_one_wrong_bit_in_front(path: &Path) -> bool {
    let mut bytes = vec![0; PAGE];
    let read = File::open(path).and_then(|mut file| filled(&mut file, &mut bytes));
    matches!(read, Ok(true)) && !page::is_whole(&bytes, 0) && put_right(&mut bytes, 0)
}

fn filled(file: &mut File, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        other => other.map(|()| true),
    }
}

/// Finds the bit and changes it; says whether there is one.
fn put_right(bytes: &mut [u8], offset: i64) -> bool {
    // In the checksum itself?
    let sum = page::sum(bytes, offset);
    let content = bytes.len() - SUM;
    let wrong: u32 = bytes[content..].iter().zip(sum).map(|(a, b)| (a ^ b).count_ones()).sum();
    if wrong == 1 {
        bytes[content..].copy_from_slice(&sum);
        return true;
    }
    for bit in 0..content * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        if page::is_whole(bytes, offset) {
            return true;
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    false
}

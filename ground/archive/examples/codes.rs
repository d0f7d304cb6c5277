//! Which codes suit the pages of some sites? Prints the lengths that `src/codes.rs` has. Every folder counts the same, whatever its
//! size; one whose name is followed by `=W` counts W times.
//!
//! `cargo run --release -p groma-archive --example codes -- FOLDER[=W]...`

use std::path::{Path, PathBuf};

use groma_archive::Tally;
use groma_archive::codes::{MOST_BITS, SYMBOLS, spelled};

/// How much of a folder is looked at, in bytes.
const ENOUGH: usize = 64 << 20;
/// What something counts that never came up: it needs a code all the same.
const NEVER: f64 = 1e-7;

fn main() -> std::io::Result<()> {
    let (mut words, mut backs) = ([0.0; SYMBOLS.0], [0.0; SYMBOLS.1]);
    for argument in std::env::args().skip(1) {
        let (folder, weight) = argument.rsplit_once('=').unwrap_or((&argument, "1"));
        let weight: f64 = weight.parse().map_err(std::io::Error::other)?;
        let (mut tally, mut bytes) = (Tally::default(), 0);
        count(&PathBuf::from(folder), &mut tally, &mut bytes)?;
        let share = |count: u64| weight * count as f64 / bytes.max(1) as f64;
        words.iter_mut().zip(tally.words).for_each(|(sum, count)| *sum += share(count));
        backs.iter_mut().zip(tally.backs).for_each(|(sum, count)| *sum += share(count));
        println!("{folder}: {:.1} MB", bytes as f64 / 1e6);
    }
    let (words, backs) = (shortest(&words, MOST_BITS), shortest(&backs, MOST_BITS));
    let mut said = [0.0; 19];
    spelled(&words, &backs).iter().for_each(|(symbol, _)| said[*symbol] += 1.0);
    let used: Vec<usize> = (0..said.len()).filter(|&symbol| said[symbol] > 0.0).collect();
    let short = shortest(&used.iter().map(|&symbol| said[symbol]).collect::<Vec<_>>(), 7);
    let mut how = vec![0; said.len()];
    used.iter().zip(short).for_each(|(&symbol, length)| how[symbol] = length);
    for (name, lengths) in [("WORDS", words), ("BACKS", backs), ("SAID", how)] {
        println!("{name}: {}", lengths.iter().map(|length| format!("{length:x}")).collect::<String>());
    }
    Ok(())
}

fn count(folder: &Path, tally: &mut Tally, bytes: &mut usize) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => count(&entry.path(), tally, bytes)?,
            kind if kind.is_file() && *bytes < ENOUGH => {
                let body = std::fs::read(entry.path())?;
                *bytes += body.len();
                tally.add(&body);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The lengths of the shortest codes of at most so many bits, by how often each is used (Larmore and Hirschberg, 1990): of all coins of
/// worth 2^-1 to 2^-most, one of each for every symbol, the cheapest that come to one less than their number; a code is as long as coins of
/// its symbol were taken.
fn shortest(used: &[f64], most: u32) -> Vec<u8> {
    let mut coins: Vec<(f64, Vec<usize>)> =
        used.iter().map(|share| share.max(NEVER)).zip((0..).map(|n| vec![n])).collect();
    coins.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut all: Vec<(f64, Vec<usize>)> = Vec::new();
    for _ in 0..most {
        let pairs = all.chunks_exact(2).map(|pair| (pair[0].0 + pair[1].0, [&pair[0].1[..], &pair[1].1].concat()));
        let mut next: Vec<_> = coins.iter().cloned().chain(pairs).collect();
        next.sort_by(|one, other| one.0.total_cmp(&other.0));
        all = next;
    }
    let mut lengths = vec![0; used.len()];
    all.into_iter().take(2 * used.len() - 2).flat_map(|(_, symbols)| symbols).for_each(|n| lengths[n] += 1);
    lengths
}

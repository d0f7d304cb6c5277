//! Start pages: those that were typed, and lists of them, however long.
//!
//! A list is read line by line and never held in memory: the first start pages of it (and the first of every host that is not this
//! machine, up to as many again) are kept with the settings of the survey, where everybody can see them; the rest goes through a file
//! without a name into the store, in pieces, and is taken from there piece by piece when a crawl begins or goes on.
//!
//! Memory: `KEPT` start pages twice, a piece, and 18 bytes for each start page of a list while it is put into the store, to see which
//! are new. A line that is no URL is named with its number, and the others count.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use groma_crawl::listed_key;
use groma_model::wording::{grouped, plain};
use groma_settings::address::{self, is_loopback};
use groma_settings::saved::Saved;
use groma_settings::wording::{NOT_UTF8, NOT_UTF8_HINT};
use groma_settings::{Fault, clock};
use groma_store::{Snapshot, Store, WriteBatch};
use groma_url::Url;

use crate::crawl::wording::{NO_URL, NO_URL_HINT};

/// Start pages that are kept with the settings of a survey.
const KEPT: usize = 1000;
/// Start pages in one piece of a list in the store.
const PIECE: usize = 5000;
/// A longer line is no URL.
const LINE: u64 = 64 * 1024;
/// Lines that are named one by one.
const NAMED: u64 = 20;

/// User name and password.
pub type Login = Option<(String, String)>;

/// The start pages of a command.
#[derive(Debug, Default)]
pub struct Seeds {
    /// Those that are kept with the settings, each once.
    pub first: Vec<Url>,
    /// The rest of a long list.
    pub listed: Option<Listed>,
    /// User name and password out of the first URL that has them.
    pub login: Login,
}

/// Start pages of a list beyond those that are kept with the settings, one a line, in a file that has no name.
#[derive(Debug)]
pub struct Listed {
    file: File,
}

/// The start pages that were typed, and those of a list (`-` is stdin). Says what was assumed and what could not be read.
pub fn read(typed: &[String], list: Option<&Path>, say: &mut dyn FnMut(&str)) -> Result<Seeds, Fault> {
    let mut reading = Reading::default();
    for text in typed {
        reading.take(address::read(text)?, say)?;
    }
    if let Some(path) = list {
        let shown = path.display().to_string();
        let failed = |error: io::Error| Fault::of_input(&shown, &error);
        let input: Box<dyn Read> =
            if shown == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(failed)?) };
        reading.list(&shown, &mut BufReader::with_capacity(1 << 16, input), say)?;
        if reading.seeds.first.is_empty() {
            return Err(Fault::new(NO_URL, NO_URL_HINT));
        }
    }
    reading.finish()
}

#[derive(Default)]
struct Reading {
    seeds: Seeds,
    known: HashSet<Url>,
    /// Hosts other than this machine of which a start page is kept.
    away: HashSet<String>,
    spool: Option<BufWriter<File>>,
    /// Things that were said of lines.
    said: u64,
    bad: u64,
    login_told: bool,
}

impl Reading {
    /// Adds one start page.
    fn take(&mut self, read: address::Read, say: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        if let Some(note) = read.note.filter(|_| self.said < NAMED) {
            self.said += 1;
            say(&note);
        }
        if read.login.is_some() && !std::mem::replace(&mut self.login_told, true) {
            say("user name and password of the URL are sent as with -u, and not kept");
        }
        self.seeds.login = self.seeds.login.take().or(read.login);
        if self.known.contains(&read.url) {
            return Ok(());
        }
        let host = read.url.host_str().unwrap_or_default();
        let stranger = self.away.len() < KEPT && !is_loopback(&read.url, &[]) && !self.away.contains(host);
        if stranger {
            self.away.insert(host.to_owned());
        }
        if self.seeds.first.len() < KEPT || stranger {
            self.known.insert(read.url.clone());
            self.seeds.first.push(read.url);
            return Ok(());
        }
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(BufWriter::new(nameless().map_err(|error| of_spool(&error))?)),
        };
        writeln!(spool, "{}", read.url).map_err(|error| of_spool(&error))
    }

    /// The lines of a list. What is empty or begins with `#` is passed over.
    fn list(&mut self, name: &str, input: &mut dyn BufRead, say: &mut dyn FnMut(&str)) -> Result<(), Fault> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let failed = |error: io::Error| Fault::of_input(name, &error);
            if (&mut *input).take(LINE).read_until(b'\n', &mut line).map_err(failed)? == 0 {
                break;
            }
            let long = line.len() as u64 == LINE && !line.ends_with(b"\n");
            if long {
                skip_line(input).map_err(failed)?;
            }
            if number == 1 {
                if matches!(line[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
                    return Err(Fault::new(format!("{name}: {}", NOT_UTF8), NOT_UTF8_HINT));
                }
                if line.starts_with(b"\xef\xbb\xbf") {
                    line.drain(..3);
                }
            }
            let text = std::str::from_utf8(&line).map(str::trim);
            let why = match text {
                _ if long => "the line is too long for a URL".to_owned(),
                Err(_) => "the line is not UTF-8".to_owned(),
                Ok(text) if text.is_empty() || text.starts_with('#') => continue,
                Ok(text) => match address::read(text) {
                    Ok(read) => {
                        self.take(read, say)?;
                        continue;
                    }
                    Err(fault) => fault.says,
                },
            };
            self.bad += 1;
            if self.bad <= NAMED {
                say(&format!("{name}:{number}: {}", plain(&why)));
            }
        }
        if self.bad > NAMED {
            say(&more_bad_lines(name, self.bad - NAMED));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Seeds, Fault> {
        if let Some(spool) = self.spool {
            let file = spool.into_inner().map_err(|error| of_spool(error.error()))?;
            self.seeds.listed = Some(Listed { file });
        }
        Ok(self.seeds)
    }
}

impl Listed {
    /// Puts those that the store does not have yet into it, piece by piece. `saved` knows how many there are; gives how many are new.
    pub(crate) fn save(mut self, saved: &mut Saved, store: &mut dyn Store) -> Result<u64, Fault> {
        let key = RandomState::new();
        let mut known: HashSet<u64> = saved.seeds.iter().map(|seed| key.hash_one(seed.as_str())).collect();
        each_line(store, saved, &mut |line| {
            known.insert(key.hash_one(line));
        })?;
        self.file.seek(SeekFrom::Start(0)).map_err(|error| of_spool(&error))?;
        let (mut new, mut piece, mut count) = (0, String::new(), 0);
        let mut lines = BufReader::with_capacity(1 << 16, self.file);
        let mut line = String::new();
        loop {
            line.clear();
            let end = lines.read_line(&mut line).map_err(|error| of_spool(&error))? == 0;
            if !end && known.insert(key.hash_one(line.trim_end())) {
                piece.push_str(&line);
                count += 1;
            }
            if count == PIECE || (end && count > 0) {
                let now = clock::now();
                let values = vec![(listed_key(saved.pieces), std::mem::take(&mut piece))];
                store.commit(&WriteBatch { now, values, ..WriteBatch::default() })?;
                saved.pieces += 1;
                saved.listed += count as u64;
                new += count as u64;
                count = 0;
            }
            if end {
                return Ok(new);
            }
        }
    }
}

/// Shows the start pages of lists that a store holds.
pub(crate) fn each_listed(store: &mut dyn Snapshot, saved: &Saved, show: &mut dyn FnMut(Url)) -> Result<(), Fault> {
    each_line(store, saved, &mut |line| Url::parse(line).into_iter().for_each(&mut *show))
}

fn each_line(store: &mut dyn Snapshot, saved: &Saved, show: &mut dyn FnMut(&str)) -> Result<(), Fault> {
    for piece in 0..saved.pieces {
        let text = store.value(&listed_key(piece))?.unwrap_or_default();
        text.lines().for_each(&mut *show);
    }
    Ok(())
}

/// Reads away the rest of a line.
fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (step, done) = (end.map_or(buffer.len(), |at| at + 1), end.is_some() || buffer.is_empty());
        input.consume(step);
        if done {
            return Ok(());
        }
    }
}

/// A file of our own that is gone when it is closed, where the system allows it.
fn nameless() -> io::Result<File> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("groma-seeds-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    let _ = fs::remove_file(&path);
    Ok(file)
}

fn of_spool(error: &io::Error) -> Fault {
    Fault::new(list_not_kept(error), "check the disk of the folder for temporary files (TMPDIR)")
}

/// Lines of a list that are not named one by one.
fn more_bad_lines(list: &str, count: u64) -> String {
    let lines = if count == 1 { "line" } else { "lines" };
    format!("{list}: {} more {lines} without a URL", grouped(count))
}

/// A list that could not be put aside.
fn list_not_kept(error: &std::io::Error) -> String {
    format!("the list of start pages cannot be kept: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &[u8]) -> (Result<Seeds, Fault>, Vec<String>) {
        let (mut reading, mut said) = (Reading::default(), Vec::new());
        let done = reading.list("list.txt", &mut &*text, &mut |note| said.push(note.to_owned()));
        (done.and_then(|()| reading.finish()), said)
    }

    #[test]
    fn a_bad_line_is_named_with_its_number_and_the_others_count() {
        let text = b"\xef\xbb\xbfhttp://a.test/1\r\n# no page\r\n\r\nftp://a.test/\nhttp://a.test/\xff\n  http://a.test/2 \nhttp://\nhttp://a.test/1\nhttp://b.test/";
        let (seeds, said) = list(text);
        let first: Vec<String> = seeds.unwrap().first.iter().map(Url::to_string).collect();
        assert_eq!(first, ["http://a.test/1", "http://a.test/2", "http://b.test/"]);
        assert_eq!(said.len(), 3, "{said:?}");
        for (note, line) in said.iter().zip(["list.txt:4: ", "list.txt:5: ", "list.txt:7: "]) {
            assert!(note.starts_with(line), "{note}");
        }
    }

    #[test]
    fn lines_without_end_and_other_encodings_are_no_urls() {
        let long = [b"http://a.test/".to_vec(), vec![b'x'; 200_000], b"\nhttp://a.test/2\n".to_vec()].concat();
        let (seeds, said) = list(&long);
        assert_eq!((seeds.unwrap().first.len(), said.len()), (1, 1));
        assert!(list(b"\xff\xfeh\0t\0").0.is_err());
        let many = "nonsense://\n".repeat(100);
        let (_, said) = list(many.as_bytes());
        assert!(said.len() == 21 && said[20].contains("80"), "{said:?}");
    }

    #[test]
    fn a_long_list_goes_through_a_file_and_strangers_are_kept_in_sight() {
        let mut text: String = (0..3 * KEPT).map(|n| format!("http://127.0.0.1:81/{n}\n")).collect();
        text.push_str("https://stranger.example/\nhttps://stranger.example/2\n");
        let seeds = list(text.as_bytes()).0.unwrap();
        assert_eq!(seeds.first.len(), KEPT + 1);
        assert_eq!(seeds.first[KEPT].as_str(), "https://stranger.example/");
        let mut spooled = String::new();
        let mut file = seeds.listed.unwrap().file;
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_string(&mut spooled).unwrap();
        assert_eq!(spooled.lines().count(), 2 * KEPT + 1);
    }
}

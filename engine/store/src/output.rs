//! A file that somebody asked for by name: it is there whole or not at all, and whatever the name stands for stays what it is.
//!
//! | the name stands for | what is done |
//! |---|---|
//! | nothing, or a plain file | written beside it, put on the disk, renamed over it; mode and owner stay as they were |
//! | a link | the same at the file it leads to, whether that exists or not: the link stays |
//! | a plain file with several names, or in a folder that cannot be written | written in place |
//! | a device, a FIFO, an open descriptor (`/dev/stdout`, `/proc/self/fd/3`) | written straight to it |
//! | a folder, a socket, a file of a survey | refused |
//!
//! Not guaranteed: extended attributes of a file that is replaced; a kill may leave the hidden `.groma-*.part` beside it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::folder::is_of_a_survey;

/// Links that lead to links are followed so far, as the system does.
const LINKS: u32 = 40;
/// Bytes written at once.
const AT_ONCE: usize = 1 << 16;

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OutputKind {
    /// A plain file, or none yet, at this path; no link.
    Plain(PathBuf),
    /// Something that takes bytes as they come.
    Straight(PathBuf),
}

impl OutputKind {
    /// Follows links, and looks at what is there.
    pub(crate) fn at_path(path: &Path) -> io::Result<OutputKind> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut at = path.to_path_buf();
        for _ in 0..LINKS {
            let folder = at.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = at.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?.to_owned();
            let folder = fs::canonicalize(folder)?;
            if folder.starts_with("/proc") {
                return Ok(OutputKind::Straight(path.to_path_buf()));
            }
            let here = folder.join(name);
            if is_of_a_survey(&here) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a file of a survey"));
            }
            let found = match fs::symlink_metadata(&here) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(OutputKind::Plain(here)),
                found => found?.file_type(),
            };
            if found.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if found.is_file() {
                return Ok(OutputKind::Plain(here));
            }
            if !found.is_symlink() {
                return Ok(OutputKind::Straight(here));
            }
            at = folder.join(fs::read_link(&here)?);
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "too many links lead to links"))
    }
}

/// A new name of our own in a folder.
pub(crate) fn part_in(folder: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    folder.join(format!(".groma-{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)))
}

/// What replaces a file gets its mode and, where that is allowed, its owner.
pub(crate) fn like_before(new: &Path, before: &Path) {
    let Ok(found) = fs::metadata(before) else { return };
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let _ = std::os::unix::fs::chown(new, Some(found.uid()), Some(found.gid()));
        let _ = fs::set_permissions(new, fs::Permissions::from_mode(found.permissions().mode() & 0o777));
    }
    #[cfg(not(unix))]
    let _ = fs::set_permissions(new, found.permissions());
}

/// Opens what takes bytes as they come. Standard output and standard error are taken as they are: opened anew they would be
/// written from the beginning.
pub(crate) fn straight(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let own = |number: u32| {
            fs::canonicalize(path.parent()?).ok().map(|folder| folder == fd_folder() && names(path, number))
        };
        if own(1) == Some(true) || path == Path::new("/dev/stdout") {
            return Ok(io::stdout().as_fd().try_clone_to_owned()?.into());
        }
        if own(2) == Some(true) || path == Path::new("/dev/stderr") {
            return Ok(io::stderr().as_fd().try_clone_to_owned()?.into());
        }
    }
    OpenOptions::new().append(true).open(path)
}

#[cfg(unix)]
fn fd_folder() -> PathBuf {
    fs::canonicalize("/proc/self/fd").unwrap_or_default()
}

#[cfg(unix)]
fn names(path: &Path, number: u32) -> bool {
    path.file_name().is_some_and(|name| name.to_str() == Some(number.to_string().as_str()))
}

/// A file that is being written. Dropped before [`finish`](OutputFile::finish), it leaves what was there as it was, unless that takes
/// bytes as they come.
pub struct OutputFile {
    out: Option<BufWriter<File>>,
    /// Where it is meanwhile, and where it goes.
    beside: Option<(PathBuf, PathBuf)>,
}

impl OutputFile {
    /// Begins to write what this name will stand for.
    ///
    /// # Errors
    /// If it is a folder or cannot be written. Opening a FIFO waits for somebody who reads.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let (file, beside) = match OutputKind::at_path(path)? {
            OutputKind::Straight(to) => (straight(&to)?, None),
            OutputKind::Plain(to) => plain(&to)?,
        };
        Ok(OutputFile { out: Some(BufWriter::with_capacity(AT_ONCE, file)), beside })
    }

    /// A file that is written where it is, from its beginning, while others look at it.
    ///
    /// # Errors
    /// As those of [`OutputFile::create`].
    pub fn in_place(path: &Path) -> io::Result<File> {
        match OutputKind::at_path(path)? {
            OutputKind::Straight(to) => straight(&to),
            OutputKind::Plain(to) => File::create(to),
        }
    }

    /// All is written: it takes its name.
    ///
    /// # Errors
    /// Of the disk. Then what was there before is there still.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(out) = self.out.take() else { return Ok(()) };
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some((part, to)) = &self.beside else { return Ok(()) };
        file.sync_all()?;
        like_before(part, to);
        fs::rename(part, to)
    }
}

/// A file beside its place, or the one in its place.
fn plain(to: &Path) -> io::Result<(File, Option<(PathBuf, PathBuf)>)> {
    let in_place = || Ok((OpenOptions::new().write(true).truncate(true).open(to)?, None));
    let there = fs::metadata(to);
    if let Ok(found) = &there {
        // Whoever may not write to a file may not replace it either.
        OpenOptions::new().write(true).open(to)?;
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(found) > 1 {
            return in_place();
        }
        #[cfg(not(unix))]
        let _ = found;
    }
    let part = part_in(to.parent().unwrap_or(Path::new(".")));
    match File::create_new(&part) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && there.is_ok() => in_place(),
        made => Ok((made?, Some((part, to.to_path_buf())))),
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.beside {
            // It has its name already if all went well.
            let _ = fs::remove_file(part);
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
    use std::process::Command;

    fn scratch(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("groma-output-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn put(path: &Path, text: &str) -> io::Result<()> {
        let mut out = OutputFile::create(path)?;
        out.write_all(text.as_bytes())?;
        out.finish()
    }

    #[test]
    fn plain_files_are_replaced_when_all_is_there_and_keep_their_mode() {
        let dir = scratch("plain");
        let file = dir.join("f");
        put(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let mut out = OutputFile::create(&file).unwrap();
        out.write_all(b"two").unwrap();
        out.flush().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "one", "the old one stays until then");
        drop(out);
        assert_eq!(fs::read_to_string(&file).unwrap(), "one");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "nothing is left of what was given up");
        put(&file, "three").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "three");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn links_stay_links() {
        let dir = scratch("links");
        fs::create_dir(dir.join("there")).unwrap();
        symlink("there/f", dir.join("link")).unwrap();
        symlink(dir.join("link"), dir.join("far")).unwrap();
        put(&dir.join("far"), "new where nothing was").unwrap();
        assert_eq!(fs::read_to_string(dir.join("there/f")).unwrap(), "new where nothing was");
        put(&dir.join("link"), "again").unwrap();
        assert_eq!(fs::read_to_string(dir.join("there/f")).unwrap(), "again");
        assert!(dir.join("far").is_symlink() && dir.join("link").is_symlink());
        symlink("round", dir.join("round")).unwrap();
        assert!(put(&dir.join("round"), "x").is_err());
        symlink("absent/f", dir.join("lost")).unwrap();
        assert!(put(&dir.join("lost"), "x").is_err() && dir.join("lost").is_symlink());
        // Another name of the same file.
        fs::hard_link(dir.join("there/f"), dir.join("twin")).unwrap();
        put(&dir.join("twin"), "both").unwrap();
        assert_eq!(fs::read_to_string(dir.join("there/f")).unwrap(), "both");
        assert_eq!(fs::metadata(dir.join("twin")).unwrap().nlink(), 2);
        assert_eq!(put(&dir.join("there"), "x").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(put(&dir.join("name/"), "x").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(put(&dir.join("absent/f"), "x").unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn devices_and_fifos_stay_what_they_are() {
        let dir = scratch("devices");
        let fifo = dir.join("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read_to_string(fifo).unwrap()
        });
        symlink(&fifo, dir.join("to-fifo")).unwrap();
        put(&dir.join("to-fifo"), "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
        // A device of our own that is always full, where we may make one.
        let full = dir.join("full");
        let made = Command::new("mknod").arg(&full).args(["c", "1", "7"]).stderr(std::process::Stdio::null()).status();
        if made.is_ok_and(|status| status.success()) && OpenOptions::new().write(true).open(&full).is_ok() {
            for path in [full.clone(), dir.join("to-full")] {
                if path != full {
                    symlink(&full, &path).unwrap();
                }
                let error = put(&path, "too much").unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
                assert!(fs::metadata(&full).unwrap().file_type().is_char_device());
            }
        }
        let _listener = std::os::unix::net::UnixListener::bind(dir.join("socket")).unwrap();
        assert!(put(&dir.join("socket"), "x").is_err());
        assert!(fs::symlink_metadata(dir.join("socket")).unwrap().file_type().is_socket());
        put(Path::new("/dev/null"), "away").unwrap();
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn an_open_descriptor_is_written_to_and_not_replaced() {
        use std::os::fd::AsRawFd;
        let dir = scratch("descriptor");
        let file = File::create(dir.join("f")).unwrap();
        let before = file.metadata().unwrap().ino();
        put(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())), "text").unwrap();
        assert_eq!(fs::read_to_string(dir.join("f")).unwrap(), "text");
        assert_eq!(fs::metadata(dir.join("f")).unwrap().ino(), before);
        fs::remove_dir_all(dir).unwrap();
    }
}

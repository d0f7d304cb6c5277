//! How does the owner of a server without users come in? With a key that only they can read.
//!
//! That a connection comes from this machine says nothing about who made it: other accounts and proxies reach loopback, too. So
//! the server makes a key when it starts, keeps it in a file that only its owner can read, and prints a URL with it. The URL
//! lets one browser in, once (URLs are kept in histories and logs); then the file holds the next key. As a bearer token the key
//! may be used any number of times until then.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::secret;
use crate::error::ServeError;
use crate::words;

/// The key of a server, and the files that tell it to its owner; they go with the server.
#[derive(Debug)]
pub(crate) struct StartKey {
    file: PathBuf,
    page: Option<PathBuf>,
    listen: SocketAddr,
    current: Mutex<Option<String>>,
}

/// The file in which a server on this port keeps its key.
pub fn key_file(home: &Path, port: u16) -> PathBuf {
    home.join(format!("serve-{port}.key"))
}

/// The URL that lets a browser in.
pub fn start_url(listen: SocketAddr, key: &str) -> String {
    format!("http://{listen}/?key={key}")
}

impl StartKey {
    /// No key yet. With `page`, a page that leads to the start URL is written beside it.
    pub(crate) fn new(home: &Path, listen: SocketAddr, page: bool) -> StartKey {
        let file = key_file(home, listen.port());
        let page = page.then(|| file.with_extension("html"));
        StartKey { file, page, listen, current: Mutex::new(None) }
    }

    /// Where the key is kept.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The page that leads to the start URL.
    pub(crate) fn page(&self) -> Option<&Path> {
        self.page.as_deref()
    }

    /// The URL for the next browser; its key is made and written down if there is none yet.
    pub(crate) fn url(&self) -> Result<String, ServeError> {
        let mut current = self.current();
        let key = match current.as_ref() {
            Some(key) => key.clone(),
            None => self.renew(&mut current)?,
        };
        Ok(start_url(self.listen, &key))
    }

    /// Is it the key?
    pub(crate) fn is(&self, key: &str) -> bool {
        self.current().as_ref().is_some_and(|current| secret::same(current, key))
    }

    /// Uses the key up: true for one of those who bring it.
    pub(crate) fn use_up(&self, key: &str) -> Result<bool, ServeError> {
        let mut current = self.current();
        if !current.as_ref().is_some_and(|current| secret::same(current, key)) {
            return Ok(false);
        }
        // Even if the next one cannot be written down, this one is used.
        *current = None;
        self.renew(&mut current)?;
        Ok(true)
    }

    fn current(&self) -> MutexGuard<'_, Option<String>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn renew(&self, current: &mut Option<String>) -> Result<String, ServeError> {
        let key = secret::fresh().map_err(|_| ServeError::Start(io::Error::other(words::NO_CHANCE)))?;
        let told = |at: &Path| {
            let at = at.to_path_buf();
            move |source| ServeError::Key { at, source }
        };
        write_private(&self.file, &format!("{key}\n")).map_err(told(&self.file))?;
        if let Some(page) = &self.page {
            write_private(page, &redirect(&start_url(self.listen, &key))).map_err(told(page))?;
        }
        *current = Some(key.clone());
        Ok(key)
    }
}

impl Drop for StartKey {
    fn drop(&mut self) {
        let Some(key) = self.current().take() else { return };
        // A server that was started since may have put its own key there.
        if std::fs::read_to_string(&self.file).is_ok_and(|kept| kept.trim() == key) {
            let _ = std::fs::remove_file(&self.file);
            if let Some(page) = &self.page {
                let _ = std::fs::remove_file(page);
            }
        }
    }
}

/// A page that leads on at once. The URL has nothing in it that HTML would read otherwise.
fn redirect(url: &str) -> String {
    format!(
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\"><title>Groma</title><p><a href=\"{url}\">Open Groma</a></p>\n"
    )
}

/// Writes a file that nobody but its owner can read at any moment, whatever lay there before (a link, say, that leads elsewhere).
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mark = secret::fresh().map_err(|_| io::Error::other(words::NO_CHANCE))?;
    let beside = path.with_extension(format!("{}.new", &mark[..16]));
    let written = write_new(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    check_private(&file)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// On a file system that knows no rights, everybody could read it.
#[cfg(unix)]
fn check_private(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let open = file.metadata()?.permissions().mode() & 0o077 != 0;
    if open { Err(io::Error::other("its file system lets everybody read it")) } else { Ok(()) }
}

#[cfg(not(unix))]
fn check_private(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("groma-start-key-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn key_of(url: &str) -> String {
        url.split_once("?key=").unwrap().1.to_owned()
    }

    #[test]
    fn a_key_lets_one_in_and_the_next_is_in_the_file() {
        let home = folder("once");
        let start = StartKey::new(&home, "127.0.0.1:8480".parse().unwrap(), true);
        assert!(!start.is("") && !start.use_up("").unwrap(), "no key yet");
        let url = start.url().unwrap();
        let key = key_of(&url);
        assert_eq!(url, format!("http://127.0.0.1:8480/?key={key}"));
        assert_eq!(std::fs::read_to_string(start.file()).unwrap().trim(), key);
        assert!(std::fs::read_to_string(start.page().unwrap()).unwrap().contains(&url));
        assert!(start.is(&key) && start.is(&key) && !start.is(&key[1..]));
        assert!(start.use_up(&key).unwrap() && !start.use_up(&key).unwrap() && !start.is(&key));
        let next = std::fs::read_to_string(start.file()).unwrap().trim().to_owned();
        assert!(next != key && start.is(&next));
        drop(start);
        assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0, "they go with the server");
        let _ = std::fs::remove_dir_all(home);
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_it_and_a_link_in_its_place_is_not_followed() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = folder("private");
        let elsewhere = home.join("elsewhere");
        std::fs::write(&elsewhere, "mine").unwrap();
        let file = key_file(&home, 8480);
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        let start = StartKey::new(&home, "127.0.0.1:8480".parse().unwrap(), true);
        start.url().unwrap();
        for path in [start.file(), start.page().unwrap()] {
            let facts = std::fs::symlink_metadata(path).unwrap();
            assert!(facts.is_file() && facts.permissions().mode() & 0o777 == 0o600, "{path:?}");
        }
        assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "mine");
        drop(start);
        let _ = std::fs::remove_dir_all(home);
    }
}

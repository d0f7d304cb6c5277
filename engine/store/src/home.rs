//! Where surveys on a server are at home here: a folder with a file `server` in it, which holds the URL. Each survey has a folder of its
//! own there, as surveys in files have, for what is made on this machine and can be made again: the index, results, reports.
//!
//! The URL may hold a password, so nobody but its owner can read the file.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::{Server, StoreError};

/// The file with the URL.
const FILE: &str = "server";

/// The server at whose surveys a folder holds the local part, if it does.
pub fn server_of(home: &Path) -> Option<Result<Server, StoreError>> {
    let path = home.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => Some(Server::parse(text.trim())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(source) => Some(Err(StoreError::Io { path, source })),
    }
}

/// The home of the surveys on a server, made if it is not there.
pub fn home_of(address: &str) -> Result<PathBuf, StoreError> {
    let server = Server::parse(address)?;
    let home = beside_everything().join(folder_name(server.shown()));
    let failed = |source| StoreError::Io { path: home.clone(), source };
    fs::create_dir_all(&home).map_err(failed)?;
    let address = without_survey(address);
    if fs::read_to_string(home.join(FILE)).is_ok_and(|known| known == address) {
        return Ok(home);
    }
    let new = home.join(format!("{FILE}.{}", std::process::id()));
    write_private(&new, &address).and_then(|()| fs::rename(&new, home.join(FILE))).map_err(failed)?;
    Ok(home)
}

/// Where a user's programs keep what they can make again.
fn beside_everything() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("groma")
}

fn folder_name(shown: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let name: String = shown.trim_start_matches("postgres://").chars().map(plain).take(120).collect();
    name.trim_matches(['.', '-']).to_owned()
}

/// The address of the server alone: surveys are told apart by the names of their folders.
fn without_survey(address: &str) -> String {
    let (base, query) = address.split_once('?').unwrap_or((address, ""));
    let rest: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("survey=")).collect();
    if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_kept_without_the_survey() {
        for (address, kept) in [
            ("postgres://a:b@h/d?survey=x", "postgres://a:b@h/d"),
            ("postgres://h/d?patience=3&survey=x&sslmode=disable", "postgres://h/d?patience=3&sslmode=disable"),
            ("postgres://h/d", "postgres://h/d"),
        ] {
            assert_eq!(without_survey(address), kept);
        }
        assert_eq!(folder_name("postgres://db.example:5433/crawls"), "db.example-5433-crawls");
        assert_eq!(folder_name("postgres:///run/../x:1/d"), "run-..-x-1-d");
    }
}

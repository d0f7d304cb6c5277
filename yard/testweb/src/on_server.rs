//! The same tests with surveys on a PostgreSQL server, where one is named.

use std::path::Path;
use std::process::Command;

/// With `GROMA_TEST_ON_SERVER` (the address of a PostgreSQL server) everything that is kept in this home, surveys and accounts, is kept in
/// a database of its own there.
pub fn keep_on_server(home: &Path) {
    let Ok(server) = std::env::var("GROMA_TEST_ON_SERVER") else { return };
    let name = home.file_name().unwrap_or_default().to_string_lossy().replace('-', "_");
    let made =
        Command::new("psql").arg(&server).args(["-qc", &format!("CREATE DATABASE {name} ENCODING 'UTF8'")]).output();
    assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
    let (before, _) = server.rsplit_once('/').expect("an address with a database");
    std::fs::write(home.join("server"), format!("{before}/{name}")).expect("a file for the test");
}

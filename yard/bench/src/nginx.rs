//! nginx on a free port of loopback, serving one folder; gone when dropped.
//!
//! One process without a master, so that ending it by its id ends all of it. Three ports serve the same: one keeps no
//! access log, for measuring; one does so too and compresses, as most servers do; one keeps a log, for knowing what was asked.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::scratch::Scratch;

/// An nginx process; ends when dropped.
#[derive(Debug)]
pub(crate) struct Nginx {
    child: Child,
    quiet: u16,
    packed: u16,
    logged: u16,
    log: PathBuf,
}

impl Nginx {
    /// Starts nginx for the files of a folder.
    pub(crate) fn serve(root: &Path, scratch: &Scratch) -> anyhow::Result<Nginx> {
        let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];
        let Some(program) = program.into_iter().find(|path| Path::new(path).exists()) else {
            bail!("nginx is missing; `apt install nginx-light`");
        };
        let (quiet, packed, logged) = (free_port()?, free_port()?, free_port()?);
        let (conf, log) = (scratch.join("nginx.conf"), scratch.join("access.log"));
        std::fs::write(&conf, configuration(root, scratch.path(), [quiet, packed, logged]))?;
        let child = Command::new(program)
            .arg("-c")
            .arg(&conf)
            .arg("-p")
            .arg(scratch.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start nginx")?;
        let server = Nginx { child, quiet, packed, logged, log };
        let patience = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, quiet)).is_err() {
            if Instant::now() > patience {
                bail!("nginx does not answer; see {}", scratch.join("error.log").display());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// The address of a path, on the port that keeps no log.
    pub(crate) fn quiet(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.quiet)
    }

    /// The address of a path, on the port that compresses.
    pub(crate) fn packed(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.packed)
    }

    /// The address of a path, on the port that keeps a log.
    pub(crate) fn logged(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.logged)
    }

    /// What was asked on the logged port since the last call: status and path, each once, and how many requests.
    pub(crate) fn take_log(&self) -> anyhow::Result<(BTreeSet<(u16, String)>, usize)> {
        let text = std::fs::read_to_string(&self.log).context("no access log")?;
        // nginx appends, so the file may be cut behind its back.
        std::fs::OpenOptions::new().write(true).open(&self.log)?.set_len(0)?;
        let read = |line: &str| {
            let (status, path) = line.split_once(' ')?;
            Some((status.parse().ok()?, path.to_owned()))
        };
        let asked: Vec<(u16, String)> = text.lines().filter_map(read).collect();
        let count = asked.len();
        Ok((asked.into_iter().collect(), count))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended by itself: then there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port")?.local_addr()?.port())
}

fn configuration(root: &Path, scratch: &Path, [quiet, packed, logged]: [u16; 3]) -> String {
    let (root, scratch) = (root.display(), scratch.display());
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|name| format!("  {name}_temp_path {scratch}/{name};\n"))
        .collect();
    let server = |port: u16, log: &str, more: &str| {
        format!("  server {{ listen 127.0.0.1:{port}; root {root}; index index.html; access_log {log}; {more}}}\n")
    };
    format!(
        "daemon off;\nmaster_process off;\npid {scratch}/nginx.pid;\nerror_log {scratch}/error.log crit;\n\
         events {{ worker_connections 1024; }}\nhttp {{\n  sendfile on;\n  keepalive_requests 1000000;\n\
         {temporary}  types {{ text/html html htm; text/css css; text/plain txt; image/png png; image/gif gif; \
         image/jpeg jpg; image/svg+xml svg; application/javascript js; application/pdf pdf; }}\n\
         \x20 default_type application/octet-stream;\n  log_format asked '$status $uri';\n{}{}{}}}\n",
        server(quiet, "off", ""),
        server(packed, "off", "gzip on; "),
        server(logged, &format!("{scratch}/access.log asked"), ""),
    )
}

//! The real sites: documentation that Debian packages, served from where the package puts it.

use std::path::Path;
use std::process::Command;

use anyhow::bail;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// Its name on our command line.
    pub(crate) name: &'static str,
    /// Name of the Debian package.
    pub(crate) package: &'static str,
    /// The folder that is served.
    pub(crate) root: &'static str,
    /// Where the crawl begins.
    pub(crate) start: &'static str,
    /// The version of it that was counted.
    pub(crate) version: &'static str,
    /// HTML pages that links lead to, in that version: groma and wget2 (less what it gets wrong) agree on them.
    pub(crate) pages: u64,
    /// Links that lead nowhere (400, 404, 410), in that version.
    pub(crate) broken: u64,
    /// What wget2 asks for and no browser would, or not so: status and path.
    pub(crate) peer_errs: &'static [(u16, &'static str)],
    /// What browsers would ask for and wget2 does not. nginx logs no path where it answers 400.
    pub(crate) peer_lacks: &'static [(u16, &'static str)],
}

const SITES: [Site; 3] = [
    Site {
        name: "boost",
        package: "libboost1.74-doc",
        root: "/usr/share/doc/libboost1.74-doc",
        start: "/doc/html/index.html",
        version: "1.74.0+ds1-21",
        pages: 3804,
        broken: 1198,
        // One link says `operator%.html`, a bare percent sign: the URL standard sends it as it is, and nginx calls it a bad
        // request; wget2 escapes it and has the page. Another says `(http://...`, which is a relative URL.
        peer_errs: &[(200, "/doc/html/boost/yap/operator%.html")],
        peer_lacks: &[
            (400, ""),
            (404, "/doc/html/boost_process/(http:/pubs.opengroup.org/onlinepubs/009695399/functions/mkfifo.html"),
        ],
    },
    Site {
        name: "postgres",
        package: "postgresql-doc-15",
        root: "/usr/share/doc/postgresql-doc-15/html",
        start: "/index.html",
        version: "15.19-0+deb12u1",
        pages: 1168,
        broken: 0,
        // `<link rev="made">` names a mail address without its scheme; it says who made the page and leads nowhere.
        peer_errs: &[(404, "/pgsql-docs@lists.postgresql.org")],
        peer_lacks: &[],
    },
    Site {
        name: "openjdk",
        package: "openjdk-17-doc",
        root: "/usr/share/doc/openjdk-17-doc",
        start: "/api/index.html",
        version: "17.0.21+9-1~deb12u1",
        pages: 10_137,
        broken: 51,
        peer_errs: &[],
        peer_lacks: &[],
    },
];

impl Site {
    /// The version that is installed, if the packager knows.
    pub(crate) fn installed(&self) -> Option<String> {
        let asked = Command::new("dpkg-query").args(["-W", "-f", "${Version}", self.package]).output().ok()?;
        asked.status.success().then(|| String::from_utf8_lossy(&asked.stdout).trim().to_owned())
    }

    fn is_there(&self) -> bool {
        Path::new(&format!("{}{}", self.root, self.start)).exists()
    }
}

/// The sites that are asked for and installed; says how to install what is not.
pub(crate) fn chosen(name: &str) -> anyhow::Result<Vec<Site>> {
    let named: Vec<Site> = SITES.into_iter().filter(|site| name == "all" || site.name == name).collect();
    if named.is_empty() {
        bail!("--site {name}: boost, postgres, openjdk or all");
    }
    let (there, missing): (Vec<Site>, Vec<Site>) = named.into_iter().partition(Site::is_there);
    let packages: Vec<&str> = missing.iter().map(|site| site.package).collect();
    if there.is_empty() {
        bail!("nothing to crawl; `apt install nginx-light wget2 time {}`", packages.join(" "));
    }
    if !missing.is_empty() {
        eprintln!("left out, not installed: {}", packages.join(" "));
    }
    Ok(there)
}

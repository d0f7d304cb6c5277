//! The pages of a folder, and the links among them: a site as its package puts it down, without a server.
//!
//! Links of the navigation are left out: they join everything with everything.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use groma_model::{BlockKind, Limits, Target};
use groma_page::{Filter as _, Html, Input};
use groma_url::Url;

/// Folders within folders, at most: packages link folders to one another.
const DEEP: usize = 24;

/// Pairs of pages, by their numbers in order of their paths.
pub(super) fn links(root: &Path) -> anyhow::Result<Vec<(u32, u32)>> {
    let mut files = Vec::new();
    gather(root, 0, &mut files);
    files.sort();
    if files.is_empty() {
        bail!("{}: no pages", root.display());
    }
    let mut pages: Vec<(Url, PathBuf)> = Vec::with_capacity(files.len());
    for file in files {
        pages.push((address(file.strip_prefix(root).unwrap_or(&file))?, file));
    }
    let numbers: HashMap<String, u32> = (0u32..).zip(&pages).map(|(at, page)| (page.0.path().to_owned(), at)).collect();
    let limits = Limits::default();
    let mut pairs = Vec::new();
    for (number, (url, file)) in (0u32..).zip(&pages) {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let page = Html.read(&Input { bytes: &bytes, url, charset: None, limits: &limits, parts: false });
        for link in page.links.iter().filter(|link| link.block != BlockKind::Navigation) {
            let Target::Web(to) = &link.target else { continue };
            let at_home = || numbers.get(&format!("{}index.html", to.path()));
            let found = numbers.get(to.path()).or_else(at_home).filter(|_| to.host_str() == url.host_str());
            pairs.extend(found.filter(|&&to| to != number).map(|&to| (number, to)));
        }
    }
    Ok(pairs)
}

fn address(path: &Path) -> anyhow::Result<Url> {
    let path = path.to_string_lossy().replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    Url::parse(&format!("http://site.test/{path}")).with_context(|| path)
}

fn gather(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if depth < DEEP {
                gather(&path, depth + 1, files);
            }
        } else if path.extension().is_some_and(|end| end == "html" || end == "htm") {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn pages_of_a_folder_are_joined_by_their_links() {
        let scratch = Scratch::new("folder").unwrap();
        std::fs::create_dir(scratch.join("b c")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(scratch.join(name), text).unwrap();
        write(
            "a.html",
            "<nav><a href='b%20c/'>menu</a></nav><p><a href='b%20c/x.html#there'>x</a> <a href='a.html'>I</a>",
        );
        write("b c/index.html", "<p><a href='../a.html?q'>a</a> <a href='http://other.test/a.html'>far</a>");
        write("b c/x.html", "<p><a href='./'>home</a> <a href='gone.html'>gone</a>");
        write("b c/note.txt", "no page");
        assert_eq!(links(scratch.path()).unwrap(), [(0, 2), (1, 0), (2, 1)]);
        assert!(links(&scratch.join("nowhere")).is_err());
    }
}

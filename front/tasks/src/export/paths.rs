//! Under which path does a page lie in a folder of files?
//!
//! ```text
//! https://www.example.org/a/b   www.example.org/a/b.md          https://www.example.org/a/   www.example.org/a/index.md
//! http://localhost:8080/a       http+localhost+8080/a.md        /a?x=1, /A, /a%20b, ...      .../a~FINGERPRINT.md
//! ```
//!
//! No two URLs have one path, also where upper and lower case are the same: whatever cannot stand as it is in a name of a file
//! gives the file the fingerprint of its URL. No path leaves the folder: names are made of letters, digits and a few harmless
//! signs, never begin with a point, are none that a system keeps for itself, and are bounded in length and number.

use std::path::PathBuf;

use groma_model::Fp;
use groma_url::Url;

/// Letters of a name, and of a whole path.
const NAME: usize = 80;
const WHOLE: usize = 200;

/// The path of a page.
pub(super) fn file(address: &str, fp: Fp, ending: &str) -> PathBuf {
    let print = fp.hex();
    let Ok(url) = Url::parse(address) else { return PathBuf::from(format!("~/{print}.{ending}")) };
    let Some(host) = url.host_str() else { return PathBuf::from(format!("~/{print}.{ending}")) };
    // What is not allowed in a name of a host cannot stand here by accident.
    let mut root = if url.scheme() == "https" { String::new() } else { format!("{}+", url.scheme()) };
    root.push_str(&host.replace(['[', ']'], "").replace(':', "+"));
    if let Some(port) = url.port() {
        root.push_str(&format!("+{port}"));
    }
    let mut exact = url.query().is_none();
    let mut folders: Vec<String> = Vec::new();
    let mut segments: Vec<&str> = url.path().split('/').skip(1).collect();
    let last = segments.pop().unwrap_or_default();
    for segment in segments {
        let (name, same) = safe(segment);
        // A folder of this name could be somebody's file.
        let own = name.to_ascii_lowercase().ends_with(&format!(".{ending}"));
        exact &= same && !own;
        folders.push(if own { format!("{name}_") } else { name });
    }
    let (mut name, same) = if last.is_empty() { ("index".to_owned(), true) } else { safe(last) };
    exact &= same && last != "index";
    if !exact {
        name.push_str(&format!("~{print}"));
    }
    let (root, _) = safe(&root);
    let whole = format!("{root}/{}/{name}.{ending}", folders.join("/")).replace("//", "/");
    if whole.len() > WHOLE { PathBuf::from(format!("{root}/~/{print}.{ending}")) } else { PathBuf::from(whole) }
}

/// A name that can stand in any file system, and whether it is the one that was given.
fn safe(segment: &str) -> (String, bool) {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | '+');
    let mut name: String = segment.chars().map(|c| if plain(c) { c } else { '_' }).take(NAME).collect();
    let reserved = ["con", "prn", "aux", "nul"];
    let stem = name.split('.').next().unwrap_or_default();
    let port = stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt"));
    if name.is_empty() || name.starts_with('.') || reserved.contains(&stem) || port {
        name.insert(0, '_');
    }
    if name.ends_with('.') {
        name.push('_');
    }
    let same = name == segment;
    (name, same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn path(address: &str) -> String {
        file(address, Fp::hash_bytes(address.as_bytes()), "md").display().to_string()
    }

    #[test]
    fn pages_lie_where_people_look_for_them() {
        assert_eq!(path("https://www.example.org/a/b"), "www.example.org/a/b.md");
        assert_eq!(path("https://www.example.org/"), "www.example.org/index.md");
        assert_eq!(path("https://www.example.org/a/b.html"), "www.example.org/a/b.html.md");
        assert_eq!(path("http://localhost:8080/a/"), "http+localhost+8080/a/index.md");
        assert_eq!(path("http://[::1]:81/x"), "http+++1+81/x.md");
    }

    #[test]
    fn no_two_addresses_share_a_path_and_none_leaves_the_folder() {
        let deep = format!("https://a.example/{}", "d/".repeat(200));
        let long = format!("https://a.example/{}", "x".repeat(500));
        let addresses = [
            "https://a.example/a",
            "https://a.example/A",
            "https://a.example/a/",
            "https://a.example/a/index",
            "https://a.example/a?x=1",
            "https://a.example/a?x=2",
            "http://a.example/a",
            "https://a.example:8443/a",
            "https://a.example/a.md",
            "https://a.example/a.md/b",
            "https://a.example/a.md_/b",
            "https://a.example/%2e%2e%2fetc/passwd",
            "https://a.example/..%2f..%2fx",
            "https://a.example/.hidden",
            "https://a.example/_.hidden",
            "https://a.example/con",
            "https://a.example/com1.txt",
            "https://a.example/a//b",
            "https://a.example/a/b",
            "https://a.example/x.",
            "https://a.example/%C3%A9",
            "no URL at all",
            &deep,
            &long,
        ];
        let mut seen = HashSet::new();
        for address in addresses {
            let path = path(address);
            assert!(seen.insert(path.to_lowercase()), "{address}: {path}");
            assert!(path.len() <= WHOLE + 40, "{path}");
            let names: Vec<&str> = path.split('/').collect();
            assert!(names.iter().all(|n| !n.is_empty() && !n.starts_with('.') && !n.ends_with('.')), "{path}");
        }
        // No file is in the way of a folder.
        let files: HashSet<&String> = seen.iter().collect();
        for path in &seen {
            let parts: Vec<&str> = path.split('/').collect();
            (1..parts.len()).for_each(|n| assert!(!files.contains(&parts[..n].join("/")), "{path}"));
        }
    }
}

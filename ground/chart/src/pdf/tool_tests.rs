//! What other people's programs make of the file, where they are installed: `qpdf` checks it, `pdftotext` reads it.

use std::process::Command;

use super::read_back::{Told, drawn, heading, label, title, tree};
use super::render;
use crate::SiteMap;

/// What a program says about a file, if it is installed; and whether it was content.
fn say(program: &str, words: &[&str], file: &[u8]) -> Option<(bool, String)> {
    let name = format!("groma-{}-{program}-{}.pdf", std::process::id(), words.len());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, file).unwrap();
    let words: Vec<String> = words.iter().map(|word| word.replace("FILE", &path.to_string_lossy())).collect();
    let said = Command::new(program).args(&words).output();
    std::fs::remove_file(&path).unwrap();
    match said {
        Ok(said) => Some((said.status.success(), String::from_utf8_lossy(&said.stdout).into_owned())),
        Err(_) => {
            eprintln!("skipped: {program} is not installed");
            None
        }
    }
}

#[test]
fn qpdf_finds_nothing_to_complain_about() {
    for steps in [vec![], vec![0; 300], vec![1; 120]] {
        let tree = tree(&steps);
        let Some((content, said)) = say("qpdf", &["--check", "FILE"], &drawn(&SiteMap::new(heading(), &tree))) else {
            return;
        };
        assert!(content && said.contains("No syntax or stream encoding errors"), "{said}");
    }
}

#[test]
fn pdftotext_finds_every_title() {
    let tree = tree(&[0; 300]);
    let Some((content, said)) = say("pdftotext", &["-layout", "FILE", "-"], &drawn(&SiteMap::new(heading(), &tree)))
    else {
        return;
    };
    assert!(content);
    assert!((0..tree.len()).all(|node| said.contains(&title(node))));
    let sheets: Vec<&str> = said.split('\u{c}').collect();
    for node in 0..150 {
        // The first line with the title stands in the contents; it ends with the number of the sheet.
        let row = said.lines().find(|line| line.contains(&title(node))).unwrap();
        let named: usize = row.split_whitespace().last().unwrap().parse().unwrap();
        let address = format!("https://example.org/{node}");
        assert!(sheets[named - 1].lines().any(|line| line.split_whitespace().any(|word| word == address)), "{row}");
    }
}

#[test]
fn pdftotext_copies_every_script() {
    let mut titles =
        ["Řeřicha", "Straße", "Улица", "Δρόμος", "中文网站", "日本のサイト", "한국어", "שלום עולם", "ภาษา", "🦀"];
    if !std::path::Path::new("/usr/share/poppler/cMap").exists() {
        eprintln!("skipped: pdftotext has no tables of East Asian characters here (poppler-data)");
        titles[4..7].fill("plain");
    }
    let tree = tree(&[0; 9]);
    let mut out = Vec::new();
    let mut labels = Told(|node: u32| Ok(label(titles[node as usize], "https://example.org/")));
    render(&SiteMap::new(heading(), &tree), &mut labels, &mut out).unwrap();
    let Some((content, said)) = say("pdftotext", &["FILE", "-"], &out) else { return };
    assert!(content);
    let missing: Vec<&&str> = titles.iter().filter(|words| !said.contains(**words)).collect();
    assert!(missing.is_empty(), "{missing:?} in {said}");
}

//! The main text of the pages of a folder (`ID.html` or `ID.html.gz`), in the form of the article-extraction-benchmark.
//!
//!     cargo run --release -p groma-page --example main_text -- FOLDER > output/groma.json

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use groma_model::Limits;
use groma_page::{Filter, Html, Input};
use groma_url::Url;

fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let url = Url::parse("http://site.test/some/page.html").expect("a valid URL");
    let limits = Limits::default();
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(Path::new(&folder)).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((id, end)) = name.split_once('.') else { continue };
        let Ok(bytes) = std::fs::read(entry.path()) else { continue };
        let bytes = if end.ends_with("gz") { unpacked(&bytes) } else { bytes };
        let page = Html.read(&Input { bytes: &bytes, url: &url, charset: None, limits: &limits, parts: true });
        let main = page.parts.map(|parts| parts.main).unwrap_or_default();
        let lines: Vec<&str> = main.iter().map(|block| page.blocks[*block as usize].text.as_str()).collect();
        texts.insert(id.to_owned(), serde_json::json!({ "articleBody": lines.join("\n") }));
    }
    println!("{}", serde_json::to_string(&texts).expect("plain data"));
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let _read = flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut out);
    out
}

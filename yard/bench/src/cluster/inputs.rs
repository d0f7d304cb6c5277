//! Link graphs to cluster: given files, surveys, folders of pages, what lies beside the project, and documentation of Debian.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use groma_graph::{Csr, Weighted};
use serde_json::Value;

use super::folder;
use crate::groma::{Groma, said};
use crate::scratch::Scratch;
use crate::sites;

const GRAPHS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs");

/// Sites of debdocs that link to one another.
const SCIENTIFIC: [&str; 3] = ["https://docs.scipy.org/", "https://pandas.pydata.org/", "https://docs.astropy.org/"];

/// The piece of cnr-87k that mcl finishes: nodes below this number.
const PIECE: u32 = 15_000;

/// A graph as pairs in a file, each node in one of them.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) pages: u32,
    /// Without their directions, each once.
    pub(super) edges: u64,
}

impl Input {
    /// Numbers the nodes anew, in order of their appearance, and writes the pairs down.
    fn write(name: &str, pairs: &[(u32, u32)], scratch: &Scratch) -> anyhow::Result<Input> {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut bytes = Vec::with_capacity(pairs.len() * 8);
        for node in pairs.iter().flat_map(|&(from, to)| [from, to]) {
            let next = numbers.len() as u32;
            bytes.extend(numbers.entry(node).or_insert(next).to_le_bytes());
        }
        let safe: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        let file = scratch.join(&format!("{safe}.bin"));
        std::fs::write(&file, bytes)?;
        let mut input = Input { name: name.to_owned(), file, pages: numbers.len() as u32, edges: 0 };
        input.edges = input.read()?.edge_count();
        Ok(input)
    }

    pub(super) fn read(&self) -> anyhow::Result<Weighted> {
        Ok(graph(&pairs(&self.file)?))
    }
}

/// The graph of pairs, without their directions.
pub(super) fn graph(pairs: &[(u32, u32)]) -> Weighted {
    let nodes = pairs.iter().map(|(from, to)| from.max(to) + 1).max().unwrap_or(0);
    Weighted::undirected(&Csr::of_arcs(nodes, pairs.iter().copied()))
}

/// Pairs of little-endian 32-bit numbers, packed by zstd or not.
pub(super) fn pairs(file: &Path) -> anyhow::Result<Vec<(u32, u32)>> {
    let mut bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    if file.extension().is_some_and(|ending| ending == "zst") {
        bytes = zstd::decode_all(bytes.as_slice())?;
    }
    let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    Ok(bytes.chunks_exact(8).map(|pair| (number(pair), number(&pair[4..]))).collect())
}

/// What was asked for; if nothing was, what there is.
pub(super) fn chosen(edges: &str, surveys: &str, folders: &str, scratch: &Scratch) -> anyhow::Result<Vec<Input>> {
    let paths =
        |list: &str| -> Vec<PathBuf> { list.split(',').filter(|path| !path.is_empty()).map(PathBuf::from).collect() };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut inputs = Vec::new();
    for file in paths(edges) {
        inputs.push(Input::write(&name(&file), &pairs(&file)?, scratch)?);
    }
    for store in paths(surveys) {
        inputs.push(Input::write(&name(&store), &links(&Groma::find()?, &store)?, scratch)?);
    }
    for folder in paths(folders) {
        inputs.push(Input::write(&name(&folder), &folder::links(&folder)?, scratch)?);
    }
    if inputs.is_empty() {
        inputs.extend(scientific(scratch)?);
        inputs.extend(piece(scratch)?);
        match sites::chosen("openjdk") {
            Ok(found) => {
                inputs.push(Input::write(found[0].package, &folder::links(Path::new(found[0].root))?, scratch)?)
            }
            Err(error) => println!("- not compared, openjdk: {error:#}"),
        }
    }
    if inputs.is_empty() {
        bail!("nothing to cluster; name files by --edges, surveys by --survey or folders of pages by --folder");
    }
    Ok(inputs)
}

/// One of the webs beside the project, if it is there.
pub(super) fn web(name: &str, scratch: &Scratch) -> anyhow::Result<Option<Input>> {
    let file = Path::new(GRAPHS).join(format!("{name}.edges.bin.zst"));
    if !file.exists() {
        println!("- not measured, {name}: it is not beside the project");
        return Ok(None);
    }
    Input::write(name, &pairs(&file)?, scratch).map(Some)
}

fn scientific(scratch: &Scratch) -> anyhow::Result<Option<Input>> {
    let (urls, edges) = (Path::new(GRAPHS).join("debdocs.urls.zst"), Path::new(GRAPHS).join("debdocs.edges.bin.zst"));
    if !urls.exists() || !edges.exists() {
        println!("- not compared, sites of debdocs: they are not beside the project");
        return Ok(None);
    }
    let urls = String::from_utf8(zstd::decode_all(std::fs::File::open(urls)?)?)?;
    let chosen: Vec<bool> = urls.lines().map(|url| SCIENTIFIC.iter().any(|site| url.starts_with(site))).collect();
    let inside = |node: u32| chosen.get(node as usize).copied().unwrap_or(false);
    let mut pairs = pairs(&edges)?;
    pairs.retain(|&(from, to)| inside(from) && inside(to));
    Input::write("scipy, pandas, astropy", &pairs, scratch).map(Some)
}

fn piece(scratch: &Scratch) -> anyhow::Result<Option<Input>> {
    let file = Path::new(GRAPHS).join("cnr-87k.edges.bin.zst");
    if !file.exists() {
        println!("- not compared, a piece of cnr-87k: it is not beside the project");
        return Ok(None);
    }
    let mut pairs = pairs(&file)?;
    pairs.retain(|&(from, to)| from.max(to) < PIECE && from != to);
    Input::write("a piece of cnr-87k", &pairs, scratch).map(Some)
}

/// Links between pages of a survey, those of the navigation left out: they join everything with everything.
fn links(groma: &Groma, store: &Path) -> anyhow::Result<Vec<(u32, u32)>> {
    let output = groma.command("links", store, &["-f", "json"]).output().context("cannot run groma")?;
    if !output.status.success() {
        bail!("groma links failed: {}", said(&output));
    }
    let text = String::from_utf8(output.stdout).context("groma links said no UTF-8")?;
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut pairs = Vec::new();
    for line in text.lines() {
        let link: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        let text = |key: &str| link[key].as_str().unwrap_or_default();
        if text("state") == "fetched" && text("block") != "navigation" && text("from") != text("to") {
            let mut number = |key: &str| {
                let next = numbers.len() as u32;
                *numbers.entry(text(key).to_owned()).or_insert(next)
            };
            pairs.push((number("from"), number("to")));
        }
    }
    Ok(pairs)
}

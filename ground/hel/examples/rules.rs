//! How fast are trees built and rules evaluated? `cargo run --release -p groma-hel --example rules -- RULE FILE...`

use std::time::Instant;

use groma_hel::{Bounds, Rule, Tree};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rule = arguments.next().unwrap_or_else(|| "html->a[*].txt".to_owned());
    let rule = match Rule::parse(&rule) {
        Ok(rule) => rule,
        Err(fault) => return eprintln!("{fault}\n{}", fault.shown(&rule)),
    };
    let pages: Vec<String> = arguments
        .filter_map(|path| std::fs::read(path).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let bytes: usize = pages.iter().map(String::len).sum();
    let bounds = Bounds::default();
    let start = Instant::now();
    let trees: Vec<Tree> = pages.iter().map(|page| Tree::parse(page, &bounds)).collect();
    let built = start.elapsed();
    let start = Instant::now();
    let values: usize =
        trees.iter().map(|tree| rule.extract(tree, &bounds).map_or(0, |value| value.values().len())).sum();
    let evaluated = start.elapsed();
    let nodes: usize = trees.iter().map(Tree::len).sum();
    let cut = trees.iter().filter(|tree| tree.cut().is_some()).count();
    let speed = bytes as f64 / built.as_secs_f64() / 1e6;
    println!("{} pages, {bytes} bytes, {nodes} nodes in {built:?} ({speed:.1} MB/s), {cut} cut", pages.len());
    println!("{values} values in {evaluated:?}");
}

//! On how many pages does the quick way to a tree hold, and how fast is it? `cargo run --release -p groma-hel --example plain -- FILE...`
//!
//! Reads each file both ways, holds the trees together, and says how many pages are plain, on how many the trees differ, and how long each way took.

use std::time::{Duration, Instant};

use groma_hel::{Bounds, Node, Tree};

fn main() {
    let bounds = Bounds::default();
    let (mut pages, mut bytes, mut plain, mut differ) = (0u32, 0usize, 0u32, Vec::new());
    let (mut quick, mut book) = (Duration::ZERO, Duration::ZERO);
    for file in std::env::args().skip(1) {
        let Ok(source) = std::fs::read(&file) else { continue };
        let source = String::from_utf8_lossy(&source);
        let start = Instant::now();
        let tree = Tree::parse_plain(&source, &bounds);
        quick += start.elapsed();
        let start = Instant::now();
        let by_the_book = Tree::parse_by_the_book(&source, &bounds);
        book += start.elapsed();
        (pages, bytes) = (pages + 1, bytes + source.len());
        let Some(tree) = tree else { continue };
        plain += 1;
        if !are_same(&tree, &by_the_book) {
            differ.push(file);
        }
    }
    println!("{pages} pages, {bytes} bytes; {plain} plain, {} differ", differ.len());
    println!("quick {quick:.2?}, by the book {book:.2?}");
    differ.iter().take(5).for_each(|file| println!("differs: {file}"));
}

fn are_same(a: &Tree, b: &Tree) -> bool {
    a.len() == b.len()
        && (0..a.len() as Node).all(|node| {
            a.name(node) == b.name(node)
                && a.text(node) == b.text(node)
                && a.parent(node) == b.parent(node)
                && a.end(node) == b.end(node)
                && a.open_form(node) == b.open_form(node)
                && a.attributes(node).eq(b.attributes(node))
        })
}

//! The corpora, replayed: every file, and simple mutations of it. Deterministic, so that a failure can be repeated.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Mutations of each file.
const MUTATIONS: u64 = 400;

/// Sebastiano Vigna's splitmix64: enough chance for this.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % (sides.max(1) as u64)) as usize
    }
}

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of the corpus").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("a file of the corpus"))).collect()
}

/// One change: cut, flip, write over, leave out, double, or splice with another file.
fn mutated(file: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    const TELLING: &[u8] = b"\0\xff<>&;=/?#%'\"\n\r: [{*\x80";
    let mut bytes = file.to_vec();
    for _ in 0..=dice.throw(3) {
        let (a, b) = (dice.throw(bytes.len() + 1), dice.throw(bytes.len() + 1));
        let (from, to) = (a.min(b), a.max(b));
        match dice.throw(7) {
            0 => bytes.truncate(to),
            1 if to < bytes.len() => bytes[to] ^= 1 << dice.throw(8),
            2 if to < bytes.len() => bytes[to] = TELLING[dice.throw(TELLING.len())],
            3 => drop(bytes.drain(from..to)),
            4 if to - from < 4096 => bytes.extend_from_within(from..to),
            5 => bytes.insert(to, TELLING[dice.throw(TELLING.len())]),
            _ => {
                bytes.truncate(to);
                bytes.extend_from_slice(&other[dice.throw(other.len() + 1)..]);
            }
        }
    }
    bytes
}

#[test]
fn every_target_keeps_its_promises_on_its_corpus_and_what_is_near_it() {
    for (name, target) in groma_fuzz::TARGETS {
        let files = corpus(name);
        assert!(files.len() >= 10, "{name}: only {} files", files.len());
        let mut dice = Dice(7);
        for (path, file) in &files {
            let run = |bytes: &[u8], nth: u64| {
                let kept = catch_unwind(AssertUnwindSafe(|| target(bytes))).is_ok();
                assert!(kept, "{name} breaks on {} (mutation {nth}): {}", path.display(), bytes.escape_ascii());
            };
            run(file, 0);
            for nth in 1..=MUTATIONS {
                let other = &files[dice.throw(files.len())].1;
                run(&mutated(file, other, &mut dice), nth);
            }
        }
    }
}

#[test]
fn nothing_at_all_is_fine_too() {
    for (_, target) in groma_fuzz::TARGETS {
        target(&[]);
    }
}

#[test]
fn the_corpora_are_small_and_all_belong_to_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut bytes = 0;
    for folder in std::fs::read_dir(root).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        assert!(groma_fuzz::TARGETS.iter().any(|(target, _)| *target == name), "{name} is the corpus of nothing");
        bytes += corpus(&name).iter().map(|(_, file)| file.len()).sum::<usize>();
    }
    assert!(bytes < 200 * 1024, "{bytes} bytes");
}

#[test]
fn each_target_has_its_libfuzzer_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libfuzzer");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in groma_fuzz::TARGETS {
        let text = std::fs::read_to_string(folder.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(text.contains(&format!("groma_fuzz::{name}(")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} stands in the manifest");
    }
}

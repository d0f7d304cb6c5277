//! Where an export goes: what is there already, what a kill leaves, and that nothing half looks whole.

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;

use groma_parquet::{Aim, Manifest, Options, Place, TableError, export, read_links, write_file};

use crate::made::{Desk, files, written};

fn names(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(&desk.0).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "made.groma");
    names.sort();
    names
}

#[test]
fn a_whole_export_has_its_manifest_and_its_mark_and_leaves_nothing_beside() {
    let desk = Desk::new();
    let mut store = desk.survey(50, 3);
    let exported = written(&mut store, &desk.aim("deep/er/out"), &Options::default()).unwrap();
    let out = desk.join("deep/er/out");
    let manifest: Manifest = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest, exported.manifest);
    assert_eq!(fs::read(out.join("_SUCCESS")).unwrap(), b"");
    let mut listed: Vec<_> = manifest.tables.iter().flat_map(|t| &t.files).map(|file| out.join(&file.name)).collect();
    listed.extend([out.join("manifest.json"), out.join("_SUCCESS")]);
    listed.sort();
    assert_eq!(files(&out), listed);
    for file in manifest.tables.iter().flat_map(|table| &table.files) {
        assert_eq!(fs::metadata(out.join(&file.name)).unwrap().len(), file.bytes);
    }
    assert_eq!(fs::read_dir(desk.join("deep/er")).unwrap().count(), 1);
}

#[test]
fn an_earlier_export_is_replaced_and_anything_else_is_not() {
    let desk = Desk::new();
    let mut store = desk.survey(50, 3);
    written(&mut store, &desk.aim("out"), &Options { parts: 8, ..Options::default() }).unwrap();
    let before = files(&desk.join("out"));
    written(&mut store, &desk.aim("out"), &Options { parts: 1, ..Options::default() }).unwrap();
    assert_ne!(files(&desk.join("out")), before);
    assert_eq!(names(&desk), ["out"]);

    // A file of somebody's in it: it is theirs now.
    fs::write(desk.join("out/notes.txt"), "mine").unwrap();
    let taken = written(&mut store, &desk.aim("out"), &Options::default());
    assert!(matches!(taken, Err(TableError::Taken(_))), "{taken:?}");
    assert_eq!(fs::read_to_string(desk.join("out/notes.txt")).unwrap(), "mine");
    assert_eq!(names(&desk), ["out"]);

    fs::create_dir_all(desk.join("other")).unwrap();
    fs::write(desk.join("other/x"), "").unwrap();
    fs::write(desk.join("file"), "").unwrap();
    for name in ["other", "file"] {
        assert!(
            matches!(written(&mut store, &desk.aim(name), &Options::default()), Err(TableError::Taken(_))),
            "{name}"
        );
    }
    fs::create_dir(desk.join("empty")).unwrap();
    written(&mut store, &desk.aim("empty"), &Options::default()).unwrap();
    assert!(matches!(Place::begin(&Aim::Path("/".into())), Err(TableError::NoPlace(_))));
}

#[test]
fn what_is_stopped_leaves_nothing() {
    let desk = Desk::new();
    let mut store = desk.survey(5000, 3);
    written(&mut store, &desk.aim("earlier"), &Options::default()).unwrap();
    let kept = files(&desk.join("earlier"));
    for name in ["new", "earlier"] {
        let place = Place::begin(&desk.aim(name)).unwrap();
        let stopped = export(&mut store, place, &Options::default(), &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(TableError::Stopped)), "{stopped:?}");
    }
    assert_eq!(names(&desk), ["earlier"]);
    assert_eq!(files(&desk.join("earlier")), kept);
    for parts in [0, 257] {
        let place = Place::begin(&desk.aim("new")).unwrap();
        let options = Options { parts, ..Options::default() };
        let refused = export(&mut store, place, &options, &mut |_| ControlFlow::Continue(()));
        assert!(matches!(refused, Err(TableError::Parts(_))));
    }
    assert_eq!(names(&desk), ["earlier"]);
}

#[test]
fn two_exports_to_one_place_do_not_meet() {
    let desk = Desk::new();
    let first = Place::begin(&desk.aim("out")).unwrap();
    assert!(matches!(Place::begin(&desk.aim("out")), Err(TableError::Busy(_))));
    drop(first);
    assert!(names(&desk).is_empty());
    drop(Place::begin(&desk.aim("out")).unwrap());
}

#[test]
fn what_a_kill_leaves_is_put_right() {
    let desk = Desk::new();
    let mut store = desk.survey(50, 3);
    // Killed while it wrote: half an export under its other name, and a lock that nobody holds.
    let half = desk.join("out.partial/links/part=00");
    fs::create_dir_all(&half).unwrap();
    fs::write(half.join("links-0000.parquet"), "PAR1 half").unwrap();
    fs::write(desk.join("out.partial.lock"), "").unwrap();
    assert!(matches!(read_links(&desk.aim("out.partial")).map(drop), Err(TableError::NotWhole(_))));
    written(&mut store, &desk.aim("out"), &Options::default()).unwrap();
    assert_eq!(names(&desk), ["out"]);

    // Killed between the two renamings: the earlier export is back before a new one begins.
    let kept = files(&desk.join("out")).len();
    fs::rename(desk.join("out"), desk.join("out.replaced")).unwrap();
    drop(Place::begin(&desk.aim("out")).unwrap());
    assert_eq!(names(&desk), ["out"]);
    assert_eq!(files(&desk.join("out")).len(), kept);

    // Killed before the earlier one was removed.
    written(&mut store, &desk.aim("out.replaced"), &Options::default()).unwrap();
    drop(Place::begin(&desk.aim("out")).unwrap());
    assert_eq!(names(&desk), ["out"]);
}

#[test]
fn an_export_without_its_mark_is_not_read() {
    let desk = Desk::new();
    let mut store = desk.survey(50, 3);
    written(&mut store, &desk.aim("out"), &Options::default()).unwrap();
    assert!(read_links(&desk.aim("out")).is_ok());
    fs::remove_file(desk.join("out/_SUCCESS")).unwrap();
    assert!(matches!(read_links(&desk.aim("out")).map(drop), Err(TableError::NotWhole(_))));
}

fn told(source: io::Error) -> TableError {
    TableError::Io { place: "here".into(), source }
}

#[test]
fn one_file_is_there_whole_or_not_at_all() {
    let desk = Desk::new();
    let aim = desk.aim("one.bin");
    let put = |words: &'static [&'static str]| {
        move |out: &mut dyn Write| {
            words.iter().try_for_each(|word| out.write_all(word.as_bytes())).map_err(told)?;
            Ok::<usize, TableError>(words.len())
        }
    };
    assert_eq!(write_file(&aim, put(&["first", ", whole"])).unwrap(), 2);
    assert_eq!(fs::read_to_string(desk.join("one.bin")).unwrap(), "first, whole");
    let failed = write_file(&aim, |out: &mut dyn Write| {
        out.write_all(&vec![7; 1 << 20]).map_err(told)?;
        Err::<(), TableError>(TableError::Stopped)
    });
    assert!(matches!(failed, Err(TableError::Stopped)));
    assert_eq!(fs::read_to_string(desk.join("one.bin")).unwrap(), "first, whole", "what was there stays");
    assert_eq!(names(&desk), ["one.bin"], "and nothing is left beside");
    assert!(matches!(write_file(&desk.aim("no/such/folder"), put(&[])), Err(TableError::Io { .. })));
    fs::create_dir(desk.join("folder")).unwrap();
    assert!(matches!(write_file(&desk.aim("folder"), put(&["x"])), Err(TableError::Io { .. })));
    assert_eq!(names(&desk), ["folder", "one.bin"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_place_says_is_told_whatever_the_writer_makes_of_it() {
    let desk = Desk::new();
    // The place is a link to a device that is always full.
    std::os::unix::fs::symlink("/dev/full", desk.join("full")).unwrap();
    let told = write_file(&desk.aim("full"), |out: &mut dyn Write| {
        let went = out.write_all(&vec![7; 1 << 20]);
        assert!(went.is_err());
        Err::<(), TableError>(TableError::Write("packing failed".into()))
    });
    let Err(TableError::Io { place, source }) = told else { panic!("{told:?}") };
    assert!(place.ends_with("/full"), "{place}");
    assert_eq!(source.kind(), io::ErrorKind::StorageFull);
}

#[cfg(not(feature = "cloud"))]
#[test]
fn without_object_stores_their_addresses_are_refused_in_words() {
    let aim = Aim::parse("s3://bucket/survey").unwrap();
    let refused = Place::begin(&aim).map(drop).unwrap_err();
    assert!(matches!(refused, TableError::NoObjects(_)));
    assert!(refused.hint().contains("--features cloud"));
    let refused = write_file(&aim, |_: &mut dyn Write| Ok::<(), TableError>(())).unwrap_err();
    assert!(matches!(refused, TableError::NoObjects(_)));
}

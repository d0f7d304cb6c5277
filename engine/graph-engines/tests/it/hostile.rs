//! Files that are missing, damaged or lies, on the engine of one machine.

use groma_graph_engines::files::{self, Column};
use groma_graph_engines::{GraphEngineError, Input, Local};

use crate::graphs::write_links;
use crate::scratch::Scratch;

fn said(path: &str) -> String {
    let scratch = Scratch::new("work");
    Local::open(&Input::Links(path.to_owned()), &scratch.join("work")).unwrap_err().to_string()
}

#[test]
fn what_is_not_there_is_told() {
    let scratch = Scratch::new("hostile");
    assert!(said(&scratch.join("nowhere")).contains("nowhere"));
    std::fs::create_dir(scratch.path().join("empty")).unwrap();
    assert!(said(&scratch.join("empty")).contains("no Parquet files"));
    files::write(&scratch.join("other"), &[("a", [1i64].into_iter().collect::<Column>())]).unwrap();
    assert!(said(&scratch.join("other")).contains("no column `source`"));
    let texts =
        [("source", ["x".to_owned()].into_iter().collect::<Column>()), ("target", [1i64].into_iter().collect())];
    files::write(&scratch.join("texts"), &texts).unwrap();
    assert!(said(&scratch.join("texts")).contains("column `source` does not hold"));
    for path in ["", "/", "a*b", "a{b,c}", "x[1]", "a\nb"] {
        let error = Local::open(&Input::Links(path.to_owned()), "work").unwrap_err();
        assert!(matches!(error, GraphEngineError::Place { .. }), "{path:?}: {error}");
    }
}

/// Any bytes in the place of a file: an error that names it, never a panic, never much time.
#[test]
fn damaged_files_are_errors() {
    let scratch = Scratch::new("damaged");
    let links: Vec<(i64, i64, bool)> = (0..500).map(|n| (n, n * 7 % 500, n % 3 == 0)).collect();
    write_links(&scratch.join("links"), &links);
    let file = scratch.path().join("links/part-0000.parquet");
    let whole = std::fs::read(&file).unwrap();
    let mut refused = 0;
    for place in 0..whole.len().min(1500) {
        let mut bytes = whole.clone();
        let at = place * whole.len() / whole.len().min(1500);
        bytes[at] ^= 0xff;
        if place % 50 == 0 {
            bytes.truncate(at);
        }
        std::fs::write(&file, &bytes).unwrap();
        let read = files::read(&scratch.join("links"), &[files::whole("source"), files::whole("target")], 10_000);
        if let Err(error) = read {
            assert!(error.to_string().contains("part-0000.parquet"), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 100, "only {refused} of the damages were noticed");
    assert!(files::read(&scratch.join("links"), &[], 0).is_err() || refused > 0);
}

#[test]
fn columns_keep_what_they_were_given() {
    let scratch = Scratch::new("columns");
    let ids = Column::Whole(vec![Some(i64::MIN), None, Some(i64::MAX), Some(0)]);
    let reals = Column::Real(vec![None, Some(f64::MIN_POSITIVE), Some(-0.0), Some(1e300)]);
    let texts = Column::Text(vec![Some(String::new()), Some("ž\u{1F980}".to_owned()), None, Some("x".repeat(100_000))]);
    let flags = Column::Flag(vec![None, None, None, None]);
    let table = [("id", ids), ("real", reals), ("text", texts), ("flag", flags)];
    files::write(&scratch.join("table"), &table).unwrap();
    let wanted = [
        files::whole("id"),
        files::real("real"),
        files::text("text"),
        files::flag("flag"),
        files::maybe(files::text("missing")),
    ];
    let read = files::read(&scratch.join("table"), &wanted, 4).unwrap();
    for ((_, written), read) in table.iter().zip(&read) {
        assert_eq!(written, read);
    }
    assert_eq!(read[4], Column::Text(vec![None; 4]));
    assert!(files::read(&scratch.join("table"), &wanted, 3).is_err());
    let uneven = [("a", Column::Whole(vec![None])), ("b", Column::Whole(Vec::new()))];
    assert!(files::write(&scratch.join("uneven"), &uneven).is_err());
}

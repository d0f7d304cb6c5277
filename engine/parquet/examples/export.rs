//! How fast are columns written and read back, without the rest of the program?
//!
//! ```text
//! cargo run --release -p groma-parquet --example export -- SURVEY.groma DEST [PARTS]
//! ```
//!
//! Prints links per second by the clock, for writing and for reading, and checks that as many were read as written. DEST may be a URL
//! of an object store with `--features cloud`.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

use groma_parquet::{Aim, Options, PARTS, Place, export, read_links};
use groma_store::Folder;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (survey, to) = match words.as_slice() {
        [survey, to, ..] => (survey, Aim::parse(to)?),
        _ => return Err("export SURVEY.groma DEST [PARTS]".into()),
    };
    let parts = words.get(2).map_or(Ok(PARTS), |parts| parts.parse())?;
    let options = Options { parts, texts: true, bodies: true, ..Options::default() };
    let begun = Instant::now();
    let mut store = Folder::new(survey).read()?;
    let exported = export(&mut store, Place::begin(&to)?, &options, &mut |_| ControlFlow::Continue(()))?;
    let seconds = begun.elapsed().as_secs_f64();
    for table in &exported.manifest.tables {
        println!("{:<7} {:>10} rows {:>12} bytes {:>4} files", table.name, table.rows, table.bytes, table.files.len());
    }
    let links = exported.table("links").map_or(0, |table| table.rows);
    println!("written in {seconds:.2} s: {:.0} links/s", links as f64 / seconds);
    let begun = Instant::now();
    let mut read = 0;
    for link in read_links(&to)? {
        link?;
        read += 1;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("read in {seconds:.2} s: {:.0} links/s", read as f64 / seconds);
    if read == links { Ok(()) } else { Err(format!("{read} links were read of {links}").into()) }
}

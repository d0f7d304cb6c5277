//! How many pages of a library a second does the server give?
//!
//! `cargo run --release -p groma-library --example made [works.ndjson.gz]`
//!
//! Every page of a library of 20,000 is asked for once over sixteen connections kept busy in turn. Printed are pages by wall
//! time, client included, and the time it takes to build the library and to render all its pages without a server.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Instant;

use groma_library::{Library, Settings, openalex};
use groma_testweb::Server;

const CONNECTIONS: usize = 16;

fn main() -> std::io::Result<()> {
    let begin = Instant::now();
    let works = match std::env::args().nth(1) {
        Some(path) => openalex::read(Path::new(&path))?,
        None => Vec::new(),
    };
    println!("{} works read in {:.2} s", works.len(), begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let library = Library::build(&works, &Settings::default());
    println!("{} pages laid out in {:.2} s", library.len(), begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let bytes: usize = (0..library.len()).filter_map(|n| library.render(n)).map(|page| page.html.len()).sum();
    let rendering = begin.elapsed().as_secs_f64();
    let mean = bytes / library.len();
    println!("rendered in {rendering:.2} s, {:.0} a second, {mean} bytes each", library.len() as f64 / rendering);

    let paths: Vec<String> = library.paths_of_pages().map(str::to_owned).collect();
    let server = Server::start(library);
    let mut streams = Vec::new();
    for _ in 0..CONNECTIONS {
        let stream = TcpStream::connect(("127.0.0.1", server.port()))?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let (begin, mut buffer) = (Instant::now(), vec![0; 1 << 20]);
    for part in paths.chunks(CONNECTIONS) {
        for (stream, path) in streams.iter_mut().zip(part) {
            stream
                .write_all(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: load\r\n\r\n").as_bytes())?;
        }
        for stream in streams.iter_mut().take(part.len()) {
            let mut filled = 0;
            while !buffer[..filled].ends_with(b"</html>\n") {
                filled += stream.read(&mut buffer[filled..])?;
            }
            assert!(buffer.starts_with(b"HTTP/1.1 200 OK\r\n"), "every path is a page");
        }
    }
    let wall = begin.elapsed().as_secs_f64();
    println!("served in {wall:.2} s, {:.0} pages a second", paths.len() as f64 / wall);
    Ok(())
}

//! A line to a server that can be cut at the worst moments: when COMMIT is sent, and when it is answered.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use groma_store::Server;

/// Nothing is broken off.
pub(crate) const WHOLE: u8 = 0;
/// The next COMMIT does not arrive.
pub(crate) const BEFORE: u8 = 1;
/// The next COMMIT arrives, its answer does not.
pub(crate) const AFTER: u8 = 2;

/// A listener that passes everything on to a server.
pub(crate) struct Lines {
    port: u16,
    cut: Arc<AtomicU8>,
    cuts: Arc<AtomicU32>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Lines {
    /// To the server at this host and port.
    fn to(server: &str) -> Lines {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let lines = Lines { port, cut: Arc::default(), cuts: Arc::default(), open: Arc::default() };
        let (server, cut, cuts, open) = (server.to_owned(), lines.cut.clone(), lines.cuts.clone(), lines.open.clone());
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
                open.lock().unwrap().push(client.try_clone().unwrap());
                let (back, from) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let (cut, cuts) = (cut.clone(), cuts.clone());
                std::thread::spawn(move || pass(from, back, |_| true));
                std::thread::spawn(move || {
                    let end = server.try_clone().unwrap();
                    let answers = client.try_clone().unwrap();
                    pass(client, server, |bytes| {
                        if !bytes.windows(7).any(|word| word == b"COMMIT\0") {
                            return true;
                        }
                        let when = cut.swap(WHOLE, Ordering::SeqCst);
                        cuts.fetch_add(u32::from(when != WHOLE), Ordering::SeqCst);
                        if when == AFTER {
                            // Whatever the server answers, the client has gone deaf.
                            let _ = answers.shutdown(Shutdown::Both);
                        }
                        when != BEFORE
                    });
                    let _ = end.shutdown(Shutdown::Both);
                });
            }
        });
        lines
    }

    /// To the server at this URL; and the URL that leads there through the lines.
    pub(crate) fn through(address: &str) -> (Lines, Server) {
        let (user, rest) = address.rsplit_once('@').unwrap();
        let (host, database) = rest.split_once('/').unwrap();
        let lines = Lines::to(host);
        let server = Server::parse(&format!("{user}@127.0.0.1:{}/{database}", lines.port)).unwrap();
        (lines, server)
    }

    /// Cuts all lines that are open.
    pub(crate) fn sever(&self) {
        for line in self.open.lock().unwrap().drain(..) {
            let _ = line.shutdown(Shutdown::Both);
        }
    }

    /// Cuts the line at the next COMMIT.
    pub(crate) fn cut(&self, when: u8) {
        self.cut.store(when, Ordering::SeqCst);
    }

    /// How often it was cut.
    pub(crate) fn cuts(&self) -> u32 {
        self.cuts.load(Ordering::SeqCst)
    }
}

/// Passes bytes on until one side ends or somebody says no. What was said yes to arrives.
fn pass(mut from: TcpStream, mut to: TcpStream, mut may: impl FnMut(&[u8]) -> bool) {
    let mut bytes = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if !may(&bytes[..count]) || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Write);
}

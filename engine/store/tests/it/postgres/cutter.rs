//! A wire that can be cut at the worst moment: it passes everything on, until it sees a COMMIT.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::time::Duration;

/// When it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Never = 0,
    /// The server never hears of the COMMIT.
    Before = 1,
    /// The server hears of it and its answer is lost.
    After = 2,
    /// The client is cut off at once and comes back while the server has not yet heard of the COMMIT that is on its way.
    Late = 3,
}

/// A proxy in front of the server that breaks connections when told to.
pub(super) struct Cutter {
    pub(super) port: u16,
    cut: Arc<AtomicU8>,
    /// How often it was cut.
    pub(super) cuts: Arc<AtomicU32>,
}

impl Cutter {
    pub(super) fn before(server: u16) -> Cutter {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let cutter = Cutter { port, cut: Arc::default(), cuts: Arc::default() };
        let (cut, cuts) = (cutter.cut.clone(), cutter.cuts.clone());
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Ok(server)) = (client, TcpStream::connect(("127.0.0.1", server))) else { return };
                let (cut, cuts) = (cut.clone(), cuts.clone());
                let (mut back_from, mut back_to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut back_from, &mut back_to);
                    let _ = back_to.shutdown(Shutdown::Both);
                });
                std::thread::spawn(move || pass(client, server, &cut, &cuts));
            }
        });
        cutter
    }

    /// The next COMMIT is the one.
    pub(super) fn arm(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::SeqCst);
    }
}

fn pass(mut client: TcpStream, mut server: TcpStream, cut: &AtomicU8, cuts: &AtomicU32) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(size @ 1..) = client.read(&mut buffer) {
        let commit = buffer[..size].windows(7).any(|window| window == b"COMMIT\0");
        let now = if commit { cut.swap(Cut::Never as u8, Ordering::SeqCst) } else { 0 };
        if now == 0 {
            if server.write_all(&buffer[..size]).is_err() {
                break;
            }
            continue;
        }
        cuts.fetch_add(1, Ordering::SeqCst);
        // The client hears nothing more.
        let _ = client.shutdown(Shutdown::Both);
        if now == Cut::Late as u8 {
            std::thread::sleep(Duration::from_millis(300));
        }
        if now != Cut::Before as u8 {
            let _ = server.write_all(&buffer[..size]);
            std::thread::sleep(Duration::from_millis(50));
        }
        break;
    }
    let _ = server.shutdown(Shutdown::Both);
    let _ = client.shutdown(Shutdown::Both);
}

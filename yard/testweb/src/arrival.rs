//! When did it come? Not when a thread got round to it, which on a busy machine is much later, but when the kernel had it: on
//! loopback that is when it was sent.

use std::io::{self, IoSliceMut, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream as Pipe};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use nix::sys::time::TimeSpec;
use tokio::io::Interest;
use tokio::net::TcpStream;

/// Read at a time.
const PIECE: usize = 4 * 1024;

/// So long a kernel may take to begin. One that has not begun by then never says when anything came, and the time of reading stands
/// for it.
const BEGINS: Duration = Duration::from_secs(2);

/// What keeps the kernel at it, once it has begun, as long as the process lives.
static WATCH: Mutex<Option<(Pipe, Pipe)>> = Mutex::new(None);

/// The kernel says when what is read came, of every connection to this socket: of the first bytes too, which may be there before
/// the connection is taken.
pub(crate) fn stamped(socket: &impl AsFd) -> io::Result<()> {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    if watch.is_none() {
        *watch = Some(begun()?);
    }
    stamp(socket)
}

fn stamp(socket: &impl AsFd) -> io::Result<()> {
    Ok(setsockopt(socket, sockopt::ReceiveTimestampns, &true)?)
}

/// The first socket of a machine to want the times gets them a while later: a thread of the kernel switches them on, and on a busy
/// machine whole exchanges come before its turn. So two ends talk to each other until what comes has its time.
fn begun() -> io::Result<(Pipe, Pipe)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    stamp(&listener)?;
    let mut near = Pipe::connect(listener.local_addr()?)?;
    near.set_nodelay(true)?;
    let (far, _) = listener.accept()?;
    let asked = Instant::now();
    loop {
        near.write_all(b".")?;
        if receive(&far, &mut [0])?.1.is_some() || asked.elapsed() > BEGINS {
            return Ok((near, far));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Appends the next bytes to `inbox`; when the last of them came, or nothing at the end.
pub(crate) async fn read(stream: &TcpStream, inbox: &mut Vec<u8>) -> io::Result<Option<SystemTime>> {
    let before = inbox.len();
    inbox.resize(before + PIECE, 0);
    let (length, at) = stream.async_io(Interest::READABLE, || receive(stream, &mut inbox[before..])).await?;
    inbox.truncate(before + length);
    Ok((length > 0).then(|| at.unwrap_or_else(SystemTime::now)))
}

fn receive(stream: &impl AsRawFd, piece: &mut [u8]) -> io::Result<(usize, Option<SystemTime>)> {
    let mut room = nix::cmsg_space!(TimeSpec);
    let mut pieces = [IoSliceMut::new(piece)];
    let came = recvmsg::<()>(stream.as_raw_fd(), &mut pieces, Some(&mut room), MsgFlags::empty())?;
    let at = came.cmsgs()?.find_map(|told| match told {
        ControlMessageOwned::ScmTimestampns(at) => Some(UNIX_EPOCH + Duration::from(at)),
        _ => None,
    });
    Ok((came.bytes, at))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, SystemTime};

    use crate::{Answer, Ask, Server};

    #[test]
    fn what_waits_for_the_thread_came_when_it_was_sent() {
        let (came, seen) = (Arc::new(Mutex::new(Vec::new())), Duration::from_millis(300));
        let log = Arc::clone(&came);
        let server = Server::start(move |ask: &Ask| {
            log.lock().unwrap().push((ask.came.unwrap(), SystemTime::now()));
            std::thread::sleep(seen);
            Answer::text("late").with_header("Connection", "close")
        });
        let ask = || {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n").unwrap();
            stream
        };
        let asked: Vec<(TcpStream, SystemTime)> = (0..3).map(|_| (ask(), SystemTime::now())).collect();
        let sent: Vec<SystemTime> = asked.iter().map(|(_, at)| *at).collect();
        for (mut stream, _) in asked {
            stream.read_to_end(&mut Vec::new()).unwrap();
        }
        let mut came = came.lock().unwrap().clone();
        came.sort();
        // Each before its sending had returned, however late it was looked at.
        came.iter().zip(&sent).for_each(|((came, _), sent)| assert!(came <= sent, "{came:?} {sent:?}"));
        assert!(came[2].1.duration_since(came[0].1).unwrap() >= 2 * seen);
    }
}

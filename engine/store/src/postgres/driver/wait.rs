//! The background thread, and waiting for an answer without a runtime.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

/// Wakes the thread that waits.
struct Bell(Thread);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits on this thread until something comes of a call, at most so long; nothing after that. For calls that need no runtime: those
/// of a client whose connection lives in the background.
pub(crate) fn wait<F: Future>(call: F, most: Duration) -> Option<F::Output> {
    let mut call = pin!(call);
    let bell = Waker::from(Arc::new(Bell(std::thread::current())));
    let mut context = Context::from_waker(&bell);
    let until = Instant::now() + most;
    loop {
        if let Poll::Ready(output) = call.as_mut().poll(&mut context) {
            return Some(output);
        }
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
        std::thread::park_timeout(left);
    }
}

/// Where connections live. Begun once, for the life of the process.
pub(super) fn background() -> Result<Handle, String> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let begin = || {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).thread_name("groma-postgres").enable_io().enable_time();
        builder.build().map_err(|error| format!("no thread for connections: {error}"))
    };
    RUNTIME.get_or_init(begin).as_ref().map(|runtime| runtime.handle().clone()).map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_waited_for_and_silence_is_not() {
        let (tell, told) = std::sync::mpsc::channel();
        let answer = background().unwrap().spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            tell.send(()).unwrap();
            7
        });
        assert_eq!(wait(answer, Duration::from_secs(10)).unwrap().unwrap(), 7);
        told.recv().unwrap();
        assert!(wait(std::future::pending::<()>(), Duration::from_millis(20)).is_none());
    }
}

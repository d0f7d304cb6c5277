//! Many statements, one round trip: all are sent before the first is answered.
//!
//! The server works through them in order. If one fails, those behind it in the same transaction fail too, and the first failure is the
//! one that counts. A flight has at most [`FLIGHT`] statements, so that what is under way stays bounded.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Statement};

use super::print::Print;
use super::steps::BatchStatement;
use crate::postgres::driver::{Fault, Live};

/// Most statements under way at once.
const FLIGHT: usize = 32;

const FENCE: &str = "UPDATE writer SET batch = $2::int8, session = pg_backend_pid(),
         expires = clock_timestamp() + $3 * interval '1 second'
     WHERE place = $4 AND token = $1 AND batch = $2::int8 - 1";

/// What the fence asks for: whose row, the number of the batch, and how many seconds it is good for.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    pub(super) row: i32,
    pub(super) token: Print,
    pub(super) number: i64,
    pub(super) lease: u32,
}

/// Sends the fence and the steps. How many rows each step touched; nothing if the fence did not let them pass.
pub(super) fn fly(live: &mut Live, pass: Pass, steps: &[BatchStatement]) -> Result<Option<Vec<u64>>, Fault> {
    let lease = f64::from(pass.lease);
    let fence: [&(dyn ToSql + Sync); 4] = [&pass.token, &pass.number, &lease, &pass.row];
    let mut calls = vec![(live.statement(FENCE, &[])?, fence.to_vec())];
    for step in steps {
        let params = step.params.iter().map(|param| &**param as &(dyn ToSql + Sync)).collect();
        calls.push((live.statement(step.sql, &[])?, params));
    }
    let mut counts = Vec::with_capacity(calls.len());
    for some in calls.chunks(FLIGHT) {
        let answers = Live::call(async { Ok(together(live.client(), some).await) })?;
        for answer in answers {
            match answer {
                Err(_) if counts.first() == Some(&0) => return Ok(None),
                answer => counts.push(answer?),
            }
        }
        if counts.first() == Some(&0) {
            return Ok(None);
        }
    }
    counts.remove(0);
    Ok(Some(counts))
}

/// Sends steps behind a fence that has let them pass.
pub(super) fn follow(live: &mut Live, steps: &[BatchStatement]) -> Result<(), Fault> {
    for some in steps.chunks(FLIGHT) {
        let mut calls = Vec::with_capacity(some.len());
        for step in some {
            let params = step.params.iter().map(|param| &**param as &(dyn ToSql + Sync)).collect();
            calls.push((live.statement(step.sql, &[])?, params));
        }
        let answers = Live::call(async { Ok(together(live.client(), &calls).await) })?;
        for answer in answers {
            answer?;
        }
    }
    Ok(())
}

type Call<'a> = (Statement, Vec<&'a (dyn ToSql + Sync)>);
type Answer = Result<u64, Error>;

/// Executes calls, sent in this order without waiting in between.
async fn together(client: &Client, calls: &[Call<'_>]) -> Vec<Answer> {
    // A request is sent when it is first polled, and here they are polled in order.
    let mut open: Vec<Option<Pin<Box<dyn Future<Output = Answer> + '_>>>> = calls
        .iter()
        .map(
            |(statement, params)| Some(Box::pin(client.execute(statement, params)) as Pin<Box<dyn Future<Output = _>>>),
        )
        .collect();
    let mut answers: Vec<Option<Answer>> = open.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (call, answer) in open.iter_mut().zip(&mut answers) {
            if let Some(running) = call
                && let Poll::Ready(done) = running.as_mut().poll(context)
            {
                *answer = Some(done);
                *call = None;
            }
        }
        if open.iter().all(Option::is_none) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    answers.into_iter().flatten().collect()
}

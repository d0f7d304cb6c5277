//! A connection that stands: calls, and statements prepared once.

use std::collections::HashMap;
use std::future::Future;
use std::sync::mpsc;
use std::time::Duration;

use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, SimpleQueryMessage, Statement};

use super::fault::told;
use super::wait::{background, wait};
use super::{Fault, Server, is_transient, quoted};

/// Seconds a statement may take on the server.
const STATEMENT: u64 = 300;
/// Seconds somebody waits for what another holds.
const LOCK: u64 = 20;
/// Seconds a transaction may rest: whoever is cut off holds others up no longer than that.
const RESTING: u64 = 60;
/// A server that has not said a word for so long is taken for lost.
const SILENCE: Duration = Duration::from_secs(STATEMENT + 30);
/// How long names, sockets and the greeting may take together.
const GREETING: Duration = Duration::from_secs(30);

/// A connection that stands.
pub(crate) struct Live {
    client: Client,
    statements: HashMap<String, Statement>,
    /// A transaction was begun and has not ended.
    pub(super) inside: bool,
}

/// An attempt to connect that failed.
pub(super) struct Refusal {
    /// Another attempt may do better.
    pub(super) transient: bool,
    pub(super) why: String,
}

impl Live {
    /// Tries once; whoever calls decides whether to try again.
    pub(super) fn connect(server: &Server, schema: &str) -> Result<Live, Refusal> {
        let for_good = |why| Refusal { transient: false, why };
        let background = background().map_err(for_good)?;
        let (config, tls) = (server.config.clone(), server.tls.clone());
        let (tell, answer) = mpsc::sync_channel(1);
        background.spawn(async move {
            let greeting = tokio::time::timeout(GREETING, config.connect(tls));
            let (client, connection) = match greeting.await {
                Ok(Ok(both)) => both,
                Ok(Err(error)) => {
                    let refusal = Refusal { transient: is_transient(&error), why: told(&error) };
                    return drop(tell.send(Err(refusal)));
                }
                Err(_) => return drop(tell.send(Err(silence()))),
            };
            if tell.send(Ok(client)).is_ok() {
                // How it ends is told by the next call.
                let _ = connection.await;
            }
        });
        let client = answer.recv_timeout(GREETING + Duration::from_secs(5)).map_err(|_| silence())??;
        let live = Live { client, statements: HashMap::new(), inside: false };
        // What a server says is durable should be: a commit that was confirmed and is gone cannot be noticed by anybody.
        let session = format!(
            "SET search_path = {}; SET statement_timeout = '{STATEMENT}s'; SET lock_timeout = '{LOCK}s'; \
             SET idle_in_transaction_session_timeout = '{RESTING}s'; SET jit = off; \
             SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
            quoted(schema)
        );
        live.batch(&session).map_err(|fault| match fault {
            Fault::Lost(why) => Refusal { transient: true, why },
            other => for_good(other.into_store(server).to_string()),
        })?;
        Ok(live)
    }

    /// The client, for calls that are not offered here; see [`Live::call`].
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Makes a call and waits for what comes of it.
    pub(crate) fn call<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, Fault> {
        match wait(call, SILENCE) {
            Some(answer) => Ok(answer?),
            None => Err(Fault::Lost("the server does not answer".into())),
        }
    }

    /// A statement, prepared when it is first asked for. Parameters are of these types; none: as the server infers them.
    pub(crate) fn statement(&mut self, sql: &str, types: &[Type]) -> Result<Statement, Fault> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let made = Live::call(self.client.prepare_typed(sql, types))?;
        self.statements.insert(sql.to_owned(), made.clone());
        Ok(made)
    }

    /// Statements without parameters, one round trip for all.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), Fault> {
        Live::call(self.client.batch_execute(sql))
    }

    /// The same; how many rows the last of them touched.
    pub(crate) fn batch_count(&self, sql: &str) -> Result<u64, Fault> {
        let said = Live::call(self.client.simple_query(sql))?;
        let counts = said.iter().rev().find_map(|message| match message {
            SimpleQueryMessage::CommandComplete(rows) => Some(*rows),
            _ => None,
        });
        Ok(counts.unwrap_or(0))
    }
}

fn silence() -> Refusal {
    Refusal { transient: true, why: "the server does not answer".into() }
}

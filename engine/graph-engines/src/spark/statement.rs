//! A statement whose end is waited for, however long it takes.
//!
//! Rule: a server of Spark Connect ends its stream of answers after a while (two minutes unless set otherwise) although the statement goes on, and expects to
//! be asked for the rest; the statement is done when the server says so (`ResultComplete`), not when the stream ends. The client we use takes the end of
//! a stream for the end of the statement: tables that it says are written may not be there yet. So what takes long is asked for here, by a second
//! client in the same session.
//! Cost: a connection; a question every two minutes.

#![allow(
    clippy::result_large_err,
    reason = "the error of the client is as large as it is, and goes no further than here"
)]

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use spark_connect::SparkError;
use spark_connect_core::{ChannelBuilder, ExecutePlanResponseReattachableIterator, SparkConnectClient, block_on};
use spark_connect_proto as proto;

/// Between two questions to a server that ends its streams at once.
const PAUSE: Duration = Duration::from_millis(50);

/// A second client in the session of a first one.
pub(super) fn join(address: &str, session: &str) -> Result<SparkConnectClient, SparkError> {
    let named = match address {
        address if address.contains(";session_id=") => address.to_owned(),
        address if address.contains("/;") => format!("{};session_id={session}", address.trim_end_matches(';')),
        address => format!("{}/;session_id={session}", address.trim_end_matches('/')),
    };
    block_on(SparkConnectClient::connect(&ChannelBuilder::parse(&named)?))
}

/// Writes what a statement makes to a folder as Parquet, in place of what is there.
pub(super) fn write(client: &SparkConnectClient, sql: &str, path: &str) -> Result<(), SparkError> {
    let write = proto::WriteOperation {
        input: Some(made_by(sql)),
        source: Some("parquet".to_owned()),
        mode: proto::write_operation::SaveMode::Overwrite.into(),
        save_type: Some(proto::write_operation::SaveType::Path(path.to_owned())),
        ..Default::default()
    };
    run(client, proto::command::CommandType::WriteOperation(write))
}

/// Calls rows by a name, in place of what was called so.
pub(super) fn call(client: &SparkConnectClient, name: &str, rows: proto::Relation) -> Result<(), SparkError> {
    let view =
        proto::CreateDataFrameViewCommand { input: Some(rows), name: name.to_owned(), is_global: false, replace: true };
    run(client, proto::command::CommandType::CreateDataframeView(view))
}

/// The rows that a statement makes.
pub(super) fn made_by(sql: &str) -> proto::Relation {
    relation(proto::relation::RelType::Sql(proto::Sql { query: sql.to_owned(), ..Default::default() }))
}

/// The rows of the Parquet files in a folder, with these columns or those they have.
pub(super) fn lying_in(path: &str, columns: Option<&str>) -> proto::Relation {
    let source = proto::read::DataSource {
        format: Some("parquet".to_owned()),
        schema: columns.map(str::to_owned),
        paths: vec![path.to_owned()],
        ..Default::default()
    };
    let read = proto::Read { is_streaming: false, read_type: Some(proto::read::ReadType::DataSource(source)) };
    relation(proto::relation::RelType::Read(read))
}

/// A relation with a number of its own: a server takes equal ones for the same and answers with what it made of the first, also when the names in it
/// lead somewhere else by now.
fn relation(kind: proto::relation::RelType) -> proto::Relation {
    // Far from the numbers that the session's own client gives.
    static NEXT: AtomicI64 = AtomicI64::new(1 << 40);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let common = proto::RelationCommon { plan_id: Some(number), ..Default::default() };
    proto::Relation { common: Some(common), rel_type: Some(kind) }
}

/// Sends a command and waits until it is done.
fn run(client: &SparkConnectClient, command: proto::command::CommandType) -> Result<(), SparkError> {
    let command = proto::Command { command_type: Some(command) };
    let request = proto::ExecutePlanRequest {
        session_id: client.session_id().to_owned(),
        user_context: Some(proto::UserContext::default()),
        plan: Some(proto::Plan { op_type: Some(proto::plan::OpType::Command(command)) }),
        ..Default::default()
    };
    let execution = ExecutePlanResponseReattachableIterator::new(request);
    block_on(async {
        let mut answers = client.execute_plan_reattachable(execution.request().clone()).await?;
        while let Some(answer) = answers.message().await? {
            execution.set_last_response_id(&answer).await;
        }
        while !execution.is_completed().await {
            std::thread::sleep(PAUSE);
            let mut rest = client.reattach_execute(execution.create_reattach_request().await).await?;
            while let Some(answer) = rest.message().await.map_err(SparkError::from_grpc_status)? {
                execution.set_last_response_id(&answer).await;
            }
        }
        // The server may forget it now; if it is not told, it does so by itself.
        let _ = client.release_execute(execution.create_release_request(true).await).await;
        Ok(())
    })
}

//! A question as the octets of its UTF-8, for drivers without wide functions.
//!
//! The driver manager hands wide texts to such a driver in the charset of the locale, which a program that sets none does not
//! have: letters beyond ASCII arrive as others. Octets it passes on as they are.

use odbc_api::handles::{AsStatementRef, SqlResult, Statement, StatementImpl, StatementRef};
use odbc_api::sys::{SQLExecDirect, SqlReturn};
use odbc_api::{CursorImpl, Error, Preallocated};

/// Asks a question that has an answer of rows; the driver takes texts as UTF-8.
pub fn select_by_octets<'s>(
    statement: &'s mut Preallocated<StatementImpl<'_>>,
    question: &str,
) -> Result<CursorImpl<StatementRef<'s>>, Error> {
    let statement = statement.as_stmt_ref();
    let length = i32::try_from(question.len()).unwrap_or(0);
    // SAFETY: the handle is valid as long as the statement is borrowed, has no parameters bound, and the text is as long as is said.
    let returned = unsafe { SQLExecDirect(statement.as_sys(), question.as_ptr(), length) };
    let result = match returned {
        SqlReturn::SUCCESS | SqlReturn::SUCCESS_WITH_INFO | SqlReturn::NO_DATA => SqlResult::Success(()),
        _ => SqlResult::Error { function: "SQLExecDirect" },
    };
    result.into_result(&statement)?;
    // SAFETY: the statement was executed without error and is a SELECT, so there is a cursor.
    Ok(unsafe { CursorImpl::new(statement) })
}

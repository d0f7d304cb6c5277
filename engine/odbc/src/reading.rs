//! Connecting with the access mode set before.

use std::iter::once;
use std::ptr::without_provenance_mut;

use odbc_api::sys::{ConnectionAttribute, IS_UINTEGER};
use odbc_api::{
    Connection, ConnectionOptions, DriverSpecificConnectionOptions, Error, SetConnectionAttributeArgs, environment,
};

/// `SQL_MODE_READ_ONLY` of `sql.h`.
const READ_ONLY: usize = 1;

struct AccessMode;

impl<'c> DriverSpecificConnectionOptions<'c> for AccessMode {
    fn attributes(&self) -> impl Iterator<Item = SetConnectionAttributeArgs<'c>> {
        // SAFETY: the value of this attribute is an unsigned integer that travels in the place of the pointer; nothing is pointed to.
        once(unsafe {
            SetConnectionAttributeArgs::new(
                ConnectionAttribute::ACCESS_MODE,
                without_provenance_mut(READ_ONLY),
                IS_UINTEGER,
            )
        })
    }
}

/// Connects, and waits at most so many seconds for that where the driver can count them. The connection string is the operator's
/// and may hold a password: it is in no error of ours, but a driver may repeat what it was given.
pub fn connect_to_read(text: &str, seconds: u32) -> Result<Connection<'static>, Error> {
    let options = ConnectionOptions { login_timeout_sec: Some(seconds), packet_size: None };
    let environment = environment()?;
    // SAFETY: the access mode is an attribute of the ODBC standard since version 1.0; every driver takes it or returns an error.
    unsafe { environment.connect_with_connection_string_and_driver_specific_options(text, options, AccessMode) }
}

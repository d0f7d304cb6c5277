//! Fingerprints as PostgreSQL keeps them: sixteen bytes of the type `uuid`.

use std::error::Error;

use bytes::BytesMut;
use groma_model::Fp;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, accepts, to_sql_checked};

/// A fingerprint on its way in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Print(pub(super) Fp);

impl ToSql for Print {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(&self.0.to_bytes());
        Ok(IsNull::No)
    }

    accepts!(UUID);
    to_sql_checked!();
}

impl<'a> FromSql<'a> for Print {
    fn from_sql(_: &Type, bytes: &'a [u8]) -> Result<Print, Box<dyn Error + Sync + Send>> {
        Fp::from_bytes(bytes).map(Print).ok_or_else(|| "a fingerprint has sixteen bytes".into())
    }

    accepts!(UUID);
}

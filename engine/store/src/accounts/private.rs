//! A file for the eyes of its owner.

use std::fs::OpenOptions;
use std::path::Path;

use crate::StoreError;

/// The log and the index of SQLite take over the rights of the file.
pub(super) fn make_private(path: &Path) -> Result<(), StoreError> {
    let told = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly(path.to_path_buf())
        }
        std::io::ErrorKind::StorageFull => StoreError::DiskFull,
        _ => StoreError::Io { path: path.to_path_buf(), source },
    };
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = options.open(path).map_err(told)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = file.metadata().map_err(told)?.permissions();
        if rights.mode() & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600)).map_err(told)?;
        }
    }
    drop(file);
    Ok(())
}

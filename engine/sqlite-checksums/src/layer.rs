//! The file layer ("VFS" in SQLite's words): that of the system, with checksums for the pages of databases.
//!
//! Everything goes through to the system's layer as it is, but for four things. Pages that are written get their checksum. Pages that
//! are read are compared with theirs. Reads of parts of pages are declared impossible, as their checksum could not be compared (SQLite
//! would read the pages of long values that way). And the log is looked at before it is recovered.
//!
//! Memory of an open database: [`Layered`], and right behind it what the system's layer needs. Logs, journals and temporary files are
//! the system's alone.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

use rusqlite::ffi::{
    self, SQLITE_IOERR, SQLITE_IOERR_DATA, SQLITE_OK, SQLITE_OPEN_MAIN_DB, SQLITE_SHM_EXCLUSIVE, SQLITE_SHM_LOCK,
    sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs,
};

use crate::page::{self, SUM};

/// What the layer is called in SQLite.
const NAME: &CStr = c"groma";
/// The lock that only whoever recovers a log takes for itself.
const RECOVER: c_int = 2;
/// "Parts of pages can be read" (`SQLITE_IOCAP_SUBPAGE_READ`).
const SUBPAGE_READ: c_int = 0x8000;

/// An open database. What the system's layer knows of it lies right behind.
#[repr(C)]
struct Layered {
    base: sqlite3_file,
    /// As it was given; it stays while the file is open.
    name: *const c_char,
    sums: Sums,
}

/// Have the pages of a file checksums?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sums {
    /// The file is empty so far: it is one of ours, so they will.
    Unknown,
    Yes,
    No,
}

/// The system's layer. SQLite keeps it for the life of the process.
struct System(*mut sqlite3_vfs);

// SAFETY: the structure is written by SQLite before anybody gets it, and only read from then on.
unsafe impl Send for System {}
// SAFETY: the same.
unsafe impl Sync for System {}

static SYSTEM: OnceLock<Option<System>> = OnceLock::new();

/// Makes the layer known to SQLite, once; its name.
pub(crate) fn register() -> rusqlite::Result<&'static CStr> {
    // SAFETY: both functions may be called at any time; the structure registered is never freed.
    let system = SYSTEM.get_or_init(|| unsafe {
        let system = ffi::sqlite3_vfs_find(ptr::null());
        if system.is_null() {
            return None;
        }
        let mut layer = *system;
        layer.szOsFile += size_of::<Layered>() as c_int;
        layer.pNext = ptr::null_mut();
        layer.zName = NAME.as_ptr();
        layer.xOpen = Some(open);
        let layer = Box::leak(Box::new(layer));
        (ffi::sqlite3_vfs_register(layer, 0) == SQLITE_OK).then_some(System(system))
    });
    let missing = || rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_ERROR), None);
    system.as_ref().map(|_| NAME).ok_or_else(missing)
}

/// Those of files that several processes may have open with a log.
const SHARED: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    // Without these SQLite does not map files into memory, where nobody could compare anything.
    xFetch: None,
    xUnfetch: None,
};

static METHODS: sqlite3_io_methods = SHARED;

/// Those where the system's layer has no memory that processes share.
static ALONE: sqlite3_io_methods =
    sqlite3_io_methods { iVersion: 1, xShmMap: None, xShmLock: None, xShmBarrier: None, xShmUnmap: None, ..SHARED };

/// The file as the system's layer knows it.
///
/// # Safety
/// `file` was opened by [`open`].
unsafe fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: SQLite reserved `szOsFile` bytes, which is our part and that of the system's layer.
    unsafe { file.cast::<Layered>().add(1).cast() }
}

/// Calls a method of the system's layer with the file as it knows it.
macro_rules! pass {
    ($file:expr, $method:ident, $missing:expr $(, $arg:expr)*) => {{
        // SAFETY: SQLite calls with a file that `open` has opened, and arguments as the method wants them.
        unsafe {
            let inner = inner($file);
            match (*inner).pMethods.as_ref().and_then(|methods| methods.$method) {
                Some(method) => method(inner $(, $arg)*),
                None => $missing,
            }
        }
    }};
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let Some(Some(System(system))) = SYSTEM.get() else { return SQLITE_IOERR };
    // SAFETY: SQLite gives memory for `szOsFile` bytes, aligned for anything; the system's layer gets its own structure and the part
    // of that memory that is its own. What is not a database is opened by it alone, in the whole of the memory.
    unsafe {
        debug_assert!(!vfs.is_null());
        let Some(open) = (**system).xOpen else { return SQLITE_IOERR };
        if flags & SQLITE_OPEN_MAIN_DB == 0 {
            return open(*system, name, file, flags, out_flags);
        }
        let own = file.cast::<Layered>();
        let base = sqlite3_file { pMethods: ptr::null() };
        own.write(Layered { base, name, sums: Sums::Unknown });
        let inner = inner(file);
        (*inner).pMethods = ptr::null();
        let code = open(*system, name, inner, flags, out_flags);
        let Some(methods) = (*inner).pMethods.as_ref() else { return code };
        if code != SQLITE_OK {
            if let Some(close) = methods.xClose {
                close(inner);
            }
            return code;
        }
        let shared = methods.iVersion >= 2 && methods.xShmMap.is_some();
        (*own).base.pMethods = if shared { &raw const METHODS } else { &raw const ALONE };
    }
    SQLITE_OK
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    pass!(file, xClose, SQLITE_OK)
}

unsafe extern "C" fn read(file: *mut sqlite3_file, to: *mut c_void, amount: c_int, offset: sqlite3_int64) -> c_int {
    let code = pass!(file, xRead, SQLITE_IOERR, to, amount, offset);
    let Ok(length) = usize::try_from(amount) else { return code };
    if code != SQLITE_OK {
        return code;
    }
    // SAFETY: the system's layer has just filled so many bytes there, and nobody else writes to them during this call. The file is one
    // that `open` has opened, and SQLite calls for one file from one thread at a time.
    let (bytes, own) = unsafe { (std::slice::from_raw_parts(to.cast::<u8>(), length), &mut *file.cast::<Layered>()) };
    own.learn(bytes, offset);
    let wrong = match own.sums {
        _ if !page::is_page(length, offset) => false,
        Sums::Yes => !page::is_whole(bytes, offset),
        Sums::No => page::is_disguised(bytes, offset),
        Sums::Unknown => false,
    };
    if wrong { SQLITE_IOERR_DATA } else { SQLITE_OK }
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: sqlite3_int64,
) -> c_int {
    if let Ok(length) = usize::try_from(amount) {
        // SAFETY: SQLite gives so many bytes, its own memory, and calls for one file from one thread at a time. Where a page has room
        // for a checksum that room is nobody's: SQLite neither reads nor compares it, so it is written in place.
        unsafe {
            let own = &mut *file.cast::<Layered>();
            own.learn(std::slice::from_raw_parts(from.cast::<u8>(), length), offset);
            if own.sums != Sums::No && page::is_page(length, offset) {
                let sum = page::sum(std::slice::from_raw_parts(from.cast::<u8>(), length), offset);
                let room = from.cast::<u8>().cast_mut().add(length - SUM);
                room.copy_from_nonoverlapping(sum.as_ptr(), SUM);
            }
        }
    }
    pass!(file, xWrite, SQLITE_IOERR, from, amount, offset)
}

impl Layered {
    /// Looks whether the beginning of the file is among these bytes, and what it says.
    fn learn(&mut self, bytes: &[u8], offset: i64) {
        if let Some(room) = page::reserved(bytes, offset) {
            self.sums = if usize::from(room) == SUM { Sums::Yes } else { Sums::No };
        }
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    pass!(file, xTruncate, SQLITE_IOERR, size)
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    pass!(file, xSync, SQLITE_IOERR, flags)
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    pass!(file, xFileSize, SQLITE_IOERR, size)
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    pass!(file, xLock, SQLITE_IOERR, level)
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    pass!(file, xUnlock, SQLITE_IOERR, level)
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, out: *mut c_int) -> c_int {
    pass!(file, xCheckReservedLock, SQLITE_IOERR, out)
}

unsafe extern "C" fn file_control(file: *mut sqlite3_file, operation: c_int, argument: *mut c_void) -> c_int {
    pass!(file, xFileControl, ffi::SQLITE_NOTFOUND, operation, argument)
}

unsafe extern "C" fn sector_size(file: *mut sqlite3_file) -> c_int {
    pass!(file, xSectorSize, 4096)
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    let all = pass!(file, xDeviceCharacteristics, 0);
    all & !SUBPAGE_READ
}

unsafe extern "C" fn shm_map(
    file: *mut sqlite3_file,
    region: c_int,
    size: c_int,
    extend: c_int,
    to: *mut *mut c_void,
) -> c_int {
    pass!(file, xShmMap, SQLITE_IOERR, region, size, extend, to)
}

unsafe extern "C" fn shm_lock(file: *mut sqlite3_file, offset: c_int, n: c_int, flags: c_int) -> c_int {
    let code = pass!(file, xShmLock, SQLITE_IOERR, offset, n, flags);
    let recovers = flags == SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE && (offset..offset + n).contains(&RECOVER);
    if code == SQLITE_OK && recovers {
        // SAFETY: the file is one that `open` has opened, and its name stays while it is open.
        let path = unsafe { path_of((*file.cast::<Layered>()).name) };
        // Nobody writes to the log at this moment. Whatever goes wrong here, SQLite goes on as it would.
        let _ = catch_unwind(AssertUnwindSafe(|| path.map(crate::log::note_what_is_lost)));
    }
    code
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    pass!(file, xShmBarrier, ());
}

unsafe extern "C" fn shm_unmap(file: *mut sqlite3_file, delete: c_int) -> c_int {
    pass!(file, xShmUnmap, SQLITE_OK, delete)
}

/// The path of an open file by its name.
///
/// # Safety
/// The name is one SQLite gave with a file that is open, and stays open while the path is used.
unsafe fn path_of<'a>(name: *const c_char) -> Option<&'a Path> {
    if name.is_null() {
        return None;
    }
    // SAFETY: SQLite's names end with a zero byte.
    let name = unsafe { CStr::from_ptr(name) };
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())))
    }
    #[cfg(not(unix))]
    {
        name.to_str().ok().map(Path::new)
    }
}

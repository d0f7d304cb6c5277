//! What address does a text of the scheme `file` give? URL standard, section 4.4 "URL parsing": file state, file slash state, file
//! host state, with drive letters that are never left, and hosts that may be empty.

use super::Parser;
use crate::error::ParseError;
use crate::host::{self, Kind as HostKind};
use crate::scheme::Kind;
use crate::{Url, path};

impl Parser<'_> {
    /// File state and file slash state; the scheme is written.
    pub(super) fn file(&mut self, rest: &str, base: Option<&Url>) -> Result<(), ParseError> {
        let bytes = rest.as_bytes();
        let is_slash = |at: usize| matches!(bytes.get(at), Some(b'/' | b'\\'));
        if is_slash(0) && is_slash(1) {
            return self.file_host(&rest[2..]);
        }
        let Some(base) = base else {
            self.empty_host();
            self.path(if is_slash(0) { &rest[1..] } else { rest });
            return Ok(());
        };
        if matches!(bytes.first(), None | Some(b'?' | b'#')) {
            self.url.text.clear();
            self.same_page(rest, base);
            return Ok(());
        }
        self.url.text.clear();
        self.copy_authority(base);
        let text = &mut self.url.text;
        if is_slash(0) {
            let drive = base.path().get(..3).filter(|_| matches!(base.path().as_bytes().get(3), None | Some(b'/')));
            let drive = drive.filter(|drive| path::is_normal_drive(&drive.as_bytes()[1..]));
            if let Some(drive) = drive.filter(|_| !path::starts_with_drive(&rest[1..])) {
                text.push_str(drive);
            }
            self.path(&rest[1..]);
        } else {
            if !path::starts_with_drive(rest) {
                text.push_str(base.path());
                path::shorten(text, self.url.path_start as usize, Kind::File);
            }
            self.path(rest);
        }
        Ok(())
    }

    /// The standard's "file host state".
    fn file_host(&mut self, rest: &str) -> Result<(), ParseError> {
        let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#')).unwrap_or(rest.len());
        let (name, path) = rest.split_at(end);
        self.empty_host();
        if path::is_drive(name.as_bytes()) {
            self.path(rest);
            return Ok(());
        }
        if !name.is_empty() {
            self.url.host = host::push(&mut self.url.text, name)?;
            if &self.url.text[self.url.host_start as usize..] == "localhost" {
                self.url.text.truncate(self.url.host_start as usize);
            }
            self.url.host_end = self.mark();
            self.url.path_start = self.mark();
        }
        self.path_start(path);
        Ok(())
    }

    fn empty_host(&mut self) {
        self.url.text.push_str("//");
        self.no_authority();
        self.url.host = HostKind::Name;
    }
}

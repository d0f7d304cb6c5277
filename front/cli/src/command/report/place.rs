//! Where a report goes: a file, or a folder. Either is written beside its place and put there when it is whole.
//!
//! Rules: a file is replaced. A folder must be new, empty, or hold the mark of an earlier report; then the files of the
//! report are replaced one by one, the page last, and nothing else in it is touched. Nothing is ever removed but what
//! this run has put beside. Not guaranteed: that a folder whose files are being replaced is of one moment until the last
//! is in its place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use groma_chart::report::ReportFile;
use groma_settings::Fault;
use groma_store::OutputFile;

/// The page of a folder.
pub(super) const PAGE: &str = "index.html";
/// A folder with this file in it is a report.
const MARK: &str = ".groma-report";
const MARK_SAYS: &str =
    "This folder is a report written by `groma report`, which replaces its own files here and no others.\n";

/// Where the report goes.
pub(super) enum Aim {
    Stdout,
    Page(PathBuf),
    Folder(PathBuf),
}

impl Aim {
    /// What was asked for, if it can be done.
    pub(super) fn resolve(output: Option<&Path>, survey: &Path) -> Result<Aim, Fault> {
        let Some(path) = output else { return Ok(Aim::Page(usual(survey))) };
        if path.as_os_str() == "-" {
            return Ok(Aim::Stdout);
        }
        let is_page = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm"));
        match (is_page, path.is_dir()) {
            (true, true) => Err(Fault::new(report_is_folder(path), REPORT_FILE_HINT)),
            (true, false) => Ok(Aim::Page(path.to_owned())),
            (false, true) if !may_be_filled(path)? => Err(Fault::new(
                report_folder_taken(path),
                "name a new or empty folder, or FILE.html for a report in one file",
            )),
            // A device or a FIFO takes a page as well as anything.
            (false, false) if path.exists() && !path.is_file() => Ok(Aim::Page(path.to_owned())),
            (false, false) if path.exists() => Err(Fault::new(report_is_file(path), REPORT_FILE_HINT)),
            (false, _) => Ok(Aim::Folder(path.to_owned())),
        }
    }
}

/// `www.example.org-report.html` for a survey in `www.example.org.groma`.
fn usual(survey: &Path) -> PathBuf {
    let name = survey.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".groma").unwrap_or(&name);
    PathBuf::from(if name.is_empty() { "report.html".to_owned() } else { format!("{name}-report.html") })
}

/// Empty, or an earlier report.
fn may_be_filled(folder: &Path) -> Result<bool, Fault> {
    let fault = |error: io::Error| Fault::of_input(&folder.display().to_string(), &error);
    Ok(folder.join(MARK).is_file() || fs::read_dir(folder).map_err(fault)?.next().is_none())
}

/// A name that is ours alone, beside this one.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// A report in one file.
pub(super) struct Page(OutputFile);

impl Page {
    pub(super) fn begin(path: &Path) -> Result<Page, Fault> {
        OutputFile::create(path).map(Page).map_err(|error| Fault::of_input(&path.display().to_string(), &error))
    }

    pub(super) fn writer(&mut self) -> &mut dyn Write {
        &mut self.0
    }

    pub(super) fn finish(self) -> Result<(), Fault> {
        Ok(self.0.finish()?)
    }
}

/// A folder that is being filled.
pub(super) struct Stage {
    /// Where the report will be.
    to: PathBuf,
    /// Where it is meanwhile.
    meanwhile: PathBuf,
    /// The folder is there already.
    exists: bool,
    names: Vec<String>,
}

impl Stage {
    pub(super) fn begin(to: &Path) -> Result<Stage, Fault> {
        let exists = to.is_dir();
        // Within a folder that exists: it may be on another disk than what is beside it.
        let meanwhile = if exists { beside(&to.join("report")) } else { beside(to) };
        fs::create_dir(&meanwhile).map_err(|error| Fault::of_input(&to.display().to_string(), &error))?;
        let mut stage = Stage { to: to.to_owned(), meanwhile, exists, names: Vec::new() };
        stage.write(MARK, |out| out.write_all(MARK_SAYS.as_bytes()))?;
        Ok(stage)
    }

    /// The path of a file of the report, until it is whole.
    pub(super) fn path(&mut self, name: &str) -> PathBuf {
        self.names.push(name.to_owned());
        self.meanwhile.join(name)
    }

    pub(super) fn create(&mut self, name: &str) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(1 << 16, File::create(self.path(name))?))
    }

    pub(super) fn write(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Fault> {
        let mut out = self.create(name)?;
        write(&mut out)?;
        Ok(out.flush()?)
    }

    /// What has been written so far, but for the mark.
    pub(super) fn files(&self) -> Result<Vec<ReportFile>, Fault> {
        let names = self.names.iter().filter(|name| *name != MARK);
        let file = |name: &String| {
            let bytes = fs::metadata(self.meanwhile.join(name))?.len();
            Ok(ReportFile { name: name.clone(), bytes })
        };
        Ok(names.map(file).collect::<io::Result<_>>()?)
    }

    /// Puts the report in its place.
    pub(super) fn finish(self) -> Result<(), Fault> {
        if !self.exists {
            return Ok(fs::rename(&self.meanwhile, &self.to)?);
        }
        // The page is the last that was written.
        for name in &self.names {
            fs::rename(self.meanwhile.join(name), self.to.join(name))?;
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for name in &self.names {
            let _ = fs::remove_file(self.meanwhile.join(name));
        }
        let _ = fs::remove_dir(&self.meanwhile);
    }
}

fn report_folder_taken(folder: &Path) -> String {
    format!("{} holds other files than a report of ours", folder.display())
}

fn report_is_file(path: &Path) -> String {
    format!("{} is a file, and a report goes there as a folder", path.display())
}

fn report_is_folder(path: &Path) -> String {
    format!("{} is a folder, and a report goes there as a file", path.display())
}

const REPORT_FILE_HINT: &str = "a name that ends in .html makes one file, any other name a folder";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_name_is_that_of_the_survey() {
        for (survey, name) in [
            ("www.example.org.groma", "www.example.org-report.html"),
            ("/a/b/127.0.0.1-80.groma/", "127.0.0.1-80-report.html"),
            ("mine", "mine-report.html"),
            ("..", "report.html"),
            (".groma", "report.html"),
        ] {
            assert_eq!(usual(Path::new(survey)), PathBuf::from(name), "{survey}");
        }
    }

    #[test]
    fn what_is_written_meanwhile_lies_beside_and_is_hidden() {
        let name = beside(Path::new("a/report.html")).display().to_string();
        assert!(name.starts_with("a/.report.html.") && name.ends_with(".part"), "{name}");
    }
}

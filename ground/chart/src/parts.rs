//! The chart at each page: the sizes of what it links to, by sort of content. An image gallery is seen at first glance.

/// Sorts of content, as coarse as a small chart can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Sort {
    Page = 0,
    /// Images of all formats.
    Image = 1,
    /// Sound or film.
    Media = 2,
    /// PDF, plain text, office documents, books.
    Document = 3,
    /// Archives, programs, disk images.
    Archive = 4,
    /// Styles, scripts, fonts, data.
    Code = 5,
    /// Anything else, and what is not known.
    Other = 6,
}

impl Sort {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [Sort; 7] =
        [Sort::Page, Sort::Image, Sort::Media, Sort::Document, Sort::Archive, Sort::Code, Sort::Other];

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Page => "page",
            Sort::Image => "image",
            Sort::Media => "media",
            Sort::Document => "document",
            Sort::Archive => "archive",
            Sort::Code => "code",
            Sort::Other => "other",
        }
    }

    /// The sort of a media type (`text/html`), in lower case and without parameters.
    pub fn of_media_type(media_type: &str) -> Sort {
        let (family, kind) = media_type.split_once('/').unwrap_or((media_type, ""));
        match (family, kind) {
            ("text", "html") | ("application", "xhtml+xml") => Sort::Page,
            ("image", _) => Sort::Image,
            ("audio" | "video", _) | ("application", "ogg") => Sort::Media,
            ("text", "css" | "javascript") | ("font", _) => Sort::Code,
            ("application", "javascript" | "json" | "xml" | "wasm" | "ld+json" | "x-javascript") => Sort::Code,
            ("text", "xml") => Sort::Code,
            ("text", _) => Sort::Document,
            ("application", "pdf" | "postscript" | "rtf" | "msword" | "epub+zip") => Sort::Document,
            ("application", kind) if kind.starts_with("vnd.") && !kind.contains("android") => Sort::Document,
            (
                "application",
                "zip" | "gzip" | "x-gzip" | "x-tar" | "x-bzip2" | "x-xz" | "zstd" | "x-7z-compressed" | "java-archive"
                | "x-rar-compressed" | "octet-stream" | "x-debian-package" | "x-iso9660-image",
            ) => Sort::Archive,
            _ => Sort::Other,
        }
    }
}

/// What a page links to, summed by sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Bytes by sort, in the order of [`Sort::ALL`].
    pub bytes: [u64; 7],
    /// Files by sort; some of them may be of unknown size.
    pub files: [u32; 7],
}

impl Parts {
    /// Adds a file; its size may not be known.
    pub fn add(&mut self, sort: Sort, size: Option<u64>) {
        let bytes = &mut self.bytes[sort as usize];
        *bytes = bytes.saturating_add(size.unwrap_or(0));
        let files = &mut self.files[sort as usize];
        *files = files.saturating_add(1);
    }

    /// Bytes of all sorts.
    pub fn total(&self) -> u64 {
        self.bytes.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Whether no file was counted.
    pub fn is_empty(&self) -> bool {
        self.files.iter().all(|files| *files == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_fall_into_sorts() {
        for (media_type, sort) in [
            ("text/html", Sort::Page),
            ("image/svg+xml", Sort::Image),
            ("application/vnd.oasis.opendocument.text", Sort::Document),
            ("text/plain", Sort::Document),
            ("application/zip", Sort::Archive),
            ("text/css", Sort::Code),
            ("video/mp4", Sort::Media),
            ("", Sort::Other),
        ] {
            assert_eq!(Sort::of_media_type(media_type), sort, "{media_type}");
        }
    }
}

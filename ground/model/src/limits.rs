//! The one table of limits: how much of a site, a server, a document or a question is taken, and what happens beyond. How far a method
//! looks (candidates weighed, steps tried) and what a format allows (the length of a rule) stand with the method and the format.
//!
//! A limit that is hit is counted by its key, shown by `groma status`, and never passes silently.

macro_rules! limits {
    ($( $key:ident = $default:literal, $unit:literal, $what:literal; )*) => {
        /// Every limit of a survey.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits { $( #[doc = $what] pub $key: u64, )* }

        impl Default for Limits {
            fn default() -> Self { Limits { $( $key: $default, )* } }
        }

        /// One row of the table.
        #[derive(Clone, Copy, Debug)]
        pub struct LimitRow {
            /// Its key in the configuration, below `limits.`.
            pub key: &'static str,
            /// The value it has unless told otherwise.
            pub default: u64,
            /// Unit of the value, such as `bytes`.
            pub unit: &'static str,
            /// What it bounds, and what happens beyond.
            pub what: &'static str,
        }

        /// All limits, with their defaults and units.
        pub const TABLE: &[LimitRow] = &[ $( LimitRow { key: stringify!($key), default: $default, unit: $unit, what: $what }, )* ];

        impl Limits {
            /// A limit by its key.
            pub fn get(&self, key: &str) -> Option<u64> {
                match key { $( stringify!($key) => Some(self.$key), )* _ => None }
            }

            /// Sets a limit by its key; false if there is no such key.
            pub fn set(&mut self, key: &str, value: u64) -> bool {
                match key { $( stringify!($key) => self.$key = value, )* _ => return false }
                true
            }
        }
    };
}

limits! {
    url_bytes = 4096, "bytes", "a URL longer than this is excluded as endless";
    path_segments = 40, "segments", "a path with more segments is excluded as endless";
    path_repeats = 3, "times", "a run of path segments repeated more often in a row is excluded as endless";
    query_params = 64, "parameters", "a URL with more query parameters is excluded as endless";
    redirects = 20, "hops", "a longer chain of redirects is broken";
    headers = 1000, "headers", "an answer with more headers is refused";
    header_bytes = 262144, "bytes", "an answer with more header bytes is refused";
    interim_answers = 100, "answers", "a server that sends more interim answers (1xx) before the real one is given up for this page";
    cookie_bytes = 8192, "bytes", "cookies sent with one request; those that do not fit are left out, of shorter paths and younger first";
    page_bytes = 16777216, "bytes", "a page is read up to this size after decompression, then cut";
    document_bytes = 33554432, "bytes", "an office document or PDF is read up to this size; a larger one is not read";
    document_unpacked = 67108864, "bytes", "bytes unpacked of all the files in one office document, then cut; a stream of a PDF that unpacks to more gives no text";
    document_text = 33554432, "bytes", "text kept of one office document or PDF: a large book";
    document_ms = 10000, "ms", "a reader of PDF that takes longer is ended, and the file is not read; where that is foreseen it is cut";
    document_memory = 524288000, "bytes", "a reader of PDF that needs more memory is ended, and the file is not read";
    wire_bytes = 16777216, "bytes", "an answer is read up to this size before decompression, then cut";
    open_files = 65536, "files", "files and sockets in use at once, as far as the system gives them (ulimit -n); beyond that connections wait";
    connect_ms = 10000, "ms", "longest wait for a connection, secure or not";
    idle_ms = 20000, "ms", "longest silence while an answer comes in";
    total_ms = 60000, "ms", "longest time for one fetch altogether";
    retries = 5, "times", "a fetch that failed for a passing reason is tried again so often";
    retry_ms = 500, "ms", "wait before the first retry; doubled each time, up to eightfold";
    retry_after_s = 60, "s", "longest Retry-After that is waited for; a longer one gives the page up for this time";
    robots_bytes = 512000, "bytes", "robots.txt is read so far (500 KiB, RFC 9309)";
    robots_redirects = 5, "hops", "redirects followed for robots.txt (RFC 9309)";
    outside_again_s = 604800, "s", "a link to another site that was there is asked again after this time";
    robots_cache_s = 86400, "s", "robots.txt is asked for again after this time (RFC 9309)";
    robots_forms = 8, "URLs", "ways in which one page was linked that are kept until robots.txt is seen to allow one; the rest is left out";
    crawl_delay_s = 30, "s", "a longer Crawl-delay is cut to this";
    adaptive_delay_ms = 60000, "ms", "the adaptive delay between two fetches of a host never grows beyond this";
    sitemap_bytes = 52428800, "bytes", "a sitemap is read up to this size after decompression, then cut";
    sitemap_urls = 50000, "URLs", "URLs taken from one sitemap file";
    sitemap_files = 500, "files", "sitemap files read for one host";
    sitemap_depth = 2, "indexes", "sitemap indexes named by sitemap indexes are read so deep; what is deeper is left out";
    sitemap_indexes = 100, "files", "sitemap indexes read for one host";
    html_depth = 512, "elements", "elements open at once; deeper ones are read as if they stood here";
    html_attributes = 256, "attributes", "attributes looked at in one tag";
    html_links = 100000, "links", "links kept of one page";
    html_text = 4194304, "bytes", "text kept of one page; document_text for documents";
    html_forms = 200, "forms", "forms kept of one page";
    structured_items = 5000, "items", "items kept of one page, nested ones too, of JSON-LD, of microdata and of RDFa each";
    structured_bytes = 2097152, "bytes", "names and values kept of one page, of JSON-LD, of microdata and of RDFa each; scripts with more JSON-LD are not read";
    structured_depth = 32, "items", "items of structured data nested deeper are left out; never more than 128";
    anchor_bytes = 512, "bytes", "text kept of one link";
    trap_dry = 200, "pages", "so many pages of one URL pattern in a row without a new word or a new URL elsewhere: trap suspected";
    trap_run = 400, "pages", "so long a chain of pages, each leading only to the next and adding no word: trap suspected";
    trap_stale = 2000, "pages", "so many pages of one URL pattern, deep in the site, that add no word: trap suspected";
    trap_assets = 10, "files", "a chain of so many files (style sheets, pictures), each named by the one before: what it names further is left out";
    pattern_fetches = 200000, "pages", "fetches of one URL pattern, or below one first path segment; raise it for a site that has more";
    cookie_file_bytes = 4194304, "bytes", "a larger file of cookies is refused";
    login_renewals = 10, "times", "a login that has to be renewed more often within login_window_s does not hold: the crawl stops";
    login_window_s = 600, "s", "the time within which renewals of a login are counted";
    learn_equal = 32, "pages", "so many different pages whose content a parameter did not change make a learned rule strong";
    warc_bytes = 1000000000, "bytes", "a WARC file that has reached this size is finished and another begun";
    warc_records = 50000, "answers", "a WARC file with so many answers is finished and another begun";
    warc_known = 50000, "bodies", "so many bodies are recognised when they come again and kept once in the archive";
    archive_records = 5000000, "records", "answers taken from imported archives; the rest is left out";
    archive_record_bytes = 1000000000, "bytes", "a larger record of an imported archive is passed over";
    js_ms = 30000, "ms", "time the scripts of a page have, not counting waits for what they ask for; then the page is taken as it stands";
    js_quiet_ms = 500, "ms", "a loaded page that asks for nothing for this long has come to rest";
    js_requests = 100, "requests", "scripts, styles and data supplied to one page; more are refused";
    js_memory_bytes = 1073741824, "bytes", "memory of one process of the browser; a page that needs more brings its tab down";
    js_cache_bytes = 67108864, "bytes", "scripts, styles and data kept in memory for other pages while a crawl lasts";
    picture_px = 10000, "pixels", "a picture of a page shows so much of its height";
    gather_requests = 20000, "requests", "a gathering without a budget stops by itself after so many; with a total that is stated, after 500 and six times the fewest pages, but ten times as many at most";
    extract_values = 1000, "values", "values kept of one column of one page; the rest is left out";
    extract_value_bytes = 65536, "bytes", "a value of a column is kept up to this size, then cut; HTML that is larger is left out";
    learn_samples = 64, "fetches", "folded variants still fetched to check a learned rule";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read_and_set() {
        let mut limits = Limits::default();
        for row in TABLE {
            assert_eq!(limits.get(row.key), Some(row.default));
            assert!(limits.set(row.key, row.default + 1));
            assert_eq!(limits.get(row.key), Some(row.default + 1));
        }
        assert!(!limits.set("no_such_limit", 1));
    }
}

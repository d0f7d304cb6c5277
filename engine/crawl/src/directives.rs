//! X-Robots-Tag: what a server asks of robots about one answer.
//!
//! `X-Robots-Tag: noindex, nofollow` holds for all robots; `X-Robots-Tag: groma: noindex` for the one that is named. Words that
//! carry a value of their own (`unavailable_after: ...`) look like a robot's name and are passed over for what they are.

use groma_model::page::Directives;
use groma_model::{ParsedPage, Response};

/// Wishes of the page itself that are meant for one robot by name. (Those for all, and for groma, are read with the page.)
pub(crate) fn meta_directives(parsed: &ParsedPage, agent: &str) -> Directives {
    let mut directives = Directives::default();
    let meant = parsed.metas.iter().filter(|meta| meta.name.eq_ignore_ascii_case(agent));
    meant.flat_map(|meta| meta.content.split(',')).for_each(|word| obey(&mut directives, word));
    directives
}

fn obey(directives: &mut Directives, word: &str) {
    let word = word.trim().to_ascii_lowercase();
    directives.noindex |= word == "noindex" || word == "none";
    directives.nofollow |= word == "nofollow" || word == "none";
}

const WITH_VALUE: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// The directives of all X-Robots-Tag fields that are meant for us.
pub(crate) fn header_directives(response: &Response, agent: &str) -> Directives {
    let mut directives = Directives::default();
    for field in response.header_all("x-robots-tag") {
        let mut meant = true;
        for part in field.split(',') {
            let word = match part.split_once(':') {
                Some((name, _)) if WITH_VALUE.iter().any(|w| w.eq_ignore_ascii_case(name.trim())) => continue,
                Some((name, rest)) => {
                    meant = name.trim().eq_ignore_ascii_case(agent);
                    rest
                }
                None => part,
            };
            if meant {
                obey(&mut directives, word);
            }
        }
    }
    directives
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[&str]) -> (bool, bool) {
        let response = Response {
            status: 200,
            headers: fields.iter().map(|f| ("x-robots-tag".to_string(), (*f).to_string())).collect(),
            body: Vec::new(),
            cut: None,
            remote: None,
            version: "HTTP/1.1",
            elapsed: std::time::Duration::ZERO,
        };
        let directives = header_directives(&response, "groma");
        (directives.noindex, directives.nofollow)
    }

    #[test]
    fn wishes_for_all_and_for_us_count_and_others_do_not() {
        assert_eq!(read(&[]), (false, false));
        assert_eq!(read(&["NoIndex, nofollow"]), (true, true));
        assert_eq!(read(&["none"]), (true, true));
        assert_eq!(read(&["otherbot: noindex, nofollow"]), (false, false));
        assert_eq!(read(&["otherbot: noindex", "groma: nofollow"]), (false, true));
        assert_eq!(read(&["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"]), (true, false));
    }
}

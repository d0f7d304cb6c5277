//! A page being drawn: type, lines, bars and links on paper.

use pdf_writer::types::{ActionType, AnnotationType};
use pdf_writer::writers::Annotation;
use pdf_writer::{Array, Buf, Content, Finish, Name, Rect, Ref, Settings, Str, TextStr};

use super::ink::Ink;
use super::setting::Line;
use crate::Parts;
use crate::Sort;

/// Width and height of the paper in points: A4.
pub(super) const PAPER: (f32, f32) = (595.28, 841.89);
/// Where type begins and ends.
pub(super) const LEFT: f32 = 42.0;
pub(super) const RIGHT: f32 = PAPER.0 - 42.0;

/// Longer URLs are shown but lead nowhere: readers do not take longer strings.
const LONGEST_ADDRESS: usize = 8_000;

/// Where a link leads.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Goal {
    /// To a URL, ready to be written.
    Web(Vec<u8>),
    /// To a height on a sheet, counted from 0.
    Sheet(u32, f32),
}

impl Goal {
    /// The goal of a URL, if it is one of the web. What is not ASCII is written as its UTF-8 bytes in percent codes.
    pub(super) fn web(address: &str) -> Option<Goal> {
        let scheme = address.get(..8).unwrap_or(address).to_ascii_lowercase();
        let is_web = scheme.starts_with("http://") || scheme.starts_with("https://");
        if !is_web || address.len() > LONGEST_ADDRESS {
            return None;
        }
        let mut bytes = Vec::with_capacity(address.len());
        for byte in address.bytes() {
            if byte.is_ascii_graphic() {
                bytes.push(byte);
            } else {
                bytes.extend_from_slice(format!("%{byte:02X}").as_bytes());
            }
        }
        Some(Goal::Web(bytes))
    }
}

/// Two decimals are finer than any eye, and keep files small.
fn fine(points: f32) -> f32 {
    (points * 100.0).round() / 100.0
}

/// A page being drawn.
pub(super) struct Sheet {
    content: Content,
    links: Vec<(Rect, Goal)>,
}

impl Sheet {
    pub(super) fn new() -> Sheet {
        Sheet { content: Content::with_settings(Settings { pretty: false }), links: Vec::new() }
    }

    /// Sets a line of type from this point on.
    pub(super) fn text(&mut self, x: f32, y: f32, line: &Line, ink: Ink) {
        if line.runs.is_empty() {
            return;
        }
        let [red, green, blue] = ink.parts();
        self.content.set_fill_rgb(red, green, blue).begin_text().next_line(fine(x), fine(y));
        for run in &line.runs {
            self.content.set_font(Name(run.font.name()), line.size);
            if let Some(meant) = &run.meant {
                let mut span = self.content.begin_marked_content_with_properties(Name(b"Span"));
                span.properties().actual_text(TextStr(meant));
            }
            self.content.show(Str(&run.codes));
            if run.meant.is_some() {
                self.content.end_marked_content();
            }
        }
        self.content.end_text();
    }

    /// Sets a line of type so that it ends at this point.
    pub(super) fn text_until(&mut self, x: f32, y: f32, line: &Line, ink: Ink) {
        self.text(x - line.width, y, line, ink);
    }

    /// Thin lines, each from one point to another.
    pub(super) fn strokes(&mut self, strokes: &[[f32; 4]], width: f32, ink: Ink) {
        if strokes.is_empty() {
            return;
        }
        let [red, green, blue] = ink.parts();
        self.content.set_stroke_rgb(red, green, blue).set_line_width(width);
        for &[x, y, to_x, to_y] in strokes {
            self.content.move_to(fine(x), fine(y)).line_to(fine(to_x), fine(to_y));
        }
        self.content.stroke();
    }

    /// A row of dots.
    pub(super) fn leader(&mut self, x: f32, to_x: f32, y: f32) {
        // The dots of all rows stand below each other.
        let from = (x / 4.0).ceil() * 4.0;
        if from < to_x {
            self.content.set_dash_pattern([0.6, 3.4], 0.0);
            self.strokes(&[[from, y, to_x, y]], 0.6, Ink::PALE);
            self.content.set_dash_pattern([], 0.0);
        }
    }

    /// Fills a box with a color.
    pub(super) fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, ink: Ink) {
        let [red, green, blue] = ink.parts();
        self.content.set_fill_rgb(red, green, blue).rect(fine(x), fine(y), fine(width), fine(height)).fill_nonzero();
    }

    /// A bar on its track, filled up to a share between 0 and 1.
    pub(super) fn bar(&mut self, x: f32, y: f32, width: f32, height: f32, share: f32, ink: Ink) {
        self.fill(x, y, width, height, Ink::TRACK);
        if share > 0.0 {
            self.fill(x, y, (width * share.min(1.0)).max(0.4), height, ink);
        }
    }

    /// The chart of parts: bytes by sort, or files where no size is known.
    pub(super) fn parts(&mut self, x: f32, y: f32, width: f32, height: f32, parts: &Parts) {
        self.fill(x, y, width, height, Ink::TRACK);
        let by_bytes = parts.total() > 0;
        let amount = |sort: Sort| {
            if by_bytes { parts.bytes[sort as usize] as f32 } else { parts.files[sort as usize] as f32 }
        };
        let whole: f32 = Sort::ALL.into_iter().map(amount).sum();
        let mut from = x;
        for sort in Sort::ALL.into_iter().filter(|&sort| amount(sort) > 0.0) {
            let share = width * amount(sort) / whole;
            // Without sizes the chart is half as high: it says "so many files", not "so many bytes".
            let height = if by_bytes { height } else { height / 2.0 };
            self.fill(from, y, share, height, Ink::for_sort(sort));
            from += share;
        }
    }

    /// Makes a part of the page a link.
    pub(super) fn link(&mut self, x: f32, y: f32, width: f32, height: f32, goal: Goal) {
        self.links.push((Rect::new(fine(x), fine(y), fine(x + width), fine(y + height)), goal));
    }

    /// What was drawn, and the links.
    pub(super) fn finish(self) -> (Buf, Links) {
        (self.content.finish(), Links(self.links))
    }
}

/// The links of a page.
pub(super) struct Links(Vec<(Rect, Goal)>);

impl Links {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes them; `page` gives the number of the object that is a page.
    pub(super) fn write(&self, mut list: Array<'_>, page: impl Fn(u32) -> Ref) {
        for (rect, goal) in &self.0 {
            let mut link = list.push().start::<Annotation<'_>>();
            link.subtype(AnnotationType::Link).rect(*rect).border(0.0, 0.0, 0.0, None);
            match goal {
                Goal::Web(address) => {
                    link.action().action_type(ActionType::Uri).uri(Str(address));
                }
                Goal::Sheet(number, top) => {
                    link.action().action_type(ActionType::GoTo).destination().page(page(*number)).xyz(
                        0.0,
                        fine(*top),
                        None,
                    );
                }
            }
            link.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_become_links() {
        let web = |address: &str| match Goal::web(address) {
            Some(Goal::Web(bytes)) => Some(String::from_utf8(bytes).unwrap()),
            _ => None,
        };
        assert_eq!(web("https://example.org/a(b)\\"), Some("https://example.org/a(b)\\".into()));
        assert_eq!(web("HTTP://x/ř \n"), Some("HTTP://x/%C5%99%20%0A".into()));
        for address in ["javascript:alert(1)", "file:///etc/passwd", "ftp://x/", "", "žžžžžžžž", "http:/x"] {
            assert_eq!(web(address), None, "{address}");
        }
        assert_eq!(web(&format!("http://x/{}", "a".repeat(100_000))), None);
    }
}

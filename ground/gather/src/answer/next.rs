//! Where does the answer go on? Links and buttons to further pages.
//!
//! With a pattern (`DB.NavigationURL`, `*` for what changes) every link that fits it. Else, the surest first: `rel=next`; links whose
//! words, title or picture say *next* or show an arrow; links that are numbers; and buttons of forms that say so. Only on the same
//! origin; without a pattern or `rel=next`, only to the same script (digits and a last `page` segment of the path aside) and to the same
//! question: what was asked and stands in the URL must be the same there, but for one number, which may be the place in the list.
//! Cost: linear in the links. Not guaranteed: pages that scripts load are not seen.

use std::collections::HashSet;

use groma_hel::{Node, Tree, clean};
use groma_model::Request;
use groma_url::{Url, form_urlencoded};

use crate::description::Description;
use crate::form::{self, Kind};
use crate::meta::Navigation;

/// Further pages that are taken from one page.
const MOST: usize = 1_000;

/// Words for the next page, in lower case; the first word of a short text.
const NEXT: [&str; 27] = [
    "next",
    "weiter",
    "weitere",
    "nächste",
    "naechste",
    "vorwärts",
    "suivant",
    "suivante",
    "suivants",
    "siguiente",
    "siguientes",
    "próximo",
    "próxima",
    "seguinte",
    "successivo",
    "successiva",
    "avanti",
    "volgende",
    "verder",
    "další",
    "następna",
    "dalej",
    "nästa",
    "næste",
    "neste",
    "следующая",
    "forward",
];

/// The same where words are not apart.
const NEXT_BEGINNINGS: [&str; 7] = ["次", "下一", "다음", "далее", "вперед", "older", "mehr treffer"];

/// Further pages of the answer, and the one that is called `1`.
pub(super) fn next(
    tree: &Tree,
    page: &Url,
    charset: &str,
    description: &Description,
    asked: &[(&str, &str)],
) -> (Vec<Request>, Option<Request>) {
    let base = form::base(tree, page);
    let links = links(tree, page, &base);
    let mut found = NextRequests { page: bare(page), seen: HashSet::new(), requests: Vec::new() };
    let mut one = None;
    match description.navigation() {
        // Whether it goes on is for what stands on the page to say.
        Navigation::No | Navigation::Counted(_) => {}
        Navigation::Url(pattern) => {
            // The star goes through the parser as it is.
            let pattern = base.join(pattern).map_or_else(|_| pattern.clone(), String::from);
            let fitting = links.into_iter().filter(|link| fits(&pattern, link.url.as_str()));
            fitting.for_each(|link| found.take(Request::get(link.url)));
        }
        Navigation::Auto => {
            let question = Question { page, asked, essential: &description.metadata().essential };
            links.iter().filter(|link| link.is_rel_next).for_each(|link| found.take(Request::get(link.url.clone())));
            let same: Vec<&Link> =
                links.iter().filter(|link| !link.is_rel_next && question.is_asked_by(&link.url)).collect();
            same.iter().filter(|link| link.is_next()).for_each(|link| found.take(Request::get(link.url.clone())));
            let mut numbered: Vec<(u64, &Link)> =
                same.iter().filter_map(|link| Some((number(&link.text)?, *link))).collect();
            numbered.sort_by_key(|(number, _)| *number);
            // One number alone is a page if it is the second.
            let is_run = numbered.windows(2).any(|two| two[1].0 == two[0].0 + 1)
                || numbered.first().is_some_and(|(first, _)| *first == 2);
            if is_run {
                let (ones, others): (Vec<_>, Vec<_>) = numbered.iter().partition(|(number, _)| *number == 1);
                others.iter().for_each(|(_, link)| found.take(Request::get(link.url.clone())));
                one = ones.first().map(|(_, link)| Request::get(bare(&link.url)));
            }
            buttons(tree, page, charset, &question, &mut found);
        }
    }
    let one = one.filter(|one| one.url != found.page && !found.seen.contains(&form::key(one, &[])));
    (found.requests, one)
}

struct NextRequests {
    page: Url,
    seen: HashSet<String>,
    requests: Vec<Request>,
}

impl NextRequests {
    fn take(&mut self, mut request: Request) {
        request.url = bare(&request.url);
        let is_here = request.method == groma_model::Method::Get && request.url == self.page;
        if !is_here && self.requests.len() < MOST && self.seen.insert(form::key(&request, &[])) {
            self.requests.push(request);
        }
    }
}

fn bare(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

struct Link {
    url: Url,
    /// Words, cleaned, or what stands for them.
    text: String,
    title: String,
    is_rel_next: bool,
}

impl Link {
    fn is_next(&self) -> bool {
        is_next(&self.text) || is_next(&self.title)
    }
}

/// Does a short text say "next"?
fn is_next(text: &str) -> bool {
    let lower: String = text.chars().take(60).flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        let mut marks = lower.chars().filter(|c| !c.is_whitespace()).peekable();
        return marks.peek().is_some() && marks.all(|c| matches!(c, '>' | '»' | '›' | '→' | '⇒' | '▶' | '►' | '❯'));
    }
    let begins = NEXT_BEGINNINGS.iter().any(|start| lower.trim_start().starts_with(start));
    (words.len() <= 4 && words.iter().take(2).any(|word| NEXT.contains(word))) || (begins && words.len() <= 4)
}

/// The number that a text is, brackets aside.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '(' | ')' | '|' | '.'));
    let is_number = !text.is_empty() && text.len() <= 4 && text.chars().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && *number > 0)
}

fn links(tree: &Tree, page: &Url, base: &Url) -> Vec<Link> {
    let mut nodes: Vec<Node> = Vec::new();
    for name in ["a", "area", "link"] {
        nodes.extend(tree.label_of(name).map_or(&[][..], |label| tree.nodes(label)));
    }
    nodes.sort_unstable();
    let mut links = Vec::new();
    for node in nodes.into_iter().take(100_000) {
        let Some(url) = tree.attribute(node, "href").and_then(|href| base.join(href.trim()).ok()) else { continue };
        if url.origin() != page.origin() || !matches!(url.scheme(), "http" | "https") {
            continue;
        }
        if tree.attribute(node, "aria-disabled").is_some_and(|value| value == "true") {
            continue;
        }
        let rel = tree.attribute(node, "rel").unwrap_or_default();
        let is_rel_next = rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("next"));
        let mut text = tree.txt(node, 400).unwrap_or_default();
        if text.is_empty() {
            let picture = (node + 1..tree.end(node)).take(16).find(|at| tree.name(*at) == "img");
            text = clean(picture.and_then(|at| tree.attribute(at, "alt")).unwrap_or_default());
        }
        let title = tree.attribute(node, "aria-label").or_else(|| tree.attribute(node, "title")).unwrap_or_default();
        let title = clean(title.get(..title.len().min(400)).unwrap_or_default());
        links.push(Link { url, text, title, is_rel_next });
    }
    links
}

/// Is a text like a pattern with `*` for anything? Greedy from the left, which is enough for patterns with one kind of star.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(mut last) = parts.next() else { return rest.is_empty() };
    for part in parts {
        match rest.find(last) {
            Some(at) => rest = &rest[at + last.len()..],
            None => return false,
        }
        last = part;
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

struct Question<'q> {
    page: &'q Url,
    asked: &'q [(&'q str, &'q str)],
    essential: &'q [String],
}

/// A path without digits and a last segment that only counts.
fn script(path: &str) -> String {
    let is_counting = |segment: &&str| {
        let plain: String = segment.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '-' | '_')).collect();
        matches!(
            plain.to_ascii_lowercase().as_str(),
            "" | "page" | "seite" | "p" | "pg" | "pagina" | "start" | "offset"
        )
    };
    let mut segments: Vec<&str> = path.split('/').collect();
    while segments.last().is_some_and(is_counting) && segments.len() > 1 {
        segments.pop();
    }
    segments.join("/")
}

impl Question<'_> {
    /// Does a URL ask the same of the same script?
    fn is_asked_by(&self, url: &Url) -> bool {
        if url.origin() != self.page.origin() || script(url.path()) != script(self.page.path()) {
            return false;
        }
        let theirs: Vec<(String, String)> =
            form_urlencoded::parse(url.query().unwrap_or_default().as_bytes()).into_owned().take(200).collect();
        self.is_same(&theirs)
    }

    /// Do these pairs ask the same, but for one number that is no essential element?
    fn is_same(&self, theirs: &[(String, String)]) -> bool {
        let mut different = 0;
        for (name, value) in self.asked.iter().take(200) {
            let mut same_name = theirs.iter().filter(|(its, _)| its == name).peekable();
            if same_name.peek().is_none() || same_name.clone().any(|(_, its)| its == value) {
                continue;
            }
            let is_number = |text: &str| text.is_empty() || text.chars().all(|c| c.is_ascii_digit());
            let is_place = is_number(value) && same_name.all(|(_, its)| is_number(its));
            if !is_place || self.essential.iter().any(|essential| essential == name) {
                return false;
            }
            different += 1;
        }
        different <= 1
    }
}

/// Forms that lead on: a button that says so, and nothing to fill in.
fn buttons(tree: &Tree, page: &Url, charset: &str, question: &Question<'_>, found: &mut NextRequests) {
    for form in form::forms(tree, page, charset) {
        if form.cut.is_some() || form.fields.iter().any(|field| field.kind.is_secret()) {
            continue;
        }
        let fitting = form.fields.iter().filter(|field| field.kind.is_submit() && !field.disabled);
        let leading = fitting.filter(|field| is_next(&field.label) || number(&field.label).is_some());
        let typed = form.fields.iter().filter(|field| field.is_variable() && field.kind != Kind::Select).count();
        for button in leading.take(100) {
            // A search box with an arrow on its button is no way on, unless it asks the same.
            let set = form::data_set(&form, &[], Some(button));
            let is_filled = question.is_same(&set);
            if typed > 0
                && !(is_filled
                    && question.asked.iter().any(|(name, value)| form.field(name).is_some() && !value.is_empty()))
            {
                continue;
            }
            let Some(request) = form::request(&form, &set, Some(button)) else { continue };
            let is_same = request.url.origin() == page.origin() && script(request.url.path()) == script(page.path());
            if is_same && is_filled {
                found.take(request);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_stars() {
        assert!(fits("http://h/l?p=*", "http://h/l?p=2"));
        assert!(fits("http://h/*/l*x", "http://h/a/b/labx"));
        assert!(!fits("http://h/l?p=*&q=1", "http://h/l?p=2&q=12"));
        assert!(!fits("http://h/l", "http://h/l?p=2"));
        assert!(!fits("ab*ab", "ab"));
        assert!(fits("**", "x"));
    }

    #[test]
    fn next_is_said_in_many_ways() {
        for text in [
            "Next",
            "next page",
            "weiter »",
            "nächste Seite",
            "»",
            ">",
            "›",
            "→",
            "suivant >",
            "volgende",
            "další strana",
            "次へ",
            "> weiter",
        ] {
            assert!(is_next(text), "{text}");
        }
        for text in ["", "previous", "«", "zurück", "read what happens next in our story of the coast", "12"] {
            assert!(!is_next(text), "{text}");
        }
        assert_eq!(number("[2]"), Some(2));
        assert_eq!(number("0"), None);
        assert_eq!(number("18347"), None);
    }

    #[test]
    fn scripts_are_the_same_but_for_their_counts() {
        assert_eq!(script("/cgi/list.pl"), "/cgi/list.pl");
        assert_eq!(script("/list/page/2"), script("/list"));
        assert_eq!(script("/list/"), script("/list/3/"));
        assert_ne!(script("/list"), script("/hotel"));
    }
}

//! A site that scripts build, with pages among them that need none: is everything found, and only what needs it built?
//!
//! Truth: [`Scripted::shells`] pages, `/` and `/app/i`, come as the same empty shell; its script `/app.js` asks for
//! `/data/i.json` and writes title, text and links. Page i leads to the pages 10 i + 1 to 10 i + 10, and to `/text/i.html` if
//! i < [`Scripted::texts`]. Texts come whole, with a script that only counts visitors. Without a browser `/` is all there is.
//! robots.txt keeps everybody out of `/data/secret/` and `/private/`.

use super::number_in;
use crate::prose::words;
use crate::{Answer, Ask, Web};

#[derive(Clone, Copy, Debug)]
pub struct Scripted {
    /// Pages that scripts build, the home page among them.
    pub shells: usize,
    /// Pages that come whole; at most as many.
    pub texts: usize,
}

const FANOUT: usize = 10;

const SHELL: &str = "<!DOCTYPE html><html><head><title>One moment</title></head><body><div id=\"root\"></div>\
    <noscript>Please enable JavaScript.</noscript><script src=\"/app.js\"></script></body></html>";

const SCRIPT: &str = "const found = location.pathname.match(/^\\/app\\/(\\d+)$/);
fetch('/data/' + (found ? found[1] : '0') + '.json').then((answer) => answer.json()).then((page) => {
    document.title = page.title;
    const root = document.getElementById('root');
    const text = document.createElement('p');
    text.textContent = page.text;
    root.append(text);
    for (const to of page.links) {
        const link = document.createElement('a');
        link.href = to;
        link.textContent = 'to ' + to;
        root.append(link, ' ');
    }
});
";

impl Scripted {
    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.shells + self.texts.min(self.shells)
    }

    fn data(&self, i: usize) -> String {
        let children = (i * FANOUT + 1..=i * FANOUT + FANOUT).filter(|child| *child < self.shells);
        let mut links: Vec<String> = children.map(|child| format!("\"/app/{child}\"")).collect();
        if i < self.texts {
            links.push(format!("\"/text/{i}.html\""));
        }
        let text = format!("Number {i}: {}", words(i as u64, 40));
        format!("{{\"title\":\"Page {i}\",\"text\":\"{text}\",\"links\":[{}]}}", links.join(","))
    }

    fn page(&self, path: &str) -> Option<Answer> {
        match path {
            "/" => return Some(Answer::html(SHELL)),
            "/app.js" => return Some(Answer::typed("text/javascript", SCRIPT)),
            "/count.js" => return Some(Answer::typed("text/javascript", "window.visits = 1;")),
            "/robots.txt" => {
                return Some(Answer::text("User-agent: *\nDisallow: /data/secret/\nDisallow: /private/\n"));
            }
            _ => {}
        }
        if let Some(i) = number_in(path, "/app/", "") {
            return (i < self.shells).then(|| Answer::html(SHELL));
        }
        if let Some(i) = number_in(path, "/data/", ".json") {
            return (i < self.shells).then(|| Answer::typed("application/json", self.data(i)));
        }
        let i = number_in(path, "/text/", ".html").filter(|i| *i < self.texts.min(self.shells))?;
        let text = words(i as u64 + 1_000_000, 60);
        Some(Answer::html(format!(
            "<title>Text {i}</title><h1>Text {i}</h1><p>Number {i}: {text}<p><a href=/>home</a><script src=/count.js></script>"
        )))
    }
}

impl Web for Scripted {
    fn answer(&self, ask: &Ask) -> Answer {
        self.page(&ask.path).unwrap_or_else(|| Answer::status(404))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    #[test]
    fn without_scripts_there_is_one_page() {
        let site = Scripted { shells: 30, texts: 10 };
        assert_eq!(naive(&site, 1_000).count(200), 1);
        assert_eq!(site.pages(), 40);
        assert!(site.data(0).contains("\"/app/10\"") && !site.data(0).contains("\"/app/11\""));
        assert!(site.data(2).contains("/app/29") && site.data(2).contains("/text/2.html"));
    }
}

//! What a page says, read in the plainest way there is: tags cut out, references undone.

/// Each run of white space becomes one space.
pub(crate) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of the body; elements are no boundaries of words, except where markup has white space.
pub(crate) fn text(html: &str) -> String {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let mut out = String::new();
    for piece in body.split('<').skip(1) {
        out.push_str(piece.split_once('>').map_or("", |(_, text)| text));
    }
    fold(&undo(&out))
}

/// The targets of all links, in document order, without fragments; empty for links within the page.
pub(crate) fn links(html: &str) -> Vec<String> {
    let hrefs = html.split("<a").skip(1).filter(|rest| rest.starts_with(' '));
    let hrefs = hrefs.filter_map(|rest| rest.split('>').next()?.split_once("href=\"")?.1.split('"').next());
    hrefs.map(|href| undo(href).split('#').next().unwrap_or_default().to_owned()).collect()
}

fn undo(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", " ");
    text.replace("&amp;", "&")
}

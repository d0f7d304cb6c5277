//! A page with its parts outlined: the page itself, disarmed, with an outline around each part and a legend.
//!
//! A page is hostile. [`outlined`] is for whoever sends it with a policy that allows nothing (see the stored copy of the web
//! interface); [`overlay`] is a file that can be opened anywhere: the page lies in a frame that may run no script, send no form and
//! load nothing, and the file itself says so too. What policies do not cover is taken out before: elements that make a browser
//! connect ahead of time (`link`), go elsewhere by itself or set cookies (`meta`), or turn URLs around (`base`).

use std::fmt::Write as _;

use groma_model::escape::Html;
use groma_model::{Limits, PartKind};
use groma_page::{charset, parts};
use groma_url::Url;

/// Elements that reach the network, or elsewhere, in spite of a policy.
const DISARMED: [&str; 3] = ["link", "meta", "base"];
/// What the page in the file may do: be read.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; \
    form-action 'none'; base-uri 'none'";
/// What the file itself may do: the same, and hold a frame. It says nothing of frames, so that no reading of the standard shuts out
/// the one that is written out in the file; frames within the page are shut out by the policy of the page.
const OUTER_POLICY: &str = "script-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'none'; \
    media-src 'none'; object-src 'none'; worker-src 'none'; manifest-src 'none'; form-action 'none'; base-uri 'none'";

/// The color of a part, and how it is drawn: both, so that nobody has to tell colors apart.
fn look(kind: PartKind) -> (&'static str, &'static str) {
    match kind {
        PartKind::Text => ("#5c6770", "solid"),
        PartKind::Title => ("#1f5fa8", "solid"),
        PartKind::Authors => ("#a4508b", "solid"),
        PartKind::Affiliation => ("#7d5a2c", "dashed"),
        PartKind::Abstract => ("#0a655d", "solid"),
        PartKind::Keywords => ("#5d6d14", "dashed"),
        PartKind::List => ("#a85d00", "solid"),
        PartKind::Sequence => ("#b3532e", "double"),
        PartKind::Related => ("#6d4c8c", "dashed"),
        PartKind::Menu => ("#4a555c", "dotted"),
        PartKind::Noise => ("#9a2b20", "dotted"),
    }
}

/// Markup with its parts outlined, a legend above it. It holds whatever the page holds, its scripts too: send it with a policy.
pub fn outlined(html: &str, url: &Url, limits: &Limits) -> String {
    let marked = disarmed(&parts::marked(html, url, limits));
    let shown: Vec<PartKind> =
        PartKind::ALL.into_iter().filter(|kind| marked.contains(&format!("data-part=\"{}\"", kind.name()))).collect();
    let mut out = String::with_capacity(marked.len() + 4_096);
    // What stands before a page cannot be swallowed by markup that is left open.
    out.push_str("<!doctype html><meta charset=\"utf-8\"><style>");
    for kind in &shown {
        let (color, line) = look(*kind);
        let name = kind.name();
        let _ =
            write!(out, "[data-part=\"{name}\"]{{outline:3px {line} {color}!important;outline-offset:1px!important}}");
    }
    out.push_str("</style>");
    legend(&mut out, &shown);
    out.push_str(&marked);
    out
}

/// Its looks stand in the elements themselves, so that the styles of the page cannot change them.
fn legend(out: &mut String, shown: &[PartKind]) {
    const BOX: &str = "all:initial!important;display:block!important;position:relative!important;z-index:2147483647!important;\
        background:#fff!important;color:#182024!important;border-bottom:2px solid #182024!important;\
        font:14px/1.6 sans-serif!important;padding:6px 10px!important";
    let _ = write!(out, "<div style=\"{BOX}\">");
    if shown.is_empty() {
        out.push_str("no part of this page was recognised");
    }
    for kind in shown {
        let (color, line) = look(*kind);
        let _ = write!(
            out,
            "<span style=\"all:initial!important;display:inline-block!important;font:14px/1.4 sans-serif!important;\
             color:#182024!important;border:3px {line} {color}!important;padding:0 6px!important;\
             margin:2px 6px 2px 0!important\">{}</span>",
            kind.name()
        );
    }
    out.push_str("</div>");
}

/// A page with its parts outlined, as a file that needs nothing else and can do nothing.
pub fn overlay(bytes: &[u8], address: &str, limits: &Limits) -> String {
    let (text, _) = charset::decode(bytes, None);
    let nowhere = || Url::parse("http://file.invalid/").ok();
    let inside = match Url::parse(address).ok().or_else(nowhere) {
        Some(url) => outlined(&text, &url, limits),
        None => String::new(),
    };
    let policy = |policy: &str| format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let inside = format!("<!doctype html>{}{inside}", policy(POLICY));
    let outer = policy(OUTER_POLICY);
    let (address, inside) = (Html(address), Html(&inside));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         {outer}\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Parts of {address}</title>\n\
         <style>html,body{{margin:0;height:100%;display:flex;flex-direction:column;font:14px sans-serif}}\
         body{{flex:1}}h1{{font-size:1rem;margin:.5rem .75rem;overflow-wrap:anywhere}}\
         iframe{{flex:1;width:100%;border:0;border-top:1px solid #7f8c90;background:#fff}}</style>\n</head>\n\
         <body>\n<h1>Parts of {address}</h1>\n\
         <iframe sandbox title=\"The page with its parts outlined\" srcdoc=\"{inside}\"></iframe>\n</body>\n</html>\n"
    )
}

/// Markup whose dangerous elements have names that no browser knows; its length stays.
pub fn disarmed(html: &str) -> String {
    let mut out = String::with_capacity(html.len() + 1);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, after) = (&rest[..=at], &rest[at + 1..]);
        out.push_str(before);
        let name = DISARMED.iter().find(|name| {
            after.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
                && !after[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
        });
        match name {
            Some(name) => {
                out.push_str(&format!("x-{}", &"off-off"[..name.len() - 2]));
                rest = &after[name.len()..];
            }
            None => rest = after,
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!doctype html><html><head><title>Rods</title><meta name=citation_title content='On rods and lines'>\
        <meta name=citation_author content='Vitruvius, Marcus'><link rel=preconnect href=//evil></head>\
        <body onload=alert(1)><h1>On rods and lines</h1><p class=authors>Marcus Vitruvius</p><h2>Abstract</h2>\
        <p>We compare rods and lines, and find that lines are straight and that rods are not always so.</p>\
        <script>alert(2)</script></body></html>";

    #[test]
    fn parts_are_outlined_and_named_in_the_legend() {
        let url = Url::parse("http://a.example/").unwrap();
        let page = outlined(PAGE, &url, &Limits::default());
        assert!(
            page.contains("data-part=\"title\"") && page.contains("[data-part=\"title\"]{outline:3px solid"),
            "{page}"
        );
        let (legend, rest) = page.split_at(page.find("<!doctype html><html>").unwrap());
        assert!(legend.contains(">title</span>") && !legend.contains(">menu</span>"), "{legend}");
        assert!(rest.contains("On rods and lines") && !rest.contains("<link") && !rest.contains("<meta"), "{rest}");
    }

    #[test]
    fn the_file_holds_the_page_in_a_frame_it_cannot_leave() {
        let ours = overlay(b"", "", &Limits::default()).matches('<').count();
        for hostile in [
            PAGE,
            "<textarea>\"></iframe><script>alert(1)</script>",
            "<!-- <plaintext>",
            "\u{0}\u{202e}<iframe srcdoc='<script>'>",
            "",
        ] {
            let file = overlay(hostile.as_bytes(), "http://a.example/\"><script>", &Limits::default());
            assert_eq!(file.matches("<iframe sandbox ").count(), 1);
            assert_eq!(file.matches('<').count(), ours, "only tags of ours: {file}");
            assert!(file.contains("content=\"script-src 'none'") && file.contains("content=&quot;default-src 'none'"));
        }
    }

    #[test]
    fn what_a_policy_does_not_cover_is_taken_out() {
        let hostile = "<LINK rel=preconnect href=//evil><meta http-equiv=refresh content='0;url=//evil'>\
            <base href=//evil><link\nrel=x><linked>a < b</linked><header>é</header><";
        let safe = disarmed(hostile);
        assert_eq!(safe.len(), hostile.len());
        let lower = safe.to_ascii_lowercase();
        for name in ["<link ", "<link\n", "<meta", "<base"] {
            assert!(!lower.contains(name), "{name}: {safe}");
        }
        assert!(safe.contains("<linked>a < b</linked><header>é</header><"));
    }
}

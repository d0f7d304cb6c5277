//! Files made to hurt: each as large as its limit lets it be, built from one idea.

/// Bytes of a pattern, again and again, up to a size; `#` in it is a running number.
fn many(pattern: &str, size: usize) -> Vec<u8> {
    if !pattern.contains('#') {
        return pattern.repeat(size / pattern.len()).into_bytes();
    }
    let mut bytes = Vec::with_capacity(size + 64);
    let mut number = 0_u32;
    while bytes.len() < size {
        bytes.extend_from_slice(pattern.replace('#', &number.to_string()).as_bytes());
        number += 1;
    }
    bytes
}

/// Something in front of, and something behind, many of a pattern.
fn around(front: &str, pattern: &str, back: &str, size: usize) -> Vec<u8> {
    [front.as_bytes(), &many(pattern, size), back.as_bytes()].concat()
}

/// Pages: what they are called, and their bytes.
pub(crate) fn pages(size: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    #[rustfmt::skip]
    const REPEATED: [&str; 53] = [
        "<div>", "<ul><li>", "<table><td>", "<b>", "<p>a", "<svg>", "<svg><title>", "<math><svg><foreignObject>", "<template>",
        "</p>", "</div>", "<h1></h2>", "<p><td></p>", "<object></div>", "<a href=#>", "<a href=x>y z ", "<a href='../../../#'>",
        "<a href=#><table><td></a>", "<link rel=next href=#>", "<img src=# alt=x>", "<img srcset='a 1x, b 2x, c(,), d'>", "<base href=#/>",
        "<p id=#>", "<a name=#>", "<meta name=# content=x>", "<x y=z>", "<form>", "<form><input name=#>", "<select><option>#", "<option>x",
        "<textarea>", "<title>", "<script><!--<script>", "<frameset><frame src=#>", "<nav><div role=navigation>", "<button>x", "<pre>\n",
        "&amp;", "&n", "&", "&#x41;", "<", "</", "<!--", "<!-->", "<![CDATA[", "<?xml", "\0", "\r\n", "\u{a0}", "\u{6f22}", "x ", "# ",
    ];
    #[rustfmt::skip]
    const GIANTS: [(&str, &str, &str); 20] = [
        ("<a href='", "x", "'>t</a>"), ("<a href='http://", "x", "/'>"), ("<a href='http://[", "x", "/'>"), ("<a href='", "../", "'>"),
        ("<a href='?", "a#=b&", "'>"), ("<a", " a#=b", ">"), ("<a", " href=x", ">"), ("<a", " #", ">"), ("<img srcset='", ",", "'>"),
        ("<img srcset='", "a 1x,", "'>"), ("<", "x", ">"), ("<!--", "-", ""), ("<title>", "x ", ""), ("<p>", "x", ""), ("<p id='", "x", "'>"),
        ("<meta http-equiv=refresh content='0;url=", "x", "'>"), ("<html lang='", "x", "'>"), ("&", "x", ";"), ("<script>", "x", ""),
        ("<meta charset='", "x", "'>"),
    ];
    let base = format!("<base href='/{}/'>", "x/".repeat(2000));
    let deep = "<div><p><table><td>".repeat(200);
    let extra =
        [("a long base, then links", base, "<a href=#>"), ("depth, then ends", deep, "</div></p></td></table>")];
    let repeated = REPEATED.iter().map(move |pattern| (format!("many {pattern:?}"), many(pattern, size)));
    let giants = GIANTS.iter().map(move |(front, pattern, back)| {
        (format!("one {front:?} of many {pattern:?}"), around(front, pattern, back, size))
    });
    let extra =
        extra.into_iter().map(move |(name, front, pattern)| (name.to_owned(), around(&front, pattern, "", size)));
    repeated
        .chain(giants)
        .chain(extra)
        .chain([("16-bit letters".to_owned(), wide(size)), ("chance".to_owned(), noise(size))])
}

/// Text in UTF-16, which must be decoded before it can be read.
fn wide(size: usize) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend("<p>\u{10d}as ".encode_utf16().cycle().take(size / 2).flat_map(u16::to_le_bytes));
    bytes
}

/// Bytes by chance (an affine generator's upper ones): no encoding, no markup, or any.
fn noise(size: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(size).collect()
}

/// robots.txt files that are slow to read if read carelessly.
pub(crate) fn robots(size: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    #[rustfmt::skip]
    const KINDS: [(&str, &str); 12] = [
        ("", "Disallow: /*a*a*a*a*a*a*a*b#$\n"), ("", "Disallow: /#\n"), ("", "Allow: /a*#*a$\n"), ("", "Disallow: /?a=*&b=#\n"),
        ("Disallow: /", "*a"), ("Disallow: /", "*"), ("Disallow: /", "%41"), ("", "User-agent: groma#\n"), ("", "User-agent: groma\nDisallow: /\n"),
        ("", "\n"), ("", "Sitemap: http://h/#\n"), ("", "a"),
    ];
    KINDS.iter().map(move |(front, pattern)| {
        (format!("{front}{pattern:?}"), around(&format!("User-agent: *\n{front}"), pattern, "", size))
    })
}

/// Sitemaps that are slow to read if read carelessly.
pub(crate) fn sitemaps(size: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    #[rustfmt::skip]
    const KINDS: [(&str, &str); 12] = [
        ("<urlset>", "<url><loc>http://h/#</loc></url>"), ("<urlset>", "<url>"), ("<urlset><url>", "<loc>"), ("<urlset><url><loc>", "&amp;"),
        ("<urlset><url><loc>", "&x"), ("<urlset><url><loc>http://h/", "x"), ("<urlset><url", " a='b'"), ("<urlset><url>", "<xhtml:link href='http://h/#'/>"),
        ("<sitemapindex>", "<sitemap><loc>http://h/#</loc></sitemap>"), ("<!DOCTYPE x [", "<!ENTITY a# 'x'>"), ("", "http://h/#\n"), ("<urlset><!--", "-"),
    ];
    KINDS.iter().map(move |(front, pattern)| (format!("{front}{pattern:?}"), around(front, pattern, "", size)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_about_as_large_as_asked() {
        let all = pages(5000).chain(robots(5000)).chain(sitemaps(5000));
        for (name, bytes) in all {
            assert!((4900..16_000).contains(&bytes.len()), "{name}: {}", bytes.len());
        }
    }
}

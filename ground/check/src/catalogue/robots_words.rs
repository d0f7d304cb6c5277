//! What a page and its header say to robots, word by word. What is meant for one robot by name is left out.

use groma_model::HeaderField;

use crate::catalogue::view::PageView;

/// Words that Google, Bing or Yandex document; those with a value are known by what stands before the colon.
const KNOWN: [&str; 20] = [
    "all",
    "follow",
    "indexifembedded",
    "index",
    "max-image-preview",
    "max-snippet",
    "max-video-preview",
    "noarchive",
    "nocache",
    "nofollow",
    "noimageindex",
    "noindex",
    "noodp",
    "nopagereadaloud",
    "nosnippet",
    "notranslate",
    "noydir",
    "none",
    "noyaca",
    "unavailable_after",
];

/// The words of the metas for all robots.
pub(crate) fn of_metas(page: &PageView<'_>) -> Vec<String> {
    page.metas("robots").flat_map(words).collect()
}

/// The words of the metas and of the header.
pub(crate) fn of_page(page: &PageView<'_>) -> Vec<String> {
    let mut said = of_metas(page);
    let fields = page.markup().into_iter().flat_map(|markup| markup.fields(HeaderField::RobotsTag));
    said.extend(fields.flat_map(words).filter(|word| !word.contains(':') || is_known(word)));
    said
}

fn words(content: &str) -> impl Iterator<Item = String> {
    // A date has commas of its own; what follows it is not looked at.
    let end = content.to_ascii_lowercase().find("unavailable_after").unwrap_or(content.len());
    let plain = content.get(..end).unwrap_or_default();
    plain.split(',').map(|word| word.trim().to_ascii_lowercase()).filter(|word| !word.is_empty())
}

/// Is the word one that search engines know?
pub(crate) fn is_known(word: &str) -> bool {
    let name = word.split([':', '=']).next().unwrap_or_default().trim();
    KNOWN.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_by_commas() {
        let said: Vec<String> = words("NoIndex, max-snippet:20 ,, unavailable_after: Tue, 1 Jan 2030").collect();
        assert_eq!(said, ["noindex", "max-snippet:20"]);
        assert!(said.iter().all(|word| is_known(word)) && !is_known("no-index") && !is_known(""));
    }
}

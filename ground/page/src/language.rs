//! In which language is a page written?
//!
//! What the page declares (`lang` on `html`, then `content-language`) is believed. Else the text is asked, if there is
//! enough of it: at most `SAMPLE` bytes, running text before navigation. Where a word in 24 is a function word of
//! one language and hardly any is of another, that is the answer; this settles most pages for a hundredth of the price of
//! the next step. Else trigram statistics (the whatlang crate), and only an answer that calls itself reliable counts.
//! Cost: bounded by the sample.
//!
//! The answer is the primary language of BCP 47: ISO 639-1 letters where they exist, else 639-3.
//!
//! Not guaranteed: that a page's author declared the truth; anything about pages in several languages.

use groma_model::{Block, BlockKind};
use whatlang::Lang;

/// Less text than this says nothing reliable.
const ENOUGH: usize = 200;
/// More text than this is not looked at.
const SAMPLE: usize = 2048;

/// The primary language of a declared tag or list of tags: `en-GB, cs` is `en`. Nothing if it is no language tag.
pub fn declared(value: &str) -> Option<String> {
    let tag = value.split(',').next()?.trim();
    let primary = tag.split(['-', '_']).next()?;
    let fits = (2..=3).contains(&primary.len()) && primary.bytes().all(|b| b.is_ascii_alphabetic());
    fits.then(|| {
        let code = primary.to_ascii_lowercase();
        Lang::from_code(&code).map_or(code, |lang| short(lang).to_owned())
    })
}

/// The language the text itself shows.
pub fn detected(blocks: &[Block]) -> Option<String> {
    let mut sample = String::new();
    // Names of symbols, menus and pictures are poor witnesses: they are asked only where there is nothing better.
    let running = |kind| {
        !matches!(kind, BlockKind::Navigation | BlockKind::Preformatted | BlockKind::ImageAlt | BlockKind::Keywords)
    };
    gather(&mut sample, blocks.iter().filter(|block| running(block.kind)));
    if sample.len() < ENOUGH {
        gather(&mut sample, blocks.iter().filter(|block| !running(block.kind)));
    }
    if sample.len() < ENOUGH {
        return None;
    }
    if let Some(language) = by_function_words(&sample) {
        return Some(language.to_owned());
    }
    let info = whatlang::detect(&sample)?;
    info.is_reliable().then(|| short(info.lang()).to_owned())
}

/// The language whose function words the text is full of. Only words that the neighbours of a language do not share.
#[rustfmt::skip]
fn by_function_words(text: &str) -> Option<&'static str> {
    const LANGUAGES: [&str; 3] = ["en", "de", "fr"];
    let (mut words, mut hits) = (0, [0; LANGUAGES.len()]);
    for word in text.as_bytes().split(|b| b.is_ascii_whitespace() || matches!(b, b',' | b'.')).filter(|word| !word.is_empty()) {
        words += 1;
        match word {
            b"the" | b"The" | b"of" | b"and" | b"to" | b"is" | b"that" | b"for" | b"with" | b"this" | b"This" | b"are" | b"be"
            | b"from" | b"which" | b"has" | b"it" | b"you" => hits[0] += 1,
            b"der" | b"Der" | b"die" | b"Die" | b"das" | b"Das" | b"und" | b"ist" | b"nicht" | b"ein" | b"eine" | b"zu"
            | b"von" | b"mit" | b"auf" | b"sich" | b"dem" | b"werden" => hits[1] += 1,
            b"les" | b"Les" | b"des" | b"est" | b"dans" | b"pour" | b"une" | b"qui" | b"sur" | b"pas" | b"avec" | b"sont"
            | b"et" | b"du" | b"au" | b"cette" => hits[2] += 1,
            _ => {}
        }
    }
    let best = (0..hits.len()).max_by_key(|i| hits[*i])?;
    let others: usize = hits.iter().sum::<usize>() - hits[best];
    (hits[best] >= 8 && hits[best] * 24 >= words && others * 8 <= hits[best]).then_some(LANGUAGES[best])
}

fn gather<'a>(sample: &mut String, blocks: impl Iterator<Item = &'a Block>) {
    for block in blocks {
        if sample.len() >= SAMPLE {
            return;
        }
        sample.push_str(crate::fold::cut(&block.text, SAMPLE - sample.len()));
        sample.push('\n');
    }
}

/// ISO 639-1 where there is one. Mandarin is what the web calls `zh`, Bokmål `nb`.
fn short(lang: Lang) -> &'static str {
    #[rustfmt::skip]
    const SHORT: [(&str, &str); 70] = [
        ("epo", "eo"), ("eng", "en"), ("rus", "ru"), ("cmn", "zh"), ("spa", "es"), ("por", "pt"), ("ita", "it"),
        ("ben", "bn"), ("fra", "fr"), ("deu", "de"), ("ukr", "uk"), ("kat", "ka"), ("ara", "ar"), ("hin", "hi"),
        ("jpn", "ja"), ("heb", "he"), ("yid", "yi"), ("pol", "pl"), ("amh", "am"), ("jav", "jv"), ("kor", "ko"),
        ("nob", "nb"), ("dan", "da"), ("swe", "sv"), ("fin", "fi"), ("tur", "tr"), ("nld", "nl"), ("hun", "hu"),
        ("ces", "cs"), ("ell", "el"), ("bul", "bg"), ("bel", "be"), ("mar", "mr"), ("kan", "kn"), ("ron", "ro"),
        ("slv", "sl"), ("hrv", "hr"), ("srp", "sr"), ("mkd", "mk"), ("lit", "lt"), ("lav", "lv"), ("est", "et"),
        ("tam", "ta"), ("vie", "vi"), ("urd", "ur"), ("tha", "th"), ("guj", "gu"), ("uzb", "uz"), ("pan", "pa"),
        ("aze", "az"), ("ind", "id"), ("tel", "te"), ("pes", "fa"), ("mal", "ml"), ("ori", "or"), ("mya", "my"),
        ("nep", "ne"), ("sin", "si"), ("khm", "km"), ("tuk", "tk"), ("aka", "ak"), ("zul", "zu"), ("sna", "sn"),
        ("afr", "af"), ("lat", "la"), ("slk", "sk"), ("cat", "ca"), ("tgl", "tl"), ("hye", "hy"), ("cym", "cy"),
    ];
    let code = lang.code();
    SHORT.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Vec<Block> {
        vec![Block { kind: BlockKind::Paragraph, text: text.to_owned() }]
    }

    #[test]
    fn a_declared_tag_gives_its_primary_language() {
        for (tag, language) in
            [("en", "en"), ("EN-gb", "en"), (" cs , en", "cs"), ("zh_CN", "zh"), ("deu", "de"), ("haw", "haw")]
        {
            assert_eq!(declared(tag).as_deref(), Some(language), "{tag}");
        }
        for tag in ["", "english", "x", "e1", "-"] {
            assert_eq!(declared(tag), None, "{tag}");
        }
    }

    #[test]
    fn every_detectable_language_has_a_short_name() {
        let long: Vec<_> = Lang::all().iter().filter(|lang| short(**lang).len() != 2).collect();
        assert!(long.is_empty(), "{long:?}");
    }

    #[test]
    fn enough_text_shows_its_language_and_little_does_not() {
        let czech = "Mapa stránek ukazuje, jak jsou stránky uspořádány a které odkazy nikam nevedou. ".repeat(4);
        assert_eq!(detected(&paragraph(&czech)).as_deref(), Some("cs"));
        let german = "Die Karte zeigt, wie die Seiten geordnet sind und welche Verweise ins Leere führen. ".repeat(4);
        assert_eq!(detected(&paragraph(&german)).as_deref(), Some("de"));
        assert_eq!(detected(&paragraph("Die Karte zeigt es.")), None);
        assert_eq!(detected(&[]), None);
    }

    #[test]
    fn function_words_decide_only_where_they_are_clear() {
        assert_eq!(by_function_words(&"the map of the site is for people ".repeat(5)), Some("en"));
        assert_eq!(by_function_words(&"die Karte der Seiten ist nicht leer ".repeat(5)), Some("de"));
        assert_eq!(by_function_words(&"the map of der Karte und die Seiten ".repeat(5)), None);
        assert_eq!(by_function_words(&"int foo bar baz the ".repeat(3)), None);
        assert_eq!(by_function_words(&"mapa stránek ukazuje jak jsou stránky ".repeat(9)), None);
    }

    #[test]
    fn running_text_is_asked_before_navigation() {
        let mut blocks =
            paragraph(&"Le plan montre comment les pages sont rangées et quels liens ne mènent nulle part. ".repeat(4));
        blocks
            .insert(0, Block { kind: BlockKind::Navigation, text: "Home About Contact Products Imprint ".repeat(200) });
        assert_eq!(detected(&blocks).as_deref(), Some("fr"));
    }
}

//! Is this the name of a language, as pages write it (`en`, `pt-BR`, `zh-Hant-TW`)?
//!
//! BCP 47 (RFC 5646), section 2.1: `language [-extlang] [-script] [-region] *(-variant) *(-extension) [-privateuse]`. Two letters
//! must be a language of ISO 639-1, a region of two letters one of ISO 3166-1; three letters are taken for a language without a list.
//! Cost: linear in the tag. Not guaranteed: that script, variant or a language of three letters is registered.

/// ISO 639-1, with those that pages still use and the registry calls deprecated (in, iw, ji, mo, sh).
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo \
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv ka kg ki kj kk kl km \
    kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl \
    ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi \
    vo wa wo xh yi yo za zh zu";

/// ISO 3166-1, two letters.
const REGIONS: &str = "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd \
    cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp \
    gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu \
    lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn \
    pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw \
    tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw";

/// What is wrong with a language tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagFault {
    /// It is not written like a tag.
    Form,
    /// There is no language of these two letters.
    Language,
    /// There is no region of these two letters.
    Region,
}

impl TagFault {
    /// The fault, in words that follow a quoted tag.
    pub fn says(self) -> &'static str {
        match self {
            TagFault::Form => "is not a language tag",
            TagFault::Language => "begins with a language that does not exist",
            TagFault::Region => "names a region that does not exist",
        }
    }
}

/// The fault of a tag; nothing if it has none.
pub fn fault_of_tag(tag: &str) -> Option<TagFault> {
    let lower = tag.trim().to_ascii_lowercase();
    let mut parts = lower.split('-').peekable();
    let first = parts.next().unwrap_or_default();
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let well_formed =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !lower.split('-').all(well_formed) || !letters(first) {
        return Some(TagFault::Form);
    }
    match first.len() {
        // Private use and the old registrations (`i-klingon`).
        1 => return if matches!(first, "x" | "i") && parts.peek().is_some() { None } else { Some(TagFault::Form) },
        2 if !holds(LANGUAGES, first) => return Some(TagFault::Language),
        2 | 3 => {}
        _ => return Some(TagFault::Form),
    }
    let mut region_may_come = true;
    for part in parts {
        match part.len() {
            // An extension or private use: what follows is its own affair.
            1 => break,
            2 if region_may_come && letters(part) => {
                if !holds(REGIONS, part) {
                    return Some(TagFault::Region);
                }
                region_may_come = false;
            }
            2 => return Some(TagFault::Form),
            3 => {}
            4 if letters(part) && region_may_come => {}
            _ => region_may_come = false,
        }
    }
    None
}

fn holds(list: &str, code: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_judged_by_form_language_and_region() {
        for tag in [
            "en",
            "EN-gb",
            "pt-BR",
            "zh-Hant-TW",
            "es-419",
            "de-CH-1996",
            "x-private",
            "i-klingon",
            "haw",
            "sr-Latn-RS",
            "zh-cmn-Hans-CN",
            "en-US-u-ca-gregory",
            "de-1901",
        ] {
            assert_eq!(fault_of_tag(tag), None, "{tag}");
        }
        for (tag, fault) in [
            ("", TagFault::Form),
            ("english", TagFault::Form),
            ("en_US", TagFault::Form),
            ("en-", TagFault::Form),
            ("x", TagFault::Form),
            ("e1", TagFault::Form),
            ("en-US-GB", TagFault::Form),
            ("xx", TagFault::Language),
            ("uk-UK", TagFault::Region),
            ("en-UK", TagFault::Region),
        ] {
            assert_eq!(fault_of_tag(tag), Some(fault), "{tag}");
        }
    }

    #[test]
    fn the_lists_are_sorted_and_whole() {
        for (list, count) in [(LANGUAGES, 189), (REGIONS, 250)] {
            let codes: Vec<&str> = list.split_ascii_whitespace().collect();
            assert!(codes.is_sorted() && codes.iter().all(|code| code.len() == 2));
            assert_eq!(codes.len(), count);
        }
    }
}

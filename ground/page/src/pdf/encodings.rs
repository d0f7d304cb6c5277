//! The base encodings of fonts (ISO 32000-1, annex D): the characters of the codes from 0x20 on, sixteen a row.

/// Where a code has no character.
const NONE: char = '\u{fffd}';

/// The characters of the 256 codes of an encoding; Adobe's standard encoding unless another is named.
pub(super) fn named(name: Option<&[u8]>) -> Vec<Option<char>> {
    let rows = match name {
        Some(b"WinAnsiEncoding") => WIN_ANSI,
        Some(b"MacRomanEncoding") => MAC_ROMAN,
        Some(b"MacExpertEncoding") => MAC_EXPERT,
        _ => STANDARD,
    };
    let characters = rows.iter().flat_map(|row| row.chars()).map(|c| (c != NONE).then_some(c));
    [None; 32].into_iter().chain(characters).collect()
}

const STANDARD: [&str; 14] = [
    " !\"#$%&’()*+,-./",
    "0123456789:;<=>?",
    "@ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZ[\\]^_",
    "‘abcdefghijklmno",
    "pqrstuvwxyz{|}~�",
    "����������������",
    "����������������",
    "�¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ",
    "�–†‡·�¶•‚„”»…‰�¿",
    "�`´ˆ˜¯˘˙¨�˚¸�˝˛ˇ",
    "—���������������",
    "�Æ�ª����ŁØŒº����",
    "�æ���ı��łøœß����",
];

const WIN_ANSI: [&str; 14] = [
    " !\"#$%&'()*+,-./",
    "0123456789:;<=>?",
    "@ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZ[\\]^_",
    "`abcdefghijklmno",
    "pqrstuvwxyz{|}~•",
    "€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž•",
    "•‘’“”•–—˜™š›œ•žŸ",
    " ¡¢£¤¥¦§¨©ª«¬-®¯",
    "°±²³´µ¶·¸¹º»¼½¾¿",
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ",
    "ÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß",
    "àáâãäåæçèéêëìíîï",
    "ðñòóôõö÷øùúûüýþÿ",
];

const MAC_ROMAN: [&str; 14] = [
    " !\"#$%&'()*+,-./",
    "0123456789:;<=>?",
    "@ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZ[\\]^_",
    "`abcdefghijklmno",
    "pqrstuvwxyz{|}~�",
    "ÄÅÇÉÑÖÜáàâäãåçéè",
    "êëíìîïñóòôöõúùûü",
    "†°¢£§•¶ß®©™´¨≠ÆØ",
    "∞±≤≥¥µ∂∑∏π∫ªºΩæø",
    "¿¡¬√ƒ≈∆«»… ÀÃÕŒœ",
    "–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ",
    "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ",
    "\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
];

const MAC_EXPERT: [&str; 14] = [
    " \u{f721}\u{f6f8}\u{f7a2}\u{f724}\u{f6e4}\u{f726}\u{f7b4}⁽⁾‥․,-.⁄",
    "\u{f730}\u{f731}\u{f732}\u{f733}\u{f734}\u{f735}\u{f736}\u{f737}\u{f738}\u{f739}:;�\u{f6de}�\u{f73f}",
    "����\u{f7f0}��¼½¾⅛⅜⅝⅞⅓⅔",
    "������ﬀﬁﬂﬃﬄ₍�₎\u{f6f6}\u{f6e5}",
    "\u{f760}\u{f761}\u{f762}\u{f763}\u{f764}\u{f765}\u{f766}\u{f767}\u{f768}\u{f769}\u{f76a}\u{f76b}\u{f76c}\u{f76d}\u{f76e}\u{f76f}",
    "\u{f770}\u{f771}\u{f772}\u{f773}\u{f774}\u{f775}\u{f776}\u{f777}\u{f778}\u{f779}\u{f77a}₡\u{f6dc}\u{f6dd}\u{f6fe}�",
    "�\u{f6e9}\u{f6e0}����\u{f7e1}\u{f7e0}\u{f7e2}\u{f7e4}\u{f7e3}\u{f7e5}\u{f7e7}\u{f7e9}\u{f7e8}",
    "\u{f7ea}\u{f7eb}\u{f7ed}\u{f7ec}\u{f7ee}\u{f7ef}\u{f7f1}\u{f7f3}\u{f7f2}\u{f7f4}\u{f7f6}\u{f7f5}\u{f7fa}\u{f7f9}\u{f7fb}\u{f7fc}",
    "�⁸₄₃₆₈₇\u{f6fd}�\u{f6df}₂�\u{f7a8}�\u{f6f5}\u{f6f0}",
    "₅�\u{f6e1}\u{f6e7}\u{f7fd}�\u{f6e3}��\u{f7fe}�₉₀\u{f6ff}\u{f7e6}\u{f7f8}",
    "\u{f7bf}₁\u{f6f9}������\u{f7b8}�����\u{f6fa}",
    "‒\u{f6e6}����\u{f7a1}�\u{f7ff}�¹²³⁴⁵⁶",
    "⁷⁹⁰�\u{f6ec}\u{f6f1}\u{f6f3}��\u{f6ed}\u{f6f2}\u{f6eb}����",
    "�\u{f6ee}\u{f6fb}\u{f6f4}\u{f7af}\u{f6ea}ⁿ\u{f6ef}\u{f6e2}\u{f6e8}\u{f6f7}\u{f6fc}����",
];

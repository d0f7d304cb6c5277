//! The part every link stands in.
//!
//! Asked in this order, the first answer counts: what the element's `rel` says; advertising, sharing, legal (by address, by words, by what
//! stands around it); previous and next (by words in many languages, arrows, names of boxes); headings that say "related";
//! the content parts; landmarks; the list the page is about; boxes that hold nothing but short links; else running text.
//! Cost: linear in the links.

use groma_model::{BlockKind, Link, LinkKind, LinkPart, PartKind, Rel, Target};

use super::hints::Hints;
use super::lexicon::Lexicon;
use super::listing::Listing;
use super::outline::NONE;
use super::phrases::Phrases;
use super::sections::Sections;
use super::spot::Spot;
use super::view::View;
use super::wording::Label;
use crate::html::tag::Tag;

/// Characters at the start of a block that say who paid for it.
const SUPPORT: usize = 24;

/// What is known of the page by now.
pub(crate) struct Known<'a> {
    pub(crate) sections: &'a Sections,
    pub(crate) listing: &'a Listing,
    pub(crate) is_list: bool,
    /// Content parts, and where they stand.
    pub(crate) spots: &'a [(PartKind, &'a Spot)],
    /// Some element calls itself the main one.
    pub(crate) has_main: bool,
    /// The blocks of the main text.
    pub(crate) main: &'a [u32],
}

/// The block each link stands in.
pub(crate) fn blocks(view: &View<'_>) -> Vec<Option<u32>> {
    let mut blocks: Vec<Option<u32>> = vec![None; view.page.links.len()];
    for run in view.all_runs() {
        if let Some(slot) = blocks.get_mut(run.link as usize) {
            slot.get_or_insert(run.block);
        }
    }
    for (number, slot) in blocks.iter_mut().enumerate() {
        if slot.is_none() {
            *slot = view.runs_block(view.outline.links[number]);
        }
    }
    blocks
}

/// The part each link belongs to.
pub(crate) fn classify_links(view: &View<'_>, blocks: &[Option<u32>], known: &Known<'_>) -> Vec<LinkPart> {
    let mut by_link: Vec<Option<(PartKind, u8)>> = vec![None; view.page.links.len()];
    let mut by_block: Vec<Option<(PartKind, u8)>> = vec![None; view.blocks.len()];
    for (kind, spot) in known.spots {
        for link in &spot.links {
            if let Some(slot) = by_link.get_mut(*link as usize) {
                slot.get_or_insert((*kind, spot.confidence));
            }
        }
        for block in &spot.blocks {
            if let Some(slot) = by_block.get_mut(*block as usize) {
                slot.get_or_insert((*kind, spot.confidence.saturating_sub(10)));
            }
        }
    }
    let mut main = vec![false; view.blocks.len()];
    known.main.iter().for_each(|block| main[*block as usize] = true);
    let part = |number: usize| {
        let link = &view.page.links[number];
        let node = view.outline.links[number];
        let path = view.outline.nodes.get(node as usize).map_or(0, |node| node.path);
        let block = blocks[number].filter(|block| (*block as usize) < view.blocks.len());
        let content = by_link[number].or_else(|| block.and_then(|block| by_block[block as usize]));
        let in_main = block.is_some_and(|block| main[block as usize]);
        let (kind, confidence) = kind_of(view, known, &Place { link, node, path, block, content, in_main });
        LinkPart { kind, confidence, path }
    };
    let mut parts: Vec<LinkPart> = (0..view.page.links.len()).map(part).collect();
    if known.is_list {
        same_targets(view, &mut parts);
    }
    parts
}

/// "Abstract" and "PDF" beside an entry lead where the entry leads: they belong to the list.
fn same_targets(view: &View<'_>, parts: &mut [LinkPart]) {
    let listed = |(link, part): (&Link, &LinkPart)| match &link.target {
        Target::Web(url) if part.kind == PartKind::List => Some(url.as_str().to_owned()),
        _ => None,
    };
    let targets: std::collections::HashSet<String> =
        view.page.links.iter().zip(parts.iter()).filter_map(listed).collect();
    for (link, part) in view.page.links.iter().zip(parts.iter_mut()) {
        if part.kind == PartKind::Text && matches!(&link.target, Target::Web(url) if targets.contains(url.as_str())) {
            (part.kind, part.confidence) = (PartKind::List, 75);
        }
    }
}

/// A link and where it stands.
struct Place<'a> {
    link: &'a Link,
    node: u32,
    path: u32,
    block: Option<u32>,
    /// The content part it stands in.
    content: Option<(PartKind, u8)>,
    /// Its block is main text.
    in_main: bool,
}

/// What a link is for. The first that speaks decides: its own words, its content part, its place on the page.
fn kind_of(view: &View<'_>, known: &Known<'_>, place: &Place<'_>) -> (PartKind, u8) {
    if let Some(found) = kind_by_relation(place.link) {
        return found;
    }
    let within = view.within.get(place.node as usize).copied().unwrap_or_default();
    let label = place.block.and_then(|block| known.sections.label(block as usize));
    let around = place.block.map_or("", |block| view.block_text(block as usize));
    kind_by_words(view, place, within, label, around)
        .or_else(|| kind_by_content(place, within, label))
        .unwrap_or_else(|| kind_by_place(view, known, place, within, label, around))
}

/// What kind of link it is, and what its `rel` says.
fn kind_by_relation(link: &Link) -> Option<(PartKind, u8)> {
    let in_sequence = link.rel.has(Rel::NEXT) || link.rel.has(Rel::PREV);
    match link.kind {
        LinkKind::Anchor => {}
        LinkKind::Related if in_sequence => return Some((PartKind::Sequence, 95)),
        LinkKind::Canonical | LinkKind::Redirect | LinkKind::Refresh | LinkKind::Sitemap => {
            return Some((PartKind::Text, 50));
        }
        _ => return Some((PartKind::Noise, 70)),
    }
    if link.rel.has(Rel::SPONSORED) {
        return Some((PartKind::Noise, 95));
    }
    in_sequence.then_some((PartKind::Sequence, 95))
}

fn kind_by_words(
    view: &View<'_>,
    place: &Place<'_>,
    within: Hints,
    label: Option<Label>,
    around: &str,
) -> Option<(PartKind, u8)> {
    let text = place.link.text.trim();
    let lower = text.to_lowercase();
    if let Some(confidence) = noise(place.link, &lower) {
        return Some((PartKind::Noise, confidence));
    }
    if within.any(Hints::NOISE.with(Hints::DIALOG)) || label == Some(Label::Noise) {
        return Some((PartKind::Noise, 80));
    }
    sequence(view, place.node, text, &lower, around).map(|confidence| (PartKind::Sequence, confidence))
}

/// What the content part says that it stands in; what is related is told before what only stands in the text.
fn kind_by_content(place: &Place<'_>, within: Hints, label: Option<Label>) -> Option<(PartKind, u8)> {
    if let Some((PartKind::Authors | PartKind::Keywords | PartKind::Title, _)) = place.content {
        return place.content;
    }
    if label == Some(Label::Related) {
        return Some((PartKind::Related, 88));
    }
    if within.any(Hints::RELATED) {
        return Some((PartKind::Related, 80));
    }
    place.content
}

/// Where it stands on the page, and beside what.
fn kind_by_place(
    view: &View<'_>,
    known: &Known<'_>,
    place: &Place<'_>,
    within: Hints,
    label: Option<Label>,
    around: &str,
) -> (PartKind, u8) {
    let Place { link, node, path, block, in_main, .. } = *place;
    if within.any(Hints::NAVIGATION) {
        return (PartKind::Menu, 88);
    }
    if block.is_some_and(|block| view.is_trail(block as usize)) {
        return (PartKind::Menu, 70);
    }
    if is_paid_for(around) {
        return (PartKind::Noise, 72);
    }
    let listed = known.listing.paths.binary_search(&path).is_ok();
    if link.block == BlockKind::Navigation && !(listed && within.any(Hints::MAIN))
        || (within.any(Hints::FOOTER) && !within.any(Hints::MAIN))
    {
        return (PartKind::Menu, 75);
    }
    if listed && known.is_list {
        return (PartKind::List, 85);
    }
    if label == Some(Label::References) || label == Some(Label::Comments) || in_main {
        return (PartKind::Text, 75);
    }
    if listed && label == Some(Label::Contents) {
        return (PartKind::List, 65);
    }
    if within.any(Hints::SIDE) {
        return (PartKind::Menu, 55);
    }
    if is_menu_box(view, node) {
        return (PartKind::Menu, 50);
    }
    if known.has_main && !within.any(Hints::MAIN) {
        return (PartKind::Noise, 45);
    }
    (PartKind::Text, 60)
}

/// The block begins like one that somebody paid for.
fn is_paid_for(around: &str) -> bool {
    const BEGINNINGS: [&str; 10] = [
        "with support from",
        "supported by",
        "sponsored by",
        "advertisement",
        "sponsored",
        "anzeige",
        "publicité",
        "publicidad",
        "реклама",
        "广告",
    ];
    let lower = around.chars().take(SUPPORT).collect::<String>().to_lowercase();
    BEGINNINGS.iter().any(|word| lower.starts_with(word))
}

/// Advertising, sharing, legal, login: by address and by words.
#[rustfmt::skip]
fn noise(link: &Link, lower: &str) -> Option<u8> {
    if let Target::Web(url) = &link.target {
        let address = url.as_str();
        const SHARING: u32 = 1;
        const PAID: u32 = 2;
        static PARTS: Phrases<24> = Phrases::new(&[
            (SHARING, &[
                "facebook.com/sharer", "facebook.com/share", "twitter.com/intent", "twitter.com/share", "x.com/intent", "linkedin.com/share", "reddit.com/submit", "pinterest.com/pin/create", "whatsapp.com/send", "wa.me/",
                "t.me/share", "plus.google.com/share", "addtoany.com", "addthis.com", "mendeley.com/import", "citeulike.org/posturl", "doubleclick.net", "googlesyndication", "/adclick", "/ads/", "/ad/", "weibo.com/share",
            ]),
            (PAID, &["/advert", "/sponsor"]),
        ]);
        let parts = PARTS.kinds(address);
        if parts & SHARING != 0 {
            return Some(92);
        }
        let host = url.host_str().unwrap_or_default();
        if parts & PAID != 0 || host.starts_with("ads.") || host.starts_with("ad.") {
            return Some(85);
        }
    }
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let legal = matches!(bare, "privacy" | "privacy policy" | "privacy notice" | "cookie policy" | "cookies" | "cookie settings" | "cookie preferences" | "manage cookies" | "terms" | "terms of use" | "terms of service" | "terms and conditions" | "terms & conditions"
        | "legal" | "legal notice" | "imprint" | "impressum" | "datenschutz" | "datenschutzerklärung" | "agb" | "mentions légales" | "politique de confidentialité" | "confidentialité" | "aviso legal" | "política de privacidad" | "política de privacidade" | "accessibility" | "accessibility statement" | "disclaimer"
        | "login" | "log in" | "sign in" | "sign up" | "register" | "create account" | "my account" | "subscribe" | "anmelden" | "registrieren" | "einloggen" | "connexion" | "se connecter" | "iniciar sesión" | "entrar" | "войти" | "登录" | "注册" | "ログイン" | "로그인"
        | "share" | "tweet" | "facebook" | "twitter" | "linkedin" | "reddit" | "whatsapp" | "pinterest" | "instagram" | "youtube" | "email" | "e-mail" | "print" | "rss" | "share on facebook" | "share on twitter" | "share on linkedin" | "share on x" | "mastodon" | "bluesky" | "weibo" | "wechat"
        | "advertise" | "advertisement" | "sponsored" | "do not sell my personal information" | "隐私政策" | "プライバシーポリシー" | "add to cart" | "buy now" | "donate" | "copyright");
    let shares = bare.starts_with("share on ") || bare.starts_with("share via ") || bare.starts_with("share this") || bare.starts_with("auf facebook teilen") || bare.starts_with("partager sur") || bare.starts_with("compartir en");
    if legal || shares {
        return Some(82);
    }
    // A picture that leads elsewhere and asks not to be followed.
    (link.rel.has(Rel::NOFOLLOW) && lower.is_empty()).then_some(60)
}

/// Whether it leads to the previous or next of a sequence; how sure that is, in per cent.
fn sequence(view: &View<'_>, node: u32, text: &str, lower: &str, around: &str) -> Option<u8> {
    let boxed = view
        .outline
        .up(node)
        .take(4)
        .any(|node| view.outline.nodes[node as usize].hints.any(Hints::SEQUENCE) && view.node_text(node) < 800);
    if is_sequence_word(lower) {
        return Some(if boxed { 95 } else { 86 });
    }
    let arrow = text.starts_with(['←', '→', '‹', '›', '«', '»', '⟵', '⟶', '◀', '▶', '❮', '❯', '⇐', '⇒'])
        || text.ends_with(['→', '›', '»', '⟶', '▶', '❯', '⇒']);
    if arrow && text.chars().count() > 1 && !lower.contains("more") && text.len() < 300 {
        return Some(if boxed { 92 } else { 70 });
    }
    if boxed {
        return Some(80);
    }
    // "Next article: <a>Title</a>"
    if !around.is_empty() && around.len() < 400 && around.len() > text.len() {
        let lower = around.to_lowercase();
        let start = lower.split([':', '：', '→', '←', '»', '«', '›', '‹', '|']).next().unwrap_or_default();
        if start.len() < 40 && is_sequence_word(start) {
            return Some(78);
        }
    }
    None
}

#[rustfmt::skip]
fn is_sequence_word(lower: &str) -> bool {
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    static WORDS: Lexicon<512> = Lexicon::new(&[
        "next", "previous", "prev", "older", "newer", "older posts", "newer posts", "next page", "previous page", "next article", "previous article", "next paper", "previous paper", "next chapter", "previous chapter", "next issue", "previous issue",
        "next volume", "previous volume", "next record", "previous record", "next item", "previous item", "prev article", "prev page", "next in issue", "previous in issue", "earlier", "later", "next entry", "previous entry", "following article", "preceding article", "next work", "previous work", "next story", "previous story", "next book", "previous book", "first page", "last page",
        "weiter", "zurück", "nächster artikel", "vorheriger artikel", "nächste seite", "vorherige seite", "nächste", "vorherige", "nächster", "vorheriger", "suivant", "précédent", "article suivant", "article précédent", "siguiente", "anterior", "artículo siguiente", "artículo anterior", "próximo", "successivo", "precedente",
        "volgende", "vorige", "nästa", "föregående", "neste", "forrige", "næste", "następny", "poprzedni", "další", "předchozí", "následující článek", "předchozí článek", "następny artykuł", "poprzedni artykuł", "volgend artikel", "vorig artikel", "nästa artikel", "föregående artikel", "próximo artículo", "artigo anterior", "articolo successivo", "articolo precedente", "sonraki", "önceki", "следующая", "предыдущая", "следующий", "предыдущий", "следующая статья", "предыдущая статья", "次へ", "前へ", "下一篇", "上一篇", "下一页",
        "上一页", "次の論文", "前の論文", "次の記事", "前の記事", "下一期", "上一期", "다음", "이전", "التالي", "السابق", "próximo artigo",
    ]);
    WORDS.has(bare)
        || ((bare.starts_with("next ") || bare.starts_with("previous ") || bare.starts_with("prev ")) && bare.len() < 30)
}

/// A box that holds nothing but short links.
fn is_menu_box(view: &View<'_>, node: u32) -> bool {
    let list = view.outline.up(node).take(6).find(|node| {
        matches!(
            view.outline.nodes[*node as usize].tag,
            Tag::Ul | Tag::Ol | Tag::Table | Tag::Td | Tag::Div | Tag::Section | Tag::P
        ) && view.node_text(*node) > 0
            && {
                let (text, linked) = (view.node_text(*node), view.node_linked(*node));
                let (from, to) = view.outline.nodes[*node as usize].runs;
                to - from >= 4 && linked * 10 >= text * 9 && text / (to - from) < 24
            }
    });
    list.is_some_and(|list| list != NONE)
}

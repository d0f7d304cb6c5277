//! What a page is: about one article, about one book, a list of works, or none of these.
//!
//! Each type collects points; abstract and keywords weigh most in telling articles from books, for articles have them and books
//! do not (paper 001). The type with the most points wins if it has [`ENOUGH`]. A page that is called by
//! the name of one of its authors is theirs, and lists what they wrote. Cost: linear in the blocks.

use groma_model::{BlockKind, PageType};

use super::Gathered;
use super::hints::Hints;
use super::items::{self, Cut};
use super::listing::Listing;
use super::names;
use super::outline::{NONE, Run};
use super::people;
use super::phrases::Phrases;
use super::sections::Sections;
use super::spot::Spot;
use super::view::View;
use super::wording::{self, Label, Shelf};

/// Points without which a page is none of them.
const ENOUGH: i32 = 30;
/// Bytes of a block that is surely running text.
const RUNNING: usize = 180;
/// Bytes of running text that say more than a list after them.
const PROSE: usize = 350;
/// Points that works lose on the page of a person.
const PERSON: i32 = 40;
/// Blocks whose words are looked at: what a page is stands at its start or under its headings.
const LOOKED_AT: usize = 1500;

/// The type of a page, and how sure we are in per cent.
pub(crate) fn detect_page_type(
    view: &View<'_>,
    sections: &Sections,
    listing: &Listing,
    found: &Gathered,
) -> (PageType, u8) {
    let evidence = Evidence::read(view, sections, listing, found);
    let (mut article, mut book, mut list) = (evidence.article(), evidence.book(), evidence.list());
    if is_of_person(view, sections, found) {
        article -= PERSON;
        book -= PERSON;
        list = list.max(ENOUGH) + i32::from(evidence.facts.links > 1) * 10;
    }
    let mut ranked = [(PageType::Article, article), (PageType::Book, book), (PageType::List, list)];
    ranked.sort_by_key(|(_, points)| -points);
    let (best, second) = (ranked[0], ranked[1].1.max(ENOUGH / 2));
    if best.1 < ENOUGH {
        return (PageType::Other, (50 + (ENOUGH - best.1).clamp(0, 40)) as u8);
    }
    (best.0, (50 + (best.1 - second).clamp(0, 47)) as u8)
}

/// What speaks for one type or another.
struct Evidence<'a> {
    facts: Facts,
    listing: &'a Listing,
    found: &'a Gathered,
    declared: Option<PageType>,
    has_authors: bool,
    sure_authors: bool,
    has_keywords: bool,
    /// How sure the abstract is, if there is one, and the keywords.
    summary: Option<u8>,
    keywords: Option<u8>,
    /// Lines of names that are those of entries.
    bylines: usize,
}

/// Points by how sure something is.
fn sure(confidence: Option<u8>, low: i32, high: i32) -> i32 {
    match confidence {
        Some(75..) => high,
        Some(55..) => (low + high) / 2,
        Some(_) => low,
        None => 0,
    }
}

impl<'a> Evidence<'a> {
    fn read(view: &View<'_>, sections: &Sections, listing: &'a Listing, found: &'a Gathered) -> Evidence<'a> {
        // Names beside the entries of a list wrote those, not this, unless they stand right under the title.
        let title_block = found.title.as_ref().and_then(|spot| spot.blocks.first().copied());
        let under_title = |line: u32| {
            title_block.is_some_and(|title| {
                (title + 1..title + 4).contains(&line)
                    && (title + 1..line).all(|between| view.link_share(between as usize) < 50)
            })
        };
        let bylines: Vec<u32> = listing.bylines.iter().copied().filter(|line| !under_title(*line)).collect();
        let own = |spot: &&Spot| !spot.blocks.iter().any(|block| bylines.binary_search(block).is_ok());
        let author = found.authors.iter().find(own);
        Evidence {
            facts: facts(view, sections, listing),
            listing,
            found,
            declared: found.declared.page_type,
            has_authors: author.is_some(),
            sure_authors: author.is_some_and(|spot| spot.confidence >= 66),
            has_keywords: !found.keywords.is_empty(),
            summary: found.summary.as_ref().map(|spot| spot.confidence),
            keywords: found.keywords.first().map(|spot| spot.confidence),
            bylines: bylines.len(),
        }
    }

    fn article(&self) -> i32 {
        let Evidence { facts, found, declared, .. } = self;
        let mut points = sure(self.summary, 6, 38) + sure(self.keywords, 4, 18);
        points += if self.has_authors { 8 } else { -8 };
        points += 6 * i32::from(!found.affiliations.is_empty())
            + 3 * i32::from(found.title.is_some())
            + facts.article.min(14);
        points += if *declared == Some(PageType::Article) { 35 } else { 0 };
        points + 10 * i32::from(found.declared.cited && *declared != Some(PageType::Book))
    }

    fn book(&self) -> i32 {
        let mut points =
            self.facts.book.min(42) + 5 * i32::from(self.has_authors) + 2 * i32::from(self.found.title.is_some());
        points += if self.declared == Some(PageType::Book) { 42 } else { 0 };
        points - sure(self.summary, 2, 16) - if self.has_keywords { 6 } else { 0 }
    }

    fn list(&self) -> i32 {
        let Evidence { facts, listing, summary, .. } = self;
        let mut points = 0;
        if listing.entries >= 3 {
            points = 14
                + (listing.share as i32 * 3 / 10)
                + (listing.entries.min(20) as i32 / 2)
                + i32::from(listing.words >= 40) * 6;
            points += 8 * i32::from(facts.list);
        }
        // A page of links without running text lists something, however short the list is.
        let title = self.found.title.as_ref().map_or("", |spot| spot.text.as_str());
        let numbered = title.trim_end_matches(|c: char| !c.is_alphanumeric()).ends_with(|c: char| c.is_ascii_digit());
        if !facts.running && (!self.sure_authors || numbered) && summary.is_none() && facts.book < 10 && facts.links > 0
        {
            points = points.max(22) + 10 + 6 * i32::from(numbered);
        }
        let shelf = shelf(title);
        points += 12 * shelf * i32::from(listing.entries > 0 || facts.links > 0);
        // Entries with names, however few: nothing else has titles that are links and names beside them.
        if self.bylines > 0 && summary.is_none_or(|sure| sure < 75) && !self.has_keywords {
            points = points.max(14) + 10 * self.bylines.min(3) as i32;
        }
        // Paragraphs before a short list are what the page is for.
        points -= 25 * i32::from(facts.before >= PROSE && listing.entries <= 12 && shelf == 0);
        points += if self.declared == Some(PageType::List) { 20 } else { 0 };
        points -= sure(*summary, 4, 34) + if self.declared == Some(PageType::Article) { 30 } else { 0 };
        let books = match self.declared {
            Some(PageType::Book) => 25,
            _ => (facts.book - 8).clamp(0, if self.sure_authors || facts.one_isbn { 40 } else { 18 }),
        };
        points - books
    }
}

/// Does the way to the page go by the books? A menu goes by the journals too.
fn among_books(view: &View<'_>) -> bool {
    view.ways.iter().any(|way| {
        let inside = |node: &u32| view.is_inside(*node, *way);
        let links = view.page.links.iter().zip(&view.outline.links).filter(|(_, node)| inside(node));
        let shelves: Vec<Shelf> = links.filter_map(|(link, _)| wording::shelf_of(&link.text)).collect();
        shelves.contains(&Shelf::Books) && !shelves.contains(&Shelf::Journals)
    })
}

/// How much a title is that of a volume or an issue: it has words for them with numbers.
fn shelf(title: &str) -> i32 {
    const WORDS: [&str; 34] = [
        "volume",
        "vol",
        "volumen",
        "band",
        "bd",
        "jahrgang",
        "jg",
        "tome",
        "ročník",
        "rocznik",
        "årgang",
        "årgång",
        "том",
        "卷",
        "巻",
        "권",
        "issue",
        "no",
        "number",
        "heft",
        "ausgabe",
        "nummer",
        "nr",
        "numéro",
        "número",
        "núm",
        "numero",
        "číslo",
        "zeszyt",
        "номер",
        "выпуск",
        "期",
        "号",
        "호",
    ];
    let lower = title.to_lowercase();
    // "Volume 3", "Vol. 3", "第3卷".
    let told = |word: &&&str| {
        lower.match_indices(**word).take(4).any(|(at, _)| {
            let apart = word.chars().all(|c| !c.is_ascii()) || !lower[..at].ends_with(char::is_alphabetic);
            let after = lower[at + word.len()..].trim_start_matches(['.', ' ', '°']);
            let before = lower[..at].trim_end();
            apart && (after.starts_with(|c: char| c.is_ascii_digit()) || before.ends_with(|c: char| c.is_ascii_digit()))
        })
    };
    i32::from(WORDS[..16].iter().any(|word| told(&word))) + i32::from(WORDS[16..].iter().any(|word| told(&word)))
}

/// Is it the page of a person: the title is a name, and a line of names has it too?
fn is_of_person(view: &View<'_>, sections: &Sections, found: &Gathered) -> bool {
    let declared = found.declared.page_type.is_some_and(|kind| kind != PageType::List);
    let Some(title) = found.title.as_ref().filter(|title| !declared && people::is_name(&title.text)) else {
        return false;
    };
    let name = people::clean(&title.text);
    let bears = |block: usize| {
        let text = view.block_text(block);
        view.is_body(block)
            && text.contains(&title.text)
            && !title.blocks.contains(&(block as u32))
            && !sections.is_heading(block)
            && !matches!(sections.label(block), Some(Label::Keywords | Label::Subjects))
            && !view.blocks[block].within.any(Hints::NAVIGATION.with(Hints::KEYWORD).with(Hints::HEADER))
            && !view.is_trail(block)
            && names::byline(view, block)
            && items::split_items(view, block, 0, Cut::Names).iter().any(|item| people::clean(&item.text) == name)
    };
    (0..view.blocks.len().min(LOOKED_AT)).any(bears)
}

#[derive(Default)]
struct Facts {
    article: i32,
    book: i32,
    list: bool,
    /// There is a paragraph of running text.
    running: bool,
    /// Blocks with links, outside of menus.
    links: usize,
    /// Bytes of running text before the list.
    before: usize,
    /// There is an ISBN, and there are not many.
    one_isbn: bool,
}

/// What a book or a chapter is called where the kind of the work is told.
#[rustfmt::skip]
fn is_book_kind(lower: &str) -> bool {
    let kind = lower.rsplit([':', '：']).next().unwrap_or_default();
    matches!(kind.trim_matches(|c: char| !c.is_alphabetic()),
        "chapter" | "book" | "book chapter" | "book section" | "monograph" | "edited book" | "textbook" | "handbook" | "buch" | "kapitel" | "buchkapitel" | "monographie" | "sammelband" | "livre" | "chapitre" | "chapitre d'ouvrage" | "ouvrage" | "ouvrages" | "libro" | "capítulo" | "capítulo de libro" | "livro" | "capítulo de livro" | "capitolo" | "kniha" | "kapitola" | "książka" | "rozdział" | "книга" | "глава" | "глава в книге" | "монография" | "图书" | "专著" | "章节" | "書籍" | "図書" | "단행본")
}

/// Kinds of words that speak for or against a book, as bits.
const ISBN: u32 = 1;
const CHAPTER: u32 = 1 << 1;
const BINDING: u32 = 1 << 2;
const EDITION: u32 = 1 << 3;
const PAGES: u32 = 1 << 4;
const JOURNAL: u32 = 1 << 5;
const BOOKISH: u32 = 1 << 6;
const MONOGRAPH: u32 = 1 << 7;
const DOI: u32 = 1 << 8;
const DATES: u32 = 1 << 9;
const CITE: u32 = 1 << 10;
const FULL_TEXT: u32 = 1 << 11;
const LIST: u32 = 1 << 12;

/// Where it is noted that a kind was seen, and what it tells of a book or an article.
const BOOK: [(usize, u32, i32); 4] = [(4, BINDING, 8), (5, EDITION, 5), (7, BOOKISH, 6), (8, MONOGRAPH, 3)];
const ARTICLE: [(usize, u32, i32); 4] = [(9, DOI, 5), (10, DATES, 4), (11, CITE, 4), (12, FULL_TEXT, 3)];

/// Words that articles, books and lists carry. What stands in two kinds stands here twice.
#[rustfmt::skip]
static WORDS: Phrases<109> = Phrases::new(&[
    (ISBN, &["isbn"]),
    (CHAPTER, &[
        "chapter of", "part of the book", "book chapter", "chapter in", "in the book", "kapitel aus", "kapitel des", "chapitre d", "capítulo de", "capitolo d", "kapitola z", "rozdział z", "глава из", "глава книги",
        "图书章节", "所属图书", "収録書", "収録図書", "from the book", "in book", "book title", "buchtitel", "titre de l'ouvrage", "título del libro", "título do livro",
    ]),
    (BINDING, &["hardcover", "hardback", "paperback", "softcover", "e-book", "ebook", "gebunden", "taschenbuch", "broché", "relié", "tapa dura", "tapa blanda", "精装", "平装"]),
    (EDITION, &[" edition", "auflage", "édition ", "edición", "издание", "版次", "第1版", "第2版"]),
    (PAGES, &["number of pages", "seitenzahl", "nombre de pages", "número de páginas", "页数", " pp.", " pages"]),
    (JOURNAL, &["doi", "vol"]),
    (BOOKISH, &["table of contents", "about this book", "about the book", "buy this book", "chapter 1", "kapitel 1", "chapitre 1"]),
    (MONOGRAPH, &["monograph", "textbook", "lehrbuch", "handbook", "monographie"]),
    (DOI, &["doi.org/10.", "doi:10.", "doi: 10.", "doi 10.", "https://doi"]),
    (DATES, &["received", "accepted", "eingegangen", "reçu", "recibido", "收稿", "受理"]),
    (CITE, &["cite this article", "how to cite", "cite as", "zitieren", "comment citer", "cómo citar", "引用本文"]),
    (FULL_TEXT, &["full text", "download pdf", "view pdf", "pdf (", "volltext", "texte intégral", "全文"]),
    (LIST, &[
        "search results", "results for", "showing ", "suchergebnisse", "résultats", "resultados", "检索结果", "検索結果", "publications by", "articles by", "in this issue", "table of contents", "works by", "papers by",
    ]),
]);

/// What the words of the blocks tell.
fn facts(view: &View<'_>, sections: &Sections, listing: &Listing) -> Facts {
    let mut facts = Facts::default();
    let mut seen = [false; 16];
    let mut isbns = 0;
    let mut once = |at: usize, points: i32| {
        let fresh = !std::mem::replace(&mut seen[at], true);
        if fresh { points } else { 0 }
    };
    for block in 0..view.blocks.len() {
        if !view.is_body(block)
            || view.blocks[block].within.any(Hints::NAVIGATION.with(Hints::RELATED).with(Hints::FOOTER))
            || super::sections::is_aside(sections.label(block))
        {
            continue;
        }
        let text = view.block_text(block);
        if sections.is_heading(block) && text.len() <= 400 {
            match sections.over(block).and_then(|section| section.label) {
                Some(Label::Blurb) => facts.book += once(0, 10),
                Some(Label::References) => facts.article += once(1, 4),
                Some(Label::Contents) => {
                    let text = text.to_lowercase();
                    if ["chapter", "table of contents", "kapitel", "inhalt", "chapitre", "capítulo", "目录", "目次"]
                        .iter()
                        .any(|word| text.contains(word))
                    {
                        facts.book += once(2, 8);
                    } else {
                        facts.list = true;
                    }
                }
                _ => {}
            }
        }
        let running = text.len() >= RUNNING && view.link_share(block) < 40;
        facts.running |= running;
        if running && listing.first.is_none_or(|first| (block as u32) < first) {
            facts.before += text.len();
        }
        let aside = view.blocks[block].within.any(Hints::OUTSIDE.with(Hints::HEADER));
        facts.links += usize::from(view.link_share(block) >= 20 && !aside && view.kind(block) != BlockKind::Navigation);
        if text.len() > 400 || block > LOOKED_AT {
            continue;
        }
        let lower = text.to_lowercase();
        let kinds = WORDS.kinds(&lower);
        let has = |kind: u32| kinds & kind != 0;
        // In the title of a review it is another's.
        let plain = |run: &&Run| run.link == NONE && view.run_text(run).to_lowercase().contains("isbn");
        if has(ISBN) && view.runs(block).iter().any(|run| plain(&run)) {
            isbns += 1;
            facts.book += once(3, 26);
        }
        if text.len() < 200 && (has(CHAPTER) || lower.starts_with("chapter ·") || is_book_kind(&lower)) {
            facts.book += once(13, 12);
        }
        for (at, kind, points) in BOOK {
            facts.book += if has(kind) { once(at, points) } else { 0 };
        }
        facts.book += if has(PAGES) && !has(JOURNAL) { once(6, 3) } else { 0 };
        for (at, kind, points) in ARTICLE {
            facts.article += if has(kind) { once(at, points) } else { 0 };
        }
        facts.list |= block < 60 && has(LIST);
    }
    facts.book += if seen[3] && facts.list { 8 } else { 0 };
    facts.book += 24 * i32::from(among_books(view));
    facts.one_isbn = (1..4).contains(&isbns);
    let title = view.page.title.to_lowercase();
    facts.list |= ["volume", "issue", "vol.", "proceedings", "search", "results", "heft", "band "]
        .iter()
        .any(|word| title.contains(word));
    facts
}

//! The words that pages put over or before their parts, in the languages of many publishers.
//!
//! A label is a text that says what follows: a heading, a cell before a cell, the bold start of a paragraph. It is compared
//! whole: small letters, without numbers, brackets, colons and other marks at its ends. Cost: one look-up in a table of about
//! three hundred words, sorted at first use by nobody: the compiler makes it a decision tree.

use super::keywords::labels;
use super::lexicon;
use super::phrases::Phrases;

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Abstract,
    Keywords,
    /// Subjects, topics, tags: the work's keywords or the site's own.
    Subjects,
    /// Codes of a classification.
    Codes,
    Authors,
    /// Where the authors work.
    Affiliation,
    /// The title (of a table of fields).
    Title,
    Related,
    /// The works that are cited.
    References,
    Comments,
    /// What is in a book or an issue.
    Contents,
    /// What a book is about: what is no abstract.
    Blurb,
    /// Sharing, tools, legal notices.
    Noise,
    /// Anything else that ends what came before: introduction, volume, DOI, dates.
    Other,
}

/// What a library keeps apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shelf {
    Books,
    Journals,
}

/// Longest label, in bytes.
const LONGEST: usize = 60;

/// What a text announces, if it is a label and nothing else; it may say so in two languages, or with a note in brackets.
pub(crate) fn label(text: &str) -> Option<Label> {
    let text = bare(text);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let mut room = [0; lexicon::WORD];
    let lower = lexicon::lower(text, &mut room);
    label_from_phrase(&lower)
        .or_else(|| {
            let first = lower.split(['/', '|', '(', '（', '・', '·']).next().unwrap_or_default().trim();
            if !first.is_empty() && first.len() < lower.len() {
                label_from_phrase(first)
            } else {
                closed_up(&lower).and_then(|text| label_from_phrase(&text))
            }
        })
        .or_else(|| labels::label(&lower))
}

/// "k e y w o r d s" is keywords.
fn closed_up(text: &str) -> Option<String> {
    let spaced = text.len() > 8 && text.split(' ').all(|part| part.chars().count() == 1);
    spaced.then(|| text.replace(' ', ""))
}

/// A text without the marks and numbers at its ends.
pub(crate) fn bare(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| {
        c.is_ascii_digit()
            || matches!(c, '.' | ')' | '(' | '#' | '[' | '【' | '〔' | '［' | '▼' | '▾' | '▸' | '+' | '•')
            || c.is_whitespace()
    });
    text.trim_end_matches(|c: char| {
        matches!(
            c,
            ':' | '：'
                | '.'
                | '…'
                | '—'
                | '–'
                | '-'
                | ']'
                | '】'
                | '〕'
                | '］'
                | '('
                | ')'
                | '▼'
                | '▾'
                | '▸'
                | '+'
                | '>'
                | '»'
                | '|'
        ) || c.is_whitespace()
    })
}

#[rustfmt::skip]
fn label_from_phrase(text: &str) -> Option<Label> {
    Some(match text {
        "abstract" | "abstracts" | "summary" | "article summary" | "paper abstract" | "abstract of the paper" | "the abstract" | "short abstract" | "structured abstract"
        | "graphical abstract" | "plain language summary" | "synopsis" | "description abstract" | "dc.description.abstract" | "abstract/summary"
        | "zusammenfassung" | "kurzfassung" | "abstrakt" | "résumé" | "resumé" | "resume" | "resumen" | "resumo" | "riassunto" | "sommario"
        | "samenvatting" | "sammanfattning" | "sammendrag" | "sammenfatning" | "tiivistelmä" | "streszczenie" | "souhrn" | "abstrakt (en)" | "összefoglalás" | "rezumat"
        | "sažetak" | "özet" | "öz" | "аннотация" | "реферат" | "анотація" | "резюме" | "περίληψη" | "摘要" | "内容摘要" | "中文摘要" | "英文摘要" | "抄録" | "要旨" | "要約" | "概要" | "초록" | "요약"
        | "الملخص" | "ملخص" | "چکیده" | "תקציר" | "abstrak" | "tóm tắt" | "บทคัดย่อ" | "abstract (english)" | "english abstract" | "抽象" => Label::Abstract,
        "keywords" | "keyword" | "key words" | "author keywords" | "index terms" | "index term" | "subject terms" | "keywords and phrases" | "key phrases"
        | "article keywords" | "uncontrolled keywords" | "keywords (en)" | "keyword(s)" | "key word" | "subject keywords" | "free keywords" | "keyword list" | "list of keywords" | "keywords plus" | "palabras-clave" | "descriptores" | "descritores" | "palavras-chaves" | "parole-chiave" | "słowa klucze" | "hasła przedmiotowe" | "schlagwort" | "stichwort" | "freie schlagwörter" | "schlüsselbegriffe" | "mot-clé" | "mots-clés libres" | "主题词" | "主題詞" | "關鍵字詞" | "ключевые слова и фразы" | "キーワード（著者）" | "dc.subject" | "mesh terms" | "ieee keywords" | "author-supplied keywords" | "subject headings"
        | "schlüsselwörter" | "schlagwörter" | "schlagworte" | "stichwörter" | "stichworte" | "schlüsselworte" | "mots-clés" | "mots clés" | "mots clefs" | "mots-clefs" | "mots-clé" | "palabras clave" | "palabras claves" | "palavras-chave"
        | "palavras chave" | "parole chiave" | "trefwoorden" | "sleutelwoorden" | "nyckelord" | "nøkkelord" | "emneord" | "nøgleord" | "avainsanat" | "asiasanat" | "słowa kluczowe" | "klíčová slova" | "kľúčové slová" | "kulcsszavak"
        | "cuvinte cheie" | "ključne riječi" | "ključne reči" | "ključne besede" | "anahtar kelimeler" | "anahtar sözcükler" | "ключевые слова" | "ключові слова" | "ключови думи" | "λέξεις κλειδιά" | "λέξεις-κλειδιά" | "关键词" | "关键字" | "關鍵詞" | "關鍵字" | "キーワード" | "索引用語" | "키워드" | "주제어" | "핵심어"
        | "الكلمات المفتاحية" | "كلمات مفتاحية" | "کلیدواژه‌ها" | "کلمات کلیدی" | "מילות מפתח" | "kata kunci" | "từ khóa" | "คำสำคัญ" => Label::Keywords,
        "topics" | "topic" | "subjects" | "subject" | "tags" | "tag" | "terms" | "descriptors" | "general terms" | "subject areas" | "subject area" | "subject area(s)" | "research topics" | "research areas" | "fields of study" | "concepts" | "themes" | "article topics" | "paper topics" | "subject categories" | "tagged" | "tagged with" | "tagged as" | "tagged in" | "filed under" | "filed in" | "classified under" | "subject matter" | "areas of interest" | "subject classification" | "controlled terms" | "controlled indexing" | "controlled vocabulary" | "non-controlled indexing" | "substances"
        | "thema" | "themen" | "sachgebiete" | "sachgebiet" | "fachgebiete" | "themengebiete" | "sujet" | "sujets" | "thème" | "thèmes" | "thématique" | "thématiques" | "disciplines" | "étiquettes" | "materia" | "materias" | "tema" | "temas" | "etiquetas" | "áreas temáticas" | "assunto" | "assuntos" | "tópicos" | "argomento" | "argomenti" | "soggetti" | "onderwerp" | "onderwerpen" | "ämne" | "ämnen" | "ämnesord" | "emne" | "emner" | "aihe" | "aiheet" | "temat" | "tematy" | "témata" | "předmět" | "konu" | "konular" | "etiketler" | "тематика" | "тема" | "темы" | "предметные рубрики" | "рубрики" | "теги" | "метки" | "主题" | "主題" | "学科" | "標籤" | "标签" | "分野" | "件名" | "タグ" | "주제" | "태그" => Label::Subjects,
        "authors" | "author" | "author(s)" | "by" | "written by" | "author list" | "creators" | "creator" | "dc.contributor.author" | "contributors" | "autoren" | "autor" | "autorinnen und autoren" | "verfasser" | "von" | "auteurs" | "auteur" | "par" | "autores" | "autor(es)" | "por" | "autori" | "autore"
        | "auteur(s)" | "författare" | "forfattere" | "tekijät" | "autorzy" | "autoři" | "szerzők" | "yazarlar" | "авторы" | "автор" | "автори" | "作者" | "著者" | "저자" | "المؤلفون" | "نویسندگان" | "penulis" | "tác giả" => Label::Authors,
        "affiliation" | "affiliations" | "author affiliations" | "authors and affiliations" | "author affiliation" | "author information" | "authors information" | "authors' affiliations" | "institution" | "institutions" | "author details" | "about the authors" | "authors info & affiliations" | "authors & affiliations" | "organization" | "organisations" | "organisation" | "organizations" | "from" | "show affiliations" | "author info" | "addresses"
        | "institut" | "institute" | "institutionen" | "zugehörigkeit" | "zugehörigkeiten" | "adressen" | "affiliationen" | "angaben zu den autoren" | "autoren und institutionen" | "institutionelle zugehörigkeit" | "affiliations des auteurs" | "rattachement" | "adresse" | "afiliación" | "afiliaciones" | "filiación" | "instituciones" | "afiliação" | "afiliações" | "affiliazione" | "affiliazioni" | "afiliacje" | "место работы" | "организации" | "аффилиация" | "作者单位" | "作者單位" | "单位" | "機構" | "机构" | "所属" | "所属機関" | "所属情報" | "author's affiliation" | "authors' affiliation" | "authors affiliation" | "authors affiliations" | "affiliation(s)" | "author addresses" | "authors' addresses" | "address(es)" | "institutional affiliation" | "institutional affiliations" | "autorenadressen" | "anschriften der autoren" | "anschrift der autoren" | "anschriften" | "institutionszugehörigkeit" | "adresses des auteurs" | "institution de rattachement" | "filiation" | "adscripción" | "adscripción institucional" | "instituição" | "instituições" | "filiação" | "vínculo institucional" | "pracoviště" | "pracoviště autorů" | "působiště autorů" | "afiliacja" | "afiliacja autorów" | "сведения об авторах" | "информация об авторах" | "об авторах" | "места работы авторов" | "kurum" | "kurumlar" | "第一作者单位" | "作者机构" | "作者簡介" | "著者所属" | "소속" => Label::Affiliation,
        "title" | "titel" | "titre" | "título" | "titolo" | "题名" | "標題" | "标题" | "タイトル" | "論文名" | "название" | "dc.title" | "제목" => Label::Title,
        "related" | "related articles" | "related article" | "related papers" | "related works" | "related content" | "related work(s)" | "related documents" | "related publications" | "related research" | "related reading" | "related stories" | "related news" | "related posts" | "related links" | "related topics" | "related items" | "related resources" | "related books" | "related titles" | "related chapters" | "related coverage" | "similar articles" | "similar papers" | "similar works" | "similar documents" | "similar content" | "similar items" | "similar books" | "similar" | "see also"
        | "recommended" | "recommended articles" | "recommended for you" | "recommendations" | "recommended reading" | "recommended papers" | "recommended content" | "suggested articles" | "suggested reading" | "suggestions" | "you may also like" | "you might also like" | "you may like" | "you might like" | "you may also be interested in" | "more like this" | "more from this author" | "more by these authors" | "more articles" | "more stories" | "more news" | "more on this" | "more on this topic" | "more on this story" | "read more" | "read next" | "further reading" | "also read" | "read also" | "what to read next" | "most read" | "most popular" | "popular" | "trending" | "trending now" | "latest news" | "latest stories" | "latest articles" | "recent posts" | "recent articles" | "top stories" | "editor's picks" | "cited by" | "citing articles" | "cited in" | "articles citing this article" | "people also read" | "others also viewed" | "customers also viewed" | "readers also enjoyed" | "also of interest" | "keep reading" | "up next" | "don't miss" | "more from" | "other articles" | "other papers in this session" | "papers on similar topics" | "works on the same topic" | "from the same author" | "articles you may like" | "continue reading" | "neighbouring papers" | "elsewhere in the library" | "on the same topic" | "explore further" | "explore more"
        | "ähnliche artikel" | "ähnliche beiträge" | "ähnliche arbeiten" | "ähnliche titel" | "ähnliche publikationen" | "verwandte artikel" | "verwandte arbeiten" | "verwandte beiträge" | "verwandte themen" | "siehe auch" | "weitere artikel" | "mehr zum thema" | "lesen sie auch" | "auch interessant" | "das könnte sie auch interessieren" | "empfohlene artikel" | "empfehlungen" | "zitiert von" | "weiterführende literatur"
        | "articles similaires" | "articles connexes" | "articles liés" | "voir aussi" | "à lire aussi" | "lire aussi" | "sur le même sujet" | "travaux similaires" | "documents similaires" | "cité par" | "articles recommandés" | "dans la même rubrique"
        | "artículos relacionados" | "artículos similares" | "relacionados" | "noticias relacionadas" | "trabajos relacionados" | "véase también" | "ver también" | "te puede interesar" | "le puede interesar" | "citado por" | "recomendados"
        | "artigos relacionados" | "artigos similares" | "notícias relacionadas" | "posts relacionados" | "veja também" | "leia também" | "leia mais" | "você pode gostar" | "você também pode gostar" | "trabalhos relacionados" | "articoli correlati" | "articoli simili" | "vedi anche" | "leggi anche" | "potrebbe interessarti" | "gerelateerde artikelen" | "zie ook" | "lees ook" | "relaterade artiklar" | "läs också" | "relaterte artikler" | "powiązane artykuły" | "podobne artykuły" | "zobacz także" | "czytaj także" | "související články" | "benzer makaleler" | "ilgili makaleler"
        | "похожие статьи" | "связанные статьи" | "смотрите также" | "см. также" | "читайте также" | "рекомендуем" | "相关文章" | "相关文献" | "相關文章" | "相似文献" | "相似文章" | "推荐阅读" | "推荐文章" | "参考阅读" | "引证文献" | "被引文献" | "延伸閱讀" | "関連記事" | "関連論文" | "関連文献" | "類似論文" | "こちらもおすすめ" | "被引用文献" | "관련 논문" | "관련 기사" | "유사 논문" | "مقالات ذات صلة" | "مقالات مرتبط" | "artikel terkait" | "bài viết liên quan" => Label::Related,
        "references" | "bibliography" | "works cited" | "literature cited" | "literature" | "cited references" | "reference list" | "notes and references" | "literatur" | "literaturverzeichnis" | "quellen" | "références" | "bibliographie" | "referencias" | "bibliografía" | "referências" | "bibliografia" | "riferimenti" | "литература" | "список литературы" | "参考文献" | "參考文獻" | "引用文献" | "참고문헌" | "kaynakça" | "kaynaklar" | "footnotes" => Label::References,
        "comments" | "comment" | "leave a comment" | "leave a reply" | "post a comment" | "add a comment" | "reader comments" | "discussion board" | "join the conversation" | "join the discussion" | "kommentare" | "kommentar" | "kommentar schreiben" | "commentaires" | "laisser un commentaire" | "comentarios" | "deja un comentario" | "comentários" | "deixe um comentário" | "deixe uma resposta" | "commenti" | "reacties" | "komentarze" | "комментарии" | "评论" | "コメント" | "댓글" | "responses" | "replies" | "conversation" => Label::Comments,
        "contents" | "table of contents" | "chapters" | "in this issue" | "in this book" | "in this volume" | "articles" | "research articles" | "papers" | "list of papers" | "book contents" | "full table of contents" | "chapter list" | "issue contents" | "all issues" | "issues" | "volumes" | "inhalt" | "inhaltsverzeichnis" | "kapitel" | "table des matières" | "chapitres" | "índice" | "capítulos" | "indice" | "capitoli" | "содержание" | "оглавление" | "главы" | "目录" | "目錄" | "目次" | "목차" | "sommaire" | "sommaire du numéro" | "dans ce numéro" | "sumário" | "sumario" | "obsah" | "obsah čísla" | "spis treści" | "innehåll" | "indhold" | "innhold" | "inhoud" | "sisällys" | "tartalom" | "cuprins" | "sadržaj" | "içindekiler" | "зміст" | "本期目录" | "目录浏览" | "mục lục" | "daftar isi" | "included chapters" | "chapters in this book" | "all chapters" | "has parts" | "search results" | "results" | "publications" | "works" => Label::Contents,
        "about this book" | "about the book" | "book description" | "description" | "overview" | "about this title" | "product description" | "book overview" | "about this chapter" | "publisher description" | "editorial reviews" | "über dieses buch" | "über das buch" | "beschreibung" | "klappentext" | "buchbeschreibung" | "à propos de ce livre" | "présentation" | "présentation de l'éditeur" | "sobre este libro" | "acerca de este libro" | "descripción" | "sobre o livro" | "descrizione" | "о книге" | "内容简介" | "内容紹介" | "本書について" | "本の内容" | "sobre el libro" | "reseña" | "sobre este livro" | "sinopse" | "sinopsis" | "o knize" | "o książce" | "over dit boek" | "om boken" | "il libro" | "kitap hakkında" | "图书简介" | "à propos du livre" | "résumé du livre" | "book summary" | "book abstract" | "책 소개" => Label::Blurb,
        "trending searches" | "popular searches" | "trending topics" | "popular topics" | "popular tags" | "hot topics" | "top searches" | "most searched" | "tag cloud" | "browse by subject" | "browse by topic" | "browse subjects" | "browse topics" | "all topics" | "all subjects" | "explore topics" | "share" | "share this" | "share this article" | "share this page" | "follow us" | "connect" | "advertisement" | "advertisements" | "sponsored" | "sponsored content" | "sponsored links" | "promoted" | "promoted content" | "partner content" | "newsletter" | "sign up" | "subscribe" | "sign in" | "log in" | "login" | "export citation" | "cookies" | "cookie settings" | "privacy" | "legal" | "teilen" | "anzeige" | "werbung" | "partager" | "publicité" | "compartir" | "publicidad" | "publicidade" | "anuncio" | "condividi" | "pubblicità" | "реклама" | "reklama" | "reklam" | "annons" | "annonce" | "advertentie" | "hirdetés" | "inzerce" | "iklan" | "поделиться" | "广告" | "分享" | "広告" | "シェア" | "광고" | "paid content" | "from our partners" | "our partners" => Label::Noise,
        "jel classification" | "jel codes" | "jel code" | "jel" | "jel classification codes" | "msc" | "msc codes" | "mathematics subject classification" | "ams subject classification" | "ams subject classifications" | "subject classifications" | "pacs" | "pacs numbers" | "pacs codes" | "ccs concepts" | "udc" | "ddc" | "classification" | "classification codes" | "классификация" | "удк" | "中图分类号" | "分类号" | "clc number" | "clasificación jel" | "código jel" | "classificação jel" | "codes jel" | "classification jel" | "jel-klassifikation" => Label::Codes,
        "introduction" | "background" | "methods" | "results and discussion" | "discussion" | "conclusion" | "conclusions" | "acknowledgements" | "acknowledgments" | "doi" | "volume" | "issue" | "pages" | "page" | "year" | "publisher" | "journal" | "published" | "published online" | "publication date" | "date" | "language" | "editors" | "editor" | "editor(s)" | "isbn" | "issn" | "url" | "pdf" | "venue" | "bibkey" | "cite this article" | "how to cite" | "cite" | "cite as" | "citation" | "citations" | "how to cite this article" | "copyright" | "license" | "rights and permissions" | "metrics" | "article metrics" | "article history" | "history" | "received" | "accepted" | "download" | "downloads" | "full text" | "funding" | "supplementary material" | "supplementary information" | "supporting information" | "figures" | "tables" | "sections" | "section" | "outline" | "highlights" | "article info" | "article information" | "additional information" | "bibliographic information" | "book details" | "details" | "edition" | "series" | "conflict of interest" | "ethics" | "data availability" | "note" | "notes" | "month" | "address" | "anthology id" | "sig" | "corresponding author" | "correspondence" | "contact" | "access" | "open access" | "type" | "document type" | "source" | "collections" | "collection" | "appears in collections" | "files" | "files in this item" | "full item page" | "suggested citation" | "recommended citation" | "article type" | "rights" | "licence" | "identifier" | "identifiers" | "uri"
        | "einleitung" | "einführung" | "seiten" | "jahr" | "verlag" | "zeitschrift" | "band" | "heft" | "ausgabe" | "sprache" | "herausgeber" | "veröffentlicht" | "zitieren" | "schluss" | "danksagung" | "année" | "éditeur" | "revue" | "langue" | "publié" | "citer" | "introducción" | "año" | "editorial" | "revista" | "idioma" | "cómo citar" | "introdução" | "como citar" | "ano" | "引言" | "基金" | "收稿日期" | "はじめに" | "年" | "巻" | "号" | "введение" | "издательство" | "журнал" | "год" => Label::Other,
        _ => return None,
    })
}

/// What links to all books, or all journals, are called.
#[rustfmt::skip]
pub(crate) fn shelf_of(text: &str) -> Option<Shelf> {
    Some(match text.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()) {
        "books" | "book" | "e-books" | "ebooks" | "all books" | "our books" | "monographs" | "bücher" | "e-bücher" | "livres" | "ouvrages" | "libros" | "livros" | "libri" | "boeken" | "böcker" | "bøker" | "bøger" | "kirjat" | "knihy" | "książki" | "könyvek" | "cărți" | "knjige" | "kitaplar" | "книги" | "монографии" | "图书" | "圖書" | "書籍" | "図書" | "도서" => Shelf::Books,
        "journals" | "all journals" | "magazines" | "periodicals" | "zeitschriften" | "revues" | "revistas" | "periódicos" | "riviste" | "tijdschriften" | "tidskrifter" | "tidsskrifter" | "lehdet" | "časopisy" | "czasopisma" | "folyóiratok" | "reviste" | "časopisi" | "dergiler" | "журналы" | "期刊" | "ジャーナル" | "雑誌" | "저널" | "学术期刊" => Shelf::Journals,
        _ => return None,
    })
}

/// What small print is called.
#[rustfmt::skip]
pub(crate) fn is_small_print(text: &str) -> bool {
    matches!(text.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()),
        "privacy" | "privacy policy" | "privacy notice" | "privacy statement" | "terms" | "terms of use" | "terms of service" | "terms and conditions" | "terms & conditions" | "cookie policy" | "cookies" | "legal" | "legal notice" | "imprint" | "disclaimer" | "accessibility" | "accessibility statement"
        | "impressum" | "datenschutz" | "datenschutzerklärung" | "agb" | "nutzungsbedingungen" | "mentions légales" | "confidentialité" | "politique de confidentialité" | "conditions d'utilisation" | "aviso legal" | "política de privacidad" | "términos de uso" | "política de privacidade" | "termos de uso"
        | "note legali" | "informativa sulla privacy" | "privacybeleid" | "integritetspolicy" | "ochrana osobních údajů" | "polityka prywatności" | "политика конфиденциальности" | "пользовательское соглашение" | "隐私政策" | "法律声明" | "利用規約" | "プライバシーポリシー" | "개인정보처리방침" | "이용약관")
}

/// What headings over related works have in them, in any place.
#[rustfmt::skip]
pub(crate) fn is_related(text: &str) -> bool {
    static STEMS: Phrases<51> = Phrases::new(&[(1, &[
        "related article", "related paper", "related item", "related content", "related work", "related publication", "related book", "related document", "similar ", "recommended ", "same subject", "same topic", "same author", "same journal", "on this subject", "on this topic", "also like", "also read", "also view", "also interest", "more like this", "same readers", "you may ", "you might ",
        "ähnliche ", "verwandte ", "zum thema", "sujet proche", "même sujet", "même thème", "même auteur", "proches", "similaires", "connexes", "relacionad", "similares", "mismo tema", "mesmo assunto", "correlati", "související", "podobné", "podobne", "powiązane", "похожие", "близкие по", "схожие", "相关文", "相似", "関連", "類似", "관련",
    ])]);
    STEMS.any(&text.to_lowercase())
}

/// What links to the first page of a site are called.
#[rustfmt::skip]
pub(crate) fn is_home(text: &str) -> bool {
    matches!(text.to_lowercase().trim_matches(|c: char| !c.is_alphanumeric()),
        "home" | "home page" | "homepage" | "main page" | "front page" | "start" | "startseite" | "zur startseite" | "accueil" | "page d'accueil" | "inicio" | "página principal" | "início" | "página inicial" | "pagina iniziale" | "domů" | "domov"
        | "strona główna" | "hem" | "startsida" | "hjem" | "forside" | "etusivu" | "kezdőlap" | "főoldal" | "anasayfa" | "ana sayfa" | "acasă" | "početna" | "naslovnica" | "αρχική" | "главная" | "на главную" | "головна" | "начало"
        | "首页" | "主页" | "首頁" | "ホーム" | "トップ" | "トップページ" | "홈" | "beranda" | "trang chủ" | "หน้าแรก" | "الرئيسية" | "خانه" | "דף הבית")
}

/// A label at the start of a text that goes on: what it announces, and where the rest begins. `first` is how much of the text
/// is set apart (bold, a run of its own); without that a colon, a dash or a full stop has to follow.
pub(crate) fn inline(text: &str, first: usize) -> Option<(Label, usize)> {
    let ends = |c: char| matches!(c, ':' | '：' | '—' | '–' | '.' | '-' | ']' | '】' | '］' | '|' | '．' | '―');
    let start = text.len() - text.trim_start_matches(['[', '【', '［', ' ']).len();
    let limit = floor(text, LONGEST);
    // `-` and `.` inside words and addresses are no ends of labels.
    let real = |at: usize, mark: char| {
        let after = text[start + at + mark.len_utf8()..].chars().next();
        ends(mark) && (!matches!(mark, '-' | '.') || after.is_none_or(|c| c.is_whitespace() || c.is_uppercase()))
    };
    if let Some((at, _)) = text.get(start..limit)?.char_indices().find(|(at, c)| real(*at, *c)) {
        let to = start + at;
        if let Some(label) = label(&text[start..to]) {
            return Some((label, to + rest_from(&text[to..])));
        }
    }
    let first = floor(text, first);
    if first > start
        && first < text.len()
        && let Some(label) = text.get(start..first).and_then(label)
    {
        return Some((label, first + rest_from(&text[first..])));
    }
    // Chinese and Japanese labels may stand without any mark, but with a space.
    let (word, rest) = text.get(start..)?.split_once([' ', '\u{3000}'])?;
    let is_ideographic = word.chars().all(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) && !word.is_empty();
    (is_ideographic && !rest.is_empty()).then(|| label(word)).flatten().map(|label| (label, text.len() - rest.len()))
}

/// How many marks and blanks stand at the start.
fn rest_from(text: &str) -> usize {
    let marks = |c: char| {
        c.is_whitespace()
            || matches!(c, ':' | '：' | '—' | '–' | '.' | '-' | ']' | '】' | '］' | '|' | '．' | '―' | '\u{3000}')
    };
    text.len() - text.trim_start_matches(marks).len()
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

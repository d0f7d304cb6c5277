//! Does this text look like the name of an institution?
//!
//! It holds a word that institutions are called by, in the languages of many of them, or an ending of a company's name. Cost: linear.
//!
//! Not guaranteed: institutions that are called by their own names ("Google", "CERN") are known by their place on the page only.

use std::ops::ControlFlow::{Break, Continue};

use super::lexicon::{self, Lexicon};
use super::phrases::Phrases;

/// Looks like an institution, or a postal address that begins with one.
pub(crate) fn is_institution(text: &str) -> bool {
    if text.len() > 600 {
        return false;
    }
    let wide = [
        "大学",
        "大學",
        "学院",
        "學院",
        "研究所",
        "研究院",
        "研究中心",
        "医院",
        "醫院",
        "公司",
        "実験室",
        "实验室",
        "實驗室",
        "センター",
        "研究室",
        "病院",
        "학교",
        "대학",
        "연구소",
        "연구원",
        "병원",
        "科学院",
        "高校",
        "機構",
        "株式会社",
        "研究科",
        "学部",
        "学校",
        "出版社",
        "中心",
        "大学校",
    ];
    // Letters of China, Japan and Korea begin with these bytes; quotes and accents, which most texts have, with others.
    let is_wide = text.bytes().any(|byte| (0xe3..=0xed).contains(&byte));
    if is_wide && wide.iter().any(|word| text.contains(word)) {
        return true;
    }
    text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '&' && c != '\'').any(is_institution_word)
}

fn is_institution_word(word: &str) -> bool {
    if word.len() < 2 || word.len() > 40 {
        return false;
    }
    let mut room = [0; lexicon::WORD];
    let lower = lexicon::lower(word, &mut room);
    let lower = lower.trim_matches(['.', '\'']);
    CALLED.has(lower)
        || STARTS.begin(lower)
        || ["universität", "institut", "hochschule", "klinikum"].iter().any(|end| lower.ends_with(end))
}

/// What such words begin with.
#[rustfmt::skip]
static STARTS: Phrases<34> = Phrases::new(&[(1, &[
    "depart", "dipart", "sveučil", "univ.", "universi", "univerzit", "uniwersyt", "université", "üniversite", "universität", "università", "yliopisto", "egyetem", "универс", "πανεπιστ", "institut", "instytut",
    "institu", "istitut", "ústav", "инстит", "hochschul", "fachhochschul", "polytech", "politec", "politéc", "politech", "laborat", "akadem", "academ", "facult", "fakult", "hospit", "klinik",
])]);

/// Words that institutions are called by.
#[rustfmt::skip]
static CALLED: Lexicon<1024> = Lexicon::new(&[
    "univ", "dept", "department", "departamento", "département", "dipartimento", "abteilung", "departement", "school", "college", "collège", "centre", "center", "centro", "zentrum", "clinic", "inst", "lab", "labs", "ltd", "inc", "gmbh", "corp", "corporation", "llc", "company", "co", "s.a", "b.v", "foundation", "stiftung", "fondation", "fundación", "society", "council", "ministry", "agency", "museum", "observatory", "bureau", "division", "école", "ecole", "escuela", "escola", "scuola", "cnrs", "inria", "cern", "nasa", "mit", "csic", "cnr", "eth", "epfl", "faculdade", "facultad", "charité", "кафедра", "академия", "research", "lehrstuhl", "survey", "station", "organisation", "organization", "association", "authority", "commission", "consortium", "trust", "consultancy", "consulting", "technologies",
    "laboratories", "hôpital", "ospedale", "policlinico", "szpital", "nemocnice", "sykehus", "sjukhus", "ziekenhuis", "kaisha", "plc", "srl", "pty", "pvt", "limited", "unit", "unité", "unidad", "unidade", "umr", "inserm", "inrae", "nih", "usda", "noaa", "csiro", "enea", "infn", "desy", "campus", "sch", "dep", "hosp", "acad", "herbarium", "library", "bibliothèque", "biblioteca", "archives", "musée", "museo", "museu", "muzeum", "observatoire", "observatorio", "servicio", "serviço", "service", "secretaría", "ministère", "ministerio", "ministério", "empresa", "consejo", "conselho", "centrum", "středisko", "katedra", "wydział", "zakład", "bölümü", "enstitüsü", "okulu", "университет", "институт", "центр", "лаборатория", "отдел", "факультет", "больница", "кафедры", "нии", "фгбу", "фгбоу", "ооо",
]);

/// Countries, states and cities of two words or more, which look like names of people.
#[rustfmt::skip]
pub(crate) fn is_place(text: &str) -> bool {
    if text.len() > 40 || !text.contains(' ') {
        return false;
    }
    let lower = text.to_lowercase();
    matches!(lower.strip_prefix("the ").unwrap_or(&lower).trim_end_matches('.'),
        "antigua and barbuda" | "bosnia and herzegovina" | "burkina faso" | "cabo verde" | "cape verde" | "central african republic" | "costa rica" | "czech republic" | "côte d'ivoire" | "ivory coast"
        | "dominican republic" | "democratic republic of the congo" | "republic of the congo" | "east timor" | "el salvador" | "equatorial guinea" | "faroe islands" | "french guiana" | "great britain" | "hong kong" | "hong kong sar"
        | "islamic republic of iran" | "korea republic" | "republic of korea" | "marshall islands" | "new caledonia" | "new zealand" | "north korea" | "north macedonia" | "northern ireland" | "papua new guinea" | "puerto rico"
        | "republic of ireland" | "russian federation" | "san marino" | "saudi arabia" | "sierra leone" | "slovak republic" | "solomon islands" | "south africa" | "south korea" | "south sudan" | "sri lanka" | "trinidad and tobago"
        | "united arab emirates" | "united kingdom" | "united states" | "united states of america" | "viet nam" | "people's republic of china" | "peoples republic of china" | "pr china" | "p.r. china" | "p. r. china" | "p.r china" | "r.o.c" | "taiwan roc"
        | "new hampshire" | "new jersey" | "new mexico" | "new york" | "new york city" | "north carolina" | "north dakota" | "rhode island" | "south carolina" | "south dakota" | "west virginia" | "district of columbia"
        | "british columbia" | "new brunswick" | "nova scotia" | "new south wales" | "western australia" | "south australia" | "northern territory" | "north rhine-westphalia" | "baden-württemberg" | "são paulo" | "sao paulo" | "rio de janeiro" | "minas gerais" | "rio grande do sul"
        | "abu dhabi" | "addis ababa" | "ann arbor" | "belo horizonte" | "buenos aires" | "cape town" | "chapel hill" | "dar es salaam" | "den haag" | "east lansing" | "frankfurt am main" | "guatemala city" | "ho chi minh city" | "college park" | "college station" | "la jolla"
        | "las vegas" | "los angeles" | "kuala lumpur" | "mexico city" | "ciudad de méxico" | "new delhi" | "new haven" | "new orleans" | "notre dame" | "palo alto" | "menlo park" | "mountain view" | "panama city" | "porto alegre" | "phnom penh" | "quebec city" | "salt lake city" | "san antonio"
        | "san diego" | "san francisco" | "san jose" | "san josé" | "san juan" | "san sebastián" | "santa barbara" | "santa cruz" | "santa fe" | "santa monica" | "santiago de chile" | "santiago de compostela" | "santo domingo" | "st. louis" | "st louis" | "st. petersburg" | "saint petersburg"
        | "st. andrews" | "tel aviv" | "hague" | "west lafayette" | "west bengal" | "tamil nadu" | "uttar pradesh" | "andhra pradesh" | "madhya pradesh" | "isle of man" | "nordrhein-westfalen")
}

/// A country, or a state of a large one, by its name in one word.
#[rustfmt::skip]
pub(crate) fn is_country(word: &str) -> bool {
    // "us" and "uk" in small letters are other words.
    if word.len() <= 3 {
        return matches!(word, "USA" | "US" | "UK" | "UAE" | "PRC" | "KSA" | "ROC");
    }
    matches!(word.to_lowercase().trim_matches('.'),
        "u.s.a" | "u.s" | "u.k" | "england" | "scotland" | "wales" | "ireland" | "canada" | "mexico" | "méxico" | "brazil" | "brasil" | "argentina" | "chile" | "colombia" | "peru" | "perú" | "uruguay" | "paraguay" | "bolivia" | "ecuador" | "venezuela" | "cuba" | "jamaica" | "panama"
        | "france" | "germany" | "deutschland" | "allemagne" | "austria" | "österreich" | "switzerland" | "schweiz" | "suisse" | "italy" | "italia" | "spain" | "españa" | "espagne" | "portugal" | "netherlands" | "nederland" | "holland" | "belgium" | "belgique" | "luxembourg" | "denmark" | "danmark" | "sweden" | "sverige" | "norway" | "norge" | "finland" | "suomi" | "iceland"
        | "poland" | "polska" | "czechia" | "slovakia" | "hungary" | "magyarország" | "romania" | "românia" | "bulgaria" | "greece" | "turkey" | "türkiye" | "serbia" | "croatia" | "hrvatska" | "slovenia" | "slovenija" | "estonia" | "latvia" | "lithuania" | "ukraine" | "belarus" | "russia" | "россия" | "украина" | "moldova" | "albania" | "macedonia" | "montenegro" | "cyprus" | "malta"
        | "china" | "taiwan" | "japan" | "korea" | "india" | "pakistan" | "bangladesh" | "nepal" | "thailand" | "vietnam" | "malaysia" | "indonesia" | "singapore" | "philippines" | "cambodia" | "myanmar" | "mongolia" | "kazakhstan" | "uzbekistan" | "azerbaijan" | "armenia" | "georgia" | "iran" | "iraq" | "israel" | "palestine" | "jordan" | "lebanon" | "syria" | "kuwait" | "qatar" | "oman" | "yemen" | "bahrain" | "afghanistan"
        | "egypt" | "morocco" | "maroc" | "algeria" | "algérie" | "tunisia" | "tunisie" | "libya" | "sudan" | "ethiopia" | "kenya" | "uganda" | "tanzania" | "rwanda" | "malawi" | "zambia" | "zimbabwe" | "mozambique" | "angola" | "nigeria" | "ghana" | "senegal" | "sénégal" | "cameroon" | "cameroun" | "mali" | "benin" | "togo" | "botswana" | "namibia" | "madagascar" | "australia" | "fiji"
        | "alabama" | "alaska" | "arizona" | "arkansas" | "california" | "colorado" | "connecticut" | "delaware" | "florida" | "hawaii" | "idaho" | "illinois" | "indiana" | "iowa" | "kansas" | "kentucky" | "louisiana" | "maine" | "maryland" | "massachusetts" | "michigan" | "minnesota" | "mississippi" | "missouri" | "montana" | "nebraska" | "nevada" | "ohio" | "oklahoma" | "oregon" | "pennsylvania" | "tennessee" | "texas" | "utah" | "vermont" | "virginia" | "wisconsin" | "wyoming" | "ontario" | "quebec" | "québec" | "alberta" | "manitoba" | "saskatchewan" | "queensland" | "tasmania")
}

/// Ends in a country, perhaps with a code or an address of mail after it, and has something before that.
pub(crate) fn ends_in_country(text: &str) -> bool {
    let text = without_contact(text);
    if text.len() > 400 {
        return false;
    }
    let end = text.trim_end_matches(|c: char| !c.is_alphabetic() && c != '.');
    // "Politics in Bangladesh" is a title: a comma or a bracket has to stand before it.
    let Some((before, last)) = end.rsplit_once([',', ';', '(', '，']) else { return false };
    let last = last.trim().trim_start_matches("and ");
    before.trim().len() >= 3 && (is_country(last) || is_place(last))
}

/// A text without the address of mail at its end.
fn without_contact(text: &str) -> &str {
    let word = text.find('@').map(|at| text[..at].rfind(char::is_whitespace).unwrap_or(0));
    let text = word.map_or(text, |at| &text[..at]).trim_end();
    // The words that announce it, as they are written most.
    const WORDS: [&str; 8] =
        ["Electronic address:", "E-mail:", "e-mail:", "Email:", "email:", "E-mail", "Correo electrónico:", "ORCID:"];
    let cut = WORDS.iter().find_map(|word| text.strip_suffix(word));
    cut.unwrap_or(text).trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | '('))
}

/// Says whom to write to or who did what: no place.
pub(crate) fn is_notice(text: &str) -> bool {
    #[rustfmt::skip]
    static WORDS: Phrases<14> = Phrases::new(&[(1, &[
        "correspond", "korrespond", "corrispond", "contribut", "contribu", "reprint", "to whom", "deceased", "通讯作者", "通信作者", "責任著者", "連絡先", "переписк", "search for more",
    ])]);
    WORDS.any(&text.to_lowercase()) && !is_institution(text)
}

/// Could be an institution by its form: a few words, capitals, no sentence.
pub(crate) fn may_be_institution(text: &str) -> bool {
    let text = without_contact(text);
    let words = text.split_whitespace().count();
    let first = text.chars().find(|c| c.is_alphanumeric());
    (1..=40).contains(&words)
        && text.len() <= 400
        && first.is_some_and(|c| !c.is_lowercase())
        && !text.contains("http")
        && !text.ends_with('?')
        && !has_fact(text)
}

/// Holds a date, a DOI, numbers of pages: what stands between authors and abstract and is neither.
pub(crate) fn has_fact(text: &str) -> bool {
    #[rustfmt::skip]
    static PHRASES: Phrases<9> = Phrases::new(&[(1, &[
        "open access", "corresponding author", "corresponding authors", "equal contribution", "contributed equally", "e-mail", "min read", "first available", "cite this",
    ])]);
    const SIGNS: [&str; 6] = ["©", "收稿", "发布", "第", "卷", "期"];
    let lower = text.to_lowercase();
    let numbered = text.bytes().any(|b| b.is_ascii_digit());
    let starts = ["received", "accepted", "published"].iter().any(|word| lower.starts_with(word));
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    // A number may be written to a word ("vol12").
    let mut told = || words.any(|word| tells(word.trim_end_matches(|c: char| !c.is_alphabetic()), numbered));
    let whole = |at, phrase: &str, _| if is_word(&lower, at, phrase.len()) { Break(()) } else { Continue(()) };
    let phrased = || PHRASES.each(&lower, whole).is_break();
    let signed = || lower.contains('@') || (!lower.is_ascii() && SIGNS.iter().any(|sign| lower.contains(sign)));
    if starts || told() || signed() || phrased() {
        return true;
    }
    // A year or a range of pages at the end.
    let last = lower
        .rsplit(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')'))
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    let digits = last.chars().filter(char::is_ascii_digit).count();
    let year = digits == 4 && last.len() == 4 && (last.starts_with("19") || last.starts_with("20"));
    let range = digits >= 2
        && last.contains(['-', '–'])
        && last.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–'))
        && digits <= 8
        && text.len() < 40;
    year || range
}

/// A word that is no part of a name, a title or an address; words of titles too, but only beside a number.
fn tells(word: &str, numbered: bool) -> bool {
    match word {
        "doi" | "pp" | "download" | "downloads" | "license" | "pdf" | "issn" | "isbn" | "email" | "orcid"
        | "eingegangen" | "veröffentlicht" | "copyright" => true,
        "received" | "accepted" | "published" | "volume" | "vol" | "issue" | "pages" | "cite" | "cited"
        | "citation" | "citations" | "posted" | "updated" | "views" | "publié" | "publicado" | "licensed"
        | "revised" => numbered,
        _ => false,
    }
}

/// Is what stands at a place of a text no part of a longer word?
fn is_word(text: &str, at: usize, length: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + length..].chars().next();
    !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphabetic)
}

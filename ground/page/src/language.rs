//! In which language is a page written?
//!
//! What the page declares (`lang` on `html`, then `content-language`) is believed. Else the text is asked, if there is
//! enough of it: at most `SAMPLE` bytes, running text before navigation. Where its function words are clearly of one
//! language (`function_words`), that is the answer; this settles most pages for a hundredth of the price of the next step.
//! Else trigram statistics (the whatlang crate) of at most `TRIGRAMS` bytes, and only an answer that calls itself reliable
//! counts. Cost: bounded by the samples.
//!
//! The answer is the primary language of BCP 47: ISO 639-1 letters where they exist, else 639-3.
//!
//! Not guaranteed: that a page's author declared the truth; anything about pages in several languages.

use groma_model::{Block, BlockKind};
use whatlang::Lang;

use crate::{fold, function_words};

/// Less text than this says nothing reliable.
const ENOUGH: usize = 200;
/// More text than this is not looked at.
const SAMPLE: usize = 2048;
/// More text than this is not divided into trigrams.
const TRIGRAMS: usize = 1024;

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
    if let Some(language) = function_words::language_of(&sample) {
        return Some(language.to_owned());
    }
    let info = whatlang::detect(fold::cut(&sample, TRIGRAMS))?;
    info.is_reliable().then(|| short(info.lang()).to_owned())
}

/// The language of the running text, where its function words are clearly of another one than the page declares.
pub(crate) fn other_than(declared: &str, blocks: &[Block]) -> Option<&'static str> {
    /// Texts of one are now and then in the words of the other.
    const NEIGHBORS: [&[&str]; 2] = [&["no", "nb", "nn", "da"], &["cs", "sk"]];
    let mut sample = String::new();
    gather(&mut sample, blocks.iter().filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem)));
    if sample.len() < 2 * ENOUGH {
        return None;
    }
    let spoken = function_words::language_of(&sample)?;
    let near = NEIGHBORS.iter().any(|group| group.contains(&spoken) && group.contains(&declared));
    (spoken != declared && !near).then_some(spoken)
}

fn gather<'a>(sample: &mut String, blocks: impl Iterator<Item = &'a Block>) {
    for block in blocks {
        if sample.len() >= SAMPLE {
            return;
        }
        sample.push_str(fold::cut(&block.text, SAMPLE - sample.len()));
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

    /// The same thing said in many languages, with the answer.
    #[rustfmt::skip]
    const SAID: [(&str, &str); 34] = [
        ("en", "The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years."),
        ("de", "Die Karte zeigt, wie die Seiten zusammenhängen und welche Verweise ins Leere führen. Wer eine Website pflegt, kann daran sehen, was fehlt und was seit Jahren niemand mehr angeschaut hat."),
        ("nl", "De kaart laat zien hoe de pagina's van een site samenhangen en welke verwijzingen nergens heen leiden. Wie een site onderhoudt, kan eraan zien wat er ontbreekt en wat al jaren niemand meer heeft bekeken."),
        ("fr", "La carte montre comment les pages d'un site se tiennent et quels liens ne mènent nulle part. Celui qui s'occupe d'un site y voit ce qui manque et ce que personne n'a regardé depuis des années."),
        ("es", "El mapa muestra cómo se relacionan las páginas de un sitio y qué enlaces no llevan a ninguna parte. Quien cuida un sitio puede ver en él lo que falta y lo que nadie ha mirado desde hace años."),
        ("pt", "O mapa mostra como as páginas de um sítio se ligam e quais das ligações não levam a lado nenhum. Quem cuida de um sítio pode ver nele o que falta e o que ninguém olhou há muitos anos."),
        ("it", "La mappa mostra come le pagine di un sito stanno insieme e quali collegamenti non portano da nessuna parte. Chi cura un sito può vedere che cosa manca e che cosa nessuno ha guardato da anni."),
        ("sv", "Kartan visar hur sidorna på en webbplats hänger ihop och vilka länkar som inte leder någonstans. Den som sköter en webbplats kan se vad som saknas och vad ingen har tittat på under flera år."),
        ("da", "Kortet viser, hvordan siderne på et websted hænger sammen, og hvilke henvisninger der ikke fører nogen steder hen. Den, der passer et websted, kan se, hvad der mangler, og hvad ingen har kigget på i årevis."),
        ("cs", "Mapa ukazuje, jak spolu stránky webu souvisejí a které odkazy nikam nevedou. Kdo se o web stará, podle ní pozná, co na něm chybí a na co se už celá léta nikdo nepodíval, protože to není nikde vidět."),
        ("sk", "Mapa ukazuje, ako stránky webu navzájom súvisia a ktoré odkazy nikam nevedú. Kto sa o web stará, podľa nej spozná, čo na ňom chýba a na čo sa už celé roky nikto nepozrel, pretože to nie je nikde vidieť."),
        ("pl", "Mapa pokazuje, jak strony serwisu łączą się ze sobą i które odnośniki prowadzą donikąd. Kto opiekuje się serwisem, może z niej zobaczyć, czego brakuje i na co od lat nikt już nie patrzył."),
        ("hu", "A térkép megmutatja, hogyan függenek össze egy webhely lapjai, és mely hivatkozások nem vezetnek sehová. Aki egy webhelyet gondoz, láthatja rajta, hogy mi hiányzik, és mit nem nézett meg senki évek óta."),
        ("fi", "Kartta näyttää, miten sivuston sivut liittyvät toisiinsa ja mitkä linkit eivät johda mihinkään. Se, joka hoitaa sivustoa, voi nähdä siitä, mitä puuttuu ja mitä kukaan ei ole katsonut moneen vuoteen."),
        ("et", "Kaart näitab, kuidas saidi lehed on omavahel seotud ja millised lingid ei vii kuhugi. Kes saiti hooldab, näeb sellelt, mis on puudu ja mida keegi ei ole aastaid vaadanud, sest seda ei ole kusagil näha."),
        ("lt", "Žemėlapis rodo, kaip svetainės puslapiai susiję tarpusavyje ir kurios nuorodos niekur neveda. Kas prižiūri svetainę, gali iš jo pamatyti, ko trūksta ir į ką jau daug metų niekas nežiūrėjo."),
        ("ro", "Harta arată cum sunt legate paginile unui sit și care dintre legături nu duc nicăieri. Cine îngrijește un sit poate vedea din ea ce lipsește și la ce nu s-a mai uitat nimeni de ani de zile."),
        ("hr", "Karta pokazuje kako su stranice nekog mrežnog mjesta povezane i koje poveznice ne vode nikamo. Tko se brine o takvom mjestu može na njoj vidjeti što nedostaje i što godinama nitko nije pogledao."),
        ("sl", "Zemljevid kaže, kako so strani spletnega mesta povezane med seboj in katere povezave ne vodijo nikamor. Kdor skrbi za spletno mesto, lahko na njem vidi, kaj manjka in česa že leta ni nihče pogledal."),
        ("tl", "Ipinapakita ng mapa kung paano magkakaugnay ang mga pahina ng isang site at kung aling mga link ang walang pinupuntahan. Ang nag-aalaga ng site ay makakakita rito ng kung ano ang kulang at kung ano ang matagal nang hindi tinitingnan ng sinuman."),
        ("tr", "Harita, bir sitedeki sayfaların birbirine nasıl bağlandığını ve hangi bağlantıların hiçbir yere gitmediğini gösterir. Siteye bakan kişi neyin eksik olduğunu ve yıllardır kimsenin bakmadığı yerleri görebilir."),
        ("vi", "Bản đồ cho thấy các trang của một trang mạng liên kết với nhau như thế nào và những liên kết nào không dẫn đến đâu cả. Người chăm sóc trang có thể thấy còn thiếu gì và những gì đã nhiều năm không ai xem."),
        ("id", "Peta ini menunjukkan bagaimana halaman sebuah situs saling terhubung dan tautan mana yang tidak menuju ke mana pun. Siapa yang merawat situs dapat melihat apa yang kurang dan apa yang sudah bertahun-tahun tidak dilihat orang."),
        ("ru", "Карта показывает, как связаны между собой страницы сайта и какие ссылки никуда не ведут. Тот, кто следит за сайтом, увидит на ней, чего не хватает и на что уже много лет никто не смотрел."),
        ("uk", "Мапа показує, як пов'язані між собою сторінки сайту і які посилання нікуди не ведуть. Той, хто дбає про сайт, побачить на ній, чого бракує і на що вже багато років ніхто не дивився."),
        ("bg", "Картата показва как са свързани страниците на един сайт и кои връзки не водят наникъде. Който се грижи за сайта, може да види на нея какво липсва и какво никой не е поглеждал от години."),
        ("el", "Ο χάρτης δείχνει πώς συνδέονται οι σελίδες ενός ιστότοπου και ποιοι σύνδεσμοι δεν οδηγούν πουθενά. Όποιος φροντίζει τον ιστότοπο βλέπει τι λείπει και τι δεν έχει κοιτάξει κανείς εδώ και χρόνια."),
        ("he", "המפה מראה כיצד דפי האתר קשורים זה לזה ואילו קישורים אינם מובילים לשום מקום. מי שמטפל באתר יכול לראות בה מה חסר ומה איש לא הסתכל עליו כבר שנים רבות, כי אין רואים זאת בשום מקום אחר."),
        ("ar", "تُظهر الخريطة كيف ترتبط صفحات الموقع بعضها ببعض وأي الروابط لا تؤدي إلى أي مكان. ومن يعتني بالموقع يستطيع أن يرى فيها ما ينقصه وما لم ينظر إليه أحد منذ سنوات طويلة."),
        ("fa", "این نقشه نشان می‌دهد که صفحه‌های یک وبگاه چگونه به هم پیوسته‌اند و کدام پیوندها به جایی نمی‌رسند. کسی که از وبگاه نگهداری می‌کند می‌تواند ببیند چه چیزی کم است و چه چیزی را سال‌هاست کسی ندیده است."),
        ("zh", "这张地图显示网站的各个页面如何相互关联，以及哪些链接无处可去。维护网站的人可以从中看到缺少什么，以及哪些内容多年来没有人看过。地图还告诉我们哪些页面彼此相同，哪些页面已经过时，应该由谁来更新。"),
        ("ja", "この地図は、サイトのページがどのようにつながっているか、どのリンクがどこにも行かないかを示します。サイトを管理する人は、何が欠けているか、何年も誰にも見られていないものは何かを知ることができます。"),
        ("ko", "이 지도는 사이트의 페이지가 서로 어떻게 이어져 있는지, 어떤 링크가 아무 데도 이르지 않는지를 보여 줍니다. 사이트를 돌보는 사람은 무엇이 빠졌는지, 몇 년 동안 아무도 보지 않은 것이 무엇인지 알 수 있습니다."),
        ("th", "แผนที่นี้แสดงให้เห็นว่าหน้าต่าง ๆ ของเว็บไซต์เชื่อมโยงกันอย่างไร และลิงก์ใดไม่นำไปสู่ที่ใดเลย ผู้ดูแลเว็บไซต์จะเห็นได้ว่ามีอะไรขาดหายไปและอะไรที่ไม่มีใครดูมาหลายปีแล้ว"),
    ];

    #[test]
    fn languages_are_known_by_two_sentences() {
        let wrong: Vec<_> = SAID
            .iter()
            .map(|(language, text)| (*language, detected(&paragraph(&text.repeat(2)))))
            .filter(|(language, found)| found.as_deref() != Some(language))
            .collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn function_words_never_say_another_language() {
        for (language, text) in SAID {
            let found = function_words::language_of(text);
            assert!(found.is_none() || found == Some(language), "{language} is taken for {found:?}");
        }
        let alone = ["en", "de", "nl", "fr", "es", "pt", "it", "sv", "pl", "ro", "sk"];
        for (language, text) in SAID.iter().filter(|(language, _)| alone.contains(language)) {
            assert_eq!(function_words::language_of(text), Some(*language));
        }
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

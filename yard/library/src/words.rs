//! The words publishers print around works, in several languages.

/// The words of a language.
#[derive(Debug)]
pub(crate) struct Words {
    /// In two letters.
    pub(crate) code: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) keywords: &'static str,
    pub(crate) authors: &'static str,
    pub(crate) affiliations: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) next: &'static str,
    pub(crate) related: &'static str,
    pub(crate) references: &'static str,
    pub(crate) introduction: &'static str,
    pub(crate) contents: &'static str,
    pub(crate) about_book: &'static str,
    pub(crate) volume: &'static str,
    pub(crate) issue: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) published: &'static str,
    pub(crate) full_text: &'static str,
    pub(crate) home: &'static str,
    pub(crate) journals: &'static str,
    pub(crate) books: &'static str,
    pub(crate) subjects: &'static str,
    pub(crate) search: &'static str,
    pub(crate) all_issues: &'static str,
    pub(crate) advertisement: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) chapter_of: &'static str,
    pub(crate) cite: &'static str,
}

macro_rules! words {
    ($name:ident = $code:literal: $($word:literal),* $(,)?) => { words!(@ $name $code [$($word),*]); };
    (@ $name:ident $code:literal [$a:literal,$b:literal,$c:literal,$d:literal,$e:literal,$f:literal,$g:literal,$h:literal,
      $i:literal,$j:literal,$k:literal,$l:literal,$m:literal,$n:literal,$o:literal,$p:literal,$q:literal,$r:literal,
      $s:literal,$t:literal,$u:literal,$v:literal,$w:literal,$x:literal,$y:literal,$z:literal]) => {
        pub(crate) static $name: Words = Words {
            code: $code, summary: $a, keywords: $b, authors: $c, affiliations: $d, previous: $e, next: $f, related: $g,
            references: $h, introduction: $i, contents: $j, about_book: $k, volume: $l, issue: $m, pages: $n,
            published: $o, full_text: $p, home: $q, journals: $r, books: $s, subjects: $t, search: $u, all_issues: $v,
            advertisement: $w, subject: $x, chapter_of: $y, cite: $z,
        };
    };
}

words!(EN = "en": "Abstract", "Keywords", "Authors", "Author information", "Previous article", "Next article",
    "Related articles", "References", "Introduction", "Table of contents", "About this book", "Volume", "Issue", "Pages",
    "Published", "Full text", "Home", "Journals", "Books", "Subjects", "Search", "All issues", "Advertisement", "Subject",
    "Chapter of", "Cite this");
words!(DE = "de": "Zusammenfassung", "Schlüsselwörter", "Autoren", "Anschriften der Autoren", "Vorheriger Artikel",
    "Nächster Artikel", "Ähnliche Beiträge", "Literatur", "Einleitung", "Inhaltsverzeichnis", "Über dieses Buch", "Band",
    "Heft", "Seiten", "Erschienen", "Volltext", "Startseite", "Zeitschriften", "Bücher", "Fachgebiete", "Suche",
    "Alle Hefte", "Anzeige", "Fachgebiet", "Kapitel aus", "Zitieren");
words!(FR = "fr": "Résumé", "Mots-clés", "Auteurs", "Affiliations", "Article précédent", "Article suivant",
    "Sur un sujet proche", "Bibliographie", "Introduction", "Sommaire", "À propos de ce livre", "Volume", "Numéro", "Pages",
    "Mis en ligne le", "Texte intégral", "Accueil", "Revues", "Livres", "Disciplines", "Recherche", "Tous les numéros",
    "Publicité", "Discipline", "Chapitre de", "Citer");
words!(CS = "cs": "Abstrakt", "Klíčová slova", "Autoři", "Pracoviště autorů", "Předchozí článek", "Následující článek",
    "Související články", "Literatura", "Úvod", "Obsah", "O knize", "Ročník", "Číslo", "Strany", "Publikováno", "Plný text",
    "Domů", "Časopisy", "Knihy", "Obory", "Hledání", "Všechna čísla", "Reklama", "Obor", "Kapitola z knihy", "Citovat");
words!(ZH = "zh": "摘要", "关键词", "作者", "作者单位", "上一篇", "下一篇", "相关文献", "参考文献", "引言", "目录", "内容简介",
    "卷", "期", "页码", "发表时间", "全文", "首页", "期刊", "图书", "学科", "检索", "过刊浏览", "广告", "学科", "所属图书", "引用");
words!(JA = "ja": "抄録", "キーワード", "著者", "著者所属", "前の記事", "次の記事", "関連記事", "引用文献", "はじめに", "目次",
    "本書について", "巻", "号", "ページ", "公開日", "本文", "ホーム", "ジャーナル", "書籍", "分野", "検索", "巻号一覧", "広告", "分野",
    "収録書", "引用");
words!(RU = "ru": "Аннотация", "Ключевые слова", "Авторы", "Сведения об авторах", "Предыдущая статья", "Следующая статья",
    "Похожие статьи", "Список литературы", "Введение", "Оглавление", "О книге", "Том", "Номер", "Страницы", "Опубликовано",
    "Полный текст", "Главная", "Журналы", "Книги", "Рубрики", "Поиск", "Все выпуски", "Реклама", "Рубрика", "Глава из книги",
    "Цитировать");
words!(ES = "es": "Resumen", "Palabras clave", "Autores", "Filiación", "Artículo anterior", "Artículo siguiente",
    "Artículos relacionados", "Referencias", "Introducción", "Índice", "Sobre el libro", "Volumen", "Número", "Páginas",
    "Publicado", "Texto completo", "Inicio", "Revistas", "Libros", "Materias", "Buscar", "Números anteriores", "Publicidad",
    "Materia", "Capítulo de", "Cómo citar");
words!(PT = "pt": "Resumo", "Palavras-chave", "Autores", "Afiliação", "Artigo anterior", "Próximo artigo",
    "Artigos relacionados", "Referências", "Introdução", "Sumário", "Sobre o livro", "Volume", "Número", "Páginas",
    "Publicado", "Texto completo", "Início", "Periódicos", "Livros", "Áreas", "Busca", "Todas as edições", "Publicidade",
    "Área", "Capítulo de", "Como citar");

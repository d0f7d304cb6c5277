//! Words of many languages find the pages that have them, in any of their forms.

use crate::{Site, page, paths, shown};

#[test]
fn stems_and_accents_of_many_languages() {
    let mut site = Site::with_pages(&[
        page("/en", "Plants", "Connections between the indexes of databases"),
        page("/de", "Übungen", "Die Häuser stehen in großen Straßen").language("de"),
        page("/fr", "Été", "Les chevaux mangeaient continuellement des pommes").language("fr"),
        page("/cs", "Kůň", "Příliš žluťoučký kůň úpěl ďábelské ódy v pražských hradech").language("cs"),
        page("/pl", "Książki", "Książki leżały na stołach").language("pl"),
        page("/ru", "Книги", "Большие книги лежали на столах").language("ru"),
        page("/none", "Notes", "Some settings are written here").language(""),
    ]);
    site.follow();
    for (asked, found) in [
        ("connection index database", "/en"),
        ("Übung", "/de"),
        ("Ubung", "/de"),
        ("uebung", "/de"),
        ("haus strassen", "/de"),
        ("cheval mangeait", "/fr"),
        ("ete", "/fr"),
        ("été", "/fr"),
        ("příliš", "/cs"),
        ("prilis", "/cs"),
        ("ZLUTOUCKY", "/cs"),
        ("hrad", "/cs"),
        ("ksiazki", "/pl"),
        ("книга", "/ru"),
        ("setting", "/none"),
    ] {
        let answer = site.ask(asked);
        assert_eq!(crate::paths(&answer).first().map(String::as_str), Some(found), "{asked}: {:?}", answer.notes);
        assert!(answer.notes.is_empty(), "{asked}: {:?}", answer.notes);
    }
    let hit = site.ask("prilis").hits.remove(0);
    assert!(shown(&hit.snippet).starts_with("[Příliš] žluťoučký"), "{:?}", hit.snippet);
}

#[test]
fn chinese_and_japanese_have_no_spaces() {
    let mut site = Site::with_pages(&[
        page("/zh", "数据库设计", "我们学习数据库的设计方法,并使用 PostgreSQL 软件。").language("zh"),
        page("/ja", "東京の天気", "明日の東京の天気は晴れです。データベースも勉強します。").language("ja"),
        page("/ko", "서울", "서울에서 데이터베이스를 배웁니다").language("ko"),
        page("/th", "ไทย", "ประเทศไทยสวยงาม").language("th"),
    ]);
    site.follow();
    for (asked, found) in [
        ("数据库", "/zh"),
        ("学习方法", "/zh"),
        ("postgresql 设计", "/zh"),
        ("\"数据库的设计\"", "/zh"),
        ("天気", "/ja"),
        ("東京の天気", "/ja"),
        ("データベース", "/ja"),
        ("데이터베이스", "/ko"),
        ("ไทย", "/th"),
    ] {
        assert_eq!(site.found(asked).first().map(String::as_str), Some(found), "{asked}");
    }
    assert!(site.found("\"设计数据库\"").is_empty(), "another order");
    let some = site.ask("数据库天气");
    assert_eq!((paths(&some), some.notes), (vec!["/zh".to_owned()], vec![groma_search::Note::SomeWords]));
    let hit = site.ask("数据库").hits.remove(0);
    assert_eq!(shown(&hit.title_pieces), "[数据库]设计");
    assert!(shown(&hit.snippet).contains("学习[数据库]的设计"), "{:?}", hit.snippet);
}

#[test]
fn names_of_programs_and_things() {
    let mut site = Site::with_pages(&[
        page("/pg", "Views", "The view pg_stat_activity shows one row per process"),
        page("/cpp", "Languages", "std::vector is part of C++ and not of C#"),
        page("/c", "Old", "Plain C has no vectors"),
        page("/stat", "Other", "An activity without stat and pg"),
    ]);
    site.follow();
    assert_eq!(site.found("pg_stat_activity"), ["/pg"]);
    assert_eq!(site.found("std::vector"), ["/cpp"]);
    assert_eq!(site.found("c++"), ["/cpp"]);
    assert_eq!(site.found("activity").len(), 2);
}

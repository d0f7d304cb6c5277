//! Words a person would choose, and the formula another way.

use proptest::prelude::*;

use super::*;

fn texts(keywords: &[Keyword]) -> Vec<&str> {
    keywords.iter().map(|keyword| keyword.text.as_str()).collect()
}

#[test]
fn what_others_call_the_site_and_nothing_else_wins() {
    let mut keywords = Keywords::new();
    for n in 0..30 {
        keywords.to_site("the Gemo project", false, 1);
        keywords.to_site("research on XML databases", false, 1);
        keywords.to_site("a report, GEMO's", false, 1);
        keywords.to_site("Next slide", true, 1000);
        keywords.elsewhere(&format!("the project of number{n}"), 3);
        keywords.elsewhere("research on the web, click here", 20);
    }
    let told = keywords.top(10);
    // `gemo` stands in more than one phrase, `xml` and `databases` in none but this; `the` and `research on` stand everywhere.
    assert_eq!(texts(&told), ["gemo", "report", "xml databases", "project"]);
    assert_eq!((told[0].count, told[1].count), (60, 30));
    assert_eq!(texts(&keywords.top(1)), ["gemo"]);
    assert_eq!(texts(&keywords.top(0)), [""; 0]);
}

#[test]
fn common_words_make_a_phrase_that_is_not_common() {
    let mut keywords = Keywords::new();
    keywords.to_site("New York", false, 20);
    keywords.to_site("the Duke", false, 20);
    keywords.elsewhere("new book", 30);
    keywords.elsewhere("Duke of York", 30);
    keywords.elsewhere("the", 300);
    for n in 0..10_000 {
        keywords.elsewhere(&format!("something{n}"), 1);
    }
    let told = keywords.top(5);
    // `the duke` is not common either, but `the` is no part of a name.
    assert_eq!(texts(&told), ["new york", "duke", "the"]);
}

#[test]
fn without_anything_to_compare_with_the_most_frequent_are_told() {
    let mut keywords = Keywords::new();
    keywords.to_site("alpha beta", false, 2);
    keywords.to_site("alpha", false, 3);
    assert_eq!(
        keywords.top(9),
        [("alpha", 5), ("beta", 2)].map(|(text, count)| Keyword { text: text.to_owned(), score: count as f64, count })
    );
    assert_eq!(Keywords::new().top(9), []);
    let mut navigation = Keywords::new();
    navigation.to_site("alpha", true, 9);
    navigation.to_site("alpha", false, 0);
    assert_eq!(navigation.top(9), []);
}

#[test]
fn what_chance_would_do_is_not_told() {
    let mut keywords = Keywords::new();
    keywords.to_site("alpha beta gamma", false, 10);
    keywords.elsewhere("alpha beta gamma", 9);
    keywords.elsewhere("delta", 1);
    assert_eq!(keywords.top(9), []);
}

#[test]
fn memory_is_bounded_and_the_frequent_stay() {
    let mut keywords = Keywords::with_room(100);
    keywords.to_site("gemo", false, 1000);
    for n in 0..10_000 {
        keywords.elsewhere(&format!("word{n} other{n}"), 1);
        assert!(keywords.words.len() <= 102 && keywords.phrases.len() <= 101);
    }
    assert!(keywords.forgot());
    assert_eq!(texts(&keywords.top(5)), ["gemo"]);
    assert!(!Keywords::new().forgot());
}

#[test]
fn counts_do_not_overflow() {
    let mut keywords = Keywords::new();
    for _ in 0..3 {
        keywords.to_site("gemo", false, u32::MAX);
        keywords.elsewhere("other", u32::MAX);
    }
    keywords.total = Tally { to_site: u64::MAX, elsewhere: u64::MAX };
    keywords.to_site("gemo", false, u32::MAX);
    assert!(keywords.top(9).iter().all(|keyword| keyword.score.is_finite()));
}

/// Dunning's ratio by entropies: twice the mutual information of the table, times its sum.
fn by_entropy(table: [[f64; 2]; 2]) -> f64 {
    let entropy = |counts: &[f64]| {
        let sum: f64 = counts.iter().sum();
        counts.iter().filter(|&&n| n > 0.0).map(|n| -n * (n / sum).ln()).sum::<f64>()
    };
    let [[a, b], [c, d]] = table;
    2.0 * (entropy(&[a + b, c + d]) + entropy(&[a + c, b + d]) - entropy(&[a, b, c, d]))
}

proptest! {
    #[test]
    fn the_ratio_is_the_information_in_the_table(a in 0u32..50, b in 0u32..50, more in 1u32..500, others in 1u32..500) {
        let [a, b, c, d] = [a, b, a + more, b + others].map(f64::from);
        let expected = by_entropy([[a, b], [c - a, d - b]]);
        prop_assert!((ratio(a, b, c, d) - expected).abs() < 1e-8 * (1.0 + expected), "{} {}", ratio(a, b, c, d), expected);
    }

    #[test]
    fn the_order_of_texts_means_nothing(
        texts in proptest::collection::vec(("[a-c]{2} [a-c]{2}( [a-c]{2})?", any::<bool>(), any::<bool>()), 0..20),
        turn in 0usize..20,
    ) {
        let told = |texts: &[(String, bool, bool)]| {
            let mut keywords = Keywords::new();
            for (text, to_site, from_inside) in texts {
                if *to_site { keywords.to_site(text, *from_inside, 1) } else { keywords.elsewhere(text, 1) }
            }
            keywords.top(50)
        };
        let mut turned = texts.clone();
        turned.rotate_left(turn.min(texts.len()));
        prop_assert_eq!(told(&turned), told(&texts));
        // Links within the site mean nothing.
        let outside: Vec<_> = texts.iter().filter(|(_, to_site, from_inside)| !(*to_site && *from_inside)).cloned().collect();
        prop_assert_eq!(told(&outside), told(&texts));
    }

    #[test]
    fn any_text_is_taken(text in "\\PC*", other in "\\PC*", room in 0usize..6) {
        let mut keywords = Keywords::with_room(room);
        keywords.to_site(&text, false, 3);
        keywords.elsewhere(&other, 1);
        for keyword in keywords.top(5) {
            prop_assert!(keyword.score.is_finite() && keyword.score > 0.0 && keyword.count > 0);
            prop_assert_eq!(keyword.text.to_lowercase(), keyword.text);
        }
    }
}

//! Hostile pages and selectors: they end, in bounded time, and say what was left out.

use groma_extract::{Column, Columns, Flaw, Page, ValueLimits};
use proptest::prelude::*;

fn flaws(lines: &[&str], page: &str) -> Vec<Option<Flaw>> {
    let columns = Columns::new(lines.iter().map(|line| line.parse().expect(line)).collect()).expect("columns");
    let page = Page::read(page, None);
    columns.read(&page, ValueLimits::default()).into_iter().map(|read| read.flaw).collect()
}

#[test]
fn selectors_that_go_through_everything_again_and_again_are_stopped() {
    let deep = "<div class=a>".repeat(400) + &"<p>x".repeat(2_000);
    let start = groma_cpu_time::cpu_time();
    let flaws = flaws(
        &[
            "a:list=css:.a .a .a .a .a .a .a .a .none p",
            "b:list=xpath://*[.//*[.//*[.//*]]]",
            "c:list=xpath://*[count(preceding::*[count(following::*) > 1]) > 1]",
            "d:list=css:div:has(div:has(div:has(div:has(p.none))))",
            "e:list=xpath://*[. = //*]",
        ],
        &deep,
    );
    let took = groma_cpu_time::cpu_time() - start;
    assert!(flaws[1..].iter().all(Option::is_some), "{flaws:?}");
    assert!(took.as_secs_f64() < 20.0, "{took:?}");
}

#[test]
fn deep_json_and_long_scripts_are_passed_over() {
    let deep = format!("<script type=application/json>{}{}</script>", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(flaws(&["a=json:$..*"], &deep), [None]);
    let wide = format!("<script type=application/json>[{}1]</script>", "1,".repeat(300_000));
    assert_eq!(flaws(&["a=json:$..*"], &wide), [None]);
    let deep = format!("a=json:$[?{}1==1{}]", "(".repeat(1_900), ")".repeat(1_900));
    assert!(deep.parse::<Column>().unwrap_err().to_string().contains("nests at most"));
    assert!("a=json:$..a..b..c".parse::<Column>().unwrap_err().to_string().contains("at most 2 times"));
}

proptest! {
    #[test]
    fn no_text_is_a_panic(language in "css|xpath|regex|json|hel", selector in "[ -~é]{0,40}", page in "[<>/=a-c\"' é!-]{0,200}") {
        if let Ok(column) = format!("x:list={language}:{selector}").parse::<Column>() {
            let columns = Columns::new(vec![column.clone()]).expect("one column");
            let _ = columns.read(&Page::read(&page, None), ValueLimits::default());
            prop_assert_eq!(column.to_string().parse::<Column>().map(|read| read.to_string()), Ok(column.to_string()));
        }
    }

    #[test]
    fn what_looks_like_a_selector_is_no_panic(
        parts in prop::collection::vec(prop::sample::select(vec![
            "div", "*", "#a", ".b", "[c", "='d'", "]", ":not(", ":nth-child(2n", ")", ">", "+", " ", ",", "::text", "//", "/", "@", "[", "(", "text()",
            "..", "::", "ancestor", "position()", "=", "1", "'x'", "|", "and", "-", "count(", "$", ".a", "[*]", "[?@.", "]",
        ]), 0..12),
    ) {
        let selector = parts.concat();
        for language in ["css", "xpath", "json", "hel"] {
            if let Ok(column) = format!("x:list={language}:{selector}").parse::<Column>() {
                let columns = Columns::new(vec![column]).expect("one column");
                let _ = columns.read(&Page::read("<div id=a class=b c=d><p>x<script type=application/json>{\"a\":[1]}</script>", None), ValueLimits::default());
            }
        }
    }
}

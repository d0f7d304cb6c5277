//! Controls that hide records in ways that totals do not give away: no certificate, or all records.

use super::*;

/// What is sent for a control.
fn sent<'a>(asked: &'a Asked, name: &str) -> Option<&'a str> {
    asked.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

/// A number that is sent, or the default where nothing is, or nothing that is one.
fn number(asked: &Asked, name: &str, default: usize) -> usize {
    sent(asked, name).and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Each of these controls hides a third or a quarter of 60 records. `proved`: what there is can be proved.
fn hides(cases: &[(&str, bool, Shows)]) {
    for (control, proved, shows) in cases {
        let (closing, found, _) = beside(control, true, shows);
        assert!(!closing.certified || found == 60, "{control}: {found} {closing:?}");
        assert!(closing.certified || !proved, "{control}: {found} {closing:?}");
        let says = |reason: &String| reason.contains("not varied") || reason.contains("nothing tells");
        assert!(closing.certified || closing.reasons.iter().any(says), "{control}: {:?}", closing.reasons);
        let (closing, found, _) = beside(control, false, shows);
        assert!(!closing.certified || found == 60, "{control}, no totals: {found} {closing:?}");
    }
}

#[test]
fn what_is_sent_by_itself_is_left_out_and_emptied() {
    hides(&[
        ("<input type=hidden name=status value=active>", true, |asked, nth| match sent(asked, "status") {
            Some("active") => nth % 4 > 0,
            Some("") | None => true,
            Some(_) => false,
        }),
        ("<input type=hidden name=status value=active>", true, |asked, nth| {
            nth % 4 > 0 || sent(asked, "status") == Some("")
        }),
        ("<input type=hidden name=status value=active>", true, |asked, nth| {
            nth % 4 > 0 || sent(asked, "status") == Some("all")
        }),
        ("<input type=hidden name=archived value=0>", true, |asked, nth| {
            nth % 4 > 0 || sent(asked, "archived") == Some("1")
        }),
        // Nothing lifts it: the form shows no others, but nobody can know.
        ("<input type=hidden name=status value=active>", false, |asked, nth| {
            nth % 4 > 0 && matches!(sent(asked, "status"), Some("active") | None)
        }),
        ("<input name=year value=2024 readonly>", false, |asked, nth| {
            (nth % 4 == 0) == (number(asked, "year", 2024) == 2023)
        }),
    ]);
}

#[test]
fn what_is_typed_in_beforehand_is_tried_with_its_neighbors() {
    hides(&[
        ("<label>Days <input type=number name=days value=30></label>", true, |asked, nth| {
            nth % 4 > 0 || number(asked, "days", 30) > 365
        }),
        ("<label>Year <input type=number name=year value=2024></label>", false, |asked, nth| {
            (nth % 4 == 0) == (number(asked, "year", 2024) == 2023)
        }),
        ("<label>Day <input type=date name=day value=2024-05-06></label>", false, |asked, nth| {
            let day = sent(asked, "day").filter(|day| !day.is_empty()).unwrap_or("2024-05-06");
            (nth % 4 == 0) == day.starts_with("2023") || (nth % 4 > 0) == day.starts_with("2024")
        }),
        ("<label>Year <input type=number name=year value=2024 required></label>", false, |asked, nth| {
            (nth % 4 == 0) == (number(asked, "year", 2024) == 2025)
        }),
    ]);
}

#[test]
fn an_empty_number_may_stand_for_a_default() {
    hides(&[
        ("<label>Days <input type=number name=days></label>", true, |asked, nth| {
            nth % 4 > 0 || number(asked, "days", 30) > 365
        }),
        ("<label>Days <input name=days></label>", true, |asked, nth| nth % 4 > 0 || number(asked, "days", 30) > 365),
        ("<label>Since <input type=date name=since></label>", true, |asked, nth| {
            nth % 4 > 0 || sent(asked, "since").is_some_and(|day| !day.is_empty() && day < "2000")
        }),
        ("<label>Year <input type=number name=year></label>", false, |asked, nth| {
            (nth % 4 == 0) == (number(asked, "year", 2024) == 2023) && number(asked, "year", 2024).abs_diff(2024) < 2
        }),
    ]);
    // A number that narrows, and one of which no notice is taken.
    for (control, shows) in [
        ("<label>Price up to <input type=number name=price></label>", |asked, nth| nth <= number(asked, "price", 100)),
        ("<label>Price from <input type=number name=price></label>", |asked, nth| nth >= number(asked, "price", 0)),
        ("<label>Price <input type=number name=price></label>", |_, _| true),
    ] as [(&str, Shows); 3]
    {
        let (closing, found, asked) = beside(control, true, &shows);
        assert!(closing.certified && found == 60 && asked <= 18, "{control}: {found} in {asked} {closing:?}");
    }
}

#[test]
fn both_ends_of_a_range_are_tried() {
    let late = |text: &str| text.contains("2100");
    assert!(late("2100-01-01"));
    hides(&[
        ("From <input type=date name=date_from> to <input type=date name=date_to>", true, |asked, nth| {
            nth % 4 > 0 || sent(asked, "date_to").is_some_and(|to| to.starts_with("2100"))
        }),
        (
            "<input type=range name=p_min min=0 max=900 value=0><input type=range name=p_max min=0 max=900 value=500>",
            true,
            |asked, nth| nth * 15 >= number(asked, "p_min", 0) && nth * 15 <= number(asked, "p_max", 500),
        ),
        ("<input name=date_from value=01.01.2024><input name=date_to value=31.12.2024>", true, |asked, nth| {
            let year = |name: &str, default: usize| {
                sent(asked, name).and_then(|day| day.rsplit('.').next()?.parse().ok()).unwrap_or(default)
            };
            (year("date_from", 2024)..=year("date_to", 2024)).contains(&(2024 - usize::from(nth % 4 == 0)))
        }),
        ("<input name=date_from><input name=date_to>", false, |_, nth| nth % 4 > 0),
        ("<input type=time name=open_from><input type=time name=open_to>", true, |asked, nth| {
            nth % 4 > 0 || sent(asked, "open_to").is_some_and(|to| to > "20:00")
        }),
    ]);
}

#[test]
fn every_value_of_a_short_list_is_accounted_for() {
    let texts = "<input name=t1><input name=t2><input name=t3>";
    let list =
        "<label>Status <select name=status><option value=''>Any<option>new<option>used<option>sold</select></label>";
    let both = format!("{texts}{list}");
    let boxes: String =
        (0..6).map(|nth| format!("<label><input type=checkbox name=w value=w{nth}>w{nth}</label>")).collect();
    hides(&[
        (&both, true, |asked, nth| match sent(asked, "status").unwrap_or_default() {
            "sold" => nth % 3 == 0,
            "new" => nth % 3 == 1,
            "used" => nth % 3 == 2,
            _ => nth % 3 > 0,
        }),
        (list, true, |asked, nth| nth % 3 > 0 || sent(asked, "status") == Some("sold")),
        (&boxes, true, |asked, nth| nth % 3 > 0 || has(asked, "w", "w3")),
        (&boxes, true, |asked, nth| {
            let ticked: Vec<&(String, String)> = asked.0.iter().filter(|(name, _)| name == "w").collect();
            nth % 3 > 0 || (ticked.len() == 1 && has(asked, "w", "w3"))
        }),
        (
            "<input type=radio name=r value=all aria-label=All><input type=radio name=r value=x aria-label=X>",
            true,
            |asked, nth| nth % 3 > 0 || sent(asked, "r").is_none(),
        ),
        ("<select name=m multiple><option value=all>all<option>x<option>y</select>", true, |asked, nth| {
            match sent(asked, "m") {
                Some("all") => nth % 3 > 0,
                Some(_) => nth % 3 == 1,
                None => true,
            }
        }),
        ("<select name=s><option value=''>Any<option selected>wide<option>x</select>", true, |asked, nth| {
            nth % 3 > 0 || sent(asked, "s") == Some("wide")
        }),
    ]);
}

#[test]
fn controls_that_cannot_be_set_are_named() {
    for (control, named) in [
        ("<select name='f[]'><option>a<option>b</select><select name='f[]'><option>c<option>d</select>", "list f[]"),
        ("<input type=text name=t><input type=text name=t>", "field t"),
    ] {
        let (closing, _, _) = beside(control, true, &|_, _| true);
        let says = |reason: &String| reason.contains(named) && reason.contains("not varied");
        assert!(!closing.certified && closing.reasons.iter().any(says), "{control}: {closing:?}");
    }
    // A script may enable it.
    let (closing, found, _) = beside("<input type=checkbox disabled name=old>", true, &|asked, nth| {
        nth % 3 > 0 || sent(asked, "old").is_some()
    });
    assert!(closing.certified && found == 60, "{found} {closing:?}");
    let form = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select>\
                <input type=submit disabled><button name=scope value=archive>Archive</button></form>";
    let all = named(25);
    let site = |asked: &Asked| if asked.0.is_empty() { form.to_owned() } else { listed(&all, asked, 100, form) };
    let (closing, _, _) = gather(&site);
    assert!(!closing.certified, "{closing:?}");
    assert!(closing.reasons.iter().any(|reason| reason.contains("button archive")), "{closing:?}");
}

/// A list in which nothing is chosen: left alone, the form brings records that have no value there.
#[test]
fn a_list_with_nothing_chosen_may_be_left_alone() {
    for list in [
        "<select name=kind><option value='' disabled selected>Choose…<option value=0>zero<option value=1>one</select>",
        "<select name=kind size=4><option value=0>zero<option value=1>one</select>",
        "<select name=kind required><option value='' disabled selected>Choose…<option value=0>zero<option value=1>one</select>",
    ] {
        let form = format!("<form>{list}<input type=submit></form>");
        let all = named(90);
        for (limit, refuses) in [(1000, false), (60, false), (60, true)] {
            let site = |asked: &Asked| {
                if asked.0.is_empty() && !asked.1 {
                    return form.clone();
                }
                let kind = asked.one("kind");
                if refuses && kind.is_none() {
                    return format!("{form}<p>Please choose a kind.</p>");
                }
                // Those without a kind come last.
                let kinds = |nth: usize| if nth < 76 { Some(usize::from(nth < 29)) } else { None };
                let fits = |nth: usize| if kind.is_none() { !refuses } else { kinds(nth) == kind };
                let found: Vec<String> =
                    all.iter().enumerate().filter(|(nth, _)| fits(*nth)).map(|(_, name)| name.clone()).collect();
                listed(&found, asked, limit, &form)
            };
            let (closing, names, _) = gather(&site);
            let reachable = if refuses { 76 } else { 90 };
            assert!(
                !closing.certified || names.len() == reachable,
                "{list} {limit} {refuses}: {} {closing:?}",
                names.len()
            );
            assert!(!refuses || closing.certified, "{list} {limit} {refuses}: {} {closing:?}", names.len());
        }
    }
}

/// The same stations each year, with other numbers.
#[test]
fn the_same_names_with_other_numbers_are_other_records() {
    let form = "<form><select name=year><option selected>2024<option>2023<option>2022</select>\
                <select name=kind><option value=''>any<option value=0>zero<option value=1>one</select><input type=submit></form>";
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.to_owned();
        }
        let year = number(asked, "year", 2024);
        let row =
            |nth: usize| format!("<a href='/station/{nth}'>{}</a>: {} mm", two_words(60)[nth], nth * 7 + year * 3);
        let found = (0..41).filter(|nth| asked.one("kind").is_none_or(|kind| nth % 2 == kind));
        listed(&found.map(row).collect::<Vec<_>>(), asked, 1000, form)
    };
    let (closing, _, _) = gather(&site);
    assert!(!closing.certified || closing.records == 3 * 41, "{closing:?}");
    assert_eq!(closing.records, 3 * 41, "{closing:?}");
}

/// Two lists with more records than are counted have the same total.
#[test]
fn equal_totals_at_a_limit_of_counting_do_not_make_a_control_neutral() {
    let form = "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one<option value=2>two\
                <option value=3>three</select><input type=submit></form>";
    let all = named(900);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.to_owned();
        }
        let group = |nth: usize| if nth < 400 { nth % 2 } else { 2 + nth % 2 };
        let fits = |nth: usize| asked.one("kind").is_none_or(|kind| group(nth) == kind);
        let found: Vec<String> =
            all.iter().enumerate().filter(|(nth, _)| fits(*nth)).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 300, form).replace(
            &format!("<p>{} records found", found.len()),
            &format!("<p>{} records found", found.len().min(200)),
        )
    };
    let (closing, names, _) = gather(&site);
    assert!(!closing.certified, "{closing:?}");
    assert!(names.len() > 700, "{} {closing:?}", names.len());
}

/// The budget is spent when the controls are to be tried.
#[test]
fn no_certificate_where_the_budget_left_controls_untried() {
    let list =
        "<label>Status <select name=status><option value=''>Any<option>new<option>used<option>sold</select></label>";
    let form = format!(
        "<form><select name=kind><option value=''>any<option value=0>zero<option value=1>one</select>{list}<input type=submit></form>"
    );
    let all = named(60);
    let site = |asked: &Asked| {
        if asked.0.is_empty() {
            return form.clone();
        }
        let fits = |nth: usize| {
            asked.one("kind").is_none_or(|kind| nth % 2 == kind)
                && (!nth.is_multiple_of(3) || sent(asked, "status") == Some("sold"))
        };
        let found: Vec<String> =
            all.iter().enumerate().filter(|(nth, _)| fits(*nth)).map(|(_, name)| name.clone()).collect();
        listed(&found, asked, 1000, &form)
    };
    for budget in 4..30 {
        let (closing, names, _) = gather_with(&site, Some(budget));
        assert!(!closing.certified || names.len() == 60, "{budget}: {} {closing:?}", names.len());
    }
}

/// Of a list from which one value must be chosen, the first value has nothing hidden; another one has.
#[test]
fn controls_are_tried_beside_each_value_of_a_list_that_must_be_chosen() {
    let form = "<form><label>Kind <select name=kind><option value=0>zero<option value=1>one<option value=2>two</select></label>\
                <input type=hidden name=scope value=active><input type=submit value=Search></form>";
    for hides in [false, true] {
        let all = named(137);
        let site = |asked: &Asked| {
            if asked.0.is_empty() {
                return form.to_owned();
            }
            let kind = asked.one("kind").unwrap_or(0);
            let fits = |nth: usize| {
                let is_hidden = hides && nth % 6 == 5;
                [0, 1, 1, 2, 2, 2][nth % 6] == kind && (!is_hidden || sent(asked, "scope") == Some(""))
            };
            let found: Vec<String> =
                all.iter().enumerate().filter(|(nth, _)| fits(*nth)).map(|(_, name)| name.clone()).collect();
            listed(&found, asked, 200, form)
        };
        let (closing, names, asked) = gather(&site);
        assert_eq!(closing.certified, !hides, "{} {closing:?}", names.len());
        assert!(asked.len() < 70, "{}", asked.len());
        let says = |reason: &String| reason.contains("scope") && reason.contains("beside");
        assert!(!hides || closing.reasons.iter().any(says), "{closing:?}");
    }
}

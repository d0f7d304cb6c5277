//! Several sites on one host, one site on several hosts: what is found is what was made.

use groma_bounds::{Direction, FoundSite, Method, Settings, Sigma, Start, Warning, Web, Why, clusters, find};

use crate::made_up::MadeUp;

fn look_for(web: &Web<'_>, seeds: &[u32], settings: &Settings) -> FoundSite {
    let clustering = clusters(web, settings, &mut |_, _| true);
    find(web, &Start { seeds: seeds.to_vec(), ..Start::default() }, settings, Some(&clustering))
}

/// Three manuals on one host, with links between them.
fn one_host() -> (MadeUp, Vec<Vec<u32>>) {
    manuals_on_one_host(&["a", "b", "c"])
}

fn manuals_on_one_host(names: &[&str]) -> (MadeUp, Vec<Vec<u32>>) {
    let mut web = MadeUp::default();
    let manual = |name: &&str| web.manual(|_| format!("http://h/doc/{name}/"), 4, 12);
    let manuals: Vec<Vec<u32>> = names.iter().map(manual).collect();
    for from in 0..manuals.len() {
        web.join(&manuals[from], &manuals[(from + 1) % manuals.len()], 12);
    }
    (web, manuals)
}

#[test]
fn manuals_on_one_host_are_told_apart_from_their_home_pages() {
    let (made, manuals) = one_host();
    let looked = made.look();
    for method in [Method::MclFlow, Method::Flow] {
        for manual in &manuals {
            let found = look_for(&looked.web(), &manual[..1], &Settings { method, ..Settings::default() });
            assert_eq!(found.inside().collect::<Vec<_>>(), *manual, "{method}");
            assert!(matches!(found.why, Why::Stands { next: Some(_), .. }), "{:?}", found.why);
            assert_eq!(found.epsilon, found.family[found.chosen].epsilon);
        }
    }
}

/// Home pages that name each other can be a cluster of their own: then their folders say which clusters are meant.
#[test]
fn home_pages_that_are_a_cluster_of_their_own_still_lead_to_their_manuals() {
    let (made, manuals) = manuals_on_one_host(&["a", "b", "c", "d", "e"]);
    let looked = made.look();
    let mut clustering = clusters(&looked.web(), &Settings::default(), &mut |_, _| true);
    let apart = clustering.of.iter().max().unwrap() + 1;
    for manual in &manuals {
        clustering.of[manual[0] as usize] = apart;
    }
    for manual in &manuals {
        let start = Start { seeds: manual[..1].to_vec(), ..Start::default() };
        let found = find(&looked.web(), &start, &Settings::default(), Some(&clustering));
        assert_eq!(found.inside().collect::<Vec<_>>(), *manual);
        assert!(found.core.iter().all(|page| manual.contains(page)), "{:?}", found.core);
    }
}

#[test]
fn a_manual_on_two_hosts_is_one_site() {
    let mut made = MadeUp::default();
    let one = made.manual(|n| format!("http://h{}/one/", n % 2), 3, 15);
    let two = made.manual(|n| format!("http://h{}/two/", (n + 1) % 2), 3, 15);
    made.join(&one, &two, 5);
    made.join(&two, &one, 5);
    let looked = made.look();
    for (start, whole) in [(&one, &one), (&two, &two)] {
        let found = look_for(&looked.web(), &start[..1], &Settings::default());
        assert_eq!(found.inside().collect::<Vec<_>>(), *whole);
    }
}

#[test]
fn the_family_is_nested_and_ends_with_everything_that_hangs_together() {
    let (made, manuals) = one_host();
    let looked = made.look();
    let found = look_for(&looked.web(), &manuals[0][..1], &Settings::default());
    assert!(found.family.windows(2).all(|pair| pair[0].size <= pair[1].size && pair[0].epsilon > pair[1].epsilon));
    assert!(found.family.windows(2).all(|pair| pair[0].boundary >= pair[1].boundary - 1e-9));
    let last = found.family.len() - 1;
    assert_eq!(found.member(last).count(), made.addresses.len());
    assert_eq!(found.family[last].boundary, 0.0);
}

#[test]
fn what_people_say_holds_whatever_the_links_say() {
    let (made, manuals) = one_host();
    let looked = made.look();
    let web = looked.web();
    let settings = Settings::default();
    let clustering = clusters(&web, &settings, &mut |_, _| true);
    let start = Start { seeds: vec![manuals[0][0]], accepted: manuals[1].clone(), rejected: manuals[0][40..].to_vec() };
    let found = find(&web, &start, &settings, Some(&clustering));
    assert!(manuals[1].iter().all(|&page| found.is_inside(page)));
    assert!(manuals[0][40..].iter().all(|&page| !found.is_inside(page)));
    assert!(manuals[0][..40].iter().all(|&page| found.is_inside(page)));
    assert!(!manuals[2].iter().any(|&page| found.is_inside(page)));
}

#[test]
fn a_price_that_is_given_is_taken() {
    let (made, manuals) = one_host();
    let looked = made.look();
    let settings = Settings { epsilon: Some(1e-9), ..Settings::default() };
    let found = look_for(&looked.web(), &manuals[0][..1], &settings);
    assert_eq!((found.why, found.inside().count()), (Why::Given, made.addresses.len()));
    assert!(found.warnings.contains(&Warning::Everything));
    assert!(found.warnings.iter().any(|warning| matches!(warning, Warning::Leak { .. })));
    let settings = Settings { epsilon: Some(f64::NAN), ..Settings::default() };
    assert!(look_for(&looked.web(), &manuals[0][..1], &settings).inside().count() <= made.addresses.len());
}

#[test]
fn clusters_alone_are_a_family_of_one() {
    let (made, manuals) = one_host();
    let looked = made.look();
    let found = look_for(&looked.web(), &manuals[2][..1], &Settings { method: Method::Mcl, ..Settings::default() });
    assert_eq!((found.why, found.family.len(), found.chosen), (Why::Clusters, 1, 0));
    assert!(found.inside().all(|page| manuals[2].contains(&page)));
    let step = found.family[0];
    assert!(step.inside > 0.0 && step.boundary > 0.0 && step.is_real());
}

#[test]
fn other_settings_find_much_the_same() {
    let (made, manuals) = one_host();
    let looked = made.look();
    for settings in [
        Settings { sigma: Sigma::Fitted, ..Settings::default() },
        Settings { direction: Direction::Forward, ..Settings::default() },
        Settings { selection: Some(20), ..Settings::default() },
    ] {
        let found = look_for(&looked.web(), &manuals[1][..1], &settings);
        let both = found.inside().filter(|page| manuals[1].contains(page)).count();
        assert!(both * 10 >= manuals[1].len() * 9 && both == found.inside().count(), "{settings:?}: {both}");
    }
}

#[test]
fn odd_starts_do_no_harm() {
    let (made, _) = one_host();
    let looked = made.look();
    let mut pages = looked.pages.clone();
    pages[3] = false;
    let web = Web { pages: &pages, ..looked.web() };
    for seeds in [vec![], vec![3], vec![9_999_999], vec![0, 0, 0]] {
        for method in Method::ALL {
            let found = look_for(&web, &seeds, &Settings { method, ..Settings::default() });
            assert!(!found.is_inside(3) && !found.is_inside(9_999_999));
            assert!(seeds.contains(&0) || found.inside().count() == 0, "{method} {seeds:?}");
        }
    }
    let nothing = MadeUp::default().look();
    assert_eq!(look_for(&nothing.web(), &[0], &Settings::default()).inside().count(), 0);
}

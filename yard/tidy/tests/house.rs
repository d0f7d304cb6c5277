//! This house, held to its rules. A failure names each file and the rule it breaks.

use groma_tidy::{House, circles, comments, rules, sizes};

#[track_caller]
fn hold(rule: impl Fn(&House) -> Vec<String>) {
    let house = House::ours().expect("the house can be read");
    assert!(house.texts.len() > 10 && house.crates.len() > 5, "this is not the whole house");
    let broken = rule(&house);
    assert!(broken.is_empty(), "broken {} times:\n  {}", broken.len(), broken.join("\n  "));
}

#[test]
fn every_file_begins_by_saying_what_it_answers() {
    hold(rules::files_without_opening_words);
}

#[test]
fn dependencies_point_downward_only() {
    hold(rules::dependencies_that_point_up);
}

#[test]
fn the_ground_has_no_effects() {
    hold(rules::effects_on_the_ground);
}

#[test]
fn each_language_is_spoken_in_its_room_only() {
    hold(rules::languages_outside_their_room);
}

#[test]
fn sockets_stand_in_the_fetcher_only() {
    hold(rules::sockets_outside_the_fetcher);
}

#[test]
fn no_file_is_named_like_a_drawer() {
    hold(rules::drawers);
}

#[test]
fn no_file_is_too_long() {
    hold(rules::long_files);
}

#[test]
fn nothing_is_left_for_later() {
    hold(rules::undone_work);
}

#[test]
fn every_crate_takes_the_lints_of_the_house() {
    hold(rules::crates_without_lints);
}

#[test]
fn no_files_use_one_another_in_circles() {
    hold(circles::circles_of_files);
}

#[test]
fn no_function_is_too_long() {
    hold(sizes::long_functions);
}

#[test]
fn no_struct_has_too_many_fields() {
    hold(sizes::wide_structs);
}

#[test]
fn no_comment_says_less_than_the_name_below_it() {
    hold(comments::comments_that_repeat_names);
}

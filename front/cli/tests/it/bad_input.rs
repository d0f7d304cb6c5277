//! Whatever is typed: one clear line, a next step, exit code 2, and never a panic.

use crate::{Desk, is_on_server};

#[test]
fn bad_stores() {
    if is_on_server() {
        return;
    }
    let desk = Desk::new();
    for command in ["status", "pages", "diff", "verify", "update"] {
        desk.run(&[command]).is_mistake("there is no survey");
        desk.run(&[command, "--store", "absent.groma"]).is_mistake("absent.groma");
    }
    desk.run(&["explain", "http://a.example/"]).is_mistake("there is no survey");
    std::fs::create_dir(desk.path.join("other")).unwrap();
    desk.write("other/file", "x");
    desk.run(&["crawl", "127.0.0.1:1", "--store", "other"]).is_mistake("is not a survey");
    for name in ["a.groma", "b.groma"] {
        std::fs::create_dir(desk.path.join(name)).unwrap();
        desk.write(&format!("{name}/survey.db"), "this is no database, however long it may be, and it never was one");
    }
    desk.run(&["status"]).is_mistake("several surveys in this folder: a.groma, b.groma");
    desk.run(&["crawl"]).is_mistake("several surveys");
    desk.run(&["rules"]).is_mistake("several surveys");
    desk.run(&["status", "--store", "a.groma"]).is_mistake("");
    desk.run(&["crawl", "127.0.0.1:1", "--store", "a.groma"]).is_mistake("");
}

#[test]
fn a_full_disk_for_the_output_is_told() {
    let desk = Desk::new();
    if std::path::Path::new("/dev/full").exists() {
        desk.run(&["config", "-o", "/dev/full"]).is_mistake("cannot be written");
    }
    desk.run(&["config", "-o", "absent/file"]).is_mistake("absent/file");
}

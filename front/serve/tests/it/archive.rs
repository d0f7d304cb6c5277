//! What was kept of a page beside the survey itself: its copy out of the archive, and its picture.

use groma_testweb::{Answer, Ask, Server};
use serde_json::{Value, json};

use crate::{House, new_home, own_name};

/// A page that a script completes, and one of a server that cannot spell.
fn site(ask: &Ask) -> Answer {
    match ask.path.as_str() {
        "/" => Answer::html(
            "<!doctype html><title>Stones</title><h1>Border stones</h1><p id=p>written by hand</p><a href=/latin>more</a>\
             <script>document.getElementById('p').textContent = 'written by a script'</script>",
        ),
        "/latin" => Answer::typed("text/html; charset=iso-8859-1", b"<title>M\xfcnster</title><p>Stra\xdfe".to_vec()),
        _ => Answer::status(404),
    }
}

fn surveyed(config: &str) -> (House, Server, String) {
    let web = Server::start(site);
    let home = new_home();
    let file = home.join("groma.toml");
    let archive = home.join("archive");
    std::fs::write(&file, format!("warc = {:?}\ndelay = 0\nretries = 0\n{config}", archive.display().to_string()))
        .unwrap();
    let own = own_name(&web);
    let house = House::open_in(home, |options| {
        options.own = vec![own];
        options.config = Some(file);
    });
    let new = json!({ "url": web.base(), "settings": { "delay": "0", "sitemaps": "false" } });
    let reply = house.post("/api/v1/sites", &new);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let name = reply.json()["name"].as_str().unwrap().to_owned();
    let jobs = house.until_idle(&name, None);
    assert!(jobs.as_array().unwrap().iter().all(|job: &Value| job["state"] == "done"), "{jobs}");
    (house, web, name)
}

#[test]
fn the_stored_copy_comes_out_of_the_archive() {
    let (house, web, name) = surveyed("");
    let page = |path: &str| format!("/sites/{name}/page?url={}{path}", web.base());
    let copy = |path: &str| house.get(&format!("/sites/{name}/copy?url={}{path}", web.base()));
    assert!(house.get(&page("/")).text().contains("copy-head"));
    let home = copy("/");
    assert!(home.status == 200 && home.text().contains("written by hand"), "{}", home.text());
    assert!(home.header("content-security-policy").starts_with("sandbox; default-src 'none'"));
    assert!(copy("/latin").text().contains("Straße"));
    assert_eq!(copy("/nowhere").status, 422);

    // An archive that is gone or broken is told, and nothing else is lost.
    let files = || std::fs::read_dir(house.home.join("archive")).unwrap().flatten().map(|file| file.path());
    for file in files().filter(|file| file.to_string_lossy().ends_with(".warc.gz")) {
        let length = std::fs::metadata(&file).unwrap().len() as usize;
        std::fs::write(file, vec![b'x'; length]).unwrap();
    }
    let broken = copy("/");
    assert!((400..600).contains(&broken.status) && !broken.text().contains("panicked"), "{}", broken.text());
    std::fs::remove_dir_all(house.home.join("archive")).unwrap();
    assert_eq!(copy("/").status, 404);
    let page = house.get(&page("/"));
    assert!(page.status == 200 && !page.text().contains("copy-head"), "{}", page.text());
}

#[test]
fn a_page_shows_its_picture() {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&folders).any(|folder| folder.join("chromium").is_file()) {
        eprintln!("skipped: chromium is not installed");
        return;
    }
    let (house, web, name) = surveyed("js = \"always\"\nscreenshots = true\n");
    let picture = format!("/sites/{name}/screenshot?url={}", web.base());
    let page = house.get(&format!("/sites/{name}/page?url={}/", web.base()));
    assert!(page.text().contains("screenshot-head") && page.text().contains("/screenshot?url="), "{}", page.text());
    let shown = house.get(&format!("{picture}/"));
    assert_eq!((shown.status, shown.header("content-type")), (200, "image/png"));
    assert!(shown.body.starts_with(b"\x89PNG"));
    assert_eq!(house.get(&format!("{picture}/nowhere")).status, 422);
    // The copy is the page as it came, whatever scripts made of it.
    assert!(house.get(&format!("/sites/{name}/copy?url={}/", web.base())).text().contains("written by"));
}

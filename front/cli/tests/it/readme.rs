//! The README names no command and no flag that is not there, and no limit that has another name.

use crate::Desk;

fn help(desk: &Desk, command: &str) -> String {
    let done = desk.run(&[command, "--help"]);
    assert_eq!(done.code, 0, "{command}: {}", done.err);
    done.out
}

#[test]
fn readme_and_help_agree() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let desk = Desk::new();
    let overview = desk.run(&["--help"]).out;
    let listed = overview.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands: Vec<&str> =
        // A line that goes on with the one before is set in further.
        listed.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .collect();
    assert!(commands.len() > 10, "{overview}");
    let mut helps: String = commands.iter().map(|command| help(&desk, command)).collect();
    for part in [
        ["import", "graph"],
        ["import", "warc"],
        ["export", "parquet"],
        ["export", "wacz"],
        ["jobs", "add"],
        ["jobs", "work"],
        ["schedule", "add"],
        ["user", "add"],
        ["user", "token"],
        ["summarize", "serve"],
        ["summarize", "once"],
        ["soif", "import"],
    ] {
        helps.push_str(&desk.run(&[part[0], part[1], "--help"]).out);
    }
    for (at, _) in readme.match_indices("groma ") {
        let word = readme[at + 6..].split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
        // `groma URL` is a command too.
        let is_address = readme[at + 6..].starts_with("https://");
        let code = !is_address && (readme[..at].ends_with(['`', '\n']) || readme[..at].ends_with("&& "));
        assert!(!code || commands.contains(&word), "README speaks of `groma {word}`");
    }
    // Flags of cargo and of the benchmarks stand behind these words.
    let foreign = [
        "--release",
        "--profile",
        "--path",
        "--rounds",
        "--python",
        "--peer",
        "--test",
        "--example",
        "--nocapture",
        "--seconds",
        "--choose",
        "--mixed",
        "--sites",
        "--plain",
        "--ours",
        "--works",
        "--random",
        "--pages",
        "--minutes",
        "--features",
        "--folder",
        "--make",
        "--fields",
        "--only",
        "--site",
        "--place",
        "--warcio",
        "--flips",
    ];
    for flag in
        readme.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|w| w.starts_with("--") && w.len() > 3)
    {
        assert!(foreign.contains(&flag) || helps.contains(flag), "README speaks of {flag}");
    }
}

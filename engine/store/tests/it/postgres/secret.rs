//! Encrypted connections: what each `sslmode` asks of a server, on one that has a certificate and lets nobody in without encryption.

use std::fs;
use std::time::{Duration, Instant};

use groma_store::{Server, StoreError, surveys};

use super::place::Cluster;

/// What comes of a URL, and that it does not take as long as a server that is merely away would be sought.
fn tried(address: &str) -> Result<(), String> {
    let server = Server::parse(address).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let went = surveys(&server);
    assert!(begun.elapsed() < Duration::from_secs(30), "{address}: {:?}", begun.elapsed());
    went.map(drop).map_err(|error: StoreError| error.to_string())
}

/// A certificate that signs itself, made out to these names; it and its key as PEM.
fn certificate(names: &[&str]) -> (String, String) {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let made = rcgen::generate_simple_self_signed(names).unwrap();
    (made.cert.pem(), made.signing_key.serialize_pem())
}

/// Puts a file into the server's own folder, readable by it alone.
fn place(client: &mut postgres::Client, name: &str, text: &str) {
    assert!(!text.contains(['$', '\\']));
    let lines = format!("SELECT unnest(string_to_array($pem${}$pem$, E'\\n'))", text.trim_end());
    client.batch_execute(&format!("COPY ({lines}) TO PROGRAM 'umask 077; cat > {name}'")).unwrap();
}

fn setting(address: &str, name: &str) -> String {
    let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
    client.query_one(&format!("SHOW {name}"), &[]).unwrap().get(0)
}

#[test]
fn every_sslmode_means_what_it_says() {
    let Some(cluster) = Cluster::start() else { return };
    let with = |more: &str| format!("{}?patience=60&{more}", cluster.address);
    // A server that has no certificate.
    tried(&with("sslmode=disable")).unwrap();
    tried(&with("sslmode=prefer")).unwrap();
    tried(&cluster.address).unwrap();
    let refused = tried(&with("sslmode=require")).unwrap_err();
    assert!(refused.contains("does not support TLS"), "{refused}");

    // One that has, and wants nothing else.
    let (own, key) = certificate(&["127.0.0.1"]);
    let (other, _) = certificate(&["127.0.0.1"]);
    let mut client = postgres::Client::connect(&cluster.address, postgres::NoTls).unwrap();
    place(&mut client, "server.crt", &own);
    place(&mut client, "server.key", &key);
    client.batch_execute("ALTER SYSTEM SET ssl = on").unwrap();
    client.execute("SELECT pg_reload_conf()", &[]).unwrap();
    drop(client);
    let begun = Instant::now();
    while setting(&cluster.address, "ssl") != "on" {
        assert!(begun.elapsed() < Duration::from_secs(30), "the server does not take its certificate");
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut client = postgres::Client::connect(&cluster.address, postgres::NoTls).unwrap();
    place(&mut client, "pg_hba.conf", "hostssl all all 127.0.0.1/32 scram-sha-256");
    client.execute("SELECT pg_reload_conf()", &[]).unwrap();
    drop(client);
    let begun = Instant::now();
    while postgres::Client::connect(&cluster.address, postgres::NoTls).is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the server still lets everybody in");
        std::thread::sleep(Duration::from_millis(50));
    }

    let folder = std::env::temp_dir().join(format!("groma-secret-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string().replace('%', "%25")
    };
    let (ours, theirs, none) = (file("own.pem", &own), file("other.pem", &other), file("none.pem", "words"));
    let refused = tried(&with("sslmode=disable")).unwrap_err();
    assert!(refused.contains("no encryption"), "{refused}");
    tried(&cluster.address).expect("encrypted if the server offers it, unless told otherwise");
    for fine in ["sslmode=prefer", "sslmode=require"] {
        tried(&with(fine)).unwrap_or_else(|why| panic!("{fine}: {why}"));
    }
    for mode in ["require", "verify-ca", "verify-full"] {
        tried(&with(&format!("sslmode={mode}&sslrootcert={ours}"))).unwrap_or_else(|why| panic!("{mode}: {why}"));
        let refused = tried(&with(&format!("sslmode={mode}&sslrootcert={theirs}"))).unwrap_err();
        assert!(refused.contains("certificate"), "{mode}: {refused}");
        let refused = tried(&with(&format!("sslmode={mode}&sslrootcert={none}"))).unwrap_err();
        assert!(refused.contains("no certificate in"), "{mode}: {refused}");
    }
    // Nobody whom the system trusts has signed it.
    assert!(tried(&with("sslmode=verify-full&sslrootcert=system")).is_err());
    // The same server under a name its certificate is not made out to.
    let named = with(&format!("sslrootcert={ours}")).replace("127.0.0.1", "localhost");
    tried(&format!("{named}&sslmode=verify-ca")).unwrap();
    let refused = tried(&format!("{named}&sslmode=verify-full")).unwrap_err();
    assert!(refused.contains("certificate") && refused.contains("name"), "{refused}");
    fs::remove_dir_all(&folder).unwrap();
}

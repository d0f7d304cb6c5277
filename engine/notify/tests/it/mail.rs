//! A letter arrives as it was meant, or it is said why not.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use groma_notify::{Encryption, Letter, Mail, NotifyError, Secret, Smtp};

use crate::postbox::{Manners, Odd, Postbox};

fn letter() -> Letter {
    Letter {
        subject: "3 new broken links on www.example.org".into(),
        text:
            "First line\n.a line with a dot\nP\u{159}\u{ed}li\u{161} \u{17e}lu\u{165}ou\u{10d}k\u{fd} k\u{16f}\u{148}\n"
                .into(),
        topic: "www.example.org:8080".into(),
        id: "0a1b".into(),
        at: 1_763_200_000,
    }
}

fn server(postbox: &Postbox, encryption: Encryption) -> Smtp {
    Smtp {
        host: "localhost".into(),
        port: postbox.port,
        encryption,
        login: None,
        roots: Some(postbox.pem.clone()),
        patience: Duration::from_millis(500),
    }
}

fn send(server: Smtp, letter: &Letter) -> Result<(), NotifyError> {
    let mail = Mail::new("groma@example.org".parse().unwrap(), server).unwrap();
    mail.send(letter, &"webmaster@example.net".parse().unwrap())
}

/// The text of a letter, whatever its coding.
fn text(data: &str) -> String {
    let (head, body) = data.split_once("\r\n\r\n").unwrap();
    if head.to_lowercase().contains("quoted-printable") {
        let joined = body.replace("=\r\n", "");
        let mut bytes = Vec::new();
        let mut rest = joined.as_bytes();
        while let Some((&first, others)) = rest.split_first() {
            rest = others;
            if first == b'=' {
                bytes.push(u8::from_str_radix(std::str::from_utf8(&rest[..2]).unwrap(), 16).unwrap());
                rest = &rest[2..];
            } else {
                bytes.push(first);
            }
        }
        return String::from_utf8(bytes).unwrap();
    }
    assert!(!head.to_lowercase().contains("base64"), "{head}");
    body.to_owned()
}

#[test]
fn a_letter_arrives_with_its_head_and_its_text() {
    let postbox = Postbox::open(Manners::default());
    send(server(&postbox, Encryption::None), &letter()).unwrap();
    let [visit] = postbox.received(1).try_into().unwrap();
    assert!(visit.commands.iter().any(|line| line.starts_with("MAIL FROM:<groma@example.org>")), "{visit:?}");
    let to: Vec<_> = visit.commands.iter().filter(|line| line.starts_with("RCPT")).collect();
    assert_eq!(to, ["RCPT TO:<webmaster@example.net>"]);
    for field in [
        "From: \"Groma\" <groma@example.org>",
        "To: webmaster@example.net",
        "Subject: 3 new broken links on www.example.org",
        "Date: Sat, 15 Nov 2025 09:46:40 +0000",
        "Message-ID: <0a1b.groma@example.org>",
        "List-Id: <www.example.org-8080.groma.example.org>",
        "Auto-Submitted: auto-generated",
        "Content-Type: text/plain; charset=utf-8",
        "MIME-Version: 1.0",
    ] {
        let expected = field.replace("\"Groma\"", "Groma");
        assert!(visit.data.lines().any(|line| line == field || line == expected), "{field}\n{}", visit.data);
    }
    assert_eq!(text(&visit.data).replace("\r\n", "\n").trim_end(), letter().text.trim_end());
    assert!(!visit.encrypted);
}

#[test]
fn a_subject_of_any_kind_is_one_field() {
    let hostile = "caf\u{e9} \u{202e}\r\nBcc: victim@example.org\r\n\r\n<script>\u{1f600} ".repeat(20);
    let postbox = Postbox::open(Manners::default());
    let topic = "x>\r\nBcc: other@example.org".to_owned();
    send(server(&postbox, Encryption::None), &Letter { subject: hostile, topic, id: "a\r\nX: y".into(), ..letter() })
        .unwrap();
    let [visit] = postbox.received(1).try_into().unwrap();
    let (head, _) = visit.data.split_once("\r\n\r\n").unwrap();
    let fields: Vec<&str> = head.lines().filter(|line| !line.starts_with([' ', '\t'])).collect();
    assert!(fields.iter().all(|field| !field.starts_with("Bcc") && !field.starts_with("X:")), "{head}");
    assert!(fields.len() < 14 && head.is_ascii(), "{head}");
    assert!(head.lines().all(|line| line.len() < 200), "{head}");
    assert_eq!(visit.commands.iter().filter(|line| line.starts_with("RCPT")).count(), 1);
    assert!(text(&visit.data).contains("First line"));
}

#[test]
fn the_way_is_secured_as_asked() {
    for (encryption, manners) in [
        (Encryption::StartTls, Manners { starttls: true, login: true, ..Manners::default() }),
        (Encryption::Tls, Manners { wrapped: true, login: true, ..Manners::default() }),
    ] {
        let postbox = Postbox::open(manners);
        let login = Some(("me".to_owned(), Secret::new("hunter2")));
        send(Smtp { login, ..server(&postbox, encryption) }, &letter()).unwrap();
        let [visit] = postbox.received(1).try_into().unwrap();
        assert!(visit.encrypted && visit.data.contains("Message-ID"), "{encryption:?}: {visit:?}");
        // "\0me\0hunter2"
        assert!(visit.commands.contains(&"AUTH PLAIN AG1lAGh1bnRlcjI=".to_owned()), "{visit:?}");
    }
}

#[test]
fn nothing_is_said_to_a_server_that_cannot_be_trusted() {
    let login = || Some(("me".to_owned(), Secret::new("hunter2")));
    let unknown = Postbox::open(Manners { starttls: true, login: true, ..Manners::default() });
    let error = send(Smtp { roots: None, login: login(), ..server(&unknown, Encryption::StartTls) }, &letter());
    assert!(matches!(&error, Err(NotifyError::Tls { why, .. }) if why.contains("certificate")), "{error:?}");
    let wrapped = Postbox::open(Manners { wrapped: true, ..Manners::default() });
    let error = send(Smtp { roots: None, ..server(&wrapped, Encryption::Tls) }, &letter());
    assert!(matches!(error, Err(NotifyError::Tls { .. })), "{error:?}");
    // Somebody in between has taken the offer out.
    let stripped = Postbox::open(Manners { login: true, ..Manners::default() });
    let error = send(Smtp { login: login(), ..server(&stripped, Encryption::StartTls) }, &letter());
    assert!(matches!(error, Err(NotifyError::Tls { .. })), "{error:?}");
    for postbox in [unknown, stripped] {
        let heard = postbox.received(1).remove(0).commands;
        assert!(
            heard.iter().all(|line| line.starts_with("EHLO") || line.starts_with("STARTTLS") || line == "QUIT"),
            "{heard:?}"
        );
    }
}

#[test]
fn a_refusal_is_told_with_its_code_and_whether_to_come_again() {
    for (at, says, code, passing) in [
        ("CONNECT", "421 too busy", 421, true),
        ("CONNECT", "554 go away", 554, false),
        ("MAIL", "451 later\u{1b}[31m", 451, true),
        ("MAIL", "550 no such sender", 550, false),
        ("RCPT", "450 greylisted", 450, true),
        ("RCPT", "550 no such user", 550, false),
        ("DATA", "452 no room", 452, true),
        (".", "554 spam", 554, false),
        (".", "451 try again", 451, true),
    ] {
        let postbox = Postbox::open(Manners { odd: Some((at, Odd::Says(says))), ..Manners::default() });
        let error = send(server(&postbox, Encryption::None), &letter()).unwrap_err();
        let found = match &error {
            NotifyError::Refused { code, says, .. } | NotifyError::Later { code, says, .. } => (*code, says.clone()),
            other => panic!("{at} {says}: {other:?}"),
        };
        assert_eq!((found.0, error.passing()), (code, passing), "{at} {says}: {error}");
        assert!(says.contains(found.1.split(['[', ' ']).next().unwrap()) && !error.to_string().contains('\u{1b}'));
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn a_login_that_is_not_taken_is_told_as_such() {
    let login = || Some(("me".to_owned(), Secret::new("hunter2")));
    let odd = Some(("AUTH", Odd::Says("535 5.7.8 bad credentials")));
    let postbox = Postbox::open(Manners { wrapped: true, login: true, odd, ..Manners::default() });
    let error = send(Smtp { login: login(), ..server(&postbox, Encryption::Tls) }, &letter()).unwrap_err();
    assert!(matches!(&error, NotifyError::Login { says, .. } if says.contains("bad credentials")), "{error:?}");
    assert!(!error.passing() && error.hint().contains("GROMA_SMTP_PASSWORD"));
    let none = Postbox::open(Manners { wrapped: true, ..Manners::default() });
    let error = send(Smtp { login: login(), ..server(&none, Encryption::Tls) }, &letter()).unwrap_err();
    assert!(matches!(error, NotifyError::Login { .. }), "{error:?}");
    assert!(!format!("{:?}", server(&postbox, Encryption::Tls)).contains("hunter2"));
}

#[test]
fn silence_ends_after_a_while() {
    for at in ["CONNECT", "EHLO", "RCPT", "."] {
        let postbox = Postbox::open(Manners { odd: Some((at, Odd::Silent)), ..Manners::default() });
        let begun = Instant::now();
        let error = send(server(&postbox, Encryption::None), &letter()).unwrap_err();
        assert!(matches!(error, NotifyError::TimeOut(_)), "{at}: {error:?}");
        assert!(error.passing() && begun.elapsed() < Duration::from_secs(15), "{at}: {:?}", begun.elapsed());
    }
}

#[test]
fn a_server_that_breaks_off_or_is_none_is_told() {
    for at in ["CONNECT", "EHLO", "MAIL", "DATA", "."] {
        let postbox = Postbox::open(Manners { odd: Some((at, Odd::HangsUp)), ..Manners::default() });
        let error = send(server(&postbox, Encryption::None), &letter()).unwrap_err();
        assert!(matches!(error, NotifyError::Protocol { .. } | NotifyError::Unreachable { .. }), "{at}: {error:?}");
        assert!(error.passing(), "{at}");
    }
    let odd = Some(("CONNECT", Odd::Says("HTTP/1.1 400 Bad Request")));
    let web = Postbox::open(Manners { odd, ..Manners::default() });
    let error = send(server(&web, Encryption::None), &letter()).unwrap_err();
    assert!(matches!(error, NotifyError::Protocol { .. }), "{error:?}");

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let nobody = Smtp { port, ..server(&web, Encryption::None) };
    let error = send(nobody.clone(), &letter()).unwrap_err();
    assert!(matches!(error, NotifyError::Unreachable { .. }) && error.passing(), "{error:?}");
    let error = send(Smtp { host: "no-such-host.invalid".into(), ..nobody }, &letter()).unwrap_err();
    assert!(matches!(error, NotifyError::Unreachable { .. }), "{error:?}");
}

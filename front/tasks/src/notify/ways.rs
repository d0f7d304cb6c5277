//! By which ways are people told? The table `[notice]` of groma.toml, and two secrets that never stand in it.
//!
//! Only files and the environment of this process say it: nothing of it can be set over the web, by a job or by a survey.

use std::path::Path;

use groma_check::Severity;
use groma_notify::{Hook, Letter, Mail, NotifyError, Reader, Secret, Smtp};
use groma_settings::table::{SMTP_PASSWORD, WEBHOOK_SECRET};
use groma_settings::value::Value;
use groma_settings::{Book, Entry, Fault};
use groma_store::Folder;
use groma_store::jobs::NoticeRow;
use groma_url::Url;
use serde::Serialize;

use super::{Body, text, words};

/// The ways on which notices are sent: mail, webhook.
pub struct Ways {
    mail: Option<Mail>,
    readers: Vec<Reader>,
    hook: Option<Hook>,
    public_url: Option<Url>,
    /// What is less bad than this is no reason to write.
    pub(super) least: Severity,
}

/// What a webhook gets: the notice with its title and where to read more.
#[derive(Serialize)]
struct Message<'a> {
    event: &'static str,
    title: &'a str,
    url: Option<String>,
    #[serde(flatten)]
    body: &'a Body,
}

impl Ways {
    /// No way at all: notices are kept and stand in the feed.
    pub fn none() -> Ways {
        Ways { mail: None, readers: Vec::new(), hook: None, public_url: None, least: Severity::Warning }
    }

    /// As a file (or the usual one) and the environment say.
    pub fn configured(config: Option<&Path>) -> Result<Ways, Fault> {
        Ways::from_book(&Book::gather(&[], config, None)?, &|name| std::env::var(name).ok())
    }

    /// As a book of settings says; `variable` knows the secrets.
    pub fn from_book(book: &Book, variable: &dyn Fn(&str) -> Option<String>) -> Result<Ways, Fault> {
        let entry = |key: &str| book.entry(&format!("notice.{key}"));
        let mut ways = Ways::none();
        let least = word(entry("least")).unwrap_or_default();
        ways.least = Severity::ALL.into_iter().find(|severity| severity.name() == least).unwrap_or(Severity::Warning);
        if let Some(text) = word(entry("public_url")) {
            let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            let wrong = || blamed(entry("public_url"), words::NO_PUBLIC_URL, words::PUBLIC_URL_HINT);
            ways.public_url = Some(url.ok_or_else(wrong)?);
        }
        if let Value::List(readers) = &entry("mail").value {
            let readers = readers.iter().map(|reader| reader.parse::<Reader>()).collect::<Result<Vec<_>, _>>();
            ways.readers = readers.map_err(|error| unusable(entry("mail"), &error))?;
        }
        if !ways.readers.is_empty() {
            ways.mail = Some(mail(book, variable)?);
        }
        if let Some(url) = word(entry("webhook")) {
            let secret = secret(variable, WEBHOOK_SECRET, entry("webhook_secret_file"))?.unwrap_or_default();
            let private = entry("webhook_private").value == Value::Flag(true);
            let hook = Hook::new(&url, Secret::new(secret), private);
            ways.hook = Some(hook.map_err(|error| unusable(entry("webhook"), &error))?);
        }
        Ok(ways)
    }

    /// The same, whatever the environment says about proxies.
    pub fn direct(mut self) -> Ways {
        self.hook = self.hook.map(Hook::direct);
        self
    }

    /// What the ways are called in the records of a notice.
    pub fn names(&self) -> Vec<String> {
        let mail = self.readers.iter().map(|reader| format!("mail:{}", reader.address()));
        mail.chain(self.hook.iter().map(|_| "webhook".to_owned())).collect()
    }

    /// Where the site's findings can be read, if the configuration says where the server is.
    pub fn link(&self, folder: &Folder) -> Option<String> {
        self.public_url.as_ref().map(|base| words::findings_url(base.as_str(), &super::site_name(folder)))
    }

    /// Sends a notice one way; nothing if there is no such way any more.
    pub(super) fn send(
        &self,
        folder: &Folder,
        row: &NoticeRow,
        body: &Body,
        way: &str,
        now: i64,
    ) -> Option<Result<(), NotifyError>> {
        if way == "webhook" {
            let message = Message { event: "findings", title: &row.title, url: self.link(folder), body };
            let message = serde_json::to_string(&message).unwrap_or_default();
            return self.hook.as_ref().map(|hook| hook.send(&body.id, &message, now));
        }
        let reader = self.readers.iter().find(|reader| way.strip_prefix("mail:") == Some(reader.address()))?;
        let letter = Letter {
            subject: row.title.clone(),
            text: text::letter(row, body, self.link(folder).as_deref()),
            topic: body.site.clone(),
            id: body.id.clone(),
            at: row.at,
        };
        self.mail.as_ref().map(|mail| mail.send(&letter, reader))
    }
}

fn mail(book: &Book, variable: &dyn Fn(&str) -> Option<String>) -> Result<Mail, Fault> {
    let entry = |key: &str| book.entry(&format!("notice.{key}"));
    let (Some(server), Some(from)) = (word(entry("smtp")), word(entry("mail_from"))) else {
        return Err(blamed(entry("mail"), words::MAIL_NEEDS, words::MAIL_NEEDS_HINT));
    };
    let from: Reader = from.parse().map_err(|error| unusable(entry("mail_from"), &error))?;
    let password = secret(variable, SMTP_PASSWORD, entry("smtp_password_file"))?.map(Secret::new);
    let mut server = Smtp::parse(&server, password).map_err(|error| unusable(entry("smtp"), &error))?;
    if let Some(path) = word(entry("smtp_roots")) {
        let roots = std::fs::read_to_string(&path).map_err(|error| Fault::of_input(&path, &error))?;
        server.roots = Some(roots);
    }
    Mail::new(from, server).map_err(|error| unusable(entry("smtp"), &error))
}

/// A secret out of the environment, or out of the file that the configuration names.
fn secret(variable: &dyn Fn(&str) -> Option<String>, name: &str, file: &Entry) -> Result<Option<String>, Fault> {
    if let Some(secret) = variable(name).filter(|secret| !secret.is_empty()) {
        return Ok(Some(secret));
    }
    let Some(path) = word(file) else { return Ok(None) };
    let text = std::fs::read_to_string(&path).map_err(|error| Fault::of_input(&path, &error))?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

fn word(entry: &Entry) -> Option<String> {
    if let Value::Text(text) = &entry.value { Some(text.clone()).filter(|text| !text.is_empty()) } else { None }
}

fn unusable(entry: &Entry, error: &NotifyError) -> Fault {
    blamed(entry, &error.to_string(), error.hint())
}

fn blamed(entry: &Entry, says: &str, hint: &str) -> Fault {
    Fault::new(format!("{}: {}: {says}", entry.origin, entry.row.key), hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_settings::file;

    fn ways(toml: &str) -> Result<Ways, Fault> {
        let book = Book::from_file(file::parse(toml, "groma.toml").unwrap())?;
        Ways::from_book(&book, &|name| match name {
            SMTP_PASSWORD => Some("hunter2hunter2".into()),
            WEBHOOK_SECRET => Some("0123456789abcdef".into()),
            _ => None,
        })
    }

    #[test]
    fn the_table_says_who_is_told_and_how() {
        let none = ways("").unwrap();
        assert!(none.names().is_empty() && none.link(&Folder::new("a.groma")).is_none());
        let all = ways(
            "[notice]\nmail = ['a@example.org', 'b@example.org']\nmail_from = 'groma@example.org'\n\
             smtp = 'smtp://me@mail.example.org'\nwebhook = 'https://example.org/hook'\nleast = 'error'\n\
             public_url = 'https://groma.example.org/'\n",
        )
        .unwrap();
        assert_eq!(all.names(), ["mail:a@example.org", "mail:b@example.org", "webhook"]);
        assert_eq!(all.least, Severity::Error);
        let link = all.link(&Folder::new("/x/www.example.org.groma")).unwrap();
        assert_eq!(link, "https://groma.example.org/sites/www.example.org/findings");
    }

    #[test]
    fn what_cannot_work_is_told_with_its_line_and_without_secrets() {
        let mail = "mail = 'a@example.org'\nmail_from = 'g@example.org'\n";
        for (toml, says) in [
            ("[notice]\nmail = 'nobody'".to_owned(), "groma.toml:2: notice.mail: \"nobody\" is not a mail address"),
            ("[notice]\nmail = 'a@example.org'".to_owned(), "groma.toml:2: notice.mail: "),
            (format!("[notice]\n{mail}smtp = 'http://x'"), "groma.toml:4: notice.smtp: "),
            (format!("[notice]\n{mail}smtp = 'smtp://u:hunter3@x.org'"), "groma.toml:4: notice.smtp: "),
            ("[notice]\nwebhook = 'ftp://x'".to_owned(), "groma.toml:2: notice.webhook: "),
            ("[notice]\npublic_url = 'x'".to_owned(), "groma.toml:2: notice.public_url: "),
        ] {
            let fault = ways(&toml).err().unwrap_or_else(|| panic!("{toml} passes"));
            assert!(fault.says.starts_with(says), "{}", fault.says);
            assert!(!fault.hint.is_empty() && !fault.says.contains("hunter"), "{fault:?}");
        }
        let unknown = file::parse("[notice]\nmale = 'x'", "groma.toml").unwrap_err();
        assert!(unknown.says.contains("notice.male") && unknown.hint.contains("notice.mail"), "{unknown:?}");
    }

    #[test]
    fn a_webhook_without_a_secret_is_refused() {
        let book = Book::from_file(file::parse("[notice]\nwebhook = 'https://x.org/'", "f").unwrap()).unwrap();
        let fault = Ways::from_book(&book, &|_| None).err().unwrap();
        assert!(fault.hint.contains(WEBHOOK_SECRET), "{fault:?}");
    }
}

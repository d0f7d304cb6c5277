//! scrapy: a spider that follows every link on the host and keeps a row of JSON for each answer: URL, status, title and
//! the links found.

use std::process::Command;

use serde_json::Value;

use super::{Peer, html_addresses};

const SPIDER: &str = r#"
from urllib.parse import urlsplit

import scrapy
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor


class Site(scrapy.Spider):
    name = "site"
    custom_settings = {
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "DOWNLOAD_DELAY": 0,
        "HTTPERROR_ALLOW_ALL": True,
        "LOG_LEVEL": "ERROR",
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, start, parts, **more):
        super().__init__(**more)
        self.start_urls = [start]
        self.links = LinkExtractor(allow_domains=[urlsplit(start).netloc], deny_extensions=parts.split(","))

    def parse(self, response):
        row = {"url": response.url, "status": response.status}
        if isinstance(response, HtmlResponse):
            links = [link.url for link in self.links.extract_links(response)]
            row.update(title=response.css("title::text").get(), links=links)
            for link in links:
                yield response.follow(link)
        yield row
"#;

pub(super) const SCRAPY: Peer = Peer {
    name: "scrapy",
    version: &["version"],
    install: "pip install scrapy, in a virtual environment that is on the PATH",
    crawl: |job| {
        std::fs::write(job.folder.join("spider.py"), SPIDER)?;
        let mut command = Command::new("scrapy");
        command.current_dir(job.folder).args(["runspider", "spider.py", "-O", "found.jsonl"]);
        command.args(["-a", &format!("start={}", job.url), "-a", &format!("parts={}", job.parts.join(","))]);
        Ok(command)
    },
    ends: &[0],
    kept: |folder, _| {
        let text = std::fs::read_to_string(folder.join("found.jsonl"))?;
        let rows: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        Ok(html_addresses(rows.iter().filter(|row| row["status"] == 200).filter_map(|row| row["url"].as_str())))
    },
};

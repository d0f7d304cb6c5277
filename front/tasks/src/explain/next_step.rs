//! What somebody may do next about a URL, by the reason for its state.

/// What to do about a page for this reason, where its note says more.
pub(crate) fn next_step_after(reason: groma_model::Reason, note: &str) -> &'static str {
    match reason {
        groma_model::Reason::Tls if note.contains("certificate") => "-k takes any certificate",
        groma_model::Reason::Tls if note.contains("does not speak TLS") => {
            "write http:// instead of https://, or another port"
        }
        groma_model::Reason::Tls => "`groma update` asks again; see that the server and its TLS work",
        reason => crate::explain::next_step::next_step(reason),
    }
}

/// What somebody may do about a URL that has this reason.
pub(crate) fn next_step(reason: groma_model::Reason) -> &'static str {
    use groma_model::Reason::*;
    match reason {
        Waiting => "run the same crawl command again: it goes on",
        Imported => "it came without a page; crawl the site to see it",
        Fetched => "`groma update` asks whether it changed",
        DepthLimit => "raise the depth with -d",
        PageLimit => "raise the limit with -n",
        OutOfScope => "widen the survey with --scope, or add the URL as a start page",
        Robots => "ask the webmaster; on a site of your own: -s robots=false --i-own-this-site",
        RobotsUnreachable => "see that the server answers for /robots.txt; `groma update` asks again",
        NotArchived => "add another archive that has it, or ask the web with `groma update`",
        NoFollow => "follow such links with --follow-nofollow",
        Asset => "ask for such files with --assets",
        Trap => "raise the limit named in the finding (groma status) if the pages are real",
        PrivateAddress => "if it is meant, name it: --own HOST:PORT, or as a start page",
        Unauthorized => "log in with -u user:password or -H",
        Forbidden => "ask the webmaster, or log in with -u or -H",
        AskedToWait => "`groma update` asks again later; go slower with --delay",
        NotWanted => "it is known, and no link that counts leads to it",
        Loose => "leave out -d to take pages that only a sitemap names",
        RuleRequired | RuleOneOf | RuleIgnored => {
            "`groma rules test URL` shows the rule; change it in groma.toml if it is wrong"
        }
        Excluded => "change --exclude if it is wanted",
        NotIncluded => "change --include if it is wanted",
        EndlessPath => "raise limits.path_segments, path_repeats, url_bytes or query_params if it is real",
        Logout => "crawl without a login, cookies and header fields of your own if the page is wanted",
        Malformed => "fix the link on the page that holds it",
        NotFound | Gone => "fix or remove the links to it (below)",
        DnsFailure => "check the host name; `groma update` asks again",
        Refused | Reset | TimeOut | ServerError | BadAnswer => {
            "`groma update` asks again; raise --timeout or --retries if it is slow"
        }
        Tls => "-k takes any certificate; write http:// where the server speaks no TLS",
        ClientError => "the link asks for something the server does not do: fix it",
        RedirectLoop | RedirectChain | BadRedirect => "fix the redirects on the server",
        Redirected => "links may name the new URL at once",
        Folded => "`groma rules` shows the evidence",
        Rewritten => "`groma rules test URL` shows the rule",
    }
}

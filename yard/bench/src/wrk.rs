//! wrk, the load generator: so many connections ask one path after the other from a list, and every answer is looked at.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::groma::said;
use crate::measure;
use crate::scratch::Scratch;

/// Reads the paths, asks them, looks at each answer, and says at the end what came of it.
const SCRIPT: &str = r#"
local paths, at, often = {}, 0, false
bad, empty, hits, example = 0, 0, 0, ""
local threads = {}
function setup(thread) threads[#threads + 1] = thread end
function init(args)
  for line in io.lines(args[1]) do paths[#paths + 1] = line end
  often = args[2] == "often"
  math.randomseed(7)
end
function request()
  at = at + 1
  local which = (at - 1) % #paths + 1
  -- Some questions are asked by everybody, most by hardly anybody.
  if often then which = math.floor((#paths) ^ math.random()) end
  return wrk.format("GET", paths[which])
end
function response(status, headers, body)
  local total = body:match('"total":(%d+)')
  if status ~= 200 or not total then
    bad = bad + 1
    if example == "" then example = status .. " " .. body:sub(1, 200):gsub('[%c"\\]', " ") end
  elseif total == "0" then
    empty = empty + 1
  else
    hits = hits + 1
  end
end
function done(summary, latency, requests)
  local sum = { bad = 0, empty = 0, hits = 0 }
  local said = ""
  for _, thread in ipairs(threads) do
    for key in pairs(sum) do sum[key] = sum[key] + thread:get(key) end
    said = thread:get("example")
  end
  local errors = summary.errors
  io.write(string.format(
    '\ngroma-bench {"requests":%d,"us":%d,"p50_us":%d,"p99_us":%d,"max_us":%d,"broken":%d,"bad":%d,"empty":%d,"hits":%d,"example":"%s"}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    errors.connect + errors.read + errors.write + errors.timeout, sum.bad, sum.empty, sum.hits, said))
end
"#;

/// The program, if it is there.
pub(crate) struct Wrk {
    path: PathBuf,
}

/// The server under load, and the token it lets us in by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) base: &'a str,
    pub(crate) token: &'a str,
}

/// How the paths of the list are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// One after the other, so that none is asked twice while the list lasts.
    Once,
    /// At random, the first ones far more often than the last.
    Often,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// Answers that came.
    pub(crate) requests: u64,
    /// Answers per second.
    pub(crate) per_second: f64,
    /// Half of the answers came within this time, in milliseconds.
    pub(crate) p50: f64,
    /// 99 of 100 did.
    pub(crate) p99: f64,
    /// All answers came within this time.
    pub(crate) max: f64,
    /// Connections that broke and answers that did not come.
    pub(crate) broken: u64,
    /// Answers that were none: another status than 200, or no total.
    pub(crate) bad: u64,
    pub(crate) example: String,
    /// Answers without a hit.
    pub(crate) empty: u64,
    /// CPU seconds of wrk itself.
    pub(crate) cpu: f64,
}

impl Wrk {
    pub(crate) fn find() -> anyhow::Result<Wrk> {
        let known = ["/usr/bin/wrk", "/usr/local/bin/wrk"].map(PathBuf::from);
        let path = known.into_iter().find(|path| path.exists());
        Ok(Wrk { path: path.context("wrk is missing; `apt install wrk`")? })
    }

    /// Requests the paths of a file, one a line, for so many seconds.
    pub(crate) fn run(
        &self,
        server: Target<'_>,
        paths: &Path,
        manner: Manner,
        connections: u32,
        seconds: u64,
        scratch: &Scratch,
    ) -> anyhow::Result<Load> {
        let script = scratch.join("wrk.lua");
        std::fs::write(&script, SCRIPT)?;
        let mut command = Command::new(&self.path);
        // One thread of wrk is enough for more than the server gives, and leaves it more of the machine.
        command.args(["-t", "1", "-c", &connections.to_string(), "-d", &format!("{seconds}s"), "--timeout", "10s"]);
        command.arg("-H").arg(format!("Authorization: Bearer {}", server.token));
        command.arg("-s").arg(&script).arg(server.base).arg("--").arg(paths);
        command.arg(if manner == Manner::Often { "often" } else { "once" });
        let (output, cost) = measure::run(&command, &scratch.join("wrk.cost"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let Some(found) = text.lines().find_map(|line| line.strip_prefix("groma-bench ")) else {
            bail!("wrk failed: {}", said(&output));
        };
        read(found, cost.cpu).with_context(|| format!("wrk said {found}"))
    }
}

fn read(text: &str, cpu: f64) -> anyhow::Result<Load> {
    let value: Value = serde_json::from_str(text)?;
    let number = |key: &str| value[key].as_u64().with_context(|| format!("no {key}"));
    let ms = |key: &str| Ok::<f64, anyhow::Error>(number(key)? as f64 / 1e3);
    let requests = number("requests")?;
    Ok(Load {
        requests,
        per_second: requests as f64 / (number("us")?.max(1) as f64 / 1e6),
        p50: ms("p50_us")?,
        p99: ms("p99_us")?,
        max: ms("max_us")?,
        broken: number("broken")?,
        bad: number("bad")?,
        example: value["example"].as_str().unwrap_or_default().to_owned(),
        empty: number("empty")?,
        cpu,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_script_says_is_read() {
        let said = r#"{"requests":900,"us":2000000,"p50_us":1500,"p99_us":20000,"max_us":30000,"broken":1,"bad":2,"empty":3,"hits":895,"example":"503 x"}"#;
        let load = read(said, 0.5).unwrap();
        assert_eq!((load.requests, load.per_second, load.p50, load.p99), (900, 450.0, 1.5, 20.0));
        assert_eq!((load.broken, load.bad, load.empty, load.example.as_str()), (1, 2, 3, "503 x"));
        assert!(read(r#"{"requests":1}"#, 0.0).is_err());
    }
}

// Parts of a page that follow what is going on: the server says over an event stream that something moved, and the part is
// fetched anew, drawn by the server like the first time.

const parts = [...document.querySelectorAll("[data-live]")];

async function renew(part) {
  const answer = await fetch(part.dataset.live, { headers: { accept: "text/html" } });
  if (answer.status === 205 || answer.redirected) return location.reload();
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = new Set([...part.querySelectorAll("details[open][id]")].map((one) => one.id));
  for (const one of fresh.querySelectorAll("details[id]")) one.open = open.has(one.id);
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  part.replaceChildren(...fresh.body.childNodes);
  if (focused) document.getElementById(focused)?.focus();
}

// At most one renewal at a time and one a second; a hidden page waits.
function follow(part) {
  let busy = false;
  let again = false;
  let last = 0;
  const go = async () => {
    if (busy || document.hidden) {
      again = true;
      return;
    }
    busy = true;
    again = false;
    await new Promise((wait) => setTimeout(wait, Math.max(0, 1000 - (performance.now() - last))));
    last = performance.now();
    try {
      await renew(part);
    } catch {
      // The server may be away for a moment: the next event tries again.
    }
    busy = false;
    if (again) go();
  };
  document.addEventListener("visibilitychange", () => again && go());
  return go;
}

const streams = new Map();
for (const part of parts) {
  const go = follow(part);
  const from = part.dataset.events;
  if (from) {
    if (!streams.has(from)) streams.set(from, new EventSource(from));
    const stream = streams.get(from);
    for (const name of ["message", "progress", "job", "jobs", "end"]) stream.addEventListener(name, go);
  } else {
    setInterval(go, 3000);
  }
}
addEventListener("pagehide", () => streams.forEach((stream) => stream.close()));

// What something would do, while it is typed: how many queued addresses a pattern would drop, what a description finds.
for (const form of document.querySelectorAll("form[data-preview]")) {
  const target = document.getElementById(form.dataset.preview);
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const address = new URL(form.dataset.from, location.href);
      const typed = new URLSearchParams(new FormData(form));
      const request = { headers: { accept: "text/html" } };
      // What is too long for an address is sent.
      if (form.dataset.by === "post") Object.assign(request, { method: "POST", body: typed });
      else address.search = typed.toString();
      try {
        const answer = await fetch(address, request);
        if (!answer.ok || typed.toString() !== new URLSearchParams(new FormData(form)).toString()) return;
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        target.replaceChildren(...fresh.body.childNodes);
      } catch {
        // The button still shows it.
      }
    }, 350);
  });
}

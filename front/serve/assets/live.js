// Parts of a page that follow what is going on: the server says over an event stream that something moved, and the part is
// fetched anew, drawn by the server like the first time.

const parts = [...document.querySelectorAll("[data-live]")];

async function renew(part) {
  const answer = await fetch(part.dataset.live, { headers: { accept: "text/html" } });
  if (answer.status === 205 || answer.redirected) return location.reload();
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  await released();
  redraw(part, fresh.body);
}

// Whoever presses a button presses the same one until it is let go; the click comes after that.
let pressed = false;
let held = [];
const released = () => new Promise((go) => (pressed ? held.push(go) : go()));
const release = () => setTimeout(() => {
  pressed = false;
  for (const go of held) go();
  held = [];
});
addEventListener("pointerdown", (event) => (pressed = event.button === 0), true);
addEventListener("pointerup", release, true);
addEventListener("pointercancel", release, true);
addEventListener("blur", release);

// What is the same stays the same node, so that focus, scrolling, what is unfolded and what is being pressed outlive a renewal.
// A form or link that leads elsewhere is another one.
const key = (node) => node.nodeName + (node.id || node.getAttribute?.("action") || node.getAttribute?.("href") || "");

function redraw(here, fresh) {
  let next = here.firstChild;
  for (const node of [...fresh.childNodes]) {
    let same = next;
    while (same && key(same) !== key(node)) same = same.nextSibling;
    if (!same) {
      here.insertBefore(node, next);
      continue;
    }
    next = without(next, same).nextSibling;
    if (node.nodeType === Node.ELEMENT_NODE) {
      dress(same, node);
      redraw(same, node);
    } else if (same.data !== node.data) {
      same.data = node.data;
    }
  }
  without(next, null);
}

// Takes away what stands from one node up to another.
function without(node, end) {
  while (node !== end) {
    const gone = node;
    node = node.nextSibling;
    gone.remove();
  }
  return end;
}

// Whether something is unfolded is up to whoever looks at it.
function dress(here, fresh) {
  const names = new Set([...here.getAttributeNames(), ...fresh.getAttributeNames()]);
  names.delete("open");
  for (const name of names) {
    const value = fresh.getAttribute(name);
    if (value === null) here.removeAttribute(name);
    else if (here.getAttribute(name) !== value) here.setAttribute(name, value);
  }
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

// What something would do, while it is typed: how many queued URLs a pattern would drop, what a description finds.
for (const form of document.querySelectorAll("form[data-preview]")) {
  const target = document.getElementById(form.dataset.preview);
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const address = new URL(form.dataset.from, location.href);
      const typed = new URLSearchParams(new FormData(form));
      const request = { headers: { accept: "text/html" } };
      // What is too long for a URL is sent.
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

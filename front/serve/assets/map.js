// The map, where scripts run: pages of it are changed without loading everything again, colors at once, and what is pointed at
// in the tree is seen in the treemap and the other way round. Without scripts every link and form does the same by itself.

// In the order in which a shape names its colors.
const SCHEMES = ["state", "type", "age", "rank"];
const host = () => document.querySelector("[data-map]");

function paint(scheme) {
  const at = SCHEMES.indexOf(scheme);
  for (const shape of host().querySelectorAll("[data-colors]")) {
    const kept = ["cell", "opened", "rest"].filter((name) => shape.classList.contains(name));
    shape.setAttribute("class", [...kept, shape.dataset.colors.split(" ")[at]].join(" "));
  }
  for (const legend of host().querySelectorAll("[data-legend]")) legend.hidden = legend.dataset.legend !== scheme;
}

// The links of the page remember the colors that were chosen.
function remember(scheme) {
  const here = new URL(location.href);
  here.searchParams.set("color", scheme);
  history.replaceState(null, "", here);
  for (const link of host().querySelectorAll("a[data-zoom]")) {
    const to = new URL(link.getAttribute("href"), location.href);
    if (!to.pathname.endsWith("/map")) continue;
    to.searchParams.set("color", scheme);
    link.setAttribute("href", to.pathname + to.search + to.hash);
  }
}

let asked = 0;

async function go(address, push) {
  const turn = ++asked;
  host().classList.add("map-busy");
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-map]");
    if (turn !== asked) return;
    if (!answer.ok || !fresh) {
      location.assign(address);
      return;
    }
    host().replaceWith(document.adoptNode(fresh));
    document.title = page.title;
    if (push) history.pushState({ map: true }, "", address);
    const head = host().querySelector("h1");
    head.tabIndex = -1;
    head.focus({ preventScroll: true });
    if (head.getBoundingClientRect().top < 0) head.scrollIntoView();
  } catch {
    location.assign(address);
  }
}

const isMap = (url) => url.origin === location.origin && url.pathname === location.pathname;

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-zoom]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.getAttribute("href"), location.href);
  if (!isMap(to)) return;
  event.preventDefault();
  go(to.pathname + to.search, true);
});

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-color]")) return;
  paint(event.target.value);
  remember(event.target.value);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest?.("[data-choose]");
  if (!form) return;
  event.preventDefault();
  go(`${location.pathname}?${new URLSearchParams(new FormData(form))}`, true);
});

addEventListener("popstate", () => go(location.pathname + location.search, false));

// What is pointed at, or has the focus, is marked on both sides.
function mark(node) {
  for (const old of host().querySelectorAll(".near")) old.classList.remove("near");
  if (!node) return;
  for (const each of host().querySelectorAll(`[data-node="${CSS.escape(node)}"]`)) each.classList.add("near");
}

for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const near = event.target.closest?.("[data-map] [data-node]");
    mark(near ? near.dataset.node : "");
  });
}

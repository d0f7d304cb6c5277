// What every page can do beyond plain links and forms: the scheme, the keyboard, suggestions, questions before what cannot be
// undone. Everything works without it.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// Light and dark.
const toggle = $("[data-theme-toggle]");
if (toggle) {
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("groma-theme", root.dataset.theme);
    } catch {
      // Then it holds for this page.
    }
  });
}

// The keyboard: one key, or g and a key.
const help = $("#help");
const jumps = new Map($$("[data-go]").map((link) => [link.dataset.go, link]));
const typing = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

function showHelp() {
  if (!help) return;
  const rows = [["/", "Search"], ["?", "This list"], ["Esc", "Leave a box or this list"]];
  for (const [key, link] of jumps) rows.push([`g ${key}`, link.textContent.trim()]);
  $("[data-keys]", help).replaceChildren(...rows.map(([keys, what]) => {
    const row = document.createElement("tr");
    const cells = [document.createElement("td"), document.createElement("td")];
    for (const key of keys.split(" ")) {
      const kbd = document.createElement("kbd");
      kbd.textContent = key;
      cells[0].append(kbd, " ");
    }
    cells[1].textContent = what;
    row.append(...cells);
    return row;
  }));
  help.showModal();
}

const helpButton = $("[data-help]");
if (helpButton && help?.showModal) {
  helpButton.hidden = false;
  helpButton.addEventListener("click", showHelp);
}

let leader = 0;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help?.open) return;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "?" && help?.showModal) {
    showHelp();
  } else if (event.key === "/") {
    const box = $("main [data-key='/']") ?? $("[data-key='/']");
    if (!box) return;
    box.focus();
    box.select();
  } else if (event.key === "g") {
    leader = event.timeStamp;
    return;
  } else if (leader && event.timeStamp - leader < 1500 && jumps.has(event.key)) {
    jumps.get(event.key).click();
  } else {
    leader = 0;
    return;
  }
  leader = 0;
  event.preventDefault();
});

// Suggestions while somebody types.
for (const box of $$("input[data-suggest]")) {
  const list = document.getElementById(box.getAttribute("list"));
  let waiting = 0;
  let asked = "";
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const typed = box.value.trim();
      if (typed.length < 2 || typed === asked || !list) return;
      asked = typed;
      const address = new URL(box.dataset.suggest, location.href);
      address.searchParams.set("q", typed);
      try {
        const answer = await fetch(address, { headers: { accept: "application/json" } });
        if (!answer.ok || typed !== box.value.trim()) return;
        const { items = [] } = await answer.json();
        list.replaceChildren(...items.map((item) => {
          const option = document.createElement("option");
          option.value = typeof item === "string" ? item : item.text;
          return option;
        }));
      } catch {
        // No suggestions, then.
      }
    }, 150);
  });
}

// What cannot be undone asks first.
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.sure ?? event.target.dataset.sure;
  if (question && !confirm(question)) event.preventDefault();
});

// Texts to take along.
for (const button of $$("[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent);
    const before = button.textContent;
    button.textContent = button.dataset.copied ?? before;
    setTimeout(() => (button.textContent = before), 1500);
  });
}

// Choices that act at once; without scripts a button stands beside them.
for (const choice of $$("select[data-auto]")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
  const button = $("[data-auto-button]", choice.form);
  if (button) button.hidden = true;
}

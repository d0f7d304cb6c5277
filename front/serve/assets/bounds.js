// The slider of the bounds, where scripts run: the curve and the list follow it at once. Without scripts its button does the same.

const form = document.querySelector("[data-slide]");
let asked = 0;
let waiting = 0;

async function follow() {
  const turn = ++asked;
  const to = new URL(form.action);
  to.search = new URLSearchParams(new FormData(form)).toString();
  to.hash = "";
  const parts = [...document.querySelectorAll("[data-part]")];
  for (const part of parts) part.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(to, { headers: { accept: "text/html" }, credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (turn !== asked) return;
    if (!answer.ok) throw new Error(answer.status);
    for (const part of parts) {
      const fresh = page.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
      // What is said stays where it is, so that it is read out.
      if (fresh) part.replaceChildren(...document.adoptNode(fresh).childNodes);
    }
    history.replaceState(null, "", to);
  } catch {
    if (turn === asked) form.submit();
  } finally {
    for (const part of parts) part.removeAttribute("aria-busy");
  }
}

if (form) {
  form.querySelector("[data-slide-button]").hidden = true;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(follow, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    follow();
  });
}

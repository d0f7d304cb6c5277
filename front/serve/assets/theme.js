// Runs before the first paint: the scheme the reader chose, if one was chosen. Everything else is in groma.js.
try {
  const chosen = localStorage.getItem("groma-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing follows the system.
}

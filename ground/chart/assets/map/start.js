// Puts the page together, answers the keys that work everywhere, and notes how long it took.
let found = [];
let view = 'tree';
let due = 0;
const root = document.documentElement;
const status = el('p', { class: 'status', role: 'status' });
const input = el('input', {
  type: 'search',
  id: 'search',
  autocomplete: 'off',
  spellcheck: 'false',
  placeholder: word('search'),
  role: 'combobox',
  'aria-label': word('search'),
  'aria-keyshortcuts': '/',
  'aria-expanded': 'false',
  'aria-controls': 'results',
  'aria-autocomplete': 'list',
});
const results = new Roll({
  role: 'listbox',
  label: word('search'),
  height: 50,
  length: () => found.length,
  draw: drawResult,
  moved: (index) => { input.setAttribute('aria-activedescendant', results.nameOf(index)); showDetails(found[index], go); },
});
results.element.id = 'results';
results.element.hidden = true;
results.element.tabIndex = -1;

function drawResult(index) {
  const page = read(found[index]);
  const above = wayTo(found[index]).slice(1, -1);
  const steps = above.length > 5 ? [...above.slice(0, 2), -1, ...above.slice(-2)] : above;
  const way = steps.map((row) => (row < 0 ? '…' : read(row).title));
  return el('div', { class: `result ${page.marks}`, role: 'option', 'aria-setsize': found.length, 'aria-posinset': index + 1 },
    el('div', { class: 'title', dir: 'auto' }, el('i', { class: 'dot', style: { background: COLOURS[page.sort] } }), marked(page.title, page.untitled)),
    el('div', { class: 'where' }, marked(readable(page.url).replace(/^https?:\/\//, '')), ...(way.length > 0 ? [' · ', el('bdi', {}, way.join(' › '))] : [])));
}

// A text with the words of the question marked, where folding has left the letters in their places.
function marked(words, untitled) {
  const box = el('bdi', { class: untitled ? 'untitled' : null });
  const low = folded(words);
  const asked = folded(input.value).split(/\s+/).filter((one) => one !== '');
  if (low.length !== words.length || asked.length === 0) {
    box.append(words);
    return box;
  }
  for (let from = 0; from < words.length;) {
    let next = words.length;
    let length = 0;
    for (const one of asked) {
      const position = low.indexOf(one, from);
      if (position >= 0 && (position < next || (position === next && one.length > length))) { next = position; length = one.length; }
    }
    if (next > from) box.append(words.slice(from, next));
    if (length > 0) box.append(el('mark', {}, words.slice(next, next + length)));
    from = next + Math.max(length, 1);
  }
  return box;
}

function ask() {
  cancelAnimationFrame(due);
  due = 0;
  finishSearch();
  const begun = performance.now();
  const question = input.value.trim();
  found = search(question);
  const asking = question !== '';
  results.element.hidden = !asking || found.length === 0;
  input.setAttribute('aria-expanded', String(!results.element.hidden));
  input.removeAttribute('aria-activedescendant');
  status.textContent = !asking ? '' : found.length === 0 ? word('found.none') : counted('found', found.length);
  showView();
  results.current = 0;
  results.element.scrollTop = 0;
  results.draw();
  if (found.length > 0) showDetails(found[0], go);
  root.dataset.found = String(found.length);
  root.dataset.searchTime = (performance.now() - begun).toFixed(1);
}

input.addEventListener('input', () => {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(ask);
});
input.addEventListener('keydown', (event) => {
  // A key that is no letter means what is in the box now, not what was found for the letters before.
  if (due !== 0 && event.key.length > 1) ask();
  if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    if (input.value === '') return focusView();
    input.value = '';
    ask();
  } else if (event.key === 'Enter' && found.length > 0) {
    event.preventDefault();
    go(found[results.current], 'tree');
  } else if (event.key === 'ArrowDown' && found.length > 0 && !input.hasAttribute('aria-activedescendant')) {
    event.preventDefault();
    results.move(0);
  } else if (found.length > 0 && !['Home', 'End'].includes(event.key)) {
    results.key(event);
  } else if (event.key === 'ArrowDown' && input.value === '') {
    event.preventDefault();
    focusView();
  }
  return undefined;
});
results.element.addEventListener('click', (event) => {
  const index = results.indexOf(event.target);
  if (index < 0) return;
  results.move(index);
  showDetails(found[index], go, true);
});
results.element.addEventListener('dblclick', () => go(found[results.current], 'tree'));

// Goes to a page: in the tree or among the areas.
function go(row, where) {
  if (input.value !== '') {
    input.value = '';
    ask();
  }
  closeDetails();
  if (where) view = where;
  showView();
  if (view === 'tree') reveal(row);
  else zoom(row);
  focusView(row);
}

function changeView(name) {
  view = name;
  input.value = '';
  ask();
  focusView();
}

const viewButtons = ['tree', 'areas'].map((name) =>
  el('button', { type: 'button', 'data-view': name, onclick: () => changeView(name) }, word(name)));
const treePane = el('section', { id: 'tree', 'aria-label': word('tree') }, columnHeads, tree.element);
const folding = el('span', { class: 'folding' },
  el('button', { type: 'button', onclick: () => openAll(true) }, word('expand')),
  el('button', { type: 'button', onclick: () => openAll(false) }, word('collapse')));
const foot = el('footer', {}, valueFields.includes('parts') ? legend() : null,
  el('details', { class: 'keys' }, el('summary', {}, word('keys.name')), ...['keys', 'keys.more', 'bars'].map((key) => el('p', {}, word(key)))));

function showView() {
  const asked = !results.element.hidden || (input.value.trim() !== '' && found.length === 0);
  treePane.hidden = asked || view !== 'tree';
  areas.hidden = asked || view !== 'areas';
  folding.hidden = view !== 'tree';
  foot.hidden = view !== 'tree';
  root.dataset.shown = asked ? 'found' : view;
  for (const button of viewButtons) button.setAttribute('aria-pressed', String(button.dataset.view === view));
  if (!areas.hidden) drawAreas();
  if (!treePane.hidden) tree.draw();
}

function focusView(row) {
  if (view === 'tree') tree.element.focus({ preventScroll: true });
  else if (tileOf(row)) tileOf(row).focus();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const writing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === '/' && !writing) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === 'Escape') {
    closeDetails();
    focusView();
  }
});

// On paper the rows that are open are printed, not only those in sight, in the width of a sheet.
function forPaper(paper) {
  tree.whole = paper;
  fitColumns(paper ? PAPER : undefined);
  tree.draw();
}
const PAPER = 48;
window.addEventListener('beforeprint', () => forPaper(true));
window.addEventListener('afterprint', () => forPaper(false));

// #search=words asks at once, #view=areas begins with the areas, #open opens all branches.
function obey() {
  const wishes = new URLSearchParams(window.location.hash.slice(1));
  if (wishes.get('view') === 'areas' || wishes.get('view') === 'tree') view = wishes.get('view');
  if (wishes.has('open')) openAll(true);
  input.value = wishes.get('search') || '';
  ask();
}

root.classList.add('js');
document.body.append(
  el('div', { class: 'tools', role: 'search' },
    input, el('span', { class: 'views', role: 'group', 'aria-label': word('view') }, ...viewButtons), folding, status),
  el('main', {}, treePane, areas, results.element, details), foot);
openFirst();
fitColumns();
showView();
if (count > 0) showDetails(0, go);
const finishSearch = prepareSearch(() => {
  root.dataset.ready = performance.now().toFixed(1);
  if (window.location.hash !== '') obey();
});
window.addEventListener('hashchange', obey);
// The time is noted after the frame, when the rows can be seen.
requestAnimationFrame(() => setTimeout(() => { root.dataset.drawn = performance.now().toFixed(1); }, 0));

// The tree: branches that open and close, a column for each value, bars for pages and rank, the chart of parts.
const rowHeight = window.matchMedia('(pointer: coarse)').matches ? 44 : 30;
const opened = new Uint8Array(count);
let seen = [];
// Widths of the columns in rem, and which go first where there is room; what does not fit stands among the details.
const WIDTHS = {
  pages: 8, rank: 7.5, parts: 8, size: 5, type: 7.5, reason: 8, state: 5, url: 17, modified: 5.6, changed: 5.6, fetched: 5.6, language: 4.5,
};
const NARROW_WIDTHS = { pages: 3.6, parts: 4.6 };
const USUAL_WIDTH = 4;
let narrow = false;
const FIRST = ['pages', 'parts', 'broken', 'rank', 'size'];
let columns = [];
const lowest = Math.max(Number(sums.lowest), 0.01);
const rankSpan = Math.log(Math.max(Number(sums.highest), lowest * 1.01) / lowest);

// Opens layers while what is seen stays small enough to be taken in.
function openFirst() {
  if (count === 0) return;
  opened[0] = 1;
  seen = rowsInSight();
  for (let layer = 1; layer < 6; layer++) {
    const rows = seen.filter((row) => depth[row] === layer && hasChildren(row));
    const more = rows.reduce((sum, row) => sum + childrenOf(row).length, 0);
    if (rows.length === 0 || seen.length + more > 40) break;
    for (const row of rows) opened[row] = 1;
    seen = rowsInSight();
  }
}

function rowsInSight() {
  const rows = [];
  for (let row = 0; row < count; row = opened[row] ? row + 1 : after[row]) rows.push(row);
  return rows;
}

function drawTreeRow(index) {
  const row = seen[index];
  const page = read(row);
  const parts = partsOf(page);
  const inner = hasChildren(row);
  const line = el('div', {
    class: `row ${page.marks}${page.more ? ' more' : ''}`,
    role: 'treeitem',
    'aria-level': depth[row] + 1,
    'aria-setsize': siblingsOf(row),
    'aria-posinset': turn[row],
    'aria-expanded': inner ? String(Boolean(opened[row])) : null,
    'aria-label': spoken(page, parts),
  });
  const indent = Math.min(depth[row], 24);
  const name = el('span', { class: 'name', style: { paddingInlineStart: `${indent * 1.15}em` } },
    el('span', { class: inner ? 'twist' : 'twist leaf', 'aria-hidden': 'true' }),
    el('i', { class: 'dot', style: { background: page.more ? 'transparent' : COLOURS[page.sort] } }),
    titleOf(page, 'title'),
    page.marks ? el('small', {}, word(page.marks)) : null,
    page.href ? goSign(page) : null);
  line.append(name, ...columns.map((field) => cell(row, page, field, parts)));
  return line;
}

// A sign to open the page by mouse; keys have Enter.
function goSign(page) {
  const sign = linkTo(page, '↗');
  sign.className = 'go';
  sign.tabIndex = -1;
  sign.title = readable(page.url);
  sign.setAttribute('aria-hidden', 'true');
  return sign;
}

function cell(row, page, field, parts) {
  const box = columnBox(field);
  if (field === 'pages') {
    if (pages[row] > 1) {
      const above = parent[row];
      const share = above < 0 ? 1 : pages[row] / (pages[above] - 1);
      const hint = above < 0 ? null : word('share', { percent: percents.format(share), parent: read(above).title });
      box.append(bar(share, 'pages-bar', hint), el('b', {}, numbers.format(pages[row])));
    }
  } else if (page.more) {
    return box;
  } else if (field === 'rank') {
    const rank = Number(valueOf(page, 'rank'));
    box.append(bar(Math.log(Math.max(rank, lowest) / lowest) / rankSpan, 'rank-bar'), el('b', {}, shown('rank', valueOf(page, 'rank'))));
  } else if (field === 'parts') {
    if (parts.length > 0) box.append(partsBar(parts, partsWords(parts)));
  } else if (field === 'url') {
    box.append(el('bdi', {}, readable(page.url).replace(/^https?:\/\//, '')));
    box.title = readable(page.url);
  } else {
    const value = shown(field, valueOf(page, field));
    box.append(el('bdi', {}, value));
    if (value.length > 9) box.title = value;
  }
  return box;
}

function bar(share, kind, hint) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return el('span', { class: `bar ${kind}`, title: hint }, el('i', { style: { width: `${width}%` } }));
}

// What a row says to those who hear it.
function spoken(page, parts) {
  const said = [page.title];
  if (page.marks) said.push(word(page.marks));
  if (!page.more && pages[page.row] > 1) said.push(counted('pages', pages[page.row]));
  for (const field of valueFields) {
    if (field === 'pages' || field === 'parts') continue;
    const value = shown(field, valueOf(page, field));
    if (value !== '') said.push(`${word(`field.${field}`)} ${value}`);
  }
  if (parts.length > 0) said.push(`${word('field.parts')} ${partsWords(parts)}`);
  return said.join(', ');
}

const tree = new Roll({
  role: 'tree',
  label: word('tree'),
  height: rowHeight,
  length: () => seen.length,
  draw: drawTreeRow,
  moved: (index) => showDetails(seen[index], go),
  resized: () => { if (!tree.whole) fitColumns(); },
});

function changeTree(row) {
  seen = rowsInSight();
  tree.current = seen.indexOf(row);
  tree.move(tree.current, true);
}

function toggle(row, open) {
  if (!hasChildren(row) || Boolean(opened[row]) === open) return;
  opened[row] = open ? 1 : 0;
  changeTree(row);
}

function openAll(open) {
  const row = open ? seen[tree.current] : 0;
  opened.fill(open ? 1 : 0);
  if (count > 0) opened[0] = 1;
  changeTree(row);
}

// Opens the way to a row and goes there.
function reveal(row) {
  for (const step of wayTo(row).slice(0, -1)) opened[step] = 1;
  seen = rowsInSight();
  tree.centre(seen.indexOf(row));
}

tree.element.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || tree.key(event)) return;
  const row = seen[tree.current];
  if (row === undefined) return;
  if (event.key === 'ArrowRight') {
    if (hasChildren(row) && !opened[row]) toggle(row, true);
    else if (hasChildren(row)) tree.move(tree.current + 1);
  } else if (event.key === 'ArrowLeft') {
    if (hasChildren(row) && opened[row]) toggle(row, false);
    else if (parent[row] >= 0) tree.move(seen.indexOf(parent[row]));
  } else if (event.key === 'Enter') {
    const page = read(row);
    if (page.href) window.open(page.href, '_blank', 'noopener,noreferrer');
  } else if (event.key === ' ') {
    toggle(row, !opened[row]);
    showDetails(row, go, true);
  } else if (event.key === '*') {
    for (const beside of parent[row] < 0 ? [row] : childrenOf(parent[row])) opened[beside] = 1;
    changeTree(row);
  } else {
    return;
  }
  event.preventDefault();
});

tree.element.addEventListener('click', (event) => {
  const index = tree.indexOf(event.target);
  if (index < 0 || event.target.closest('a')) return;
  const row = seen[index];
  tree.move(index, true);
  if (event.target.closest('.twist')) toggle(row, !opened[row]);
  showDetails(row, go, !event.target.closest('.twist'));
});

tree.element.addEventListener('dblclick', (event) => {
  const index = tree.indexOf(event.target);
  if (index >= 0 && !event.target.closest('a, .twist')) toggle(seen[index], !opened[seen[index]]);
});

// The names above the columns; they are read out with each value, so they are only for the eye.
const columnHeads = el('div', { class: 'row heads', 'aria-hidden': 'true' });

function widthOf(field) {
  return (narrow && NARROW_WIDTHS[field]) || WIDTHS[field] || USUAL_WIDTH;
}

function columnBox(field) {
  return el('span', { class: `cell c-${field}`, style: { width: `${widthOf(field)}rem` } });
}

// Chooses the columns that leave the titles enough room.
function fitColumns(paper) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const wide = paper || tree.element.clientWidth / rem;
  narrow = wide < 45;
  tree.element.classList.toggle('narrow', narrow);
  let left = wide - (narrow ? 15 : 24);
  const wanted = [...valueFields, ...(fields.includes('url') ? ['url'] : [])];
  const fitting = new Set();
  for (const field of [...FIRST.filter((one) => wanted.includes(one)), ...wanted.filter((one) => !FIRST.includes(one))]) {
    left -= widthOf(field) + 1;
    if (left < 0) break;
    fitting.add(field);
  }
  columns = wanted.filter((field) => fitting.has(field));
  columnHeads.replaceChildren(el('span', { class: 'name' }, word('page')), ...columns.map((field) => {
    const box = columnBox(field);
    box.title = word(`says.${field}`);
    box.append(word(`field.${field}`));
    return box;
  }));
}

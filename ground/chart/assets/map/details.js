// The panel about one page: all values that are shown, what it links to, the way from the root.
const details = el('aside', { id: 'details', 'aria-label': word('details'), hidden: true });

function showDetails(row, go, asked) {
  const page = read(row);
  if (asked) details.classList.add('asked');
  details.hidden = false;
  if (page.more) {
    details.replaceChildren(closer(), el('p', {}, page.title), way(row, go));
    return;
  }
  const values = el('dl', {});
  const add = (name, explained, ...content) =>
    values.append(el('dt', { title: explained }, name), el('dd', {}, ...content));
  if (fields.includes('url') || page.untitled || !page.href) add(word('field.url'), null, linkTo(page, el('bdi', { class: 'address' }, readable(page.url))));
  for (const field of valueFields) {
    if (field === 'parts') continue;
    const value = shown(field, valueOf(page, field), true);
    if (value !== '') add(word(`field.${field}`), word(`says.${field}`), value);
  }
  if (page.marks !== '' && !valueFields.includes('reason')) add(word('field.state'), null, word(page.marks));
  const buttons = el('p', { class: 'buttons' },
    page.href ? el('a', { class: 'button', href: page.href, rel: 'noopener noreferrer', target: '_blank' }, `${word('open')} ↗`) : null,
    ...['tree', 'areas'].map((where) => el('button', { type: 'button', 'data-to': where, onclick: () => go(row, where) }, word(`show.${where}`))));
  details.replaceChildren(closer(), el('h2', {}, titleOf(page)), buttons, values);
  const parts = partsOf(page);
  if (parts.length > 0) details.append(el('h3', {}, word('links.to')), partsBar(parts, partsWords(parts)), partsTable(parts));
  details.append(way(row, go));
}

function closer() {
  return el('button', { class: 'close', type: 'button', 'aria-label': word('close'), onclick: closeDetails }, '×');
}

function closeDetails() {
  details.classList.remove('asked');
}

function partsTable(parts) {
  const most = Math.max(...parts.map((part) => part.bytes), 1);
  return el('table', { class: 'sorts' }, ...parts.map((part) => el('tr', {},
    el('th', { scope: 'row' }, el('i', { style: { background: COLOURS[part.sort] } }), word(`sort.${SORTS[part.sort]}`)),
    el('td', {}, numbers.format(part.files)),
    el('td', {}, part.bytes > 0 ? bytes(part.bytes) : '–'),
    el('td', { class: 'share', 'aria-hidden': 'true' },
      el('i', { style: { width: `${(100 * part.bytes) / most}%`, background: COLOURS[part.sort] } })))));
}

// Long ways (a chain of pages) keep their ends.
function way(row, go) {
  let steps = wayTo(row).slice(0, -1);
  if (steps.length === 0) return '';
  if (steps.length > 24) steps = [...steps.slice(0, 12), -1, ...steps.slice(-11)];
  const line = (step) => (step < 0
    ? el('li', { class: 'gap' }, '⋮')
    : el('li', {}, el('button', { type: 'button', onclick: () => go(step) }, titleOf(read(step)))));
  return el('nav', { 'aria-label': word('way') }, el('h3', {}, word('way')), el('ol', { class: 'way' }, ...steps.map(line)));
}

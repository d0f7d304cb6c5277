// Elements, words, numbers: how things are written on the page. No text ever becomes markup.
const language = document.documentElement.lang || 'en';
const numbers = new Intl.NumberFormat(language);
const plurals = new Intl.PluralRules(language);
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 2 });
const COLOURS = SORTS.map((name) => `var(--${name})`);

function word(key, filled) {
  const words = WORDS[key] === undefined ? key : WORDS[key];
  return filled ? words.replace(/\{(\w+)\}/g, (whole, name) => (name in filled ? filled[name] : whole)) : words;
}

function counted(key, number) {
  const form = `${key}.${plurals.select(number)}`;
  return word(WORDS[form] === undefined ? key : form, { n: numbers.format(number) });
}

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'style') Object.assign(element.style, value);
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Puts other children into a part. Whoever is in it by keyboard stays: with the child of the same page, or the first one.
function renew(part, children) {
  const held = part.contains(document.activeElement) ? document.activeElement.dataset : null;
  part.replaceChildren(...children);
  if (held === null) return;
  const same = children.filter((child) => child.dataset.row === held.row);
  const next = same.find((child) => child.dataset.alone === held.alone) || same[0] || children[0];
  if (next) next.focus({ preventScroll: true });
}

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'];
function bytes(number) {
  let unit = 'B';
  for (const next of UNITS) {
    if (number < 1000) break;
    number /= 1000;
    unit = next;
  }
  const digits = unit === 'B' || number >= 100 ? 0 : 1;
  return `${number.toLocaleString(language, { maximumFractionDigits: digits })} ${unit}`;
}

// A URL as people read it: %-coded letters as letters, unless that would bring in characters that deceive the eye.
function readable(address) {
  if (!address.includes('%')) return address;
  try {
    const decoded = decodeURI(address);
    return /[\p{C}\p{Z}]/u.test(decoded) ? address : decoded;
  } catch {
    return address;
  }
}

const NUMERIC = new Set(['rank', 'depth', 'pages', 'status', 'size', 'words', 'in', 'out', 'broken', 'cluster']);
const MOMENTS = new Set(['modified', 'changed', 'fetched']);

// A value as people read it; `whole` where there is room for all of it.
function shown(field, value, whole) {
  if (value === '') return '';
  if (field === 'size') return whole ? `${bytes(Number(value))} (${numbers.format(Number(value))} B)` : bytes(Number(value));
  if (field === 'rank') {
    const digits = whole ? 4 : 2; // as many for all, so that a column can be compared
    return Number(value).toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }
  if (field === 'status' || field === 'cluster') return value;
  if (NUMERIC.has(field)) return numbers.format(Number(value));
  if (MOMENTS.has(field)) return whole ? value.replace('T', ' ').replace('Z', ' UTC') : value.slice(0, 10);
  if (field === 'reason' && whole) return word(`reason.${value}`);
  return value;
}

function linkTo(page, ...children) {
  return page.href
    ? el('a', { href: page.href, rel: 'noopener noreferrer', target: '_blank' }, ...children)
    : el('span', {}, ...children);
}

// A title keeps its direction to itself.
function titleOf(page, kind) {
  return el('bdi', { class: `${kind || ''}${page.untitled ? ' untitled' : ''}`, title: kind ? page.title : null }, page.title);
}

// A bar in as many colors as there are sorts of content, as wide as the bytes of each.
function partsBar(parts, label) {
  const known = parts.some((part) => part.bytes > 0);
  const weight = (part) => (known ? part.bytes : part.files);
  const bar = el('span', { class: known ? 'parts' : 'parts unsized', role: 'img', 'aria-label': label, title: label });
  for (const part of parts) {
    if (weight(part) > 0) bar.append(el('i', { style: { flexGrow: String(weight(part)), background: COLOURS[part.sort] } }));
  }
  return bar;
}

function partsWords(parts) {
  return parts
    .map((part) => `${word(`sort.${SORTS[part.sort]}`)}: ${counted('files', part.files)}, ${part.bytes > 0 ? bytes(part.bytes) : word('size.unknown')}`)
    .join('; ');
}

function legend() {
  const keys = SORTS.map((name, sort) => el('li', {}, el('i', { style: { background: COLOURS[sort] } }), word(`sort.${name}`)));
  return el('ul', { class: 'legend' }, ...keys);
}

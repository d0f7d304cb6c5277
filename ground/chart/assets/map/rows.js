// The rows of the map: where each line of the list begins, and how the lines nest.
//
// The list is one text (its lines are described at the head of src/html/list.rs). Only its structure is read at the start:
// row numbers run in reading order, so all below row i are the rows i + 1 to after[i] - 1. A line itself is read when it is
// needed. Cost: one pass over the text; memory: seven numbers a row besides the text.
const list = document.getElementById('list');
const text = list.textContent;
const fields = list.dataset.fields.split(' ').filter((name) => name !== '');
const valueFields = fields.filter((name) => name !== 'title' && name !== 'url');
const sums = document.getElementById('sums').dataset;
const SORTS = ['page', 'image', 'media', 'document', 'archive', 'code', 'other'];
const SORT_MARKS = { i: 1, m: 2, d: 3, a: 4, c: 5, o: 6 };

// At most one line "and so many more" stands below each page.
const room = 2 * Number(list.dataset.rows) + 1;
let at = new Int32Array(room);
let parent = new Int32Array(room);
let depth = new Int32Array(room);
const count = readStructure();
at = at.slice(0, count);
parent = parent.slice(0, count);
depth = depth.slice(0, count);
const after = new Int32Array(count);
const pages = new Int32Array(count);
// How many stand directly below a row, and which of its siblings a row is.
const family = new Int32Array(count);
const turn = new Int32Array(count);
sumUp();

function readStructure() {
  const above = [];
  let rows = 0;
  for (let from = 0; from >= 0 && from < text.length;) {
    const next = text.indexOf('\n', from);
    const end = next < 0 ? text.length : next;
    if (text.startsWith('<li', from)) {
      at[rows] = from;
      parent[rows] = above.length > 1 ? above[above.length - 1] : -1;
      depth[rows] = above.length - 1;
      rows++;
    } else if (text.startsWith('<ul>', from)) {
      above.push(rows - 1);
    } else if (text.startsWith('</ul>', from)) {
      above.pop();
    }
    from = end + 1;
  }
  return rows;
}

function sumUp() {
  for (let row = count - 1; row >= 0; row--) {
    if (after[row] === 0) after[row] = row + 1;
    pages[row] += isMore(row) ? Number(lineOf(row).match(/data-n=(\d+)/)[1]) : 1;
    const above = parent[row];
    if (above >= 0) {
      pages[above] += pages[row];
      after[above] = Math.max(after[above], after[row]);
    }
  }
  for (let row = 0; row < count; row++) turn[row] = parent[row] < 0 ? 1 : ++family[parent[row]];
}

function siblingsOf(row) {
  return parent[row] < 0 ? 1 : family[parent[row]];
}

function lineOf(row) {
  const end = text.indexOf('\n', at[row]);
  return text.slice(at[row], end < 0 ? text.length : end);
}

// A line that only counts what is not shown.
function isMore(row) {
  return text.startsWith('<li class=m', at[row]);
}

function hasChildren(row) {
  return after[row] > row + 1;
}

const REFERENCES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
function plain(escaped) {
  return escaped.includes('&') ? escaped.replace(/&(?:amp|lt|gt|quot);/g, (reference) => REFERENCES[reference]) : escaped;
}

// All that is known of a row.
function read(row) {
  const line = lineOf(row);
  if (isMore(row)) {
    return { row, more: true, title: plain(line.slice(line.indexOf('>') + 1)), url: '', sort: 6, values: [], marks: '' };
  }
  const anchor = line.indexOf('<a ');
  const urlStart = line.indexOf('"', anchor) + 1;
  const urlEnd = line.indexOf('"', urlStart);
  const titleStart = line.indexOf('>', urlEnd) + 1;
  const titleEnd = line.indexOf('</a>', titleStart);
  const url = plain(line.slice(urlStart, urlEnd));
  const marks = line.slice(3, anchor);
  const sort = marks.match(/[imdaco]\b(?!=)/);
  const values = line.slice(titleEnd + 4).split('</i>').map((value) => plain(value.slice(3)));
  return {
    row,
    more: false,
    url,
    href: line.startsWith('href', anchor + 3) && /^https?:\/\//i.test(url) ? url : null,
    title: plain(line.slice(titleStart, titleEnd)),
    untitled: line.slice(urlEnd, titleStart).includes('class=u'),
    marks: marks.includes('R') ? 'unfetched' : marks.includes('U') ? 'unknown' : '',
    sort: sort ? SORT_MARKS[sort[0]] : 0,
    values,
  };
}

// The value of a field, as it stands in the list; empty if it is not known.
function valueOf(page, field) {
  return page.values[valueFields.indexOf(field)] || '';
}

// What a page links to: [{ sort, files, bytes }].
function partsOf(page) {
  const value = valueOf(page, 'parts');
  if (value === '') return [];
  return value.split(', ').map((part) => {
    const [files, sort, bytes] = part.split(' ');
    return { sort: SORTS.indexOf(sort), files: Number(files), bytes: Number(bytes) };
  });
}

function childrenOf(row) {
  const children = [];
  for (let child = row + 1; child < after[row]; child = after[child]) children.push(child);
  return children;
}

// The rows from the root down to this one.
function wayTo(row) {
  const way = [];
  for (let step = row; step >= 0; step = parent[step]) way.push(step);
  return way.reverse();
}

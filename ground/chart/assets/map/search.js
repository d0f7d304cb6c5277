// Which pages have all these words in their title or URL?
//
// All titles and URLs stand, folded (lower case, without accents), one after another in one text; the longest word is
// looked up in it with indexOf, the row is found by halving, and the other words are looked for in that row only.
// Cost: one pass over the text a question. Not done: word borders, endings, misspellings.
let haystack = null;
let haystackAt = null;

function folded(words) {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(words) ? words.toLowerCase() : words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

// Builds the text bit by bit between other work, so that the page answers meanwhile; calls back when it is there. Many rows
// are folded at once, which is much quicker than one by one.
function prepareSearch(done) {
  const CHUNK = 2048;
  const chunks = [];
  const starts = new Int32Array(count + 1);
  let row = 0;
  let length = 0;
  const work = (until) => {
    while (row < count && performance.now() < until) {
      const lines = [];
      for (let end = Math.min(count, row + CHUNK), next = row; next < end; next++) lines.push(wordsOf(next));
      const chunk = `${folded(plain(lines.join('\n')))}\n`;
      for (let from = 0; from < chunk.length; from = chunk.indexOf('\n', from) + 1) starts[row++] = length + from;
      chunks.push(chunk);
      length += chunk.length;
    }
    if (row < count) return;
    starts[count] = length;
    prepareRanks();
    haystack = chunks.join('');
    haystackAt = starts;
  };
  const step = () => {
    if (haystack === null) work(performance.now() + 40);
    if (haystack === null) setTimeout(step, 0);
    else done();
  };
  setTimeout(step, 0);
  return () => { if (haystack === null) work(Infinity); };
}

// The title and the URL of a row, still escaped.
function wordsOf(row) {
  if (isMore(row)) return '';
  const urlStart = text.indexOf('"', text.indexOf('<a ', at[row])) + 1;
  const urlEnd = text.indexOf('"', urlStart);
  const titleStart = text.indexOf('>', urlEnd) + 1;
  return `${text.slice(titleStart, text.indexOf('</a>', titleStart))} ${readable(text.slice(urlStart, urlEnd))}`;
}

function rowAt(position) {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (haystackAt[middle] <= position) low = middle;
    else high = middle;
  }
  return low;
}

// The rows that have all the words, the highest rank first.
function search(question) {
  const words = [...new Set(folded(question).split(/\s+/))].filter((one) => one !== '').sort((a, b) => b.length - a.length);
  if (words.length === 0) return [];
  const found = [];
  for (let position = haystack.indexOf(words[0]); position >= 0;) {
    const row = rowAt(position);
    const end = haystackAt[row + 1];
    const rest = words.length > 1 ? haystack.slice(haystackAt[row], end) : '';
    if (words.every((one, index) => index === 0 || rest.includes(one))) found.push(row);
    position = haystack.indexOf(words[0], end);
  }
  return byRank(found);
}

// All rows by rank, so that even half of the map can be put in order without sorting it.
let rankOrder = null;
let ranks = null;
function prepareRanks() {
  const field = valueFields.indexOf('rank');
  if (field < 0) return;
  ranks = new Float64Array(count);
  for (let row = 0; row < count; row++) ranks[row] = Number(nthValue(row, field)) || 0;
  rankOrder = new Int32Array(count).map((_, row) => row).sort((a, b) => ranks[b] - ranks[a] || a - b);
}

function byRank(rows) {
  if (rankOrder === null) return rows;
  if (rows.length < 1000) return rows.sort((a, b) => ranks[b] - ranks[a] || a - b);
  const wanted = new Uint8Array(count);
  for (const row of rows) wanted[row] = 1;
  return Array.from(rankOrder.filter((row) => wanted[row] === 1));
}

// One value of a row, without reading the others.
function nthValue(row, field) {
  const next = text.indexOf('\n', at[row]);
  const end = next < 0 ? text.length : next;
  let from = text.indexOf('</a>', at[row]) + 4;
  for (let skipped = 0; skipped < field; skipped++) {
    from = text.indexOf('</i>', from) + 4;
    if (from < 4 || from >= end) return '';
  }
  return from < end ? plain(text.slice(from + 3, text.indexOf('</i>', from))) : '';
}

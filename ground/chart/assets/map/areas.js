// The map as areas: where is the bulk, where are the errors? A page is a rectangle as large as what stands at and below it;
// the pages below it stand inside.
//
// Layout: squarified treemap (Bruls, Huizing, van Wijk 2000): children, largest first, fill rows along the shorter side as
// long as the worst proportion of the row gets better. Cost: linear in the rectangles drawn, besides sorting; what would be
// smaller than a few pixels is drawn as one. Drawn on a canvas; the first level lies above it as buttons, for keys and ears.
const SMALLEST = 40;
const MOST_BUTTONS = 300;
let weights = null;
let brokenBelow = null;
let sortsBelow = null;
let zoomed = 0;
let hits = [];

const canvas = el('canvas', { 'aria-hidden': 'true' });
const buttons = el('div', { class: 'tiles', role: 'group', 'aria-label': word('areas') });
const crumbs = el('nav', { class: 'crumbs', 'aria-label': word('way') });
const areaKey = el('div', { class: 'key' });
const emptyWords = el('p', { class: 'empty', hidden: true }, word('nothing'));
const areaChoice = choice('area', ['pages', ...(valueFields.includes('size') ? ['bytes'] : [])]);
const colorChoice = choice('color', ['sort', 'depth', ...(valueFields.includes('broken') ? ['broken'] : [])]);
const field = el('div', { class: 'field' }, canvas, buttons, emptyWords);
const areas = el('section', { id: 'areas', 'aria-label': word('areas'), hidden: true },
  el('div', { class: 'choices' }, crumbs, areaChoice.element, colorChoice.element), field, areaKey);

function choice(name, options) {
  const select = el('select', { onchange: () => { weights = null; drawAreas(); } },
    ...options.map((option) => el('option', { value: option }, word(`${name}.${option}`))));
  return { select, element: el('label', {}, `${word(name)} `, select) };
}

// Sums of what is at and below each row.
function weigh() {
  const size = valueFields.indexOf('size');
  const broken = valueFields.indexOf('broken');
  const inBytes = areaChoice.select.value === 'bytes';
  weights = new Float64Array(count);
  brokenBelow = new Float64Array(count);
  sortsBelow = new Float64Array(count * SORTS.length);
  for (let row = count - 1; row >= 0; row--) {
    if (inBytes) weights[row] += Number(nthValue(row, size)) || 0;
    else weights[row] = pages[row];
    if (broken >= 0) brokenBelow[row] += Number(nthValue(row, broken)) || 0;
    sortsBelow[row * SORTS.length + sortOf(row)] += isMore(row) ? 0 : 1;
    const above = parent[row];
    if (above < 0) continue;
    if (inBytes) weights[above] += weights[row];
    brokenBelow[above] += brokenBelow[row];
    for (let sort = 0; sort < SORTS.length; sort++) sortsBelow[above * SORTS.length + sort] += sortsBelow[row * SORTS.length + sort];
  }
}

function sortOf(row) {
  const line = at[row] + 3;
  if (text[line] === '>') return 0;
  const mark = text[line + 7] === '"' ? text[line + 8] : text[line + 7];
  return SORT_MARKS[mark] || 0;
}

// The rectangles of some weights (largest first) in a rectangle: [x, y, width, height] each.
function squarify(values, x, y, width, height) {
  const rectangles = [];
  let left = values.reduce((sum, value) => sum + value, 0);
  for (let from = 0; from < values.length && left > 0;) {
    const side = Math.min(width, height);
    const scale = (width * height) / left;
    let sum = values[from] * scale;
    let worst = side > 0 ? Math.max((side * side) / sum, sum / (side * side)) : Infinity;
    let to = from + 1;
    while (to < values.length) {
      const next = sum + values[to] * scale;
      const proportion = Math.max((side * side * values[from] * scale) / (next * next), (next * next) / (side * side * values[to] * scale));
      if (proportion > worst) break;
      worst = proportion;
      sum = next;
      to++;
    }
    const thick = side > 0 ? sum / side : 0;
    let along = 0;
    for (let index = from; index < to; index++) {
      const length = thick > 0 ? (values[index] * scale) / thick : 0;
      rectangles.push(width >= height ? [x, y + along, thick, length] : [x + along, y, length, thick]);
      along += length;
      left -= values[index];
    }
    if (width >= height) { x += thick; width = Math.max(0, width - thick); } else { y += thick; height = Math.max(0, height - thick); }
    from = to;
  }
  return rectangles;
}

// What stands inside a row: the pages below it, and its own page (its number below zero), largest first.
function insides(row) {
  const children = childrenOf(row).filter((child) => weights[child] > 0);
  const own = weights[row] - children.reduce((sum, child) => sum + weights[child], 0);
  const inside = children.map((child) => [child, weights[child]]);
  if (own > 0) inside.push([-1 - row, own]);
  return inside.sort((a, b) => b[1] - a[1]);
}

function colorOf(row, alone, paint) {
  const kind = colorChoice.select.value;
  if (isMore(row)) return paint.faint;
  if (kind === 'depth') return paint.layers[Math.min(depth[row], paint.layers.length - 1)];
  if (kind === 'broken') {
    const broken = alone ? Number(nthValue(row, valueFields.indexOf('broken'))) || 0 : brokenBelow[row];
    return paint.broken[brokenClass(broken / (alone ? 1 : pages[row]))];
  }
  if (alone) return paint.sorts[sortOf(row)];
  let most = 0;
  for (let sort = 1; sort < SORTS.length; sort++) {
    if (sortsBelow[row * SORTS.length + sort] > sortsBelow[row * SORTS.length + most]) most = sort;
  }
  return paint.sorts[most];
}

function brokenClass(ratio) {
  return ratio === 0 ? 0 : ratio < 0.1 ? 1 : ratio < 1 ? 2 : 3;
}

function paintOf() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    sorts: SORTS.map(get),
    layers: [0, 1, 2, 3, 4, 5, 6].map((layer) => get(`layer-${layer}`)),
    broken: [0, 1, 2, 3].map((one) => get(`broken-${one}`)),
    faint: get('faint'),
    back: get('back'),
    text: get('text'),
    font: `12px ${style.fontFamily}`,
  };
}

function drawAreas() {
  if (areas.hidden || count === 0) return;
  if (weights === null) weigh();
  const { clientWidth: width, clientHeight: height } = field;
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = canvas.getContext('2d');
  pen.scale(sharp, sharp);
  const paint = paintOf();
  pen.font = paint.font;
  pen.textBaseline = 'middle';
  hits = [];
  emptyWords.hidden = weights[zoomed] > 0;
  const work = [[zoomed, 0, 0, width, height, 0]];
  while (work.length > 0) paintTile(work.pop(), pen, paint, work);
  drawButtons();
  drawCrumbs();
  drawKey(paint);
}

function paintTile([number, x, y, width, height, level], pen, paint, work) {
  const alone = number < 0;
  const row = alone ? -1 - number : number;
  if (level === 1) hits.push({ row, alone, x, y, width, height });
  const gap = level === 1 ? 1.5 : 0.5;
  const [left, top, wide, high] = [x + gap, y + gap, width - 2 * gap, height - 2 * gap];
  if (wide <= 0 || high <= 0) return;
  const split = !alone && hasChildren(row) && level < 12 && (level === 0 || ((wide * high) / family[row] > SMALLEST && Math.min(wide, high) > 14));
  const color = colorOf(row, alone || !hasChildren(row), paint);
  if (level > 0) {
    pen.globalAlpha = split ? 0.28 : 1;
    pen.fillStyle = color;
    pen.fillRect(left, top, wide, high);
    pen.globalAlpha = 1;
  }
  let strip = 0;
  if (level > 0 && level < 4 && wide > 44 && high > 18) {
    strip = split ? 18 : 0;
    pen.fillStyle = split ? paint.text : inkOn(color);
    const name = alone ? (level === 1 ? word('itself') : '') : read(row).title;
    pen.fillText(shortened(pen, name, wide - 9), left + 5, top + 10);
  }
  if (!split) return;
  const inside = insides(row);
  const rim = level > 0 ? 1 : 0;
  const weighed = inside.map((one) => one[1]);
  const rectangles = squarify(weighed, left + rim, top + strip, wide - 2 * rim, high - strip - rim);
  rectangles.forEach((rectangle, index) => work.push([inside[index][0], ...rectangle, level + 1]));
}

// Black or white, whichever can be read on #rrggbb.
function inkOn(color) {
  const [red, green, blue] = [1, 3, 5].map((digit) => parseInt(color.slice(digit, digit + 2), 16));
  return red * 0.3 + green * 0.6 + blue * 0.1 > 125 ? '#10151a' : '#ffffff';
}

// As much of a name as fits.
function shortened(pen, name, room) {
  if (pen.measureText(name).width <= room) return name;
  let [fits, length] = [0, Math.min(name.length, 80)];
  while (length - fits > 1) {
    const middle = (fits + length) >> 1;
    if (pen.measureText(`${name.slice(0, middle)}…`).width <= room) fits = middle;
    else length = middle;
  }
  return fits > 2 ? `${name.slice(0, fits)}…` : '';
}

function drawButtons() {
  const large = hits.filter((hit) => hit.width > 8 && hit.height > 8).sort((a, b) => b.width * b.height - a.width * a.height);
  renew(buttons, large.slice(0, MOST_BUTTONS).map((hit, index) => {
    const page = read(hit.row);
    const broken = brokenBelow[hit.row];
    const amount = areaChoice.select.value === 'bytes' ? bytes(weights[hit.row]) : counted('pages', pages[hit.row]);
    const said = hit.alone ? [word('itself')] : [page.title, amount];
    if (broken > 0 && !hit.alone) said.push(`${word('color.broken')}: ${numbers.format(broken)}`);
    return el('button', {
      type: 'button',
      'data-row': hit.row,
      'data-alone': hit.alone ? '1' : null,
      tabindex: index === 0 ? '0' : '-1',
      title: said.join('\n'),
      'aria-label': said.join(', '),
      style: { left: `${hit.x}px`, top: `${hit.y}px`, width: `${hit.width}px`, height: `${hit.height}px` },
    });
  }));
}

function drawCrumbs() {
  const way = wayTo(zoomed);
  const short = way.length > 6 ? [way[0], -1, ...way.slice(-4)] : way;
  const crumb = (row) =>
    el('button', { type: 'button', 'data-row': row, 'aria-current': row === zoomed ? 'location' : null, onclick: () => zoom(row) }, titleOf(read(row)));
  renew(crumbs, short.map((row) => (row < 0 ? el('span', {}, '…') : crumb(row))));
}

function drawKey(paint) {
  const kind = colorChoice.select.value;
  const sample = (color, words) => el('li', {}, el('i', { style: { background: color } }), words);
  const samples = kind === 'sort' ? SORTS.map((name, sort) => sample(paint.sorts[sort], word(`sort.${name}`)))
    : kind === 'depth' ? paint.layers.map((color, layer) => sample(color, layer === paint.layers.length - 1 ? `${layer}+` : String(layer)))
      : paint.broken.map((color, one) => sample(color, word(`broken.${one}`)));
  areaKey.replaceChildren(el('ul', { class: 'legend' }, ...samples));
}

function zoom(row) {
  zoomed = hasChildren(row) ? row : Math.max(parent[row], 0);
  drawAreas();
  showDetails(row, go);
}

function zoomFrom(row, alone) {
  if (!alone && hasChildren(row)) zoom(row);
  showDetails(row, go, alone || !hasChildren(row));
}

field.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) return zoomFrom(Number(button.dataset.row), button.dataset.alone === '1');
  const box = field.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const hit = hits.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
  return hit ? zoomFrom(hit.row, hit.alone) : undefined;
});

// Arrow keys go to the nearest area in that direction; Backspace and Esc go out.
field.addEventListener('keydown', (event) => {
  const button = event.target.closest('button');
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key in directions && button) {
    const next = nearest(button, directions[event.key]);
    if (next) focusTile(next);
  } else if ((event.key === 'Backspace' || event.key === 'Escape') && zoomed > 0) {
    const from = zoomed;
    zoom(Math.max(parent[zoomed], 0));
    focusTile(tileOf(from));
  } else if (event.key === 'Enter' && button) {
    const row = Number(button.dataset.row);
    zoomFrom(row, button.dataset.alone === '1');
    if (zoomed === row) focusTile(buttons.firstElementChild);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});

// The area that had the focus last is the one that Tab comes back to.
buttons.addEventListener('focusin', (event) => {
  for (const button of buttons.children) button.tabIndex = button === event.target ? 0 : -1;
});

function tileOf(row) {
  return buttons.querySelector(`[data-row="${row}"]`) || buttons.firstElementChild;
}

function focusTile(tile) {
  if (!tile) return;
  tile.focus();
  showDetails(Number(tile.dataset.row), go);
}

function nearest(from, [right, down]) {
  const middle = (button) => [button.offsetLeft + button.offsetWidth / 2, button.offsetTop + button.offsetHeight / 2];
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const button of buttons.children) {
    const [otherX, otherY] = middle(button);
    const ahead = (otherX - x) * right + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (button !== from && ahead > 1 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = button;
    }
  }
  return best;
}

let redrawing = 0;
new ResizeObserver(() => { cancelAnimationFrame(redrawing); redrawing = requestAnimationFrame(drawAreas); }).observe(field);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAreas);

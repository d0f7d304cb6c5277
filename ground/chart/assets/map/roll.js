// A long list of which only the rows in sight are built. The list keeps the focus, and names the current row
// (aria-activedescendant), so scrolling never loses the place of somebody who reads by ear.
//
// `shape` has: role, label, height (of a row), length(), draw(index) -> element, moved(index), and resized() if it likes.
class Roll {
  constructor(shape) {
    this.shape = shape;
    this.current = 0;
    this.whole = false;
    this.inner = el('div', { class: 'rows', role: 'presentation' });
    this.element = el('div', { class: 'roll', tabindex: '0', role: shape.role, 'aria-label': shape.label, onscroll: () => this.soon() }, this.inner);
    new ResizeObserver(() => { if (shape.resized) shape.resized(); this.soon(); }).observe(this.element);
  }

  soon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    const { height } = this.shape;
    const length = this.shape.length();
    const space = this.element.clientHeight;
    const first = this.whole ? 0 : Math.max(0, Math.floor(this.element.scrollTop / height) - 4);
    const last = this.whole ? Math.min(length, 5000) : Math.min(length, Math.ceil((this.element.scrollTop + space) / height) + 4);
    this.current = Math.max(0, Math.min(this.current, length - 1));
    this.inner.style.height = `${length * height}px`;
    const rows = [];
    for (let index = first; index < last; index++) rows.push(this.row(index));
    // The current row stays in the page even when it is scrolled away, so that its name can still be read out.
    if (length > 0 && (this.current < first || this.current >= last)) rows.push(this.row(this.current));
    this.inner.replaceChildren(...rows);
    if (length > 0) this.element.setAttribute('aria-activedescendant', this.nameOf(this.current));
    else this.element.removeAttribute('aria-activedescendant');
  }

  nameOf(index) {
    return `${this.shape.role}-${index}`;
  }

  row(index) {
    const row = this.shape.draw(index);
    row.id = this.nameOf(index);
    row.dataset.index = String(index);
    row.style.top = `${index * this.shape.height}px`;
    row.style.height = `${this.shape.height}px`;
    row.setAttribute('aria-selected', String(index === this.current));
    return row;
  }

  move(index, silent) {
    const length = this.shape.length();
    if (length === 0) return;
    this.current = Math.max(0, Math.min(index, length - 1));
    const { height } = this.shape;
    const top = this.current * height;
    const space = this.element.clientHeight;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + height > this.element.scrollTop + space) this.element.scrollTop = top + height - space;
    this.draw();
    if (!silent) this.shape.moved(this.current);
  }

  // Brings a row to the middle.
  centre(index) {
    this.element.scrollTop = index * this.shape.height - this.element.clientHeight / 2;
    this.move(index);
  }

  // The keys that every list has.
  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.shape.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.move(this.current + steps[event.key]);
    else if (event.key === 'Home') this.move(0);
    else if (event.key === 'End') this.move(this.shape.length() - 1);
    else return false;
    event.preventDefault();
    return true;
  }

  indexOf(target) {
    const row = target.closest('[data-index]');
    return row ? Number(row.dataset.index) : -1;
  }
}

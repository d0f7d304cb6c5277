// The hand of a visitor, in a world of its own beside the scripts of the page. See operate.rs.
(() => {
    const SEARCH = /search|such|find|query|keyword|filter|recherch|chercher|buscar|busca|cerca|ricerca|zoek|hled|szuk|sök|søg|поиск|искать|検索|搜索|查询|검색/i;
    const OTHERS = /mail|login|user|pass|newsletter|subscribe|phone|coupon|captcha|comment/i;
    const NEXT = /^(next|next page|more|load more|show more|more results|weiter|weitere|mehr|mehr laden|mehr anzeigen|nächste|suivant|suivante|plus|voir plus|siguiente|ver más|seguinte|avanti|successivo|volgende|meer|další|následující|dalej|następna|nästa|neste|næste|›|»|→|>|❯)\W*$/i;
    const ARROWS = ['›', '❯', '>', '→', '»'];
    const LAST = /^(last|last page|letzte|dernière|dernier|última|último|ultima|ultimo|laatste|poslední|ostatnia|sista|siste)\W*$/i;
    const MOST = 5000;

    // Everything, also what stands in open shadow trees.
    const all = (selector, root = document, found = []) => {
        for (const one of root.querySelectorAll('*')) {
            if (found.length >= MOST) break;
            if (one.matches(selector)) found.push(one);
            if (one.shadowRoot) all(selector, one.shadowRoot, found);
        }
        return found;
    };
    const isShown = (el) => el.getClientRects().length > 0 && !el.disabled && !el.readOnly && el.ariaDisabled !== 'true';
    const clean = (text) => (text || '').replace(/\s+/g, ' ').trim().slice(0, 200);
    // What a label says without what stands in it to be filled in.
    const wordsOf = (label) => {
        const copy = label?.cloneNode(true);
        for (const inside of copy?.querySelectorAll('input, select, textarea, button, script, style') ?? []) inside.remove();
        return clean(copy?.textContent);
    };
    const labelOf = (el) => wordsOf(el.labels?.[0]) || clean(el.getAttribute('aria-label'))
        || clean(el.placeholder) || clean(el.title) || clean(el.name) || clean(el.id);
    const score = (el) => {
        const near = el.closest('form, [role=search], search');
        const words = [el.name, el.id, el.placeholder, el.className, labelOf(el), near?.getAttribute('role')].join(' ');
        return (el.type === 'search' || near?.localName === 'search' ? 4 : 0) + (SEARCH.test(words) ? 3 : 0) - (OTHERS.test(words) ? 8 : 0);
    };
    const texts = all('input').filter((el) => ['text', 'search', ''].includes(el.type) && isShown(el));
    let box = null;
    for (const el of texts) if (score(el) >= 0 && (!box || score(el) > score(box))) box = el;
    if (!box) return {};

    // Words that stand on the page most often: something should be found. Then letters, for boxes that look for parts.
    const counts = new Map();
    for (const [word] of (document.body.innerText || '').slice(0, 200000).matchAll(/\p{L}{4,20}/gu)) {
        const lower = word.toLowerCase();
        if (!SEARCH.test(lower) && counts.size < 20000) counts.set(lower, (counts.get(lower) || 0) + 1);
    }
    const words = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 3).map(([one]) => one);
    words.push('a', 'e', 'test');

    const tell = (el) => ['input', 'change'].forEach((kind) => el.dispatchEvent(new Event(kind, { bubbles: true })));
    const controls = [];
    for (const el of all('select')) {
        if (!isShown(el) || el.multiple || el.options.length < 2 || el.options.length > 2000) continue;
        const now = el.selectedIndex;
        // One that is not what stands there, and means something.
        let other = el.options.length - 1;
        if (other === now) other -= 1;
        controls.push({
            label: labelOf(el), box: false,
            values: [...el.options].map((option) => [option.value, clean(option.textContent)]),
            set: () => { el.selectedIndex = other; tell(el); return other; },
            back: () => { el.selectedIndex = now; tell(el); },
        });
    }
    const groups = new Set();
    for (const el of all('input')) {
        if (el.type === 'checkbox' && !el.disabled) {
            controls.push({
                label: labelOf(el), box: true, values: [[el.value, labelOf(el)]],
                set: () => { el.click(); return 0; },
                back: () => el.click(),
            });
        } else if (el.type === 'radio' && el.name && !groups.has(el.name)) {
            groups.add(el.name);
            const group = all('input').filter((one) => one.type === 'radio' && one.name === el.name && one.form === el.form && !one.disabled);
            const now = group.findIndex((one) => one.checked);
            const other = now === group.length - 1 ? 0 : group.length - 1;
            if (group.length < 2) continue;
            controls.push({
                label: clean(el.closest('fieldset')?.querySelector('legend')?.textContent) || el.name, box: false,
                values: group.map((one) => [one.value, labelOf(one)]),
                set: () => { group[other].click(); return other; },
                back: () => { if (now >= 0) group[now].click(); },
            });
        }
    }
    const buttons = () => all('button, a, [role=button], input').filter((el) => isShown(el) && (el.localName !== 'input' || ['submit', 'button', 'image'].includes(el.type)));
    const textsOf = (el) => [el.innerText, el.value, el.getAttribute('aria-label'), el.title].map(clean).filter(Boolean);
    // How sure it is that it leads to the next page: what says so in words before arrows, of which some mean the last page.
    const leads = (el) => {
        const texts = textsOf(el);
        if (texts.some((text) => LAST.test(text))) return 0;
        if (el.rel === 'next' || texts.some((text) => NEXT.test(text) && !ARROWS.includes(text))) return ARROWS.length + 1;
        return Math.max(0, ...texts.filter((text) => ARROWS.includes(text)).map((text) => ARROWS.length - ARROWS.indexOf(text)));
    };
    // What sends a search; heads of columns put the rows in order.
    const sends = (el) => el.type === 'submit' || el.type === 'image' || textsOf(el).some((text) => SEARCH.test(text));

    globalThis.gromaHand = {
        point: () => { box.focus(); box.select?.(); },
        // The button of its form, else the nearest one; `only_sure`: one that says that it sends.
        press: (only_sure) => {
            for (let near = box.form ?? box.parentElement, up = 0; near && up < 5; near = near.parentElement, up += 1) {
                const inside = buttons().filter((el) => near.contains(el) && el.localName !== 'a' && !el.closest('table, nav'));
                const button = inside.find(sends) ?? (only_sure ? undefined : inside[0]);
                if (button) { button.click(); return true; }
            }
            return false;
        },
        more: () => {
            let next = null;
            for (const el of buttons()) if (leads(el) > 0 && (!next || leads(el) >= leads(next))) next = el;
            if (next) { next.click(); return; }
            for (const el of all('*')) if (el.scrollHeight > el.clientHeight + 50) el.scrollTop = el.scrollHeight;
            window.scrollTo(0, document.documentElement.scrollHeight);
        },
        set: (nth) => controls[nth].set(),
        set_back: (nth) => { controls[nth].back(); },
    };
    return { label: labelOf(box), words, controls: controls.slice(0, 50).map(({ label, box, values }) => ({ label, box, values })) };
})()

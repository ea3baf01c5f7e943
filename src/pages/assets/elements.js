/** What the scripts of the pages make elements with. */

export const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** An element: its name with a class, such as `p.quiet`, attributes, and what is in it. */
export function make(name, attributes = {}, ...inside) {
  const [tag, ...classes] = name.split('.');
  const made = document.createElement(tag);
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside.filter((each) => each !== null));
  return made;
}

/** The same for what is drawn. */
export function drawn(name, attributes, ...inside) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** A table that scrolls in itself, of rows of texts or elements; the first cell of a row is its head. */
export function table(label, heads, rows) {
  const head = make('tr', {}, ...heads.map((text) => make('th', { scope: 'col' }, text)));
  const cell = (text, index) => (index === 0 ? make('th', { scope: 'row' }, text) : make('td', {}, text));
  const body = rows.map((row) => make('tr', {}, ...row.map(cell)));
  const whole = make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
  return make('div.table', { role: 'region', 'aria-label': label, tabindex: '0' }, whole);
}

/** Code in a block that scrolls in itself. */
export const block = (label, text) => make('pre', { tabindex: '0', 'aria-label': label }, make('code', {}, text));

/** What can be opened. */
export const folded = (title, ...inside) => make('details', {}, make('summary', {}, title), ...inside);

export const link = (href, text) => make('a', { href }, text);

/** Creates HTML and SVG elements. */

export const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Creates an HTML element. The name may include classes, such as `p.quiet`. Children that are null are skipped. */
export function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const node = document.createElement(tag);
  if (classes.length > 0) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Creates an SVG element. */
export function svgElement(name, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Creates a scrollable table. Cells are strings or elements. The first cell of each row is its heading. */
export function table(label, headings, rows) {
  const head = element('tr', {}, ...headings.map((text) => element('th', { scope: 'col' }, text)));
  const cell = (text, index) => (index === 0 ? element('th', { scope: 'row' }, text) : element('td', {}, text));
  const body = rows.map((row) => element('tr', {}, ...row.map(cell)));
  const content = element('table', {}, element('thead', {}, head), element('tbody', {}, ...body));
  return element('div.table', { role: 'region', 'aria-label': label, tabindex: '0' }, content);
}

/** Creates a scrollable code block. */
export const codeBlock = (label, text) => element('pre', { tabindex: '0', 'aria-label': label }, element('code', {}, text));

/** Creates a collapsed section with a title. */
export const collapsibleSection = (title, ...children) => element('details', {}, element('summary', {}, title), ...children);

export const link = (href, text) => element('a', { href }, text);

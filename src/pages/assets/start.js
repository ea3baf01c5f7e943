/** Asks the questions of the start page and shows their rows as tables. */

const section = document.querySelector('#questions');

/** Objects within a row become columns of their own; lists are counted. */
function flat(row, before = '') {
  return Object.entries(row).flatMap(([key, value]) => {
    if (Array.isArray(value)) return [[before + key, value.length]];
    return value !== null && typeof value === 'object' ? flat(value, `${before}${key}.`) : [[before + key, value]];
  });
}

/** What is named by what it belongs to: `country.title` is the country. */
const plain = ['title', 'abbreviation', 'totalCount'];

const title = (path) => {
  const [key, holder] = path.split('.').toReversed();
  const words = (holder && plain.includes(key) ? holder : key).replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function shown(value) {
  if (value === null || value === '') return '–';
  if (typeof value === 'number') return numbers.format(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? days.format(new Date(value)) : String(value);
}

const element = (name, text, ...inside) => {
  const made = document.createElement(name);
  if (text !== null) made.textContent = text;
  made.append(...inside);
  return made;
};

function cell(name, value, text) {
  const made = element(name, text);
  if (typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(value)) made.className = 'number';
  return made;
}

function table(rows, label) {
  const all = rows.map((row) => flat(row));
  const paths = [...new Set(all.flatMap((row) => row.map(([path]) => path)))];
  const heads = paths.map((path) => {
    const head = cell('th', all[0].find(([key]) => key === path)?.[1], title(path));
    head.scope = 'col';
    return head;
  });
  const lines = all.map((row) => {
    const values = new Map(row);
    return element('tr', null, ...paths.map((path) => cell('td', values.get(path), shown(values.get(path) ?? null))));
  });
  const made = element('table', null, element('thead', null, element('tr', null, ...heads)), element('tbody', null, ...lines));
  const frame = element('div', null, made);
  frame.className = 'table';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'region');
  frame.setAttribute('aria-label', label);
  return frame;
}

function token() {
  return section.dataset.token || document.querySelector('#token')?.value.trim() || '';
}

async function ask(query, variables) {
  const started = performance.now();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token() ? { 'PB-API-TOKEN': token() } : {}) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors?.length) throw new Error(errors[0].message);
  return { data, took: Math.round(performance.now() - started) };
}

async function run(card) {
  const button = card.querySelector('button');
  const place = card.querySelector('.rows');
  button.disabled = true;
  try {
    const { data, took } = await ask(card.querySelector('.document').textContent, JSON.parse(card.dataset.variables));
    const { nodes, totalCount } = Object.values(data)[0];
    const line = element('p', `${nodes.length} of ${numbers.format(totalCount)}, in ${took} ms`);
    line.className = 'quiet small';
    place.replaceChildren(...(nodes.length > 0 ? [table(nodes, card.querySelector('h3').textContent)] : []), line);
  } catch (error) {
    const line = element('p', `That did not work: ${error.message}`);
    line.className = 'alarm';
    place.replaceChildren(line);
  }
  button.disabled = false;
  button.textContent = 'Ask again';
}

const cards = [...document.querySelectorAll('.question')];
for (const card of cards) card.querySelector('button').addEventListener('click', () => run(card));
if (section.dataset.token && cards[0]) run(cards[0]);

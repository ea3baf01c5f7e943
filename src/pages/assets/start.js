/** Asks the questions of the start page and shows their rows as tables. */

import { make, numbers, table } from './elements.js';

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

/** Unit symbols of the fields that are distances. */
const units = { kilometers: 'km', miles: 'mi' };

const title = (path) => {
  if (path in units) return 'Distance';
  const [key, holder] = path.split('.').toReversed();
  const words = (holder && plain.includes(key) ? holder : key).replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function shown(value, path) {
  if (value === null || value === '') return '–';
  if (path in units) return `${numbers.format(value)} ${units[path]}`;
  if (typeof value === 'number') return numbers.format(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? days.format(new Date(value)) : String(value);
}

const isNumber = (value) => typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(value);

function rowTable(label, rows) {
  const all = rows.map((row) => new Map(flat(row)));
  const paths = [...new Set(all.flatMap((row) => [...row.keys()]))];
  const made = table(
    label,
    paths.map(title),
    all.map((row) => paths.map((path) => shown(row.get(path) ?? null, path))),
  );
  // Figures stand below each other.
  paths.forEach((path, index) => {
    if (!isNumber(all[0].get(path))) return;
    for (const cell of made.querySelectorAll(`tr > :nth-child(${index + 1})`)) cell.className = 'number';
  });
  return made;
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
    const line = make('p.quiet.small', {}, `${nodes.length} of ${numbers.format(totalCount)}, in ${took} ms`);
    place.replaceChildren(...(nodes.length > 0 ? [rowTable(card.querySelector('h3').textContent, nodes)] : []), line);
  } catch (error) {
    place.replaceChildren(make('p.alarm', {}, `That did not work: ${error.message}`));
  }
  button.disabled = false;
  button.textContent = 'Ask again';
}

const cards = [...document.querySelectorAll('.question')];
for (const card of cards) card.querySelector('button').addEventListener('click', () => run(card));
if (section.dataset.token && cards[0]) run(cards[0]);

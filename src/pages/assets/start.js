/** Runs the example queries of the start page and shows their rows as tables. */

import { element, numberFormat, table } from './elements.js';

const section = document.querySelector('#queries');

/** Flattens a row. Fields of nested objects become columns, and lists become their length. */
function flatten(row, prefix = '') {
  return Object.entries(row).flatMap(([key, value]) => {
    if (Array.isArray(value)) return [[prefix + key, value.length]];
    return value !== null && typeof value === 'object' ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value]];
  });
}

/** Fields with a generic name. Their column has the name of the parent object: the heading of `country.title` is `Country`. */
const genericNames = ['title', 'abbreviation', 'totalCount'];

/** Unit symbols of distance fields. */
const units = { kilometers: 'km', miles: 'mi' };

const headingOf = (path) => {
  if (path in units) return 'Distance';
  const [key, parent] = path.split('.').toReversed();
  const words = (parent && genericNames.includes(key) ? parent : key).replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

function format(value, path) {
  if (value === null || value === '') return '–';
  if (path in units) return `${numberFormat.format(value)} ${units[path]}`;
  if (typeof value === 'number') return numberFormat.format(value);
  return /^\d{4}-\d\d-\d\dT/.test(value) ? days.format(new Date(value)) : String(value);
}

const isNumber = (value) => typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(value);

function rowTable(label, rows) {
  const flatRows = rows.map((row) => new Map(flatten(row)));
  const paths = [...new Set(flatRows.flatMap((row) => [...row.keys()]))];
  const content = table(
    label,
    paths.map(headingOf),
    flatRows.map((row) => paths.map((path) => format(row.get(path) ?? null, path))),
  );
  // Columns of numbers are aligned to the right.
  paths.forEach((path, index) => {
    if (!isNumber(flatRows[0].get(path))) return;
    for (const cell of content.querySelectorAll(`tr > :nth-child(${index + 1})`)) cell.className = 'number';
  });
  return content;
}

function token() {
  return section.dataset.token || document.querySelector('#token')?.value.trim() || '';
}

async function execute(query, variables) {
  const startedAt = performance.now();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token() ? { 'PB-API-TOKEN': token() } : {}) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors?.length) throw new Error(errors[0].message);
  return { data, duration: Math.round(performance.now() - startedAt) };
}

async function run(card) {
  const button = card.querySelector('button');
  const result = card.querySelector('.rows');
  button.disabled = true;
  try {
    const { data, duration } = await execute(card.querySelector('.document').textContent, JSON.parse(card.dataset.variables));
    const { nodes, totalCount } = Object.values(data)[0];
    const line = element('p.quiet.small', {}, `${nodes.length} of ${numberFormat.format(totalCount)} rows, ${duration} ms`);
    result.replaceChildren(...(nodes.length > 0 ? [rowTable(card.querySelector('h3').textContent, nodes)] : []), line);
  } catch (error) {
    result.replaceChildren(element('p.alarm', {}, `The query failed: ${error.message}`));
  }
  button.disabled = false;
  button.textContent = 'Run again';
}

const cards = [...document.querySelectorAll('.query')];
for (const card of cards) card.querySelector('button').addEventListener('click', () => run(card));
if (section.dataset.token && cards[0]) run(cards[0]);

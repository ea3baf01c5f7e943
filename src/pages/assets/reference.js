/** Loads what is opened in the list of operations, copies samples, and sends what one tries. */

import { block, folded, make, numbers } from './elements.js';
import { searchIn } from './search.js';

/** Tokens by header, for all forms of this page and nothing else. */
const tokens = new Map();

const addressOf = (form) => {
  const inputs = [...form.querySelectorAll('[data-in]')].filter(({ value }) => value !== '');
  const inPath = new Map(inputs.filter(({ dataset }) => dataset.in === 'path').map(({ name, value }) => [name, value]));
  const query = new URLSearchParams(
    inputs.filter(({ dataset }) => dataset.in === 'query').map(({ name, value }) => [name, value]),
  );
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath.get(name) ?? ''));
  return query.size > 0 ? `${path}?${query}` : path;
};

const headersOf = (form) =>
  Object.fromEntries(
    [
      ...[...form.querySelectorAll('[data-header]')].map(({ dataset, value }) => [dataset.header, value.trim()]),
      ...[...form.querySelectorAll('[data-in="header"]')].map(({ name, value }) => [name, value]),
    ].filter(([, value]) => value !== ''),
  );

/** Most of an answer that is shown, in characters. */
const longest = 200_000;

const readable = (text) => {
  if (text.length > longest) return `${text.slice(0, longest)}…`;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

async function send(form) {
  const { method } = form.dataset;
  const body = form.querySelector('[data-body]')?.value;
  const started = performance.now();
  const response = await fetch(addressOf(form), {
    method,
    headers: { ...headersOf(form), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const took = Math.round(performance.now() - started);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const status = make(response.ok ? 'p.state' : 'p.state.bad', {}, `${response.status} ${response.statusText}`);
  return [
    status,
    make('p.quiet.small', {}, `${took} ms, ${numbers.format(new Blob([text]).size)} bytes`),
    folded('Headers', block('Headers of the answer', headers)),
    ...(text === '' ? [] : [block('Body of the answer', readable(text))]),
  ];
}

async function tried(form) {
  const button = form.querySelector('button');
  const outcome = form.querySelector('.outcome');
  button.disabled = true;
  outcome.replaceChildren(
    ...(await send(form).catch((error) => [make('p.alarm', {}, `It could not be sent: ${error.message}`)])),
  );
  button.disabled = false;
}

/** Puts to work what stands in a part of the page. */
function enliven(part) {
  for (const form of part.querySelectorAll('form.try')) {
    form.hidden = false;
    for (const input of form.querySelectorAll('[data-header]')) {
      input.value = tokens.get(input.dataset.header) ?? input.value;
      input.addEventListener('input', () => tokens.set(input.dataset.header, input.value));
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      tried(form);
    });
  }
  for (const figure of part.querySelectorAll('.sample')) {
    const label = `Copy: ${figure.querySelector('figcaption').textContent}`;
    const button = make('button.plain.copy', { type: 'button', 'aria-label': label }, 'Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard?.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    figure.querySelector('figcaption').append(button);
  }
}

async function load(details) {
  if (details.dataset.loaded || !details.dataset.part) return;
  details.dataset.loaded = 'yes';
  const response = await fetch(details.dataset.part);
  if (!response.ok) {
    delete details.dataset.loaded;
    return;
  }
  const holder = document.createElement('template');
  holder.innerHTML = await response.text();
  const part = holder.content.firstElementChild;
  enliven(part);
  details.querySelector('.loading').after(part);
}

const operations = [...document.querySelectorAll('details.operation')];
for (const details of operations)
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    load(details);
  });

/** An address with the name of an operation opens it. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!named?.matches('details.operation')) return;
  named.hidden = false;
  named.open = true;
  named.scrollIntoView();
}

const search = document.querySelector('form.search');
if (search) searchIn(search, operations);

addEventListener('hashchange', openNamed);
enliven(document);
openNamed();

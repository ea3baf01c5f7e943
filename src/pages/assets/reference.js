/** Loads the content of expanded operations, copies samples, and sends the requests of the "Try it" forms. */

import { codeBlock, collapsibleSection, element, numberFormat } from './elements.js';
import { initializeSearch } from './search.js';

/** Tokens by header, shared by all forms of this page. They are not stored. */
const tokens = new Map();

const urlOf = (form) => {
  const inputs = [...form.querySelectorAll('[data-in]')].filter(({ value }) => value !== '');
  const pathValues = new Map(inputs.filter(({ dataset }) => dataset.in === 'path').map(({ name, value }) => [name, value]));
  const query = new URLSearchParams(
    inputs.filter(({ dataset }) => dataset.in === 'query').map(({ name, value }) => [name, value]),
  );
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathValues.get(name) ?? ''));
  return query.size > 0 ? `${path}?${query}` : path;
};

const headersOf = (form) =>
  Object.fromEntries(
    [
      ...[...form.querySelectorAll('[data-header]')].map(({ dataset, value }) => [dataset.header, value.trim()]),
      ...[...form.querySelectorAll('[data-in="header"]')].map(({ name, value }) => [name, value]),
    ].filter(([, value]) => value !== ''),
  );

/** Maximum number of displayed characters of a response body. */
const maxLength = 200_000;

const formatBody = (text) => {
  if (text.length > maxLength) return `${text.slice(0, maxLength)}…`;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

async function send(form) {
  const { method } = form.dataset;
  const body = form.querySelector('[data-body]')?.value;
  const startedAt = performance.now();
  const response = await fetch(urlOf(form), {
    method,
    headers: { ...headersOf(form), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const duration = Math.round(performance.now() - startedAt);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const status = element(response.ok ? 'p.state' : 'p.state.bad', {}, `${response.status} ${response.statusText}`);
  return [
    status,
    element('p.quiet.small', {}, `${duration} ms, ${numberFormat.format(new Blob([text]).size)} bytes`),
    collapsibleSection('Headers', codeBlock('Response headers', headers)),
    ...(text === '' ? [] : [codeBlock('Response body', formatBody(text))]),
  ];
}

async function submit(form) {
  const button = form.querySelector('button');
  const outcome = form.querySelector('.outcome');
  button.disabled = true;
  outcome.replaceChildren(
    ...(await send(form).catch((error) => [element('p.alarm', {}, `The request could not be sent: ${error.message}`)])),
  );
  button.disabled = false;
}

/** Activates the forms in an element and adds copy buttons to its samples. */
function activate(operationElement) {
  for (const form of operationElement.querySelectorAll('form.try')) {
    form.hidden = false;
    for (const input of form.querySelectorAll('[data-header]')) {
      input.value = tokens.get(input.dataset.header) ?? input.value;
      input.addEventListener('input', () => tokens.set(input.dataset.header, input.value));
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit(form);
    });
  }
  for (const figure of operationElement.querySelectorAll('.sample')) {
    const label = `Copy: ${figure.querySelector('figcaption').textContent}`;
    const button = element('button.plain.copy', { type: 'button', 'aria-label': label }, 'Copy');
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
  const template = document.createElement('template');
  template.innerHTML = await response.text();
  const operationElement = template.content.firstElementChild;
  activate(operationElement);
  details.querySelector('.loading').after(operationElement);
}

const operations = [...document.querySelectorAll('details.operation')];
for (const details of operations)
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    load(details);
  });

/** Expands the operation in the URL fragment. */
function openFragment() {
  const details = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!details?.matches('details.operation')) return;
  details.hidden = false;
  details.open = true;
  details.scrollIntoView();
}

const search = document.querySelector('form.search');
if (search) initializeSearch(search, operations);

addEventListener('hashchange', openFragment);
activate(document);
openFragment();

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReferenceOperation } from '../../compat/reference/operation.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { html } from '../../src/messaging/html.js';
import type { SearchIndex } from '../../src/pages/reference/search-index.js';
import { referenceOf } from '../../src/pages/reference.js';
import { startApp, type TestApp } from '../support/app.js';

const operations = referenceOf(graphOfModules()).groups.flatMap((group) => group.operations);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(app.origin + path, { headers });

/** Everything that the page of an operation must say. */
const saidOf = ({ method, path, parameters, request, answers, errors, decisions, calls }: ReferenceOperation): string[] =>
  [
    method,
    path,
    ...parameters.flatMap(({ name, coordinate }) => [name, coordinate ?? '']),
    ...[request, ...answers]
      .flatMap((each) => each?.fields ?? [])
      .flatMap((field) => [field.path, field.type, field.coordinate ?? '']),
    ...errors.map(({ status }) => String(status)),
    ...decisions.map(({ number }) => number),
    ...calls.map(({ document }) => document),
  ].map((text) => html`${text}`.markup);

test('every operation has a page of its own, with every field and what runs behind it', { timeout: 60_000 }, async () => {
  const missing: string[] = [];
  for (const operation of operations) {
    const page = await (await get(`/reference/${operation.name}`)).text();
    missing.push(
      ...saidOf(operation)
        .filter((text) => !page.includes(text))
        .map((text) => `${operation.name}: ${text}`),
    );
  }
  expect(operations.length).toBeGreaterThan(150);
  expect(missing).toEqual([]);
});

test('the list names every operation, is small, and leads to the pages without a script', async () => {
  const page = await (await get('/reference')).text();
  expect(operations.filter(({ name }) => !page.includes(`id="${name}"`) || !page.includes(`href="/reference/${name}"`))).toEqual(
    [],
  );
  expect(gzipSync(page).length).toBeLessThan(20_000);
});

test('the search knows every field, parameter and coordinate of every operation, and is small', async () => {
  const text = await (await get('/reference/search.json')).text();
  const index: SearchIndex = JSON.parse(text);
  const missing = operations.flatMap(({ name, parameters, request, answers, calls }) => {
    const known = new Set((index.operations[name] ?? []).flatMap((place) => index.terms[place] ?? []));
    const fields = [request, ...answers].flatMap((each) => each?.fields ?? []);
    const names = [...parameters.map((parameter) => parameter.name), ...fields.map(({ path }) => path)];
    const coordinates = [...parameters, ...fields].flatMap(({ coordinate }) => coordinate ?? []);
    const wanted = [...names, ...coordinates, ...calls.flatMap(({ asks }) => asks)];
    return wanted.filter((each) => !known.has(each)).map((each) => `${name}: ${each}`);
  });
  expect(missing).toEqual([]);
  expect(operations.every(({ calls }) => calls.every(({ asks }) => /^(?:Query|Mutation)\.\w+$/.test(asks[0] ?? '')))).toBe(true);
  expect(gzipSync(text).length).toBeLessThan(40_000);
});

test('a page that a browser has is not sent again, and all are packed', async () => {
  const answers = await Promise.all(
    ['/reference', '/reference/search.json', '/reference/getDataTeams', '/reference/getDataTeams?part', '/usage'].map(
      async (path) => {
        const { headers } = await get(path, { 'accept-encoding': 'gzip' });
        const again = await get(path, { 'if-none-match': headers.get('etag') ?? '' });
        return [headers.get('content-encoding'), headers.get('cache-control'), again.status];
      },
    ),
  );
  expect(answers).toEqual(answers.map(() => ['gzip', 'private, no-cache', 304]));
});

test('a name that there is not is told on a page', async () => {
  const answer = await get('/reference/%3Cscript%3E');
  expect([answer.status, (await answer.text()).includes('There is no operation of this name.')]).toEqual([404, true]);
});

test('files that pages load are kept for ever, and others are not found', async () => {
  const page = await (await get('/reference')).text();
  const files = [...new Set(page.match(/\/assets\/\w+\/[\w.]+/g))];
  const answers = await Promise.all(
    files.map(async (path) => [(await get(path)).status, (await get(path)).headers.get('cache-control')]),
  );
  expect(answers).toEqual(Array(4).fill([200, 'public, max-age=31536000, immutable']));
  const others = [`${files[0]}x`, '/assets/0/page.css', `${files[0]?.split('/').slice(0, 3).join('/')}/..%2Flayout.ts`];
  expect(await Promise.all(others.map(async (path) => (await get(path)).status))).toEqual([404, 404, 404]);
});

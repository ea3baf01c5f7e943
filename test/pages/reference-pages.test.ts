import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReferenceOperation } from '../../compat/reference/operation.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { html } from '../../src/messaging/html.js';
import type { SearchIndex } from '../../src/pages/reference/search-index.js';
import { referenceOf } from '../../src/pages/reference.js';
import { startApp, type TestApp } from '../support/servers/app.js';

const operations = referenceOf(graphOfModules()).groups.flatMap((group) => group.operations);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(app.origin + path, { headers });

/** Returns the texts that the page of an operation must contain, as HTML. */
const requiredTexts = ({
  method,
  path,
  parameters,
  request,
  responses,
  errors,
  decisions,
  calls,
}: ReferenceOperation): string[] =>
  [
    method,
    path,
    ...parameters.flatMap(({ name, coordinate }) => [name, coordinate ?? '']),
    ...[request, ...responses]
      .flatMap((body) => body?.fields ?? [])
      .flatMap((field) => [field.path, field.type, field.coordinate ?? '']),
    ...errors.map(({ status }) => String(status)),
    ...decisions.map(({ number }) => number),
    ...calls.map(({ document }) => document),
  ].map((text) => html`${text}`.markup);

test('each operation has a page with all its fields and its GraphQL operations', { timeout: 60_000 }, async () => {
  const missing: string[] = [];
  for (const operation of operations) {
    const page = await (await get(`/reference/${operation.name}`)).text();
    missing.push(
      ...requiredTexts(operation)
        .filter((text) => !page.includes(text))
        .map((text) => `${operation.name}: ${text}`),
    );
  }
  expect(operations.length).toBeGreaterThan(150);
  expect(missing).toEqual([]);
});

test('the list links every operation without a script, in less than 20 kB', async () => {
  const page = await (await get('/reference')).text();
  const missing = operations.filter(({ name }) => !page.includes(`id="${name}"`) || !page.includes(`href="/reference/${name}"`));
  expect(missing).toEqual([]);
  expect(gzipSync(page).length).toBeLessThan(20_000);
});

test('the search index has the fields, parameters and coordinates of every operation, in less than 40 kB', async () => {
  const text = await (await get('/reference/search.json')).text();
  const index: SearchIndex = JSON.parse(text);
  const missing = operations.flatMap(({ name, parameters, request, responses, calls }) => {
    const indexedTerms = new Set((index.operations[name] ?? []).flatMap((term) => index.terms[term] ?? []));
    const fields = [request, ...responses].flatMap((body) => body?.fields ?? []);
    const names = [...parameters.map((parameter) => parameter.name), ...fields.map(({ path }) => path)];
    const coordinates = [...parameters, ...fields].flatMap(({ coordinate }) => coordinate ?? []);
    const requiredTerms = [...names, ...coordinates, ...calls.flatMap(({ coordinates }) => coordinates)];
    return requiredTerms.filter((term) => !indexedTerms.has(term)).map((term) => `${name}: ${term}`);
  });
  expect(missing).toEqual([]);
  expect(gzipSync(text).length).toBeLessThan(40_000);
});

test('the coordinates of each call start with its root field', () => {
  const invalid = operations.filter(
    ({ calls }) => !calls.every(({ coordinates }) => /^(?:Query|Mutation)\.\w+$/.test(coordinates[0] ?? '')),
  );
  expect(invalid.map(({ name }) => name)).toEqual([]);
});

test.each(['/reference', '/reference/search.json', '/reference/getDataTeams', '/reference/getDataTeams?part', '/usage'])(
  '%s is compressed, and is not sent again to a browser that has it',
  async (path) => {
    const { headers } = await get(path, { 'accept-encoding': 'gzip' });
    const revalidation = await get(path, { 'if-none-match': headers.get('etag') ?? '' });
    expect({
      contentEncoding: headers.get('content-encoding'),
      cacheControl: headers.get('cache-control'),
      revalidationStatus: revalidation.status,
    }).toEqual({ contentEncoding: 'gzip', cacheControl: 'private, no-cache', revalidationStatus: 304 });
  },
);

test('the navigation bar marks the current page', async () => {
  const currentLink = async (path: string) => /<a href="([^"]*)" aria-current="page">/.exec(await (await get(path)).text())?.[1];
  expect({
    rest: await currentLink('/reference'),
    operation: await currentLink(`/reference/${operations[0]?.name}`),
    graph: await currentLink('/reference/graph'),
    type: await currentLink('/reference/graph/Tournament'),
    usage: await currentLink('/usage'),
  }).toEqual({
    rest: '/reference',
    operation: '/reference',
    graph: '/reference/graph',
    type: '/reference/graph',
    usage: '/usage',
  });
});

test('the page of an unknown operation has the status 404', async () => {
  const response = await get('/reference/%3Cscript%3E');
  expect({ status: response.status, page: await response.text() }).toEqual({
    status: 404,
    page: expect.stringContaining('There is no operation with this name.'),
  });
});

describe('assets', () => {
  let paths: string[];
  beforeAll(async () => {
    const page = await (await get('/reference')).text();
    paths = [...new Set(page.match(/\/assets\/\w+\/[\w.]+/g))];
  });

  test('of a page are cacheable for a year', async () => {
    const responses = await Promise.all(
      paths.map(async (path) => {
        const { status, headers } = await get(path);
        return { status, cacheControl: headers.get('cache-control') };
      }),
    );
    expect(responses).toEqual(Array(4).fill({ status: 200, cacheControl: 'public, max-age=31536000, immutable' }));
  });

  test('at any other path are not found', async () => {
    const statusOf = async (path: string) => (await get(path)).status;
    expect({
      otherName: await statusOf(`${paths[0]}x`),
      otherVersion: await statusOf('/assets/0/page.css'),
      parentFolder: await statusOf(`${paths[0]?.split('/').slice(0, 3).join('/')}/..%2Flayout.ts`),
    }).toEqual({ otherName: 404, otherVersion: 404, parentFolder: 404 });
  });
});

test.each(['/reference/%E0', '/console/%E0', '/console/assets/%E0'])(
  '%s is rejected, because its path is malformed',
  async (path) => {
    const response = await get(path);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { errors: [{ message: 'path: expected valid percent-encoding', extensions: { code: 'BAD_INPUT' } }] },
    });
  },
);

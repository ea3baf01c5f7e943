import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import express from 'express';
import { getOperationAST, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { openApiDocument } from '../../compat/reference/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { type OpenApiOptions, openApi } from '../../src/pages/openapi.js';
import { referenceOf } from '../../src/pages/reference.js';
import { startApp, type TestApp } from '../support/app.js';
import { exchangeChecker } from './openapi-checker.js';

const schema = graphOfModules();
const origin = 'https://play.example';
const document = openApiDocument(referenceOf(schema), { origin });

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('redocly has no remark but on paths that the interface has as they are', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'courtside-openapi-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const ref = join(directory, 'openapi.json');
  writeFileSync(ref, JSON.stringify(document));
  const problems = await lint({ ref, config: await createConfig({ extends: ['recommended'] }) });
  const remarks = problems.filter(({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !/system-approvals/.test(message));
  expect(remarks.map(({ message, location: [place] }) => `${message} ${place?.pointer}`)).toEqual([]);
}, 60_000);

test('it holds every operation, with both kinds of tokens where both open it', () => {
  const found = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]: [string, { security?: unknown }]) => [
      `${method.toUpperCase()} ${path}`,
      security,
    ]),
  );
  const letters = { platform: [{ platform: [] }], user: [{ user: [] }], either: [{ platform: [] }, { user: [] }], anyone: [] };
  const wanted = entriesOf(legacyRoutes).map(({ method, path, alternatives }) => {
    const auths = alternatives.map(({ auth, takes = auth }) => takes);
    return [`${method} ${path}`, letters[auths.includes('either') ? 'either' : (auths[0] ?? 'anyone')]];
  });
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
});

test('every operation has a curl line, GraphQL and TypeScript', () => {
  const samples = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map((operation) => (operation as { 'x-codeSamples': { lang: string }[] })['x-codeSamples']),
  );
  expect(samples.filter((all) => !/^Shell(,GraphQL)+,TypeScript$/.test(all.map(({ lang }) => lang).join()))).toEqual([]);
});

test('each GraphQL sample is one operation, which can be sent as it stands', () => {
  const samples = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).flatMap(
      (operation) => (operation as { 'x-codeSamples': { lang: string; source: string }[] })['x-codeSamples'],
    ),
  );
  const documents = samples.flatMap(({ lang, source }) => (lang === 'GraphQL' ? [parse(source)] : []));
  expect(documents.filter((each) => !getOperationAST(each) || validate(schema, each).length)).toEqual([]);
});

test('the page on it names what is there', () => {
  const page = readFileSync('docs/openapi.md', 'utf8');
  const paths = [...page.matchAll(/GET\('([^']+)'/g)].map(([, path = '']) => path);
  const folders = [...page.matchAll(/`(compat\/\w+)`/g)].map(([, folder = '']) => folder);
  const places = [...page.matchAll(/`(\w+)\.(\w+)`/g)].map(([, type = '', field = '']) => {
    const found = schema.getType(type);
    return found && 'getFields' in found ? field in found.getFields() : false;
  });
  expect(paths.map((path) => path in document.paths)).toEqual([true]);
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  expect(places).toEqual([true, true]);
});

test('what is not as the document says is told', () => {
  const check = exchangeChecker(document);
  const operation = { method: 'GET', path: '/v1/data/teams/{uuid}' };
  const error = { Code: 404, Message: 'there is no such record', Timestamp: 1, RequestId: 1 };
  expect(check({ operation, request: { path: '/v1/data/teams/1' }, status: 404, body: error })).toBe(null);
  expect(check({ operation, request: { path: '/v1/data/teams/1' }, status: 404, body: { ...error, Code: '404' } })).toContain(
    'response/Code must be integer',
  );
  expect(check({ operation, request: { path: '/v1/data/teams/1' }, status: 200, body: { result: {} } })).toContain(
    "response/result must have required property 'uuid'",
  );
  expect(check({ operation, request: { path: '/v1/data/teams/1' }, status: 418, body: null })).toContain('no answer 418');
  const list = { method: 'GET', path: '/v1/data/teams' };
  const body = { total_records: '0', results: [] };
  expect(check({ operation: list, request: { path: '/v1/data/teams?page_size=few' }, status: 200, body })).toContain('page_size');
  const create = { method: 'POST', path: '/v1/teams' };
  expect(check({ operation: create, request: { path: '/v1/teams', body: { payload: 3 } }, status: 400, body: error })).toBe(null);
});

test('everybody gets the document, at the address at which they asked, and hears when they have it', async () => {
  const first = await fetch(`${app.origin}/openapi.json`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('public, no-cache');
  expect(await first.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(referenceOf(schema), { origin: app.origin }))));
  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(`${app.origin}/openapi.json`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const plain = await fetch(`${app.origin}/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  expect([plain.headers.get('content-encoding'), (await plain.json()).openapi]).toEqual([null, '3.1.0']);
});

const told = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  const { errors = [] } = (await response.json()) as { errors?: { message: string }[] };
  return [response.status, errors[0]?.message];
};

test('what is asked for in another way is refused, and says what was expected', async () => {
  const platform = { 'PB-API-TOKEN': app.platform.platform };
  const url = `${app.origin}/openapi.json`;
  expect(await told(`${url}?mine=perhaps`)).toEqual([400, 'mine: expected true or false']);
  expect(await told(`${url}?mine=true`)).toEqual([401, 'mine: expected a platform token in the header PB-API-TOKEN']);
  expect(await told(`${url}?mine=true`, { 'PB-API-TOKEN': 'garbage' })).toEqual([
    401,
    'the token is unknown, expired or revoked',
  ]);
  expect((await told(`${url}?mine=false`, platform))[0]).toBe(200);
});

/** The document alone, with what a platform has called. */
async function hosted(calledBy: OpenApiOptions['calledBy']): Promise<string> {
  const platform = { id: 'one', name: 'One' };
  const options = { schema, publicUrl: 'https://play.example/', trust: () => false };
  const identify = () => Promise.resolve({ platform, key: null, user: null, rejected: false });
  const server = express()
    .use(openApi({ ...options, identify, calledBy }))
    .listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/openapi.json`;
}

test('a platform gets what it has called, and the schemas of that alone', async () => {
  const url = await hosted(async (id) => new Set(id === 'one' ? ['GET /v1/data/teams', 'POST /v1/teams'] : []));
  const response = await fetch(`${url}?mine=true`);
  const { servers, tags, paths, components } = (await response.json()) as typeof document;
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  expect(servers).toEqual([{ url: 'https://play.example' }]);
  expect(tags.map(({ name }) => name)).toEqual(['Teams']);
  expect(Object.keys(paths)).toEqual(['/v1/teams', '/v1/data/teams']);
  expect(Object.keys(components.schemas)).toEqual(['Error', 'TeamRecord', 'TeamRecordRequest']);
});

test('where calls are not counted, nobody is told that they called nothing', async () => {
  const url = await hosted(undefined);
  expect(await told(`${url}?mine=true`)).toEqual([400, 'mine: expected false, because calls are not counted here']);
});

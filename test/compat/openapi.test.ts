import { existsSync, readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import express from 'express';
import { getOperationAST, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { openApiDocument } from '../../compat/reference/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { type OpenApiOptions, openApi } from '../../src/pages/openapi.js';
import { referenceOf } from '../../src/pages/reference.js';
import { startApp, type TestApp } from '../support/servers/app.js';
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

test('the document has every operation with the kinds of tokens that it accepts', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]: [string, { security?: unknown }]) => [
      `${method.toUpperCase()} ${path}`,
      security,
    ]),
  );
  const schemes = {
    platform: [{ platform: [] }],
    user: [{ user: [] }],
    platformOrUser: [{ platform: [] }, { user: [] }],
    anyone: [],
  };
  const expected = entriesOf(legacyRoutes).map(({ method, path, alternatives }) => {
    const auths = alternatives.map(({ auth, acceptsToken = auth }) => acceptsToken);
    return [`${method} ${path}`, schemes[auths.includes('platformOrUser') ? 'platformOrUser' : (auths[0] ?? 'anyone')]];
  });
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected));
});

test('every operation has code samples for curl, GraphQL and TypeScript', () => {
  const samples = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map((operation) => (operation as { 'x-codeSamples': { lang: string }[] })['x-codeSamples']),
  );
  expect(samples.filter((all) => !/^Shell(,GraphQL)+,TypeScript$/.test(all.map(({ lang }) => lang).join()))).toEqual([]);
});

test('each GraphQL sample is one valid operation', () => {
  const samples = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).flatMap(
      (operation) => (operation as { 'x-codeSamples': { lang: string; source: string }[] })['x-codeSamples'],
    ),
  );
  const documents = samples.flatMap(({ lang, source }) => (lang === 'GraphQL' ? [parse(source)] : []));
  expect(documents.filter((each) => !getOperationAST(each) || validate(schema, each).length)).toEqual([]);
});

test('docs/openapi.md names existing paths, folders and fields', () => {
  const page = readFileSync('docs/openapi.md', 'utf8');
  const paths = [...page.matchAll(/GET\('([^']+)'/g)].map(([, path = '']) => path);
  const folders = [...page.matchAll(/`(compat\/\w+)`/g)].map(([, folder = '']) => folder);
  const fieldsExist = [...page.matchAll(/`(\w+)\.(\w+)`/g)].map(([, typeName = '', field = '']) => {
    const type = schema.getType(typeName);
    return type && 'getFields' in type ? field in type.getFields() : false;
  });
  expect({
    pathsExist: paths.map((path) => path in document.paths),
    foldersExist: folders.map((folder) => existsSync(folder)),
    fieldsExist,
  }).toEqual({ pathsExist: [true], foldersExist: [true, true], fieldsExist: [true, true] });
});

test('the exchange checker reports violations of the document', () => {
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
  expect(check({ operation, request: { path: '/v1/data/teams/1' }, status: 418, body: null })).toContain('no response 418');
  const list = { method: 'GET', path: '/v1/data/teams' };
  const body = { total_records: '0', results: [] };
  expect(check({ operation: list, request: { path: '/v1/data/teams?page_size=few' }, status: 200, body })).toContain('page_size');
  const create = { method: 'POST', path: '/v1/teams' };
  expect(check({ operation: create, request: { path: '/v1/teams', body: { payload: 3 } }, status: 400, body: error })).toBe(null);
});

test('the document is public, has the origin of its request, and is revalidated by ETag', async () => {
  const first = await fetch(`${app.origin}/openapi.json`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('public, no-cache');
  expect(await first.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(referenceOf(schema), { origin: app.origin }))));
  const etag = first.headers.get('etag') ?? '';
  const revalidated = await fetch(`${app.origin}/openapi.json`, { headers: { 'if-none-match': etag } });
  expect({ status: revalidated.status, body: await revalidated.text() }).toEqual({ status: 304, body: '' });
});

test('the document is sent uncompressed to a client that accepts only the identity encoding', async () => {
  const response = await fetch(`${app.origin}/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  const { openapi } = await response.json();
  expect({ encoding: response.headers.get('content-encoding'), openapi }).toEqual({ encoding: null, openapi: '3.1.0' });
});

const statusAndMessage = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  const { errors = [] } = (await response.json()) as { errors?: { message: string }[] };
  return { status: response.status, message: errors[0]?.message };
};

test('the parameter mine expects a boolean, and a platform token when it is true', async () => {
  const platform = { 'PB-API-TOKEN': app.platform.platform };
  const url = `${app.origin}/openapi.json`;
  expect({
    notBoolean: await statusAndMessage(`${url}?mine=perhaps`),
    noToken: await statusAndMessage(`${url}?mine=true`),
    unknownToken: await statusAndMessage(`${url}?mine=true`, { 'PB-API-TOKEN': 'garbage' }),
    falseWithToken: (await statusAndMessage(`${url}?mine=false`, platform)).status,
  }).toEqual({
    notBoolean: { status: 400, message: 'mine: expected true or false' },
    noToken: { status: 401, message: 'mine: expected a platform token in the header PB-API-TOKEN' },
    unknownToken: { status: 401, message: 'the token is unknown, expired or revoked' },
    falseWithToken: 200,
  });
});

/**
 * Starts a server that serves only the OpenAPI document, and returns its URL. `calledBy` returns the operations that a platform has called.
 */
async function startServer(calledBy: OpenApiOptions['calledBy']): Promise<string> {
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

test('mine=true limits the document to the operations that the platform has called, and their schemas', async () => {
  const url = await startServer(async (id) => new Set(id === 'one' ? ['GET /v1/data/teams', 'POST /v1/teams'] : []));
  const response = await fetch(`${url}?mine=true`);
  const { servers, tags, paths, components } = (await response.json()) as typeof document;
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  expect(servers).toEqual([{ url: 'https://play.example' }]);
  expect(tags.map(({ name }) => name)).toEqual(['Teams']);
  expect(Object.keys(paths)).toEqual(['/v1/teams', '/v1/data/teams']);
  expect(Object.keys(components.schemas)).toEqual(['Error', 'TeamRecord', 'TeamRecordRequest']);
});

test('mine=true is rejected if calls are not counted', async () => {
  const url = await startServer(undefined);
  expect(await statusAndMessage(`${url}?mine=true`)).toEqual({
    status: 400,
    message: 'mine: expected false, because calls are not counted here',
  });
});

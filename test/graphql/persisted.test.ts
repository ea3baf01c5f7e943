import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';
import { scratchDirectory } from '../support/servers/service-process.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const persisted = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const clientOf = (app: () => TestApp) => ({
  async post(body: object, path = '/graphql', headers: Record<string, string> = { 'PB-API-TOKEN': app().platform.platform }) {
    const response = await fetch(app().origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return resultOf(response);
  },
  async get(params: Record<string, string>) {
    const headers = { accept: 'application/json', 'PB-API-TOKEN': app().platform.platform };
    return resultOf(await fetch(`${app().origin}/graphql?${new URLSearchParams(params)}`, { headers }));
  },
});

/** Returns the code of an error, or `too deep` if the depth limit rejected the operation. */
const codeOf = ({ message, extensions }: { message: string; extensions: { code: string } }) =>
  /depth/i.test(message) ? 'too deep' : extensions.code;

/** Returns the status of a response with either its data or its error codes. */
async function resultOf(response: Response) {
  const { data, errors } = await response.json();
  return errors ? { status: response.status, errors: errors.map(codeOf) } : { status: response.status, data };
}

const noLeagues = { status: 200, data: { leagues: { totalCount: 0 } } };
const notFound = { status: 200, errors: ['PERSISTED_QUERY_NOT_FOUND'] };

describe('automatic persisted queries', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  const { post, get } = clientOf(() => app);

  test('a document that was sent once runs by its hash, by POST and by GET', async () => {
    const query = 'query Ones($first: Int) { leagues(first: $first) { totalCount } }';
    const extensions = persisted(hashOf(query));
    const variables = { first: 1 };
    expect(await post({ extensions, variables })).toEqual(notFound);
    expect(await post({ query, extensions, variables })).toEqual(noLeagues);
    expect(await post({ extensions, variables })).toEqual(noLeagues);
    expect(await get({ extensions: JSON.stringify(extensions), variables: '{"first":1}' })).toEqual(noLeagues);
  });

  test('the error for an unknown hash has the message that clients expect', async () => {
    const response = await fetch(`${app.origin}/graphql?extensions=${encodeURIComponent(JSON.stringify(persisted('none')))}`);
    expect((await response.json()).errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('a document with the wrong hash is rejected and not stored', async () => {
    const extensions = persisted(hashOf('{ viewer { id } }'));
    expect(await post({ query: '{ leagues { totalCount } }', extensions })).toEqual({
      status: 400,
      errors: ['PERSISTED_QUERY_MISMATCH'],
    });
    expect(await post({ extensions })).toEqual(notFound);
  });

  test.each([
    { persistedQuery: 'text' },
    { persistedQuery: { version: 2, sha256Hash: 'a' } },
    { persistedQuery: { version: 1 } },
    { persistedQuery: { version: 1, sha256Hash: 5 } },
    { persistedQuery: [] },
  ])('rejects the invalid extension %o', async (extensions) => {
    expect(await post({ extensions })).toEqual({ status: 400, errors: ['BAD_INPUT'] });
  });

  test('a stored mutation is rejected by GET', async () => {
    const mutation = 'mutation { createLeague(input: { title: "by GET" }) { id } }';
    await post({ query: mutation, extensions: persisted(hashOf(mutation)) });
    expect(await get({ extensions: JSON.stringify(persisted(hashOf(mutation))) })).toEqual({
      status: 405,
      errors: ['METHOD_NOT_ALLOWED'],
    });
  });

  test.each([
    ['a mutation by GET', 'GET', '?query=mutation%7B__typename%7D'],
    ['PUT', 'PUT', ''],
  ])('the response to %s names the accepted methods', async (_, method, query) => {
    const response = await fetch(`${app.origin}/graphql${query}`, {
      method,
      headers: { 'PB-API-TOKEN': app.platform.platform },
    });
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow: 'GET, POST' });
  });

  test('a stored document is subject to the limits', async () => {
    const deep = `{ ${'leagues { nodes { club { '.repeat(9)} id ${'} } } '.repeat(9)} }`;
    await post({ query: deep, extensions: persisted(hashOf(deep)) });
    expect(await post({ extensions: persisted(hashOf(deep)) })).toEqual({ status: 400, errors: ['too deep'] });
  });
});

const counts = 'query Counts { leagues { totalCount } }';
const deep = `query Deep { ${'leagues { nodes { club { '.repeat(9)} id ${'} } } '.repeat(9)} }`;
const invalidQuery = 'query Gone { gone }';
const apollo = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [
    { id: 'counts-id', name: 'Counts', type: 'query', body: counts },
    { id: 'deep-id', name: 'Deep', type: 'query', body: deep },
    { id: 'gone-id', name: 'Gone', type: 'query', body: invalidQuery },
  ],
};
const plain = { 'counts-id': counts, 'deep-id': deep, 'gone-id': invalidQuery };

async function manifest(content: unknown): Promise<string> {
  const file = join(await scratchDirectory(), 'documents.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe.each([
  ['of Apollo', apollo],
  ['of GraphQL Code Generator', plain],
])('a manifest %s', (_, content) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ TRUSTED_DOCUMENTS: await manifest(content) });
  });
  afterAll(() => app.close());
  const { post, get } = clientOf(() => app);

  test('has documents that run by ID, in every form in which clients send the ID', async () => {
    expect({
      postHash: await post({ extensions: persisted('counts-id') }),
      postDocumentId: await post({ documentId: 'counts-id' }),
      getHash: await get({ extensions: JSON.stringify(persisted('counts-id')) }),
      getDocumentId: await get({ documentId: 'counts-id' }),
      postQueryAndHash: await post({ query: counts, extensions: persisted('counts-id') }),
    }).toEqual({
      postHash: noLeagues,
      postDocumentId: noLeagues,
      getHash: noLeagues,
      getDocumentId: noLeagues,
      postQueryAndHash: noLeagues,
    });
  });

  test('does not exempt its documents from limits and validation', async () => {
    expect({
      tooDeep: await post({ documentId: 'deep-id' }),
      unknownField: await post({ documentId: 'gone-id' }),
    }).toEqual({
      tooDeep: { status: 400, errors: ['too deep'] },
      unknownField: { status: 400, errors: ['BAD_INPUT'] },
    });
  });

  test('permits other documents', async () => {
    expect(await post({ query: '{ leagues { totalCount } }' })).toEqual(noLeagues);
  });

  test('reports an unknown ID', async () => {
    expect(await post({ documentId: 'none' })).toEqual(notFound);
  });
});

describe('a required manifest', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({
      TRUSTED_DOCUMENTS: await manifest(apollo),
      TRUSTED_DOCUMENTS_MODE: 'require',
      SUBGRAPHS: 'leagues',
      ROUTER_SECRET: 'a-secret-of-routers',
    });
  });
  afterAll(() => app.close());
  const { post } = clientOf(() => app);
  const other = '{ leagues { totalCount } }';

  test('permits its documents, by ID and by text', async () => {
    expect({ byId: await post({ documentId: 'counts-id' }), byText: await post({ query: counts }) }).toEqual({
      byId: noLeagues,
      byText: noLeagues,
    });
  });

  test('forbids other documents, with and without a hash', async () => {
    const forbidden = { status: 403, errors: ['PERSISTED_QUERY_ONLY'] };
    expect({
      withoutHash: await post({ query: other }),
      withHash: await post({ query: other, extensions: persisted(hashOf(other)) }),
      onlyHash: await post({ extensions: persisted(hashOf(other)) }),
    }).toEqual({ withoutHash: forbidden, withHash: forbidden, onlyHash: notFound });
  });

  test('cannot be bypassed at a subgraph, except by routers', async () => {
    const { user } = await app.person();
    const path = '/subgraphs/leagues';
    const routerSecret = { 'router-secret': 'a-secret-of-routers' };
    expect({
      user: await post({ query: other }, path, { 'PB-USER-TOKEN': user }),
      router: await post({ query: other }, path, { 'PB-USER-TOKEN': user, ...routerSecret }),
    }).toEqual({ user: { status: 403, errors: ['FORBIDDEN'] }, router: noLeagues });
  });

  test('does not restrict /v1', async () => {
    expect((await app.rest('GET', '/v1/data/teams', app.platform)).status).toBe(200);
  });
});

test.each(['no JSON', '[]', { format: 'apollo-persisted-query-manifest', version: 2, operations: [] }, { a: 1 }])(
  'the service does not start with the invalid manifest %j',
  async (content) => {
    await expect(startApp({ TRUSTED_DOCUMENTS: await manifest(content) })).rejects.toThrow('is not a manifest');
  },
);

test('the service does not start without the manifest file', async () => {
  await expect(startApp({ TRUSTED_DOCUMENTS: '/nowhere.json' })).rejects.toThrow('TRUSTED_DOCUMENTS: cannot read the file');
});

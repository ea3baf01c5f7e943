import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { scratchDirectory } from '../support/service.js';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const named = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const asker = (app: () => TestApp) => ({
  async post(body: object, path = '/graphql', headers: Record<string, string> = { 'PB-API-TOKEN': app().platform.platform }) {
    const response = await fetch(app().origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return answered(response);
  },
  async get(params: Record<string, string>) {
    const headers = { accept: 'application/json', 'PB-API-TOKEN': app().platform.platform };
    return answered(await fetch(`${app().origin}/graphql?${new URLSearchParams(params)}`, { headers }));
  },
});

/** The status with the data, or with the codes of the errors; of limits with what they say. */
const wordOf = ({ message, extensions }: { message: string; extensions: { code: string } }) =>
  /depth/i.test(message) ? 'too deep' : extensions.code;

async function answered(response: Response) {
  const { data, errors } = await response.json();
  return [response.status, errors ? errors.map(wordOf) : data];
}

describe('automatic persisted queries', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  const { post, get } = asker(() => app);

  test('a document is sent once, and its hash from then on, by POST and by GET', async () => {
    const query = 'query Ones($first: Int) { leagues(first: $first) { totalCount } }';
    const extensions = named(hashOf(query));
    const variables = { first: 1 };
    const counted = [200, { leagues: { totalCount: 0 } }];
    expect(await post({ extensions, variables })).toEqual([200, ['PERSISTED_QUERY_NOT_FOUND']]);
    expect(await post({ query, extensions, variables })).toEqual(counted);
    expect(await post({ extensions, variables })).toEqual(counted);
    expect(await get({ extensions: JSON.stringify(extensions), variables: '{"first":1}' })).toEqual(counted);
  });

  test('clients know the error of an unknown hash by its message', async () => {
    const response = await fetch(`${app.origin}/graphql?extensions=${encodeURIComponent(JSON.stringify(named('none')))}`);
    expect((await response.json()).errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('a hash that is not that of the document is refused, and the document not kept', async () => {
    const extensions = named(hashOf('{ viewer { id } }'));
    expect(await post({ query: '{ leagues { totalCount } }', extensions })).toEqual([400, ['PERSISTED_QUERY_MISMATCH']]);
    expect(await post({ extensions })).toEqual([200, ['PERSISTED_QUERY_NOT_FOUND']]);
  });

  test('a form that is none is refused', async () => {
    for (const persistedQuery of ['text', { version: 2, sha256Hash: 'a' }, { version: 1 }, { version: 1, sha256Hash: 5 }, []])
      expect(await post({ extensions: { persistedQuery } })).toEqual([400, ['BAD_INPUT']]);
  });

  test('mutations do not go by GET, and limits hold', async () => {
    const mutation = 'mutation { createLeague(input: { title: "by GET" }) { id } }';
    await post({ query: mutation, extensions: named(hashOf(mutation)) });
    expect(await get({ extensions: JSON.stringify(named(hashOf(mutation))) })).toEqual([405, ['METHOD_NOT_ALLOWED']]);
    const deep = `{ ${'leagues { nodes { club { '.repeat(9)} id ${'} } } '.repeat(9)} }`;
    await post({ query: deep, extensions: named(hashOf(deep)) });
    expect(await post({ extensions: named(hashOf(deep)) })).toEqual([400, ['too deep']]);
  });
});

const counts = 'query Counts { leagues { totalCount } }';
const deep = `query Deep { ${'leagues { nodes { club { '.repeat(9)} id ${'} } } '.repeat(9)} }`;
const gone = 'query Gone { gone }';
const apollo = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [
    { id: 'counts-id', name: 'Counts', type: 'query', body: counts },
    { id: 'deep-id', name: 'Deep', type: 'query', body: deep },
    { id: 'gone-id', name: 'Gone', type: 'query', body: gone },
  ],
};
const plain = { 'counts-id': counts, 'deep-id': deep, 'gone-id': gone };

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
  const { post, get } = asker(() => app);
  const counted = [200, { leagues: { totalCount: 0 } }];

  test('lets its documents be sent by their ids, in every way in which clients name them', async () => {
    expect([
      await post({ extensions: named('counts-id') }),
      await post({ documentId: 'counts-id' }),
      await get({ extensions: JSON.stringify(named('counts-id')) }),
      await get({ documentId: 'counts-id' }),
      await post({ query: counts, extensions: named('counts-id') }),
    ]).toEqual([counted, counted, counted, counted, counted]);
  });

  test('takes no limit and no check away', async () => {
    expect([await post({ documentId: 'deep-id' }), await post({ documentId: 'gone-id' })]).toEqual([
      [400, ['too deep']],
      [400, ['BAD_INPUT']],
    ]);
  });

  test('lets other documents run, too', async () => {
    expect([await post({ query: '{ leagues { totalCount } }' }), await post({ documentId: 'none' })]).toEqual([
      counted,
      [200, ['PERSISTED_QUERY_NOT_FOUND']],
    ]);
  });
});

describe('where the manifest is required', () => {
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
  const { post } = asker(() => app);
  const other = '{ leagues { totalCount } }';

  test('its documents run, by id and by text, and no others', async () => {
    const counted = [200, { leagues: { totalCount: 0 } }];
    expect([await post({ documentId: 'counts-id' }), await post({ query: counts })]).toEqual([counted, counted]);
    const only = [403, ['PERSISTED_QUERY_ONLY']];
    expect([await post({ query: other }), await post({ query: other, extensions: named(hashOf(other)) })]).toEqual([only, only]);
    expect(await post({ extensions: named(hashOf(other)) })).toEqual([200, ['PERSISTED_QUERY_NOT_FOUND']]);
  });

  test('no subgraph is a way around it, and /v1 is not concerned', async () => {
    const { user } = await app.person();
    const path = '/subgraphs/leagues';
    expect([
      await post({ query: other }, path, { 'PB-USER-TOKEN': user }),
      await post({ query: other }, path, { 'PB-USER-TOKEN': user, 'router-secret': 'a-secret-of-routers' }),
      (await app.rest('GET', '/v1/data/teams', app.platform)).status,
    ]).toEqual([[403, ['FORBIDDEN']], [200, { leagues: { totalCount: 0 } }], 200]);
  });
});

test('a file that is no manifest stops the start', async () => {
  for (const content of ['no JSON', '[]', { format: 'apollo-persisted-query-manifest', version: 2, operations: [] }, { a: 1 }])
    await expect(startApp({ TRUSTED_DOCUMENTS: await manifest(content) })).rejects.toThrow(
      'TRUSTED_DOCUMENTS names a file that is no manifest',
    );
  await expect(startApp({ TRUSTED_DOCUMENTS: '/nowhere.json' })).rejects.toThrow(
    'TRUSTED_DOCUMENTS names a file that cannot be read',
  );
});

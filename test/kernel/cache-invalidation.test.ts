import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { columnsOf, metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { referenceData } from '../../src/modules/reference/data.js';
import { upsertRows } from '../../src/modules/reference/load-sql.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';
import { type Process, secondProcess } from '../support/servers/second-app.js';

let app: TestApp;
let other: Process;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  other = await secondProcess(app);
  admin = await app.person({ isSuperAdmin: true });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const fields = graphOfModules().getQueryType()?.getFields() ?? {};

/** Returns the name of the record that a lookup lists. */
function recordOf(document: string): string {
  const [definition] = parse(document).definitions;
  const [root] = definition && 'selectionSet' in definition ? (definition.selectionSet?.selections ?? []) : [];
  const name = root?.kind === 'Field' ? root.name.value : '';
  return String(fields[name]?.type).replace(/Connection!?$/, '');
}

const lookups = entriesOf(legacyRoutes).flatMap(({ method, path, alternatives: [route] }) =>
  method === 'GET' && (route?.isCached || route?.hasETag) ? [{ path, route }] : [],
);
const cachedLookupsOf = ({ name }: RecordClass) =>
  lookups.filter(({ route }) => route.isCached && recordOf(route.operation) === name);

/** Returns a column that every response with a record of this type contains. */
const visibleColumnOf = (cls: RecordClass): string =>
  ['title', 'name', 'tierName', 'phoneNumber'].find((key) => columnsOf(metaOf(cls)).has(key)) ?? 'id';

/** Returns the response of the other process. */
const get = async (path: string, headers: Record<string, string>): Promise<string> =>
  (await fetch(other.origin + path, { headers })).text();

/** Whether the other process responds differently within a second. */
async function changes(before: unknown, read: () => Promise<unknown>): Promise<boolean> {
  const deadline = performance.now() + 1_000;
  const text = JSON.stringify(before);
  while (performance.now() < deadline) if (JSON.stringify(await read()) !== text) return true;
  return false;
}

describe('records that processes cache', () => {
  const referenceRecords = new Set(referenceData.map(([cls]) => cls));

  test('every constant record is reference data', () => {
    const constantRecords = modules.flatMap(({ records }) => records).filter((cls) => optionsOf(cls).constant);
    expect(constantRecords.filter((cls) => !referenceRecords.has(cls))).toEqual([]);
  });

  test('every cached lookup lists reference data', () => {
    const names = new Set([...referenceRecords].map(({ name }) => name));
    expect(lookups.filter(({ route }) => route.isCached && !names.has(recordOf(route.operation)))).toEqual([]);
    expect(lookups.length).toBeGreaterThan(30);
  });
});

describe('another process serves the reference data of a new release within a second', () => {
  test.each(referenceData.map(([cls, load]) => [cls.name, cls, load] as const))('%s', async (_, cls, load) => {
    const { default: rows } = await load();
    const key = visibleColumnOf(cls);
    const { one, constant } = optionsOf(cls);
    const [first] = rows;
    const sources = [
      ...cachedLookupsOf(cls).map(({ path }) => ({
        source: path,
        read: (): Promise<unknown> => get(path, { 'PB-API-TOKEN': app.platform.platform }),
      })),
      ...(constant && one in fields
        ? [
            {
              source: one,
              read: (): Promise<unknown> =>
                other.graphql(`{ ${one}(id: ${JSON.stringify(first?.id)}) { ${key} } }`, {}, app.platform),
            },
          ]
        : []),
    ];
    expect(sources.length).toBeGreaterThan(0);
    const before = await Promise.all(sources.map(({ read }) => read()));
    await upsertRows(app.sql, [cls, rows.map((row, position) => ({ ...row, position, [key]: `${row[key]}!` }))]);
    for (const [index, { source, read }] of sources.entries())
      expect({ source, isUpdated: await changes(before[index], read) }).toEqual({ source, isUpdated: true });
  });
});

describe('another process applies changed access rights within a second', () => {
  const asPlatform = (token: string) => get('/v1/data/lookup_currencies', { 'PB-API-TOKEN': token });
  const createPlatform = async () => {
    const { createPlatform } = await app.graphql(
      'mutation ($title: String!) { createPlatform(input: { title: $title }) { token platform { id } } }',
      { title: `Platform ${performance.now()}` },
      admin,
    );
    return { token: createPlatform.token, id: createPlatform.platform.id };
  };

  test('a renewed platform token', async () => {
    const { token, id } = await createPlatform();
    const before = await asPlatform(token);
    await app.graphql('mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }', { id }, admin);
    expect(await changes(before, () => asPlatform(token))).toBe(true);
  });

  test('a disabled platform and its publishable keys', async () => {
    const { token, id } = await createPlatform();
    const { createPublishableKey } = await app.graphql(
      'mutation { createPublishableKey(input: { label: "site", allowedOrigins: ["https://www.example.com"] }) { key } }',
      {},
      { platform: token },
    );
    const { key } = createPublishableKey;
    const before = { token: await asPlatform(token), key: await asPlatform(key) };
    await app.graphql('mutation ($id: ID!) { updatePlatform(id: $id, input: { isEnabled: false }) { id } }', { id }, admin);
    const tokenChanges = await changes(before.token, () => asPlatform(token));
    const keyChanges = await changes(before.key, () => asPlatform(key));
    expect({ tokenChanges, keyChanges }).toEqual({ tokenChanges: true, keyChanges: true });
  });

  test('a revoked publishable key', async () => {
    const { createPublishableKey } = await app.graphql(
      'mutation { createPublishableKey(input: { label: "site", allowedOrigins: ["https://www.example.com"] }) { key publishableKey { id } } }',
    );
    const { key, publishableKey } = createPublishableKey;
    const before = await asPlatform(key);
    await app.graphql('mutation ($id: ID!) { revokePublishableKey(id: $id) { id } }', publishableKey);
    expect(await changes(before, () => asPlatform(key))).toBe(true);
  });

  test('a user who is granted a role, and the same user after a logout', async () => {
    const person = await app.person();
    const roleId = (await app.sql.row(`select id from role where title like 'NEWS_CREATOR%'`))?.id;
    const createCategory = () => other.graphql('mutation { createCategory(input: { title: "Pads" }) { title } }', {}, person);
    const withoutRole = await createCategory();
    await app.graphql(
      'mutation ($userId: ID!, $roleId: ID!) { grantRole(userId: $userId, roleId: $roleId) { id } }',
      { userId: person.id, roleId },
      admin,
    );
    expect(await changes(withoutRole, createCategory)).toBe(true);
    const withRole = await createCategory();
    await app.graphql('mutation { logout { __typename } }', {}, person);
    expect(await changes(withRole, createCategory)).toBe(true);
  });
});

test.each(lookups.map(({ path }) => path))('GET %s with the current ETag gets 304 without a body', async (path) => {
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  const first = await fetch(app.origin + path, { headers });
  const etag = first.headers.get('etag') ?? '';
  expect({ status: first.status, etag }).toEqual({ status: 200, etag: expect.stringMatching(/^"[\w-]{27}"$/) });
  const revalidation = await fetch(app.origin + path, { headers: { ...headers, 'If-None-Match': etag } });
  expect({
    status: revalidation.status,
    body: await revalidation.text(),
    cacheControl: revalidation.headers.get('cache-control'),
  }).toEqual({ status: 304, body: '', cacheControl: 'private, no-cache' });
});

import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { columnsOf, metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { bringRows } from '../../src/modules/reference/bring-rows-sql.js';
import { referenceData } from '../../src/modules/reference/data.js';
import { type Person, startApp, type TestApp } from '../support/app.js';
import { type Process, secondProcess } from '../support/second-process.js';

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

/** The record that a lookup lists. */
function recordOf(document: string): string {
  const [definition] = parse(document).definitions;
  const [root] = definition && 'selectionSet' in definition ? (definition.selectionSet?.selections ?? []) : [];
  const name = root?.kind === 'Field' ? root.name.value : '';
  return String(fields[name]?.type).replace(/Connection!?$/, '');
}

const lookups = entriesOf(legacyRoutes).flatMap(({ method, path, alternatives: [route] }) =>
  method === 'GET' && (route?.keep || route?.tag) ? [{ path, route }] : [],
);
const keptBy = ({ name }: RecordClass) => lookups.filter(({ route }) => route.keep && recordOf(route.run) === name);

/** A column that shows in every answer. */
const shownBy = (cls: RecordClass): string =>
  ['title', 'name', 'tierName', 'phoneNumber'].find((key) => columnsOf(metaOf(cls)).has(key)) ?? 'id';

const ask = async (path: string, headers: Record<string, string>): Promise<string> =>
  (await fetch(other.origin + path, { headers })).text();

/** Whether the other process answers otherwise within a second. */
async function changes(before: unknown, read: () => Promise<unknown>): Promise<boolean> {
  const until = performance.now() + 1_000;
  const text = JSON.stringify(before);
  while (performance.now() < until) if (JSON.stringify(await read()) !== text) return true;
  return false;
}

test('every record that is kept in memory is reference data', () => {
  const constant = modules.flatMap(({ records }) => records).filter((cls) => optionsOf(cls).constant);
  const known = new Set(referenceData.map(([cls]) => cls));
  expect(constant.filter((cls) => !known.has(cls))).toEqual([]);
  const names = new Set([...known].map(({ name }) => name));
  expect(lookups.filter(({ route }) => route.keep && !names.has(recordOf(route.run)))).toEqual([]);
  expect(lookups.length).toBeGreaterThan(30);
});

describe('what a release brings is answered by another process within a second', () => {
  test.each(referenceData.map(([cls, bring]) => [cls.name, cls, bring] as const))('%s', async (_, cls, bring) => {
    const { default: rows } = await bring();
    const key = shownBy(cls);
    const { one, constant } = optionsOf(cls);
    const [first] = rows;
    const read = async () => [
      ...(await Promise.all(keptBy(cls).map(({ path }) => ask(path, { 'PB-API-TOKEN': app.platform.platform })))),
      ...(constant && one in fields
        ? [await other.graphql(`{ ${one}(id: ${JSON.stringify(first?.id)}) { ${key} } }`, {}, app.platform)]
        : []),
    ];
    const before = await read();
    expect(before.length).toBeGreaterThan(0);
    await bringRows(app.sql, [cls, rows.map((row, position) => ({ ...row, position, [key]: `${row[key]}!` }))]);
    for (const [index, answer] of before.entries())
      expect([index, await changes(answer, async () => (await read())[index])]).toEqual([index, true]);
  });
});

describe('who may do what is answered by another process within a second', () => {
  const asPlatform = (token: string) => ask('/v1/data/lookup_currencies', { 'PB-API-TOKEN': token });
  const made = async () => {
    const { createPlatform } = await app.graphql(
      'mutation ($title: String!) { createPlatform(input: { title: $title }) { token platform { id } } }',
      { title: `Platform ${performance.now()}` },
      admin,
    );
    return { token: createPlatform.token, id: createPlatform.platform.id };
  };

  test('a platform that gets a new token', async () => {
    const { token, id } = await made();
    const before = await asPlatform(token);
    await app.graphql('mutation ($id: ID!) { renewPlatformToken(id: $id) { token } }', { id }, admin);
    expect(await changes(before, () => asPlatform(token))).toBe(true);
  });

  test('a platform that is enabled no more, and its keys', async () => {
    const { token, id } = await made();
    const { createPublishableKey } = await app.graphql(
      'mutation { createPublishableKey(input: { label: "site", allowedOrigins: ["https://www.example.com"] }) { key } }',
      {},
      { platform: token },
    );
    const before = [await asPlatform(token), await asPlatform(createPublishableKey.key)];
    await app.graphql('mutation ($id: ID!) { updatePlatform(id: $id, input: { isEnabled: false }) { id } }', { id }, admin);
    for (const [index, each] of [token, createPublishableKey.key].entries())
      expect(await changes(before[index], () => asPlatform(each))).toBe(true);
  });

  test('a key that is revoked', async () => {
    const { createPublishableKey } = await app.graphql(
      'mutation { createPublishableKey(input: { label: "site", allowedOrigins: ["https://www.example.com"] }) { key publishableKey { id } } }',
    );
    const { key, publishableKey } = createPublishableKey;
    const before = await asPlatform(key);
    await app.graphql('mutation ($id: ID!) { revokePublishableKey(id: $id) { id } }', publishableKey);
    expect(await changes(before, () => asPlatform(key))).toBe(true);
  });

  test('a user who is given a role, and one who is signed out', async () => {
    const person = await app.person();
    const roleId = (await app.sql.row(`select id from role where title like 'NEWS_CREATOR%'`))?.id;
    const read = () => other.graphql('mutation { createCategory(input: { title: "Pads" }) { title } }', {}, person);
    const before = await read();
    await app.graphql(
      'mutation ($userId: ID!, $roleId: ID!) { grantRole(userId: $userId, roleId: $roleId) { id } }',
      { userId: person.id, roleId },
      admin,
    );
    expect(await changes(before, read)).toBe(true);
    const allowed = await read();
    await app.graphql('mutation { logout { __typename } }', {}, person);
    expect(await changes(allowed, read)).toBe(true);
  });
});

test.each(lookups.map(({ path }) => path))('%s is not sent again to whom has it', async (path) => {
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  const first = await fetch(app.origin + path, { headers });
  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(app.origin + path, { headers: { ...headers, 'If-None-Match': etag } });
  expect([first.status, again.status, await again.text(), again.headers.get('cache-control')]).toEqual([
    200,
    304,
    '',
    'private, no-cache',
  ]);
  expect(etag).toMatch(/^"[\w-]{27}"$/);
});

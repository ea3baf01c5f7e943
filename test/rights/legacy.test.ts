import { getNamedType, Kind, parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codecsOf, type Entry, entriesOf } from '../../compat/engine/index.js';
import { isReader } from '../../compat/engine/request/reader.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Caller, type Cast, castOf, freshToken, tableOf, type Verdict } from './callers.js';
import { freshRow } from './rows.js';

let app: TestApp;
let cast: Cast;
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
});
afterAll(() => app.close());

const schema = graphOfModules();
const codecs = codecsOf(schema, legacyRecords, () => undefined);
const rootOf = ({ alternatives: [route] }: Entry) => {
  const [definition] = parse(route?.run ?? '').definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || definition.operation !== 'mutation') return null;
  const [root] = definition.selectionSet.selections;
  const field = root?.kind === Kind.FIELD ? schema.getMutationType()?.getFields()[root.name.value] : undefined;
  return field ? getNamedType(field.type).name : null;
};
const writes = entriesOf(legacyRoutes).flatMap((entry) => {
  const type = rootOf(entry);
  return type === null ? [] : [{ entry, type }];
});

/** Type of the record that a path parameter identifies. */
const typeOfParam: Readonly<Record<string, string>> = {
  image_uuid: 'UserImage',
  biography_uuid: 'Biography',
  favorite_uuid: 'Favorite',
  sponsor_uuid: 'Sponsor',
  module_uuid: 'NewsItem',
  item_uuid: 'UserImage',
};
/** Values of path parameters that are not IDs of records. */
const fixedParams: Readonly<Record<string, string>> = {
  item_type: '76',
  module_for: 'news',
  action: '1',
  random_string: 'x',
  token: 'x',
};

async function pathFor({ path, params }: Entry, type: string): Promise<string> {
  let filled = path;
  for (const param of params) {
    const isOwner = path.startsWith('/v1/users/{uuid}/') && param === 'uuid';
    // The fresh comment of the owner belongs to the item `x`.
    if (param === 'item_uuid' && path.includes('/comments/')) filled = filled.replace('{item_uuid}', 'x');
    const recordType = isOwner ? 'User' : (typeOfParam[param] ?? type);
    const value = fixedParams[param] ?? (await freshRow(app.sql, recordType, cast.owner.id));
    filled = filled.replace(`{${param}}`, value);
  }
  return filled;
}

/** A record with the ID of a row of the owner, or a token of the owner. */
async function bodyFor({ alternatives: [route] }: Entry, type: string): Promise<unknown> {
  const reader = Object.values(route?.args ?? {}).find((entry) => isReader(entry) && entry.body);
  const body = reader && isReader(reader) ? reader.body : undefined;
  if (!body) return { payload: { token: await freshToken(app.sql, cast.owner), content: 'x' } };
  const id = codecs.of(body.record).names.get('id');
  const record = id ? { [id]: await freshRow(app.sql, type, cast.owner.id) } : {};
  return body.wrapped ? { payload: record } : record;
}

async function verdict(entry: Entry, type: string, { tokens }: Caller): Promise<Verdict> {
  const body = entry.method === 'GET' ? undefined : await bodyFor(entry, type);
  const { status, body: answer } = await app.rest(entry.method, await pathFor(entry, type), tokens, body);
  expect(status, `${entry.method} ${entry.path}: ${JSON.stringify(answer)}`).toBeLessThan(500);
  if (status === 403) return '403';
  return status === 401 && /token/.test(answer.Message) ? '401' : 'yes';
}

test('which caller may call which write operation of /v1', async () => {
  const rows: [string, Verdict[]][] = [];
  for (const { entry, type } of writes) {
    const verdicts: Verdict[] = [];
    for (const caller of cast.callers) verdicts.push(await verdict(entry, type, caller));
    rows.push([`${entry.method} ${entry.path}`, verdicts]);
  }
  await expect(tableOf(rows, cast.callers)).toMatchFileSnapshot('legacy.txt');
}, 120_000);

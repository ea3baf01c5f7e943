import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Data, JsonSchema } from '../../../compat/engine/index.js';
import { parametersOf } from '../../../compat/engine/request/reader.js';
import { findRecord, metaOf } from '../../../src/kernel/declare/meta.js';
import { fieldsOf } from '../../support/fixtures/legacy-values.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Caller, type Cast, castOf, freshToken, tableOf } from '../callers.js';
import { isOpenToUsers } from '../calls.js';
import { codecs, type LegacyWrite, legacyWrites, pathOf, recordIn } from '../legacy-calls.js';
import { effectsOf, saveUsers } from './effects.js';
import { type Fixtures, fixturesOf } from './fixtures.js';
import { outcomeOf, type Result, reasonsOf } from './outcomes.js';
import { samplesByName } from './samples.js';

let app: TestApp;
let cast: Cast;
let fixtures: Fixtures;
let callers: Caller[];
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
  fixtures = await fixturesOf(app, cast);
  await saveUsers(app);
  const names = ['platform', 'player', 'owner', 'ADMIN', 'super admin'];
  callers = cast.callers.filter(({ name }) => names.includes(name));
});
afterAll(() => app.close());

/** A field of a `/v1` request. `graphName` is its name in the graph, or empty if the graph has no such field. */
interface LegacyField {
  readonly name: string;
  readonly graphName: string;
  readonly schema: JsonSchema;
}

/** Sample values, keyed by the format of a legacy field, or by its type if it has no format. */
const samples: Readonly<Record<string, unknown>> = {
  'date-time': '2035-01-01T00:00:00Z',
  decimal: '7',
  'comma-separated': '7',
  boolean: true,
  integer: 7,
  number: 7,
  string: '7',
};

/** Values of fields that accept only some values of their type, keyed by legacy name. */
const samplesOfLegacyNames: Readonly<Record<string, unknown>> = { module_for: 'leagues' };

/** Returns a value that differs from the value in a fresh row. References point to rows of a user other than the caller and the owner. */
async function sampleFor({ name, graphName, schema }: LegacyField, type: string): Promise<unknown> {
  if (samplesOfLegacyNames[name] !== undefined) return samplesOfLegacyNames[name];
  const cls = findRecord(type);
  const field = cls ? metaOf(cls).fields.get(graphName) : undefined;
  const isList = schema.type === 'array';
  const value =
    field?.ref && !samplesByName[graphName] ? await fixtures.rowOfStranger(field.ref.target().name) : samplesByName[graphName];
  if (value !== undefined) return isList ? [value] : value;
  if (Array.isArray(schema.enum)) return schema.enum.at(-1);
  if (Array.isArray(schema.anyOf)) return sampleFor({ name, graphName, schema: schema.anyOf[0] }, type);
  if (isList) return [await sampleFor({ name, graphName: '', schema: schema.items as JsonSchema }, type)];
  const kind = [schema.type].flat().find((each) => each !== 'null');
  return samples[String(schema.format)] ?? samples[String(kind)] ?? {};
}

/** Returns the fields that a request may contain. */
function fieldsIn({ entry }: LegacyWrite): LegacyField[] {
  const body = recordIn(entry);
  const [route] = entry.alternatives;
  if (!body)
    return parametersOf(route?.args ?? {})
      .filter((parameter) => parameter.in === 'body' || parameter.in === 'payload')
      .map(({ name, schema }) => ({ name, graphName: name, schema }));
  const codec = codecs.get(body.record);
  const graphNames = new Map([...codec.names].map(([graphName, name]) => [name, graphName]));
  return Object.entries(fieldsOf(codec, 'request')).map(([name, schema]) => ({
    name,
    graphName: graphNames.get(name) ?? '',
    schema,
  }));
}

/** Creates a token of the owner that the request may revoke. */
const withToken = async (): Promise<Data> => ({ token: await freshToken(app.sql, cast.owner) });

/** Fields that a request needs, keyed by operation. */
const baseFields: Readonly<Record<string, (caller: Caller) => Data | Promise<Data>>> = {
  'POST /v1/sso/logout': withToken,
  'POST /v1/sso/refresh_token': withToken,
  'POST /sso_platform/revoke_token': withToken,
  'POST /v1/game_scheduler': ({ name }) => (name === 'platform' ? { ownerUuid: cast.owner.id } : {}),
  'POST /v1/users/{uuid}/favorites': async () => ({
    module_for: 'tournaments',
    module_uuid: await fixtures.rowOfStranger('Tournament'),
  }),
  'POST /v1/admin/system-approvals/{item_uuid}/comments': () => ({ content: 'x' }),
  'PUT /v1/admin/system-approvals/{item_uuid}/comments/{uuid}': () => ({ content: 'x' }),
};

/** Whether the fields of a request are under `payload`. */
const isWrapped = ({ entry }: LegacyWrite): boolean =>
  recordIn(entry)?.isWrapped ?? parametersOf(entry.alternatives[0]?.args ?? {}).some((parameter) => parameter.in === 'payload');

const labelOf = ({ entry: { method, path } }: LegacyWrite): string => `${method} ${path}`;

/**
 * Sends a request with the required fields and the fields from `more`, and lists all other fields in `fieldsToOmit`. Acts on fresh rows of
 * the owner.
 */
async function resultOf(write: LegacyWrite, caller: Caller, more: () => Promise<Data>): Promise<Result> {
  const { entry, type } = write;
  if (fixtures.isEntry(type)) await fixtures.clear();
  const body = recordIn(entry);
  const id = body && codecs.get(body.record).names.get('id');
  const path = await pathOf({ app, cast }, entry, type);
  const requestBody: Data = {
    ...(id && entry.path.endsWith('/upsert') ? { [id]: await fixtures.rowOfOwner(type) } : {}),
    ...(await baseFields[labelOf(write)]?.(caller)),
    ...(await more()),
  };
  const fieldsToOmit = fieldsIn(write).flatMap(({ name }) => (name in requestBody ? [] : [name]));
  const json = isWrapped(write) ? { payload: requestBody, fieldsToOmit } : { ...requestBody, fieldsToOmit };
  return effectsOf(app, async () => {
    const { status, body: answer } = await app.rest(entry.method, path, caller.tokens, json);
    expect(status, `${labelOf(write)} ${JSON.stringify(json)}: ${JSON.stringify(answer)}`).toBeLessThan(500);
    return { error: status < 400 ? '' : `${status}: ${answer.Message}` };
  });
}

type Line = [string, string[]];

/**
 * Returns the lines of an operation: one for the request with required fields, and one for each field that users may be able to write. An
 * operation that is closed to users has one line, marked with `*`.
 */
async function linesOf(write: LegacyWrite): Promise<Line[]> {
  const label = labelOf(write);
  const bases: Result[] = [];
  for (const caller of callers) bases.push(await resultOf(write, caller, async () => ({})));
  const head = [...bases.map((base) => outcomeOf(base)), reasonsOf(bases)];
  const [route] = write.entry.alternatives;
  const isOpen = route?.auth !== 'platform' && isOpenToUsers(write.field);
  if (!isOpen) return [[`${label} *`, head]];
  const lines: Line[] = [[label, head]];
  const line = async (name: string, more: () => Promise<Data>) => {
    const results: Result[] = [];
    for (const caller of callers) results.push(await resultOf(write, caller, more));
    const cells = results.map((result, index) => outcomeOf(result, bases[index]));
    lines.push([`${label} ${name}`, [...cells, reasonsOf(results)]]);
  };
  for (const field of fieldsIn(write)) {
    const { name, graphName } = field;
    if (graphName === 'id') {
      await line(`${name} (new)`, async () => ({ [name]: 'a-new-id' }));
      await line(`${name} (taken)`, async () => ({ [name]: await fixtures.rowOfStranger(write.type) }));
    } else await line(name, async () => ({ [name]: await sampleFor(field, write.type) }));
  }
  return lines;
}

const checked = legacyWrites.filter((write) => write.entry.method !== 'GET' && fieldsIn(write).length > 0);
const linesByRoute = new Map<string, Line[]>();

test.for(checked.map((write) => [labelOf(write), write] as const))(
  '%s applies or rejects each field for each kind of caller',
  { timeout: 60_000 },
  async ([label, write]) => {
    linesByRoute.set(label, await linesOf(write));
  },
);

test('legacy.txt lists the fields that each kind of caller can write through /v1', async () => {
  expect(linesByRoute.size, 'run the whole file').toBe(checked.length);
  await expect(tableOf([...linesByRoute.values()].flat(), callers)).toMatchFileSnapshot('legacy.txt');
});

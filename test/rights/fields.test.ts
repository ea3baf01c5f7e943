import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Caller, type Cast, castOf, tableOf } from './callers.js';
import type { Field } from './calls.js';
import { freshRow } from './rows.js';

let app: TestApp;
let cast: Cast;
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
});
afterAll(() => app.close());

const records = new Map(modules.flatMap(({ records }) => records).map((cls) => [cls.name, cls] as const));

/** The mutations by which owners change their rows. `upsertUser` writes the row that `updateProfile` writes. */
const updates: { field: Field; input: GraphQLInputObjectType; type: string }[] = Object.values(
  graphOfModules().getMutationType()?.getFields() ?? {},
).flatMap((field) => {
  const input = getNamedType(field.args.find(({ name }) => name === 'input')?.type ?? getNullableType(field.type));
  const type = getNamedType(field.type).name;
  const cls = records.get(type);
  const isUpdate =
    field.name === 'updateProfile' ||
    (field.name.startsWith('upsert') && field.name !== 'upsertUser') ||
    (field.name.startsWith('update') && field.args.some(({ name }) => name === 'id'));
  return isUpdate && isInputObjectType(input) && cls && optionsOf(cls).write.owner ? [{ field, input, type }] : [];
});

/** Values by type that a fresh row does not have. */
const samplesOfTypes: Readonly<Record<string, unknown>> = {
  Boolean: true,
  Int: 7,
  Float: 7,
  Money: '7',
  Day: '2035-05-06',
  Instant: '2035-01-01T00:00:00Z',
  ID: 'another',
  JSON: { any: 1 },
};

/** Values of fields that accept only some values of their type. */
const samplesOfNames: Readonly<Record<string, unknown>> = {
  email: 'sample@example.com',
  phone: '+1 512 555 0142',
  phoneCountryId: '124',
  countryId: '124',
  stateId: '1',
  dateOfBirth: '1990-05-06',
  dateOfBirthRaw: '1991-05-06T00:00:00Z',
  imageUrl: 'https://sample.example/a.png',
  day: '2035-05-06',
  dayRaw: '2035-05-06T00:00:00Z',
  localDayRaw: '2035-05-06T00:00:00Z',
  localStartsAt: '2035-05-06T10:00:00',
  localEndsAt: '2035-05-06T12:00:00',
  timeZoneRaw: 'America/Chicago',
  timeZoneOffset: -21_600,
  timeZoneOffsetRaw: -6,
  invitedEmails: 'sample@example.com',
};

function sampleOf(name: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [sampleOf(name, nullable.ofType)];
  if (isEnumType(nullable)) return nullable.getValues().at(-2)?.name;
  if (!isInputObjectType(nullable)) return samplesOfNames[name] ?? samplesOfTypes[nullable.toString()] ?? '7';
  const [first] = Object.values(nullable.getFields());
  return first ? { [first.name]: sampleOf(first.name, first.type) } : {};
}

/** Columns that change with every write. */
const bookkeeping = /"(updated_at|updated_by|updated_by_id|version)":("[^"]*"|null|\d+),?/g;

/** `yes` if a mutation changes a row of the owner by one field, `kept` if the row stays unchanged, or the status of the error. */
async function outcome({ field, input, type }: (typeof updates)[number], name: string, { tokens }: Caller): Promise<string> {
  const cls = records.get(type);
  if (!cls) throw new Error(`there is no record ${type}`);
  const id = await freshRow(app.sql, type, cast.owner.id);
  const read = async () =>
    JSON.stringify(await app.sql.rows(`select * from ${optionsOf(cls).table} where id = $1`, [id])).replace(bookkeeping, '');
  const before = await read();
  const isUpsert = field.name.startsWith('upsert');
  const hasId = field.args.some((argument) => argument.name === 'id');
  const text = `mutation (${hasId ? '$id: ID!, ' : ''}$input: ${input.name}!) { ${field.name}(${hasId ? 'id: $id, ' : ''}input: $input) { __typename } }`;
  const sample = sampleOf(name, input.getFields()[name]?.type as GraphQLInputType);
  const { errors = [] } = await app.graphql(
    text,
    { ...(hasId ? { id } : {}), input: { ...(isUpsert ? { id } : {}), [name]: sample } },
    tokens,
  );
  const [error = ''] = errors as string[];
  expect(error, `${field.name} ${name}`).not.toContain('INTERNAL');
  if (error) return error.startsWith('FORBIDDEN') ? '403' : error.startsWith('BAD_INPUT: input.id') ? '400' : error;
  return before === (await read()) ? 'kept' : 'yes';
}

test('which fields of a row each kind of caller can change', async () => {
  const names = ['platform', 'player', 'owner', 'ADMIN', 'super admin'];
  const callers = cast.callers.filter(({ name }) => names.includes(name));
  const rows: [string, string[]][] = [];
  for (const update of updates)
    for (const name of Object.keys(update.input.getFields())) {
      // The ID names the row of an upsert.
      if (name === 'id' && update.field.name.startsWith('upsert')) continue;
      const outcomes: string[] = [];
      for (const caller of callers) outcomes.push(await outcome(update, name, caller));
      rows.push([`${update.field.name} ${name}`, outcomes]);
    }
  await expect(tableOf(rows, callers)).toMatchFileSnapshot('fields.txt');
}, 120_000);

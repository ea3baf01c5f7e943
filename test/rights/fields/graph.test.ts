import { type GraphQLInputObjectType, getNamedType, isInputObjectType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { isLegacy } from '../../../src/kernel/declare/fields/legacy-fields.js';
import { findRecord } from '../../../src/kernel/declare/meta.js';
import { modules } from '../../../src/modules/index.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { type Caller, type Cast, castOf, tableOf } from '../callers.js';
import { documentOf, type Field, isOpenToUsers, isSent, recordTypeOf, sampleValue } from '../calls.js';
import { effectsOf, saveUsers } from './effects.js';
import { type Fixtures, fixturesOf } from './fixtures.js';
import { outcomeOf, type Result, reasonsOf } from './outcomes.js';
import { sampleFor } from './samples.js';

let app: TestApp;
let cast: Cast;
let fixtures: Fixtures;
let callers: Caller[];
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
  fixtures = await fixturesOf(app, cast);
  await saveUsers(app);
  const names = ['platform', 'key', 'player', 'owner', 'ADMIN', 'super admin'];
  callers = cast.callers.filter(({ name }) => names.includes(name));
});
afterAll(() => app.close());

type Variables = Record<string, unknown>;

const mutations: Field[] = Object.values(graphOfModules().getMutationType()?.getFields() ?? {});

const inputTypeOf = ({ args }: Field): GraphQLInputObjectType | null => {
  const type = args.find(({ name }) => name === 'input')?.type;
  const namedType = type && getNamedType(type);
  return isInputObjectType(namedType) ? namedType : null;
};

/** Values of required arguments and input fields, keyed by name. */
const baseValues: Readonly<Record<string, () => unknown>> = {
  eventId: () => fixtures.eventId,
  userIds: () => [cast.owner.id],
  subjectId: () => fixtures.rowOfStranger('Tournament'),
  registrationId: () => fixtures.rowOfOwner('Registration'),
  email: () => 'new@example.com',
  emails: () => ['new@example.com'],
  newPassword: () => 'another long password',
  isEnabled: () => false,
};

/** Input fields that a mutation needs although the schema does not require them, keyed by mutation. */
const baseInputs: Readonly<Record<string, (caller: Caller) => Variables>> = {
  createUserImage: () => ({ type: 'PROFILE' }),
  scheduleGame: ({ name }) => ({ startsAt: '2034-01-01T00:00:00Z', ...(name === 'platform' ? { ownerId: cast.owner.id } : {}) }),
  registerTeams: () => ({ events: [{ eventId: fixtures.eventId }] }),
};

/** Arguments that a mutation needs although the schema does not require them, keyed by mutation. */
const baseArguments: Readonly<Record<string, readonly string[]>> = { removeFavorite: ['id'], inviteToGame: ['emails'] };

/** Returns the variables of a call that sends only the required arguments and fields and acts on fresh rows of the owner. */
async function baseOf(field: Field, caller: Caller): Promise<Variables> {
  const type = recordTypeOf(field);
  const variables: Variables = {};
  const sentArguments = field.args.filter((argument) => isSent(argument) || baseArguments[field.name]?.includes(argument.name));
  for (const { name, type: inputType } of sentArguments)
    variables[name] =
      name === 'id'
        ? await fixtures.rowOfOwner(type)
        : await (baseValues[name]?.() ?? sampleValue({ app, cast }, name, inputType, type));
  // Only the owner erases the owner's account. Other callers erase a new user, because later calls need the owner.
  if (field.name === 'eraseUser' && caller.name !== 'owner') variables.id = (await app.person()).id;
  if (!inputTypeOf(field)) return variables;
  const input: Variables = { ...(variables.input as Variables | undefined), ...baseInputs[field.name]?.(caller) };
  for (const name of Object.keys(input)) if (baseValues[name]) input[name] = await baseValues[name]();
  if (field.name.startsWith('upsert') && type !== 'User') input.id = await fixtures.rowOfOwner(type);
  return { ...variables, input };
}

/** One line of the matrix: a call that differs from the base call in one value. */
interface Variation {
  readonly label: string;
  change(base: Variables): Promise<Variables>;
}

const withInput = (base: Variables, values: Variables): Variables => ({
  ...base,
  input: { ...(base.input as Variables), ...values },
});

function variationsOf(field: Field): Variation[] {
  const type = recordTypeOf(field);
  const inputType = inputTypeOf(field);
  const cls = inputType?.name === `${type}Input` ? findRecord(type) : null;
  const ofArguments = field.args
    .filter(({ name }) => name !== 'id' && name !== 'input' && name !== 'ifVersion')
    .map(
      ({ name, type: argumentType }): Variation => ({
        label: name,
        change: async (base) => ({
          ...base,
          [name]: await sampleFor(fixtures, { name, type: argumentType, before: base[name] }),
        }),
      }),
    );
  const ofInput = Object.values(inputType?.getFields() ?? {}).flatMap(({ name, type: fieldType }): Variation[] => {
    if (name === 'id' && type !== 'User')
      return [
        { label: 'id (new)', change: async (base) => withInput(base, { id: 'a-new-id' }) },
        { label: 'id (taken)', change: async (base) => withInput(base, { id: await fixtures.rowOfStranger(type) }) },
      ];
    const namedType = getNamedType(fieldType);
    if (isLegacy({ type: fieldType }) && isInputObjectType(namedType))
      return Object.values(namedType.getFields()).map((inner) => {
        const label = `${name}.${inner.name}`;
        const slot = { name: label, type: inner.type };
        return {
          label,
          change: async (base) => withInput(base, { [name]: { [inner.name]: await sampleFor(fixtures, slot) } }),
        };
      });
    const change = async (base: Variables) => {
      const before = (base.input as Variables | undefined)?.[name];
      return withInput(base, { [name]: await sampleFor(fixtures, { name, type: fieldType, cls, before }) });
    };
    return [{ label: name, change }];
  });
  return [...ofArguments, ...ofInput];
}

async function resultOf(field: Field, caller: Caller, change: Variation['change']): Promise<Result> {
  if (fixtures.isEntry(recordTypeOf(field))) await fixtures.clear();
  const variables = await change(await baseOf(field, caller));
  const document = documentOf(field, Object.keys(variables));
  const result = await effectsOf(app, async () => {
    const { errors } = await app.graphql(document, variables, caller.tokens);
    // The number in the ID of a tournament depends on the test files that the worker ran before.
    return { error: (errors?.[0] ?? '').replace(/open-\d+/, 'open') };
  });
  expect(result.error, `${field.name} ${JSON.stringify(variables)}`).not.toMatch(/Variable|INTERNAL/);
  return result;
}

const isWithoutRole = ({ name }: Caller): boolean => /^(key|player|owner)$/.test(name);

const unchanged = async (base: Variables) => base;

/**
 * Returns the lines of a mutation: one for the call with required values, and one for each field that users without a role may be able to
 * write. A mutation that is closed to such users has one line, marked with `*`.
 */
async function linesOf(field: Field): Promise<[string, string[]][]> {
  const bases: Result[] = [];
  if (!isOpenToUsers(field)) {
    const cells: string[] = [];
    // Mutations that only staff can call are in `../graph.txt`.
    for (const caller of callers) cells.push(isWithoutRole(caller) ? outcomeOf(await resultOf(field, caller, unchanged)) : '-');
    return [[`${field.name} *`, cells]];
  }
  for (const caller of callers) bases.push(await resultOf(field, caller, unchanged));
  const head = [...bases.map((base) => outcomeOf(base)), reasonsOf(bases)];
  const isWritten = findRecord(recordTypeOf(field)) !== null || bases.some(({ text }) => text !== '');
  const isSampled = callers.some((caller, index) => isWithoutRole(caller) && !bases[index]?.error);
  if (!isWritten || !isSampled) return [[field.name, head]];
  const lines: [string, string[]][] = [[field.name, head]];
  for (const { label, change } of variationsOf(field)) {
    const results: Result[] = [];
    for (const [index, caller] of callers.entries()) {
      const base = bases[index];
      // The rights of platforms and keys do not depend on arguments, so their rejected calls are not repeated.
      const isRefused = !caller.tokens.user && /^(FORBIDDEN|UNAUTHENTICATED)/.test(base?.error ?? '');
      results.push(base && isRefused ? base : await resultOf(field, caller, change));
    }
    const cells = results.map((result, index) => outcomeOf(result, bases[index]));
    lines.push([`${field.name} ${label}`, [...cells, reasonsOf(results)]]);
  }
  return lines;
}

const checked = mutations.filter((mutation) => isOpenToUsers(mutation) || inputTypeOf(mutation));
const linesByMutation = new Map<string, [string, string[]][]>();

test.for(checked.map((field) => [field.name, field] as const))(
  '%s applies or rejects each field for each kind of caller',
  { timeout: 60_000 },
  async ([name, field]) => {
    linesByMutation.set(name, await linesOf(field));
  },
);

test('graph.txt lists the fields that each kind of caller can write', async () => {
  expect(linesByMutation.size, 'run the whole file').toBe(checked.length);
  const written = new Set(mutations.map(recordTypeOf));
  const otherRecords = modules.flatMap(({ records }) => records).filter(({ name }) => !written.has(name));
  const lines = [
    ...[...linesByMutation.values()].flat(),
    ...otherRecords.map(({ name }): [string, string[]] => [`${name} *`, callers.map(() => '-')]),
  ];
  await expect(tableOf(lines, callers)).toMatchFileSnapshot('graph.txt');
});

test('an owner cannot clear a field that they cannot set', async () => {
  const index = callers.findIndex(({ name }) => name === 'owner');
  const owner = callers[index] ?? expect.fail('no owner');
  const cleared: string[] = [];
  for (const field of checked.filter(({ name }) => /^(update|upsert)/.test(name))) {
    const fields = inputTypeOf(field)?.getFields() ?? {};
    const refused = (linesByMutation.get(field.name) ?? []).flatMap(([label, cells]) => {
      const [, key = ''] = label.split(' ');
      const [name = '', inner] = key.split('.');
      const type = fields[name]?.type;
      const isClearable = type && !isNonNullType(type) && name !== 'id' && cells[index] !== 'yes';
      return isClearable ? [{ label, values: { [name]: inner ? { [inner]: null } : null } }] : [];
    });
    if (refused.length === 0) continue;
    const base = await resultOf(field, owner, unchanged);
    for (const { label, values } of refused) {
      const result = await resultOf(field, owner, async (variables) => withInput(variables, values));
      if (!base.error && !result.error && result.text !== base.text) cleared.push(label);
    }
  }
  expect(cleared).toEqual([]);
}, 120_000);

import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { statementsOf } from '../support/checks/statement-counter.js';
import { entriesOf } from '../support/fixtures/event-registrations.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Caller, type Cast, castOf } from './callers.js';
import { callOf, type Field } from './calls.js';
import { freshRow } from './rows.js';

let app: TestApp;
let cast: Cast;
let callers: Caller[];
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
  const player = cast.callers.find(({ name }) => name === 'player')?.tokens ?? {};
  callers = [
    ...cast.callers,
    { name: 'platform for the player', tokens: { ...player, ...app.platform } },
    { name: 'platform for the owner', tokens: { user: cast.owner.user, ...app.platform } },
  ];
}, 60_000);
afterAll(() => app.close());

const schema = graphOfModules();
const mutations = schema.getMutationType()?.getFields() ?? {};

const records = modules.flatMap((module) => module.records).map((cls) => [cls.name, optionsOf(cls).one] as const);

/** Returns the mutations of a record that start with one of the given verbs. */
const mutationsOf = (one: string, ...verbs: string[]): Field[] =>
  verbs.flatMap((verb) => mutations[`${verb}${one.charAt(0).toUpperCase()}${one.slice(1)}`] ?? []);

/** Returns the mutations with which players withdraw records of a type. */
const withdrawalsOf = (type: string): Field[] =>
  Object.values(mutations).filter((field) => field.name.startsWith('withdraw') && getNamedType(field.type).name === type);

const typesWithViewerCan = records.flatMap(([name, one]) => {
  const type = schema.getType(name);
  if (!isObjectType(type) || !type.getFields().viewerCan) return [];
  const updates = mutationsOf(one, 'update', 'upsert');
  const deletes = mutationsOf(one, 'delete', 'remove', 'cancel');
  return [[name, one, updates, deletes, withdrawalsOf(name)] as const];
});

test('every type that mutations change or delete has the field viewerCan', () => {
  const changed = records.filter(([, one]) => mutationsOf(one, 'update', 'upsert', 'delete', 'remove', 'cancel').length > 0);
  expect(typesWithViewerCan.map(([type]) => type).sort()).toEqual(changed.map(([type]) => type).sort());
  expect(typesWithViewerCan.length).toBeGreaterThan(25);
});

interface ViewerCan {
  update: boolean;
  delete: boolean;
  withdraw: boolean;
}

/** Returns the `viewerCan` values of a fresh row for a caller, or null if the caller cannot read the row. */
async function viewerCanOf(type: string, one: string, { tokens }: Caller): Promise<ViewerCan | null> {
  const id = await freshRow(app.sql, type, cast.owner.id);
  const answer = await app.graphql(
    `query ($id: ID!) { ${one}(id: $id) { viewerCan { update delete withdraw } } }`,
    { id },
    tokens,
  );
  return answer[one]?.viewerCan ?? null;
}

/** Errors that count as a rejection. A user who tries to save another user gets BAD_INPUT for the ID. */
const rejection = /^(FORBIDDEN|UNAUTHENTICATED|CONFLICT|another|BAD_INPUT: input\.id: expected the id of the signed-in user)/;

/** Returns whether there is at least one mutation and none rejects the caller. */
async function isPermitted(fields: readonly Field[], { tokens }: Caller): Promise<boolean> {
  const errors = [];
  for (const field of fields) errors.push(await callOf({ app, cast }, field, tokens));
  return fields.length > 0 && errors.every((error) => !rejection.test(error));
}

test.each(typesWithViewerCan)(
  'viewerCan of a %s agrees with its mutations for every caller',
  async (type, one, updates, deletes, withdrawals) => {
    const claimed: Record<string, ViewerCan> = {};
    const permitted: Record<string, ViewerCan> = {};
    for (const caller of callers) {
      const viewerCan = await viewerCanOf(type, one, caller);
      if (!viewerCan) continue;
      claimed[caller.name] = viewerCan;
      permitted[caller.name] = {
        update: await isPermitted(updates, caller),
        delete: await isPermitted(deletes, caller),
        withdraw: await isPermitted(withdrawals, caller),
      };
    }
    expect(claimed).toEqual(permitted);
    expect(Object.keys(claimed).length).toBeGreaterThan(0);
  },
  60_000,
);

test('registrations and event registrations can be withdrawn', () => {
  expect(typesWithViewerCan.flatMap(([type, , , , withdrawals]) => (withdrawals.length ? [type] : []))).toEqual([
    'Registration',
    'EventRegistration',
  ]);
});

test('viewerCan.register of an event agrees with registerTeam for every caller', async () => {
  const { open } = entriesOf(() => app);
  const claimed: Record<string, boolean> = {};
  const permitted: Record<string, boolean> = {};
  for (const { name, tokens } of callers) {
    const eventId = await open();
    const { event } = await app.graphql(`{ event(id: "${eventId}") { viewerCan { register } } }`, {}, tokens);
    if (!event) continue;
    const { errors } = await app.graphql(`mutation { registerTeam(input: { eventId: "${eventId}" }) { id } }`, {}, tokens);
    claimed[name] = event.viewerCan.register;
    permitted[name] = errors === undefined;
  }
  expect(claimed).toEqual(permitted);
  expect(new Set(Object.values(claimed))).toEqual(new Set([true, false]));
});

describe('viewerCan', () => {
  test('is false for the deletion of a locked record', async () => {
    await app.sql.rows(`insert into ranking_points (id, is_locked) values ('locked', true), ('open', false)`);
    const fields = 'viewerCan { update delete approve }';
    const { locked, open } = await app.graphql(
      `{ locked: rankingPoints(id: "locked") { ${fields} } open: rankingPoints(id: "open") { ${fields} } }`,
    );
    const { errors } = await app.graphql('mutation { deleteRankingPoints(id: "locked") { id } }');
    expect({ locked: locked.viewerCan, open: open.viewerCan, deleteError: errors[0] }).toEqual({
      locked: { update: true, delete: false, approve: false },
      open: { update: true, delete: true, approve: false },
      deleteError: expect.stringMatching(/^CONFLICT/),
    });
  });

  test('is false for the update of a super admin by a platform', async () => {
    const { id } = await app.person({ isSuperAdmin: true });
    const { user } = await app.graphql(`{ user(id: "${id}") { viewerCan { update } } }`);
    const { errors } = await app.graphql(`mutation { upsertUser(input: { id: "${id}" }) { id } }`);
    expect({ canUpdate: user.viewerCan.update, errors }).toEqual({
      canUpdate: false,
      errors: ['FORBIDDEN: platforms cannot change super admins'],
    });
  });

  test('agrees with the mutations that administer users, for players, admins and super admins', async () => {
    const kinds: Record<string, Parameters<typeof app.person>[0]> = {
      player: {},
      admin: { roles: ['ADMIN'] },
      superAdmin: { isSuperAdmin: true },
    };
    const mutations = [
      'lockUser(id: $id, reason: "Spam") { id }',
      'unlockUser(id: $id) { id }',
      'endAllSessions(userId: $id) { id }',
      'eraseUser(id: $id) { user { id } }',
    ];
    const claimed: Record<string, boolean> = {};
    const permitted: Record<string, boolean[]> = {};
    for (const [callerKind, callerValues] of Object.entries(kinds)) {
      const { user } = await app.person(callerValues);
      for (const [kind, values] of Object.entries(kinds)) {
        const { id } = await app.person(values);
        const name = `${callerKind}, ${kind}`;
        const answer = await app.graphql('query ($id: ID!) { user(id: $id) { viewerCan { administer } } }', { id }, { user });
        claimed[name] = answer.user?.viewerCan.administer ?? false;
        permitted[name] = [];
        for (const mutation of mutations) {
          const { errors } = await app.graphql(`mutation ($id: ID!) { ${mutation} }`, { id }, { user });
          permitted[name].push(errors === undefined);
        }
      }
    }
    expect(permitted).toEqual(
      Object.fromEntries(Object.entries(claimed).map(([name, isClaimed]) => [name, mutations.map(() => isClaimed)])),
    );
    expect(claimed).toMatchObject({ 'player, player': false, 'admin, superAdmin': false, 'superAdmin, superAdmin': true });
  });

  test('is false for users who administer themselves', async () => {
    const { user } = await app.person({ isSuperAdmin: true });
    const { viewer } = await app.graphql('{ viewer { viewerCan { administer } } }', {}, { user });
    expect(viewer.viewerCan.administer).toBe(false);
  });

  test('takes no statement', async () => {
    for (const id of ['a', 'b', 'c']) await app.graphql(`mutation { upsertTournament(input: { id: "${id}" }) { id } }`);
    const statements = (fields: string) =>
      statementsOf(app, () => app.graphql(`{ tournaments { nodes { id ${fields} } } games { nodes { id ${fields} } } }`));
    expect({
      without: await statements(''),
      with: await statements('viewerCan { update delete approve }'),
    }).toEqual({ without: 2, with: 2 });
  });
});

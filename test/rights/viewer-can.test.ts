import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOfModules } from '../../src/gateway/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { entriesOf } from '../support/entries.js';
import { statementsOf } from '../support/statements.js';
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

/** The mutations that do something with a row: those of its name, whoever wrote them. */
const doing = (one: string, ...verbs: string[]): Field[] =>
  verbs.flatMap((verb) => mutations[`${verb}${one.charAt(0).toUpperCase()}${one.slice(1)}`] ?? []);

/** The mutations by which players withdraw rows of a type. */
const withdrawing = (type: string): Field[] =>
  Object.values(mutations).filter((field) => field.name.startsWith('withdraw') && getNamedType(field.type).name === type);

const shown = records.flatMap(([type, one]) => {
  const found = schema.getType(type);
  return isObjectType(found) && found.getFields().viewerCan
    ? [[type, one, doing(one, 'update', 'upsert'), doing(one, 'delete', 'remove', 'cancel'), withdrawing(type)] as const]
    : [];
});

test('apps can ask it of everything that mutations change or delete', () => {
  const changed = records.filter(([, one]) => doing(one, 'update', 'upsert', 'delete', 'remove', 'cancel').length > 0);
  expect(shown.map(([type]) => type).sort()).toEqual(changed.map(([type]) => type).sort());
  expect(shown.length).toBeGreaterThan(25);
});

async function canOf(
  type: string,
  one: string,
  { tokens }: Caller,
): Promise<{ update: boolean; delete: boolean; withdraw: boolean } | null> {
  const id = await freshRow(app.sql, type, cast.owner.id);
  const answer = await app.graphql(
    `query ($id: ID!) { ${one}(id: $id) { viewerCan { update delete withdraw } } }`,
    { id },
    tokens,
  );
  return answer[one]?.viewerCan ?? null;
}

/** Users who save somebody else are told that the id is not theirs. */
const refusal = /^(FORBIDDEN|UNAUTHENTICATED|CONFLICT|another|BAD_INPUT: input\.id: expected the id of the signed-in user)/;

/** What its mutations do for a caller: true when there are some, and all of them let the call pass. */
async function doneBy(fields: readonly Field[], { tokens }: Caller): Promise<boolean> {
  const errors = [];
  for (const field of fields) errors.push(await callOf({ app, cast }, field, tokens));
  return fields.length > 0 && errors.every((error) => !refusal.test(error));
}

test.each(shown)(
  'what a caller can do with a %s is what its mutations do',
  async (type, one, updates, deletes, withdrawals) => {
    let seen = 0;
    for (const caller of callers) {
      const can = await canOf(type, one, caller);
      if (!can) continue;
      seen += 1;
      expect([caller.name, can]).toEqual([
        caller.name,
        {
          update: await doneBy(updates, caller),
          delete: await doneBy(deletes, caller),
          withdraw: await doneBy(withdrawals, caller),
        },
      ]);
    }
    expect(seen).toBeGreaterThan(0);
  },
  60_000,
);

test('two types can be withdrawn', () => {
  expect(shown.flatMap(([type, , , , withdrawals]) => (withdrawals.length ? [type] : []))).toEqual([
    'Registration',
    'EventRegistration',
  ]);
});

test('who can register for an event is whom `registerTeam` takes', async () => {
  const { open } = entriesOf(() => app);
  const seen = [];
  for (const { name, tokens } of callers) {
    const eventId = await open();
    const { event } = await app.graphql(`{ event(id: "${eventId}") { viewerCan { register } } }`, {}, tokens);
    if (!event) continue;
    const { errors } = await app.graphql(`mutation { registerTeam(input: { eventId: "${eventId}" }) { id } }`, {}, tokens);
    seen.push(event.viewerCan.register);
    expect([name, event.viewerCan.register]).toEqual([name, errors === undefined]);
  }
  expect(new Set(seen)).toEqual(new Set([true, false]));
});

describe('what a caller can do', () => {
  test('is false for the deletion of what is locked', async () => {
    await app.sql.rows(`insert into ranking_points (id, is_locked) values ('locked', true), ('open', false)`);
    const fields = 'viewerCan { update delete approve }';
    const { locked, open } = await app.graphql(
      `{ locked: rankingPoints(id: "locked") { ${fields} } open: rankingPoints(id: "open") { ${fields} } }`,
    );
    const refused = await app.graphql('mutation { deleteRankingPoints(id: "locked") { id } }');
    expect([locked.viewerCan, open.viewerCan, refused.errors[0]]).toEqual([
      { update: true, delete: false, approve: false },
      { update: true, delete: true, approve: false },
      expect.stringMatching(/^CONFLICT/),
    ]);
  });

  test('is false for a platform with a super admin, who is changed by nobody else', async () => {
    const { id } = await app.person({ isSuperAdmin: true });
    const { user } = await app.graphql(`{ user(id: "${id}") { viewerCan { update } } }`);
    const { errors } = await app.graphql(`mutation { upsertUser(input: { id: "${id}" }) { id } }`);
    expect([user.viewerCan.update, errors]).toEqual([false, ['FORBIDDEN: a super admin is changed by nobody else']]);
  });

  test('costs no statement', async () => {
    for (const id of ['a', 'b', 'c']) await app.graphql(`mutation { upsertTournament(input: { id: "${id}" }) { id } }`);
    const statements = (fields: string) =>
      statementsOf(app, () => app.graphql(`{ tournaments { nodes { id ${fields} } } games { nodes { id ${fields} } } }`));
    expect([await statements(''), await statements('viewerCan { update delete approve }')]).toEqual([2, 2]);
  });
});

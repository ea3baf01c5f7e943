import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextOf } from '../../../src/graphql/context.js';
import { anonymousCaller } from '../../../src/kernel/declare/policy/caller.js';
import { upsert } from '../../../src/kernel/write/save.js';
import { Team } from '../../../src/modules/tournaments/players/team.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Upserts a team. Returns the fields of the team, and the verbs of the statements that wrote it. */
async function upsertTeam(input: Record<string, unknown>): Promise<Record<string, unknown> & { verbs: string[] }> {
  const verbs: string[] = [];
  const recordVerb = (text: unknown) => {
    const [, verb] = /^(insert|update)\b.*"team"/.exec(String(text)) ?? [];
    if (verb) verbs.push(verb);
  };
  subscribe('courtside:statement', recordVerb);
  try {
    const data = await app.graphql(
      'mutation ($input: TeamInput!) { upsertTeam(input: $input) { id seed ranking createdAt updatedAt } }',
      { input },
    );
    expect(data.errors).toBeUndefined();
    return { ...data.upsertTeam, verbs };
  } finally {
    unsubscribe('courtside:statement', recordVerb);
  }
}
const storedTeam = async (id: string) => (await app.sql.rows('select seed, ranking from team where id = $1', [id]))[0];

test('a repeated write updates only the time of the row, and still responds with all fields', async () => {
  const input = { id: 'again', seed: 1, ranking: 5 };
  const [first, second, third] = [await upsertTeam(input), await upsertTeam(input), await upsertTeam(input)];
  expect({ first: first.verbs, second: second.verbs, third: third.verbs }).toEqual({
    first: ['insert'],
    second: ['update'],
    third: ['update'],
  });
  const team = { ...input, createdAt: first.createdAt };
  expect({ second, third }).toMatchObject({ second: team, third: team });
  const times = [first, second, third].map(({ updatedAt }) => Date.parse(String(updatedAt)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[2]).toBeGreaterThan(times[0] ?? 0);
});

test.each<[change: string, run: (id: string) => Promise<unknown>]>([
  ['another upsert', (id) => upsertTeam({ id, seed: 2, ranking: 5 })],
  ['an update in SQL', (id) => app.sql.rows('update team set seed = 3 where id = $1', [id])],
  ['a deletion in SQL', (id) => app.sql.rows('delete from team where id = $1', [id])],
  ['an update mutation', () => app.graphql('mutation { updateTeam(id: "between", input: { ranking: 6 }) { id } }')],
])('a repeated write sets all values again after %s', async (_, change) => {
  const input = { id: 'between', seed: 1, ranking: 5 };
  await upsertTeam(input);
  await change('between');
  const { verbs, ...team } = await upsertTeam(input);
  expect({ lastVerb: verbs.at(-1), team }).toMatchObject({ lastVerb: 'insert', team: input });
  expect(await storedTeam('between')).toEqual({ seed: 1, ranking: 5 });
});

test('the check for a repeated write is mostly skipped while others change the row, and resumes afterwards', async () => {
  const input = { id: 'shared', seed: 1, ranking: 5 };
  const countChecks = async (rounds: number, changeBetween: () => Promise<unknown>) => {
    let checks = 0;
    for (let round = 0; round < rounds; round++) {
      await changeBetween();
      checks += (await upsertTeam(input)).verbs.filter((verb) => verb === 'update').length;
    }
    return checks;
  };
  const changeInSql = () => app.sql.rows(`update team set seed = 3 where id = 'shared'`);
  await upsertTeam(input);
  expect(await countChecks(80, changeInSql)).toBeLessThan(16);
  expect(await storedTeam('shared')).toEqual({ seed: 1, ranking: 5 });
  await countChecks(16 * 24, async () => undefined);
  expect(await countChecks(10, async () => undefined)).toBe(10);
});

test('a write repeated after a transaction sets the values that the transaction changed or rolled back', async () => {
  const input = { id: 'within', seed: 1, ranking: 5 };
  const context = contextOf(app.resources, anonymousCaller, 'write');
  const write = (ranking = input.ranking) => upsert(context, Team, { ...input, ranking }, ['id', 'ranking']);
  await context.sql.transaction(async () => {
    await write();
    await context.sql.rows(`update team set ranking = 7 where id = 'within'`);
  });
  await write();
  expect(await storedTeam('within')).toEqual({ seed: 1, ranking: 5 });
  await expect(
    context.sql.transaction(async () => {
      await write(8);
      throw new Error('changed its mind');
    }),
  ).rejects.toThrow('changed its mind');
  await write(8);
  expect(await storedTeam('within')).toEqual({ seed: 1, ranking: 8 });
});

test('concurrent writes of one row each return their own values, and the row has the values of one of them', async () => {
  const firstTeam = { id: 'at-once', seed: 1, ranking: 10 };
  const other = { id: 'at-once', seed: 2, ranking: 20 };
  for (let round = 0; round < 20; round++) {
    await upsertTeam(firstTeam);
    const answers = await Promise.all(
      [firstTeam, other, firstTeam, firstTeam, other].map(async (input) => {
        const data = await app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id seed ranking } }', {
          input,
        });
        return { team: data.upsertTeam, input };
      }),
    );
    for (const { team, input } of answers) expect(team).toEqual(input);
    const stored = { id: 'at-once', ...(await storedTeam('at-once')) };
    expect(stored).toBeOneOf([firstTeam, other]);
  }
});

test('equal writes without an ID create separate rows', async () => {
  const input = { seed: 9, ranking: 5 };
  const ids = [await upsertTeam(input), await upsertTeam(input), await upsertTeam(input)].map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

test('a write that locks its row leaves the row unchanged when it is repeated', async () => {
  const text = `mutation { upsertRankingPoints(input: { id: "locked", playerId: "p", eventId: "e", isLocked: true }) { id updatedAt } }`;
  const { errors, ...first } = await app.graphql(text);
  expect({ errors, repeated: await app.graphql(text) }).toEqual({ errors: undefined, repeated: first });
});

test('every repeated write of an audited record gets its own audit entry', async () => {
  const text = `mutation { upsertDiscountCode(input: { id: "audited", moduleId: "cup" }) { id } }`;
  for (let time = 1; time <= 3; time++) expect((await app.graphql(text)).errors).toBeUndefined();
  const entries = await app.sql.rows(`select source, platform_id from audit_entry where record_key = 'audited'`);
  expect(entries).toEqual([1, 2, 3].map(() => ({ source: 'REQUEST', platform_id: 'test-platform' })));
});

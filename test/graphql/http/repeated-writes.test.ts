import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Upserts a team. Returns its fields. */
async function upsertTeam(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const data = await app.graphql(
    'mutation ($input: TeamInput!) { upsertTeam(input: $input) { id seed ranking createdAt updatedAt } }',
    { input },
  );
  expect(data.errors).toBeUndefined();
  return data.upsertTeam;
}
const storedTeam = async (id: string) => (await app.sql.rows('select seed, ranking from team where id = $1', [id]))[0];

test('a repeated write changes only the time of the row, and returns all fields', async () => {
  const input = { id: 'again', seed: 1, ranking: 5 };
  const [first, second, third] = [await upsertTeam(input), await upsertTeam(input), await upsertTeam(input)];
  const team = { ...input, createdAt: first.createdAt };
  expect({ second, third }).toMatchObject({ second: team, third: team });
  const times = [first, second, third].map(({ updatedAt }) => Date.parse(String(updatedAt)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[2]).toBeGreaterThan(times[0] ?? 0);
  const entries = await app.sql.rows(`select kind::text as kind from change where record = 'Team' and id = 'again'`);
  expect(entries).toEqual([{ kind: '+' }]);
});

test.each<[change: string, run: (id: string) => Promise<unknown>]>([
  ['another upsert', (id) => upsertTeam({ id, seed: 2, ranking: 5 })],
  ['an update in SQL', (id) => app.sql.rows('update team set seed = 3 where id = $1', [id])],
  ['a deletion in SQL', (id) => app.sql.rows('delete from team where id = $1', [id])],
])('a repeated write sets all values again after %s', async (_, change) => {
  const input = { id: 'between', seed: 1, ranking: 5 };
  await upsertTeam(input);
  await change('between');
  expect(await upsertTeam(input)).toMatchObject(input);
  expect(await storedTeam('between')).toEqual({ seed: 1, ranking: 5 });
});

test('concurrent writes of one row each return their own values, and the row has the values of one of them', async () => {
  const firstTeam = { id: 'at-once', seed: 1, ranking: 10 };
  const other = { id: 'at-once', seed: 2, ranking: 20 };
  for (let round = 0; round < 20; round++) {
    await upsertTeam(firstTeam);
    const responses = await Promise.all(
      [firstTeam, other, firstTeam, firstTeam, other].map(async (input) => {
        const data = await app.graphql('mutation ($input: TeamInput!) { upsertTeam(input: $input) { id seed ranking } }', {
          input,
        });
        return { team: data.upsertTeam, input };
      }),
    );
    for (const { team, input } of responses) expect(team).toEqual(input);
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

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contextOf } from '../../src/gateway/context.js';
import { nobody } from '../../src/kernel/declare/caller.js';
import { upsert } from '../../src/kernel/write/save.js';
import { Team } from '../../src/modules/tournaments/team.js';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** What is answered to a team that is sent, and the verbs of the statements that wrote it. */
async function send(input: Record<string, unknown>): Promise<Record<string, unknown> & { verbs: string[] }> {
  const verbs: string[] = [];
  const hear = (text: unknown) => {
    const [, verb] = /^(insert|update)\b.*"team"/.exec(String(text)) ?? [];
    if (verb) verbs.push(verb);
  };
  subscribe('courtside:statement', hear);
  try {
    const { upsertTeam, errors } = await app.graphql(
      'mutation ($input: TeamInput!) { upsertTeam(input: $input) { id seed ranking createdAt updatedAt } }',
      { input },
    );
    expect(errors).toBeUndefined();
    return { ...upsertTeam, verbs };
  } finally {
    unsubscribe('courtside:statement', hear);
  }
}
const stored = async (id: string) => (await app.sql.rows('select seed, ranking from team where id = $1', [id]))[0];

test('of a write that is the same again only its time is written, and the answer is whole', async () => {
  const input = { id: 'again', seed: 1, ranking: 5 };
  const [first, second, third] = [await send(input), await send(input), await send(input)];
  expect([first, second, third].map(({ verbs }) => verbs)).toEqual([['insert'], ['update'], ['update']]);
  expect([second, third]).toMatchObject([1, 2].map(() => ({ ...input, createdAt: first.createdAt })));
  const times = [first, second, third].map(({ updatedAt }) => Date.parse(String(updatedAt)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[2]).toBeGreaterThan(times[0] ?? 0);
});

test('what was changed in between is set again, in whichever way it was', async () => {
  const input = { id: 'between', seed: 1, ranking: 5 };
  const changes = [
    () => send({ ...input, seed: 2 }),
    () => app.sql.rows(`update team set seed = 3 where id = 'between'`),
    () => app.sql.rows(`delete from team where id = 'between'`),
    () => app.graphql('mutation { updateTeam(id: "between", input: { ranking: 6 }) { id } }'),
  ];
  for (const change of changes) {
    await send(input);
    await change();
    const { verbs, ...answer } = await send(input);
    expect([verbs.at(-1), answer]).toMatchObject(['insert', input]);
    expect(await stored('between')).toEqual({ seed: 1, ranking: 5 });
  }
});

test('where others mostly write in between it is looked for only now and then what was left, until it is mostly there again', async () => {
  const input = { id: 'shared', seed: 1, ranking: 5 };
  const looks = async (times: number, between: () => Promise<unknown>) => {
    let many = 0;
    for (let time = 0; time < times; time++) {
      await between();
      many += (await send(input)).verbs.filter((verb) => verb === 'update').length;
    }
    return many;
  };
  const elsewhere = () => app.sql.rows(`update team set seed = 3 where id = 'shared'`);
  await send(input);
  expect(await looks(80, elsewhere)).toBeLessThan(16);
  expect(await stored('shared')).toEqual({ seed: 1, ranking: 5 });
  await looks(16 * 24, async () => undefined);
  expect(await looks(10, async () => undefined)).toBe(10);
});

test('what a transaction wrote is not held for its last word', async () => {
  const input = { id: 'within', seed: 1, ranking: 5 };
  const context = contextOf(app.resources, nobody, 'write');
  const write = (ranking = input.ranking) => upsert(context, Team, { ...input, ranking }, ['id', 'ranking']);
  await context.sql.transaction(async () => {
    await write();
    await context.sql.rows(`update team set ranking = 7 where id = 'within'`);
  });
  await write();
  expect(await stored('within')).toEqual({ seed: 1, ranking: 5 });
  // Nor is what was rolled back.
  await expect(
    context.sql.transaction(async () => {
      await write(8);
      throw new Error('changed its mind');
    }),
  ).rejects.toThrow('changed its mind');
  await write(8);
  expect(await stored('within')).toEqual({ seed: 1, ranking: 8 });
});

test('two that are sent at once are as one after the other, whatever was sent before', async () => {
  const [one, other] = [1, 2].map((seed) => ({ id: 'at-once', seed, ranking: 10 * seed }));
  if (!one || !other) throw new Error('there are two');
  for (let round = 0; round < 20; round++) {
    await send(one);
    const answers = await Promise.all(
      [one, other, one, one, other].map(async (input) => {
        const { upsertTeam } = await app.graphql(
          'mutation ($input: TeamInput!) { upsertTeam(input: $input) { id seed ranking } }',
          { input },
        );
        return [upsertTeam, input];
      }),
    );
    for (const [answer, input] of answers) expect(answer).toEqual(input);
    expect([one, other]).toContainEqual({ id: 'at-once', ...(await stored('at-once')) });
  }
});

test('without an id the same is another row', async () => {
  const input = { seed: 9, ranking: 5 };
  const ids = [await send(input), await send(input), await send(input)].map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
});

test('who locks a row is refused when sending the same again', async () => {
  const text = `mutation { upsertRankingPoints(input: { id: "locked", playerId: "p", eventId: "e", isLocked: true }) { id } }`;
  expect((await app.graphql(text)).errors).toBeUndefined();
  expect((await app.graphql(text)).errors).toEqual(['CONFLICT: that rankingPoints is locked']);
});

test('of an audited record every write is noted with who made it', async () => {
  const text = `mutation { upsertDiscountCode(input: { id: "audited", moduleId: "cup" }) { id } }`;
  for (let time = 1; time <= 3; time++) expect((await app.graphql(text)).errors).toBeUndefined();
  const entries = await app.sql.rows(`select source, platform_id from audit_entry where record_key = 'audited'`);
  expect(entries).toEqual([1, 2, 3].map(() => ({ source: 'REQUEST', platform_id: 'test-platform' })));
});

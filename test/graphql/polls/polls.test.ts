import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Tokens } from '../../support/servers/app.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  [ana, ben] = [await app.person(), await app.person()];
  for (const id of ['cup', 'open'])
    await app.graphql('mutation ($id: ID!) { upsertTournament(input: { id: $id, title: "Cup" }) { id } }', { id });
  await writeTeam(1);
});
afterAll(() => app.close());

const writeTeam = (seed: number) =>
  app.graphql('mutation ($seed: Int) { upsertTeam(input: { id: "a", tournamentId: "cup", seed: $seed }) { id } }', { seed });
const teamPath = '/v1/data/teams/a';
const get = (tag?: string, tokens: Tokens = app.platform, path = teamPath) =>
  app.rest('GET', path, tokens, undefined, tag === undefined ? {} : { 'if-none-match': tag });
/** Returns the number of processes that follow the change log. */
const countFollowers = async () => {
  const rows = await app.sql.rows(
    `select from pg_stat_activity where application_name = 'courtside changes' and datname = current_database()`,
  );
  return rows.length;
};

/** Timeout that is long enough for a busy machine. */
const waitOptions = { timeout: 15_000 };

/** Sends a request. Returns the status and ETag of the response, and whether the query of the route ran. */
async function observe(request: () => ReturnType<typeof get>) {
  const texts = app.texts();
  const { status, headers } = await request();
  return {
    status,
    tag: headers.get('etag') ?? '',
    hasQueried: texts.some((text) => /from "?(?:team|tournament|sponsor|app_user|state)\b/.test(text)),
  };
}

/** Waits until a poll gets a response without running the query of its route. Returns the ETag. */
const waitForFreshTag = (tokens?: Tokens, path?: string) =>
  vi.waitUntil(async () => {
    const { headers } = await get(undefined, tokens, path);
    const tag = headers.get('etag') ?? '';
    return (await observe(() => get(tag, tokens, path))).hasQueried ? null : tag;
  }, waitOptions);

test('a process without polls responds with ETags and does not follow the change log', async () => {
  const { headers, status } = await get();
  expect({
    status,
    tag: headers.get('etag'),
    cacheControl: headers.get('cache-control'),
    followers: await countFollowers(),
  }).toEqual({
    status: 200,
    tag: expect.stringMatching(/^"[\w-]{27}"$/),
    cacheControl: 'no-store',
    followers: 0,
  });
});

test('the first poll makes the process follow the change log', async () => {
  await get('"other"');
  await vi.waitUntil(async () => (await countFollowers()) === 1, waitOptions);
});

describe('a poll', () => {
  let tag: string;
  beforeEach(async () => {
    tag = await waitForFreshTag();
  });

  test('gets 304 without a body for every form of If-None-Match', async () => {
    const conditions = [tag, `W/${tag}`, `"other", ${tag}`, '*'];
    const answers = await Promise.all(conditions.map((condition) => get(condition)));
    expect(
      answers.map(({ status, body, headers }) => ({
        status,
        body,
        tag: headers.get('etag'),
        cacheControl: headers.get('cache-control'),
      })),
    ).toEqual(conditions.map(() => ({ status: 304, body: null, tag, cacheControl: 'no-store' })));
  });

  test('gets 304 for a HEAD request', async () => {
    const { status, headers } = await fetch(app.origin + teamPath, {
      method: 'HEAD',
      headers: { 'PB-API-TOKEN': app.platform.platform, 'If-None-Match': tag },
    });
    expect({ status, tag: headers.get('etag') }).toEqual({ status: 304, tag });
  });

  test('gets a new response after its table is truncated', async () => {
    await app.sql.rows('truncate team');
    expect((await get(tag)).status).toBe(404);
    await writeTeam(1);
  });

  test('with another ETag gets the whole response', async () => {
    expect(await observe(() => get('"other"'))).toEqual({ status: 200, tag, hasQueried: true });
  });

  test('with other arguments runs its own query', async () => {
    expect(await observe(() => get(tag, app.platform, `${teamPath}?x=1`))).toMatchObject({ status: 304, hasQueried: true });
  });

  test('of another caller runs its own query', async () => {
    expect(await observe(() => get(tag, { user: ana.user }))).toMatchObject({ hasQueried: true });
  });

  test('is rejected without a token or with an unknown one', async () => {
    expect((await get(tag, {})).status).toBe(401);
    expect((await get(tag, { platform: 'unknown' })).status).toBe(401);
  });

  test('ignores an open transaction, and gets a new response once it is committed', async () => {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(`update team set seed = 99 where id = 'a'`);
    // Commits a later position of the change log while the transaction with the earlier position is still open.
    await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Other" }) { id } }');
    const beforeCommit = await observe(() => get(tag));
    await client.query('commit');
    const { status, hasQueried } = await observe(() => get(tag));
    await client.end();
    expect({ beforeCommit, afterCommit: { status, hasQueried } }).toEqual({
      beforeCommit: { status: 304, tag, hasQueried: false },
      afterCommit: { status: 200, hasQueried: true },
    });
  });

  test.for([
    { event: 'the log ID changed', statement: `update change_log set id = 'another'` },
    { event: 'changes after its tag were deleted', statement: 'update change_log set last_removed_position = 1000000000' },
  ])('runs the query when $event', async ({ statement }) => {
    const before = await app.sql.row('select id, last_removed_position from change_log');
    await app.sql.rows(statement);
    expect(await observe(() => get(tag))).toEqual({ status: 304, tag, hasQueried: true });
    await app.sql.rows('update change_log set id = $1, last_removed_position = $2', [before?.id, before?.last_removed_position]);
  });

  test('runs the query after a migration, until the process follows the log again', async () => {
    await app.sql.rows(`insert into mikro_orm_migrations (name) values ('a later one')`);
    expect(await observe(() => get(tag))).toEqual({ status: 304, tag, hasQueried: true });
    expect(await waitForFreshTag()).toBe(tag);
  });
});

test('a poll gets a new response when the permissions of its caller change', async () => {
  const path = `/v1/users/${ben.id}`;
  const { id, user } = await app.person({ isSuperAdmin: true });
  const tag = await waitForFreshTag({ user }, path);
  await app.sql.rows('update app_user set is_super_admin = false where id = $1', [id]);
  // The caller of a token is cached for half a second.
  await vi.waitUntil(async () => (await get(undefined, { user }, path)).headers.get('etag') !== tag, waitOptions);
  expect((await get(tag, { user }, path)).status).toBe(200);
});

test('a poll gets a new response when cached reference data changes', async () => {
  const [body] = await app.sql.rows<{ id: string }>('select id from governing_body limit 1');
  const approvals = [{ governingBodyId: body?.id, status: 'APPROVED' }];
  const data = await app.graphql(
    `mutation ($approvals: [GoverningBodyApprovalInput!]) {
       upsertTournament(input: { id: "cup", approvals: $approvals }) { id } }`,
    { approvals },
  );
  expect(data).toEqual({ upsertTournament: { id: 'cup' } });
  const path = '/v1/data/tourney_flat_data?tourney_uuid=cup';
  const tag = await waitForFreshTag(app.platform, path);
  await app.sql.rows(`update governing_body set short_name = 'XYZ' where id = $1`, [body?.id]);
  // Reference data is cached for half a second.
  await vi.waitUntil(async () => (await get(undefined, app.platform, path)).headers.get('etag') !== tag, waitOptions);
  expect((await get(tag, app.platform, path)).status).toBe(200);
});

test('a request without If-None-Match runs only the statement of its query', async () => {
  await waitForFreshTag();
  const texts = app.texts();
  await get();
  expect(texts.filter((text) => /change/.test(text))).toEqual([]);
  expect(texts.length).toBe(1);
});

test('100 concurrent freshness checks share two statements', async () => {
  await waitForFreshTag();
  const { freshness } = app.resources.services.changes;
  const { moment } = freshness;
  let statements = 0;
  const count = (text: unknown) => {
    if (String(text).includes('from change where position >')) statements += 1;
  };
  subscribe('courtside:statement', count);
  const checks = await Promise.all(Array.from({ length: 100 }, () => moment && freshness.isUnchanged(['Team'], moment)));
  unsubscribe('courtside:statement', count);
  expect({ areAllUnchanged: checks.every(Boolean), statements }).toEqual({ areAllUnchanged: true, statements: 2 });
});

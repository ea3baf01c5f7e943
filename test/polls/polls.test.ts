import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Tokens } from '../support/app.js';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  [ana, ben] = [await app.person(), await app.person()];
  for (const id of ['cup', 'open'])
    await app.graphql('mutation ($id: ID!) { upsertTournament(input: { id: $id, title: "Cup" }) { id } }', { id });
  await seed(1);
});
afterAll(() => app.close());

const seed = (number: number) =>
  app.graphql('mutation ($seed: Int) { upsertTeam(input: { id: "a", tournamentId: "cup", seed: $seed }) { id } }', {
    seed: number,
  });
const path = '/v1/data/teams/a';
const get = (tag?: string, tokens: Tokens = app.platform, at = path) =>
  app.rest('GET', at, tokens, undefined, tag === undefined ? {} : { 'if-none-match': tag });
const followers = async () => {
  const rows = await app.sql.rows(
    `select from pg_stat_activity where application_name = 'courtside changes' and datname = current_database()`,
  );
  return rows.length;
};

/** On a machine that has much to do. */
const patient = { timeout: 15_000 };

/** Whether the query ran for a request, and its answer. */
async function ran(request: () => ReturnType<typeof get>) {
  const texts = app.texts();
  const { status, headers } = await request();
  return {
    status,
    tag: headers.get('etag') ?? '',
    ran: texts.some((text) => /from "?(?:team|tournament|sponsor|app_user|state)\b/.test(text)),
  };
}

/** The tag of an answer, once a poll with it is told that it is the same without the query. */
const known = (tokens?: Tokens, at?: string) =>
  vi.waitUntil(async () => {
    const { headers } = await get(undefined, tokens, at);
    const tag = headers.get('etag') ?? '';
    return (await ran(() => get(tag, tokens, at))).ran ? null : tag;
  }, patient);

test('a process that is not polled does not follow the log, and answers with tags all the same', async () => {
  const { headers, status } = await get();
  expect([status, headers.get('etag'), headers.get('cache-control'), await followers()]).toEqual([
    200,
    expect.stringMatching(/^"[\w-]{27}"$/),
    'no-store',
    0,
  ]);
  await get('"other"');
  await vi.waitUntil(async () => (await followers()) === 1, patient);
});

describe('a poll', () => {
  let tag: string;
  beforeEach(async () => {
    tag = await known();
  });

  test('is told in every form of the condition, and without a body', async () => {
    const forms = [tag, `W/${tag}`, `"other", ${tag}`, '*'];
    const answers = await Promise.all(forms.map((form) => get(form)));
    expect(answers.map(({ status, body, headers }) => [status, body, headers.get('etag'), headers.get('cache-control')])).toEqual(
      forms.map(() => [304, null, tag, 'no-store']),
    );
    const head = await fetch(app.origin + path, {
      method: 'HEAD',
      headers: { 'PB-API-TOKEN': app.platform.platform, 'If-None-Match': tag },
    });
    expect([head.status, head.headers.get('etag')]).toEqual([304, tag]);
  });

  test('gets a new answer once the table is truncated', async () => {
    await app.sql.rows('truncate team');
    expect((await get(tag)).status).toBe(404);
    await seed(1);
  });

  test('with another tag gets the whole answer', async () => {
    expect(await ran(() => get('"other"'))).toEqual({ status: 200, tag, ran: true });
  });

  test('at the same path with other arguments, or of another caller, is one of its own', async () => {
    expect(await ran(() => get(tag, app.platform, `${path}?x=1`))).toMatchObject({ status: 304, ran: true });
    expect(await ran(() => get(tag, { user: ana.user }))).toMatchObject({ ran: true });
  });

  test('without a token, or with one that was revoked, is refused', async () => {
    expect((await get(tag, {})).status).toBe(401);
    expect((await get(tag, { platform: 'unknown' })).status).toBe(401);
  });

  test('hears of what a transaction wrote when it is committed, and is not held up by it before', async () => {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query(`update team set seed = 99 where id = 'a'`);
    // Others are committed behind it.
    await app.graphql('mutation { upsertTournament(input: { id: "open", title: "Other" }) { id } }');
    const meanwhile = await ran(() => get(tag));
    await client.query('commit');
    const after = await ran(() => get(tag));
    await client.end();
    expect([meanwhile, after.status, after.ran]).toEqual([{ status: 304, tag, ran: false }, 200, true]);
  });

  test('is answered by the query where another log is there, where the log was forgotten, and where the database was migrated', async () => {
    const before = await app.sql.row('select id, forgotten from change_log');
    await app.sql.rows(`update change_log set id = 'another'`);
    expect(await ran(() => get(tag))).toEqual({ status: 304, tag, ran: true });
    await app.sql.rows('update change_log set id = $1, forgotten = 1000000000', [before?.id]);
    expect(await ran(() => get(tag))).toEqual({ status: 304, tag, ran: true });
    await app.sql.rows('update change_log set forgotten = $1', [before?.forgotten]);
    tag = await known();
    await app.sql.rows(`insert into mikro_orm_migrations (name) values ('a later one')`);
    expect(await ran(() => get(tag))).toEqual({ status: 304, tag, ran: true });
    expect(await known()).toBe(tag);
  });
});

test('what a caller may do counts, and not only who that is', async () => {
  const at = `/v1/users/${ben.id}`;
  const root = await app.person({ isSuperAdmin: true });
  const tag = await known({ user: root.user }, at);
  await app.sql.rows('update app_user set is_super_admin = false where id = $1', [root.id]);
  // Who a token is for is believed for half a second.
  await vi.waitUntil(async () => (await get(undefined, { user: root.user }, at)).headers.get('etag') !== tag, patient);
  expect((await get(tag, { user: root.user }, at)).status).toBe(200);
});

test('rows of reference data count that are read from memory', async () => {
  const [body] = await app.sql.rows<{ id: string }>('select id from governing_body limit 1');
  const approvals = [{ governingBodyId: body?.id, status: 'APPROVED' }];
  const given = await app.graphql(
    'mutation ($approvals: [GoverningBodyApprovalInput!]) { upsertTournament(input: { id: "cup", approvals: $approvals }) { id } }',
    { approvals },
  );
  expect(given).toEqual({ upsertTournament: { id: 'cup' } });
  const at = '/v1/data/tourney_flat_data?tourney_uuid=cup';
  const tag = await known(app.platform, at);
  await app.sql.rows(`update governing_body set short_name = 'XYZ' where id = $1`, [body?.id]);
  // They are believed for half a second.
  await vi.waitUntil(async () => (await get(undefined, app.platform, at)).headers.get('etag') !== tag, patient);
  expect((await get(tag, app.platform, at)).status).toBe(200);
});

test('a request without the condition asks the database for nothing more', async () => {
  await known();
  const texts = app.texts();
  await get();
  expect(texts.filter((text) => /change/.test(text))).toEqual([]);
  expect(texts.length).toBe(1);
});

test('those who ask at once whether something has changed are answered by one statement, or by the next one', async () => {
  await known();
  const { freshness } = app.resources.services.changes;
  const { moment } = freshness;
  let statements = 0;
  const count = (text: unknown) => {
    if (String(text).includes('from change where position >')) statements += 1;
  };
  subscribe('courtside:statement', count);
  const answers = await Promise.all(Array.from({ length: 100 }, () => moment && freshness.isUnchanged(['Team'], moment)));
  unsubscribe('courtside:statement', count);
  expect([answers.every(Boolean), statements]).toEqual([true, 2]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDeadLetters } from '../../../src/messaging/dead-letters.js';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';
import { type MailServer, startMailServer } from '../../support/servers/counting-smtp-server.js';

let mails: MailServer;
let app: TestApp;
let admin: Person;
beforeAll(async () => {
  mails = await startMailServer();
  mails.rejection = 'spam: https://courtside.test/r/secret for ana@players.test';
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    SMS_WEBHOOK_URL: 'http://127.0.0.1:1',
    SMS_WEBHOOK_SECRET: 'a-secret-for-text-messages',
  };
  app = await startApp(environment, undefined, { cron: '0 0 29 2 *', checkSeconds: 1 });
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(async () => {
  await app.close();
  await mails.close();
});

const asAdmin = (query: string, variables: Record<string, unknown> = {}) => app.graphql(query, variables, admin);
const fields = 'id kind state recipient subject attempts reason failedAt nextAttemptAt';
const failedMessages = async () =>
  (await asAdmin(`{ failedMessages { nodes { ${fields} } totalCount } }`)).failedMessages as {
    nodes: { id: string; state: string; reason: string }[];
    totalCount: number;
  };
const requestReset = (email: string, channel = 'EMAIL') =>
  app.graphql(`mutation { requestPasswordReset(email: "${email}", channel: ${channel}) { channel } }`);
const instant = expect.stringMatching(/^\d{4}-.*Z$/);

test('administrators see the same failed messages as the command, without their content', async () => {
  await app.person({ email: 'ana@players.test', phone: '+15125550100' });
  await requestReset('ana@players.test');
  await expect.poll(async () => (await failedMessages()).totalCount, { timeout: 20_000 }).toBe(1);
  await requestReset('ana@players.test', 'SMS');
  await expect.poll(async () => (await failedMessages()).totalCount, { timeout: 20_000 }).toBe(2);
  const { nodes } = await failedMessages();
  expect(nodes).toEqual([
    {
      id: expect.any(String),
      kind: 'TEXT',
      state: 'RETRYING',
      recipient: 'phone',
      subject: null,
      attempts: 1,
      reason: expect.any(String),
      failedAt: instant,
      nextAttemptAt: instant,
    },
    {
      id: expect.any(String),
      kind: 'EMAIL',
      state: 'DEAD',
      recipient: 'players.test',
      subject: 'Reset your password',
      attempts: 1,
      reason: 'Message failed: 554 spam: <link> for …@players.test',
      failedAt: instant,
      nextAttemptAt: null,
    },
  ]);
  const command = await openDeadLetters(app.databaseUrl);
  const listed = await command.list().finally(command.close);
  expect(listed.map(({ id, error }) => ({ id, error }))).toEqual(nodes.map(({ id, reason }) => ({ id, error: reason })));
});

test('the pages of failed messages contain each message once, in both directions', async () => {
  const page = async (args: string) => {
    const { failedMessages: list } = await asAdmin(
      `{ failedMessages(${args}) { nodes { kind } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    return { kinds: list.nodes.map(({ kind }: { kind: string }) => kind), ...list.pageInfo };
  };
  const first = await page('first: 1');
  const second = await page(`first: 1, after: "${first.endCursor}"`);
  const back = await page(`last: 1, before: "${second.startCursor}"`);
  expect({ first, second, back }).toMatchObject({
    first: { kinds: ['TEXT'], hasNextPage: true, hasPreviousPage: false },
    second: { kinds: ['EMAIL'], hasNextPage: false, hasPreviousPage: true },
    back: { kinds: ['TEXT'], hasNextPage: true, hasPreviousPage: false },
  });
  expect(await asAdmin(`{ failedJobs(after: "${first.endCursor}") { totalCount } }`)).toEqual({
    errors: ['BAD_INPUT: after: expected a cursor of this list'],
  });
});

test('failed messages are filtered by kind and state', async () => {
  const page = async (args: string) => {
    const { failedMessages: list, errors } = await asAdmin(
      `{ failedMessages(${args}) { nodes { kind state } totalCount pageInfo { endCursor } } }`,
    );
    return errors ?? { nodes: list.nodes, count: list.totalCount, cursor: list.pageInfo.endCursor };
  };
  const emails = await page('kind: EMAIL');
  expect({
    emails,
    retrying: await page('state: RETRYING'),
    both: await page('kind: EMAIL, state: RETRYING'),
    cursorOfOtherFilter: await page(`kind: TEXT, after: "${emails.cursor}"`),
  }).toEqual({
    emails: { nodes: [{ kind: 'EMAIL', state: 'DEAD' }], count: 1, cursor: expect.any(String) },
    retrying: { nodes: [{ kind: 'TEXT', state: 'RETRYING' }], count: 1, cursor: expect.any(String) },
    both: { nodes: [], count: 0, cursor: null },
    cursorOfOtherFilter: ['BAD_INPUT: after: expected a cursor of this list'],
  });
});

test('a retried message is sent', async () => {
  const [text, mail] = (await failedMessages()).nodes;
  mails.rejection = null;
  const retry = (id: string | undefined) =>
    asAdmin('mutation ($id: ID!) { retryFailedMessage(id: $id) { id state } }', { id: id ?? '' });
  expect({
    retrying: await retry(text?.id),
    unknown: await retry('x'),
    dead: await retry(mail?.id),
    again: await retry(mail?.id),
  }).toEqual({
    retrying: { errors: [`NOT_FOUND: no dead message with the id ${text?.id}`] },
    unknown: { errors: ['NOT_FOUND: no dead message with the id x'] },
    dead: { retryFailedMessage: { id: mail?.id, state: 'DEAD' } },
    again: { errors: [`NOT_FOUND: no dead message with the id ${mail?.id}`] },
  });
  await expect.poll(() => mails.times.get('ana@players.test'), { timeout: 20_000 }).toBe(1);
});

test('all dead messages are retried at once', async () => {
  mails.rejection = 'spam';
  for (const name of ['eve', 'bob']) {
    await app.person({ email: `${name}@players.test` });
    await requestReset(`${name}@players.test`);
  }
  const countDead = async () => (await failedMessages()).nodes.filter(({ state }) => state === 'DEAD').length;
  await expect.poll(countDead, { timeout: 20_000 }).toBe(2);
  mails.rejection = null;
  expect(await asAdmin('mutation { retryFailedMessages { count } }')).toEqual({ retryFailedMessages: { count: 2 } });
  await expect
    .poll(() => ({ eve: mails.times.get('eve@players.test'), bob: mails.times.get('bob@players.test') }), { timeout: 20_000 })
    .toEqual({ eve: 1, bob: 1 });
});

test('a daily job whose last attempt failed is listed until a retry succeeds', async () => {
  const failedJobs = async () =>
    (await asAdmin('{ failedJobs { nodes { id queue attempts reason failedAt } totalCount } }')).failedJobs;
  await app.sql.rows('alter table sign_in_location rename to another_table');
  await app.sql.rows(`insert into jobs.job (name, retry_limit) values ('chore-forget-sign-in-places', 0)`);
  await expect.poll(async () => (await failedJobs()).totalCount, { timeout: 20_000 }).toBe(1);
  const { nodes } = await failedJobs();
  expect(nodes).toEqual([
    {
      id: expect.any(String),
      queue: 'chore-forget-sign-in-places',
      attempts: 1,
      reason: expect.any(String),
      failedAt: instant,
    },
  ]);
  await app.sql.rows('alter table another_table rename to sign_in_location');
  const retry = () => asAdmin('mutation ($id: ID!) { retryFailedJob(id: $id) { queue } }', { id: nodes[0].id });
  expect(await retry()).toEqual({ retryFailedJob: { queue: 'chore-forget-sign-in-places' } });
  await expect
    .poll(async () => (await app.sql.rows('select state::text from jobs.job where id = $1', [nodes[0].id]))[0]?.state, {
      timeout: 20_000,
    })
    .toBe('completed');
  expect({ again: await retry(), count: (await failedJobs()).totalCount }).toEqual({
    again: { errors: [`NOT_FOUND: no failed job with the id ${nodes[0].id}`] },
    count: 0,
  });
});

test('a failed job is omitted when its queue has completed a later one', async () => {
  await app.sql.rows(
    `insert into jobs.job (name, state, created_on, completed_on) values
     ('chore-forget-usage', 'failed', now() - interval '1 day', now()), ('chore-forget-usage', 'completed', now(), now())`,
  );
  expect(await asAdmin('{ failedJobs { totalCount } }')).toEqual({ failedJobs: { totalCount: 0 } });
});

test('all failed jobs are retried at once', async () => {
  await app.sql.rows(
    `insert into jobs.job (name, state, completed_on) values ('chore-forget-usage', 'failed', now()), ('chore-forget-audit', 'failed', now())`,
  );
  expect(await asAdmin('mutation { retryFailedJobs { count } }')).toEqual({ retryFailedJobs: { count: 2 } });
  await expect
    .poll(() => asAdmin('{ failedJobs { totalCount } }'), { timeout: 20_000 })
    .toEqual({ failedJobs: { totalCount: 0 } });
  const waiting = await app.sql.rows(
    `select name from jobs.job where name like 'chore-%' and state = 'failed' and created_on > now() - interval '1 minute'`,
  );
  expect(waiting).toEqual([]);
});

test('players and platforms do not see failed jobs', async () => {
  const query = '{ failedMessages { totalCount } failedJobs { totalCount } }';
  const player = await app.person();
  expect({ player: await app.graphql(query, {}, player), platform: await app.graphql(query) }).toEqual({
    player: { errors: Array(2).fill('FORBIDDEN: Not allowed: requires a user token with the role ADMIN') },
    platform: {
      errors: Array(2).fill(
        'UNAUTHENTICATED: Authentication required: send a user token with the role ADMIN (header PB-USER-TOKEN)',
      ),
    },
  });
});

import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { database, enqueue, headerOf, hello, logged, mailServer, messaging, openMessaging } from './setting.js';

openMessaging();

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ ...hello, subject: `No. ${index}` }));

test('processes started at once on an empty database share the work, and no mail is sent twice', async () => {
  const server = await mailServer();
  const [first] = await Promise.all([1, 2, 3].map(() => messaging({ smtpUrl: server.url })));
  if (!first) throw new Error('nothing was started');
  const mails = numbered(60);
  await enqueue(first, ...mails);
  await expect.poll(() => server.accepted.length).toBe(60);
  await pause(1000);
  expect(server.accepted.map((mail) => headerOf(mail, 'subject')).sort()).toEqual(mails.map(({ subject }) => subject).sort());
});

test('a process that is killed between commit and send loses nothing', async () => {
  const server = await mailServer();
  const end = await new Promise((ended) => {
    const script = new URL('crash.mjs', import.meta.url).pathname;
    const child = execFile(process.execPath, [script, database.url, server.url, JSON.stringify([hello])], (error) =>
      ended(error?.signal),
    );
    child.stderr?.pipe(process.stderr);
  });
  expect([end, server.offered]).toEqual(['SIGKILL', 0]);
  await messaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length).toBe(1);
});

test('mails that a killed process was sending leave within twenty seconds of the restart, and no living process is robbed of its own', async () => {
  const held = await mailServer(() => new Promise(() => {}));
  // Until the others have left: whoever is done with it would take them too.
  let goOn = (_: null) => {};
  const slow = await mailServer(() => new Promise((resolve) => (goOn = resolve)));
  const living = await messaging({ smtpUrl: slow.url });
  await enqueue(living, { ...hello, subject: 'Slow' });
  await expect.poll(() => slow.offered).toBe(1);
  const script = new URL('crash.mjs', import.meta.url).pathname;
  const mails = numbered(5);
  const child = execFile(process.execPath, [script, database.url, held.url, JSON.stringify(mails), 'sends']);
  await expect.poll(() => held.offered, { timeout: 20_000 }).toBe(mails.length);
  child.kill('SIGKILL');
  const server = await mailServer();
  await messaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length, { timeout: 20_000 }).toBe(mails.length);
  expect(server.accepted.map((mail) => headerOf(mail, 'subject')).sort()).toEqual(mails.map(({ subject }) => subject).sort());
  goOn(null);
  await expect.poll(() => slow.accepted.length).toBe(1);
  expect([slow.offered, server.offered]).toEqual([1, mails.length]);
}, 60_000);

test('a mail that was accepted while the database was away counts as sent when it is back', async () => {
  const server = await mailServer(async () => {
    await setAway(true);
    setTimeout(() => void setAway(false), 2500);
    return null;
  });
  const service = await messaging({ smtpUrl: server.url });
  const subject = 'While away';
  await enqueue(service, { ...hello, subject });
  await expect.poll(() => stateOf(subject).catch(() => 'away')).toBe('completed');
  expect(server.offered).toBe(1);
});

test('a mail that was put back before its acceptance could be recorded is not sent again by the process that sent it', async () => {
  const server = await mailServer(async () => {
    await run(database.url, `update jobs.job set state = 'retry', start_after = now() where data->>'subject' = 'Put back'`);
    return null;
  });
  const service = await messaging({ smtpUrl: server.url });
  const subject = 'Put back';
  await enqueue(service, { ...hello, subject });
  await expect.poll(() => stateOf(subject)).toBe('completed');
  expect(server.offered).toBe(1);
});

test('a process that stops lets the mail in progress come to its end', async () => {
  const server = await mailServer(async () => {
    await pause(1500);
    return null;
  });
  const service = await messaging({ smtpUrl: server.url });
  await enqueue(service, hello);
  await expect.poll(() => server.offered).toBe(1);
  await service.stop();
  expect([server.accepted.length, logged.some((line) => line.includes('will be tried again'))]).toEqual([1, false]);
});

test('without a way out a message waits, and its failure says what to configure', async () => {
  const service = await messaging();
  await enqueue(service, hello);
  await expect.poll(() => logged.some((line) => line.includes('set SMTP_URL to send this'))).toBe(true);
  await service.stop();
  const server = await mailServer();
  await messaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length).toBe(1);
});

async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  // It may be cut between two statements, or while it ends: it is for the statements to fail.
  const client = new pg.Client(url).on('error', () => undefined);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Cuts all connections of the database and refuses new ones, as a restart of the server does, or lets them in again. */
async function setAway(away: boolean): Promise<void> {
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  await run(url.href, `alter database "${name}" allow_connections ${!away}`, ...(away ? [cut] : []));
}

const stateOf = async (subject: string): Promise<unknown> =>
  (await run(database.url, `select state from jobs.job where data->>'subject' = '${subject}'`))[0]?.state;

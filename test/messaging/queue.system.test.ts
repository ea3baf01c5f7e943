import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { database, enqueue, headerOf, helloMail, logLines, startMailServer, startMessaging, useMessaging } from './context.js';

useMessaging();

/** Flags of Node for scripts that run TypeScript sources with parameter properties. */
const nodeFlags = ['--experimental-transform-types', '--no-warnings'];

const numberedMails = (count: number) => Array.from({ length: count }, (_, index) => ({ ...helloMail, subject: `No. ${index}` }));

test('processes that start concurrently on an empty database send each email once', async () => {
  const server = await startMailServer();
  const [first] = await Promise.all([1, 2, 3].map(() => startMessaging({ smtpUrl: server.url })));
  if (!first) throw new Error('no process was started');
  const mails = numberedMails(60);
  await enqueue(first, ...mails);
  await expect.poll(() => server.accepted.length).toBe(60);
  await sleep(1000);
  expect(server.accepted.map((mail) => headerOf(mail, 'subject')).sort()).toEqual(mails.map(({ subject }) => subject).sort());
});

test('an email is sent even if its process is killed between commit and sending', async () => {
  const server = await startMailServer();
  const signal = await new Promise((resolve) => {
    const script = fileURLToPath(new URL('crash.mjs', import.meta.url));
    const child = execFile(
      process.execPath,
      [...nodeFlags, script, database.url, server.url, JSON.stringify([helloMail])],
      (error) => resolve(error?.signal),
    );
    child.stderr?.pipe(process.stderr);
  });
  expect({ signal, offered: server.offered }).toEqual({ signal: 'SIGKILL', offered: 0 });
  await startMessaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length).toBe(1);
});

test('emails that a killed process was sending are sent within 20 s of a restart, and a running process keeps its own', async () => {
  const hanging = await startMailServer(() => new Promise(() => {}));
  // Keeps the running process busy, because it would otherwise also send the other emails.
  let acceptSlowMail = (_: null) => {};
  const slow = await startMailServer(() => new Promise((resolve) => (acceptSlowMail = resolve)));
  const running = await startMessaging({ smtpUrl: slow.url });
  await enqueue(running, { ...helloMail, subject: 'Slow' });
  await expect.poll(() => slow.offered).toBe(1);
  const script = fileURLToPath(new URL('crash.mjs', import.meta.url));
  const mails = numberedMails(5);
  const child = execFile(process.execPath, [...nodeFlags, script, database.url, hanging.url, JSON.stringify(mails), 'sends']);
  await expect.poll(() => hanging.offered, { timeout: 20_000 }).toBe(mails.length);
  child.kill('SIGKILL');
  const server = await startMailServer();
  await startMessaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length, { timeout: 20_000 }).toBe(mails.length);
  expect(server.accepted.map((mail) => headerOf(mail, 'subject')).sort()).toEqual(mails.map(({ subject }) => subject).sort());
  acceptSlowMail(null);
  await expect.poll(() => slow.accepted.length).toBe(1);
  expect({ slow: slow.offered, restarted: server.offered }).toEqual({ slow: 1, restarted: mails.length });
}, 60_000);

test('an email that is accepted during a database outage counts as sent after the outage', async () => {
  const server = await startMailServer(async () => {
    await setOutage(true);
    setTimeout(() => void setOutage(false), 2500);
    return null;
  });
  const service = await startMessaging({ smtpUrl: server.url });
  const subject = 'While away';
  await enqueue(service, { ...helloMail, subject });
  await expect.poll(() => stateOf(subject).catch(() => 'outage')).toBe('completed');
  expect(server.offered).toBe(1);
});

test('a process does not send an email again that returned to the queue before its acceptance was recorded', async () => {
  const server = await startMailServer(async () => {
    await run(database.url, `update jobs.job set state = 'retry', start_after = now() where data->>'subject' = 'Put back'`);
    return null;
  });
  const service = await startMessaging({ smtpUrl: server.url });
  const subject = 'Put back';
  await enqueue(service, { ...helloMail, subject });
  await expect.poll(() => stateOf(subject)).toBe('completed');
  expect(server.offered).toBe(1);
});

test('a process that stops completes the email in progress', async () => {
  const server = await startMailServer(async () => {
    await sleep(1500);
    return null;
  });
  const service = await startMessaging({ smtpUrl: server.url });
  await enqueue(service, helloMail);
  await expect.poll(() => server.offered).toBe(1);
  await service.stop();
  expect({
    accepted: server.accepted.length,
    isRetryLogged: logLines.some((line) => line.includes('will be retried')),
  }).toEqual({ accepted: 1, isRetryLogged: false });
});

test('without a mail server, an email waits, and its error names the setting', async () => {
  const service = await startMessaging();
  await enqueue(service, helloMail);
  await expect.poll(() => logLines.some((line) => line.includes('set SMTP_URL to send this'))).toBe(true);
  await service.stop();
  const server = await startMailServer();
  await startMessaging({ smtpUrl: server.url });
  await expect.poll(() => server.accepted.length).toBe(1);
});

async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  // The connection may be closed between statements or after the last one. Only a failing statement is an error.
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

/** Starts or ends a simulated database outage. An outage terminates all connections and refuses new connections. */
async function setOutage(isOutage: boolean): Promise<void> {
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
  await run(url.href, `alter database "${name}" allow_connections ${!isOutage}`, ...(isOutage ? [terminate] : []));
}

const stateOf = async (subject: string): Promise<unknown> =>
  (await run(database.url, `select state from jobs.job where data->>'subject' = '${subject}'`))[0]?.state;
